"""Take llama.cpp from the releases, where they have a build for this computer, instead of compiling it."""

from __future__ import annotations

import base64
import hashlib
import shutil
import zipfile
from pathlib import Path

from provision.console import Task
from provision.layout import Layout
from provision.llama_build import Build
from provision.llama_source import prepare_source
from provision.process import Program, run_program
from release.published import ADDRESS, KEYS

_FETCH = Path(__file__).with_name("fetch_runtime.py")
_PROGRESS = "fraction "


def is_offered() -> bool:
    """Whether there is an address to ask."""
    return bool(ADDRESS)


def fetch_wheel(build: Build, *, layout: Layout, task: Task, log: Path) -> Path:
    """Return a wheel of the locked binding with published libraries, in a folder that the next call replaces.

    Signature, digests and versions are checked as for every runtime. Raises SetupFailure.
    """
    folder = build.cache / "prebuilt"
    libraries = folder / "libraries"
    shutil.rmtree(libraries, ignore_errors=True)
    libraries.mkdir(parents=True)

    def show(line: str) -> None:
        if line.startswith(_PROGRESS):
            task.progress("fetching", fraction=float(line.removeprefix(_PROGRESS)))

    task.progress("looking for a build for this computer")
    run_program(
        Program(
            command=[
                layout.python,
                "-P",
                _FETCH,
                libraries,
                build.pin.version,
                build.choice.backend.value,
                ADDRESS,
                *KEYS,
            ],
            log=log,
            failed="No build of llama.cpp could be fetched.",
            advice="It is compiled instead.",
            variables={"PYTHONPATH": str(layout.app)},
        ),
        on_line=show,
        on_tick=task.tick,
    )
    prepare_source(folder, pin=build.pin, tools=build.tools, task=task, log=log)
    return write_wheel(
        folder, binding=folder / "source", libraries=libraries, name=build.pin.name, version=build.pin.version
    )


def write_wheel(folder: Path, *, binding: Path, libraries: Path, name: str, version: str) -> Path:
    """Write the wheel of an unpacked source package whose libraries are those of another folder."""
    stem = f"{name.replace('-', '_')}-{version}"
    facts = f"{stem}.dist-info"
    package = binding / "llama_cpp"
    files = {
        f"llama_cpp/{path.relative_to(package).as_posix()}": path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file() and "lib" not in path.relative_to(package).parts[:1]
    }
    files |= {f"llama_cpp/lib/{path.name}": path.read_bytes() for path in sorted(libraries.iterdir())}
    files[f"{facts}/METADATA"] = (binding / "PKG-INFO").read_bytes()
    files[f"{facts}/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in files.items())
    files[f"{facts}/RECORD"] = f"{record}{facts}/RECORD,,\n".encode()
    wheel = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return wheel


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
