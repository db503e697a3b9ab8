"""The installer for Windows, by mingw-w64 and NSIS on Linux: `windows.py TREE VERSION SETUP.exe [SIGN]`.

TREE is the program's folder as it lies on Windows, with `pythonw.exe` at its top: the embeddable Python of
python.org, the locked wheels for Windows, the runtime of `installer/runtimes/build.py windows`, the program.
SIGN signs a program where it lies, as `installer/windows/sign.sh` does.
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
    """Write the installer ``setup`` of what lies in ``tree``. Raises subprocess.CalledProcessError.

    ``sign`` signs the installer, the uninstaller and what starts versions.
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
    """Compile what starts the program in its own tree from a terminal, as ``bin`` of the tree has it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _compile(target, "-DIN_TREE", sign=sign)


def _compile(target: Path, *flags: str, sign: Path | None) -> None:
    subprocess.run([COMPILER, *_FLAGS, *flags, _PARTS / "stub.c", "-o", target], check=True)
    if sign is not None:
        subprocess.run([sign, target], check=True)


def main(words: Sequence[str]) -> int:
    """Build what the command line names; return the exit status."""
    if len(words) not in (3, 4):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    sign = Path(words[3]) if len(words) > 3 else None
    make_setup(Path(words[0]), version=words[1], setup=Path(words[2]), sign=sign)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
