"""The installer for Windows, by mingw-w64 and NSIS on Linux: `windows.py TREE VERSION SETUP.exe [SIGN]`.

TREE is the program's folder for Windows, with `pythonw.exe` at its top: the embeddable Python of python.org,
the locked wheels for Windows, the runtime of `installer/runtimes/build.py windows`, the program. SIGN is a
program that signs an executable in place, such as `installer/windows/sign.sh`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

COMPILER = "x86_64-w64-mingw32-gcc-posix"
_PARTS = Path(__file__).resolve().parents[1] / "windows"
_FLAGS = (
    *("-Os", "-s", "-municode", "-static"),
    *("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"),
    "-Wl,--no-insert-timestamp",
)


def make_setup(tree: Path, *, version: str, setup: Path, sign: Path | None = None) -> None:
    """Write the installer ``setup`` of ``tree``. Raises subprocess.CalledProcessError.

    ``sign`` signs the installer, the uninstaller and the launcher.
    """
    with tempfile.TemporaryDirectory() as scratch:
        stub = Path(scratch) / "Fireside.exe"
        _compile(stub, "-mwindows", sign=sign)
        values = {"VERSION": version, "TREE": tree, "STUB": stub, "OUTPUT": setup.absolute()}
        if sign is not None:
            values["SIGN"] = sign.absolute()
        defined = (f"-D{name}={value}" for name, value in values.items())
        subprocess.run(["makensis", "-V1", "-WX", *defined, _PARTS / "fireside.nsi"], check=True)


def make_launcher(target: Path, *, sign: Path | None = None) -> None:
    """Compile the launcher in ``bin`` of the tree, for terminals."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _compile(target, "-DIN_TREE", sign=sign)


def _compile(target: Path, *flags: str, sign: Path | None) -> None:
    subprocess.run([COMPILER, *_FLAGS, *flags, _PARTS / "stub.c", "-o", target], check=True)
    if sign is not None:
        subprocess.run([sign, target], check=True)


def main(arguments: Sequence[str]) -> int:
    """Build the installer; return the exit status."""
    if len(arguments) not in (3, 4):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    sign = Path(arguments[3]) if len(arguments) > 3 else None
    make_setup(Path(arguments[0]), version=arguments[1], setup=Path(arguments[2]), sign=sign)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
