"""Build the program's folder for Windows, and its installer, on Linux: `--help`.

Python is the embeddable one of python.org, checked against the digest on the page of its release. The Python
that compiles the byte code has to be of the same version.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from provision import lock_files
from provision.environment import PIP
from provision.failure import SetupFailure
from provision.layout import Layout, find_layout
from provision.lock_files import read_pins
from provision.steps import LLAMA
from release.components import python_of
from release.interpreter import Interpreter
from release.notices import write_notices
from release.published import write_build
from release.tree import components_of, copy_packages, copy_program, unpack_runtime
from release.windows import make_launcher, make_setup

_ENVIRONMENT = {
    "implementation_name": "cpython",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "platform_python_implementation": "CPython",
    "platform_system": "Windows",
    "sys_platform": "win32",
}
_EVALUATE_MARKERS = """
import json, sys
from packaging.markers import Marker
markers, environment = json.load(sys.stdin)
print(json.dumps([not marker or Marker(marker).evaluate(environment) for marker in markers]))
"""


@dataclass(frozen=True, kw_only=True)
class WindowsParts:
    """The inputs. ``python`` is the archive under its name on python.org, which has the version."""

    layout: Layout
    python: Path
    compiler: Path
    runtime: Path
    sign: Path | None = None
    """A program that signs an executable in place."""

    @property
    def full_version(self) -> str:
        return self.python.name.split("-")[1]

    @property
    def version(self) -> str:
        return self.full_version.rpartition(".")[0]


def locked_for_windows(text: str, *, version: str, python: Path) -> str:
    """Return the packages of a lock file for a Python of ``version`` on Windows, without their markers and
    without llama.cpp. ``python`` is an interpreter with the package ``packaging``."""
    pins = tuple(pin for pin in read_pins(text) if pin.name != LLAMA)
    parts = [pin.text.partition("\\")[0].partition(";") for pin in pins]
    environment = _ENVIRONMENT | {"python_version": version, "python_full_version": f"{version}.0"}
    output = subprocess.run(
        [python, "-I", "-c", _EVALUATE_MARKERS],
        input=json.dumps([[marker.strip() for _, _, marker in parts], environment]),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return "".join(
        f"{name.strip()} \\{pin.text.partition(chr(92))[2]}"
        for pin, (name, _, _), applies in zip(pins, parts, json.loads(output), strict=True)
        if applies
    )


def fetch_packages(parts: WindowsParts, *, target: Path) -> None:
    """Install the locked wheels for Windows into the new folder ``target``, each checked against its hash."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    requirements = target.with_name(f"{target.name}.lock")
    text = (parts.layout.root / lock_files.RUN).read_text(encoding="utf-8")
    requirements.write_text(
        locked_for_windows(text, version=parts.version, python=parts.layout.python), encoding="utf-8"
    )
    subprocess.run(
        [
            *(parts.layout.python, *PIP, "install", "--quiet", "--require-hashes", "--no-deps"),
            *("--only-binary=:all:", "--platform=win_amd64", f"--python-version={parts.version}"),
            *("--requirement", requirements, "--target", target),
        ],
        check=True,
    )


def assemble_for_windows(tree: Path, parts: WindowsParts, *, packages: Path, program_version: str) -> None:
    """Write the new folder ``tree`` from the ``packages`` of ``fetch_packages``.

    Raises SetupFailure if a licence text is missing.
    """
    shutil.rmtree(tree, ignore_errors=True)
    with zipfile.ZipFile(parts.python) as zipped:
        zipped.extractall(tree)
    (paths,) = tree.glob("python3*._pth")
    # The only folders of modules: no other Python's, no variable's and no user's. Those of pywin32 are named,
    # since its own .pth file is not read then.
    folders = ("", "\\win32", "\\win32\\lib")
    lines = (f"{paths.stem}.zip", ".", *(f"Lib\\site-packages{folder}" for folder in folders))
    paths.write_text("\n".join((*lines, "")), encoding="utf-8")
    target = tree / "Lib" / "site-packages"
    copy_packages(packages, target=target, layout=parts.layout)
    unpack_runtime(parts.runtime, folder=target / "llama_cpp" / "lib")
    copy_program(parts.layout, tree=tree, package=target / "fireside")
    make_launcher(tree / "bin" / "fireside.exe", sign=parts.sign)
    subprocess.run(
        [
            *(parts.compiler, "-I", "-m", "compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash"),
            *("-s", tree, "-p", "", target),
        ],
        # The order of sets in byte code depends on the hash seed.
        env={**os.environ, "PYTHONHASHSEED": "0"},
        check=True,
    )
    write_build(tree, kind="folders")
    interpreter = Interpreter(
        program=tree / "python.exe",
        library=tree,
        modules=tree,
        version=parts.version,
        full_version=parts.full_version,
    )
    components = (python_of(interpreter), *components_of(parts.layout, packages=target))
    write_notices(tree, components, version=program_version, packages=target.relative_to(tree))


def check_digest(archive: Path, *, sha256: str) -> None:
    """Raise SetupFailure if ``archive`` has another digest."""
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != sha256.lower():
        raise SetupFailure(
            sentence=f"{archive.name} is not what python.org published: its SHA-256 is {digest}.",
            advice="Download it again, and take the digest from the page of that release.",
        )


def main(arguments: Sequence[str]) -> int:
    """Build the installer; return the exit status."""
    parser = argparse.ArgumentParser(prog="windows_tree.py", description="Build the installer for Windows.")
    parser.add_argument("--python", type=Path, required=True, help="python-3.….…-embed-amd64.zip")
    parser.add_argument("--sha256", required=True, help="its digest, from the page of that release")
    parser.add_argument("--compiler", type=Path, required=True, help="a Python of that version, for here")
    parser.add_argument("--runtime", type=Path, required=True, help="what runtimes/build.py windows made")
    parser.add_argument("--sign", type=Path, help="signs a program: installer/windows/sign.sh, or another")
    parsed = parser.parse_args(arguments)
    layout = find_layout()
    version = layout.version
    parts = WindowsParts(
        layout=layout,
        python=parsed.python,
        compiler=parsed.compiler,
        runtime=parsed.runtime,
        sign=parsed.sign,
    )
    folder = layout.build / "installers" / "windows"
    try:
        check_digest(parsed.python, sha256=parsed.sha256)
        fetch_packages(parts, target=folder / "packages")
        assemble_for_windows(folder / "tree", parts, packages=folder / "packages", program_version=version)
    except SetupFailure as failure:
        sys.stderr.write(f"{failure.sentence}\n{failure.advice}\n")
        return 1
    setup = folder / f"FiresideSetup-{version}.exe"
    make_setup(folder / "tree", version=version, setup=setup, sign=parsed.sign)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
