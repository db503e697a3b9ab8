"""The installer for Windows, built on Linux with mingw-w64 and NSIS. `windows.py TREE VERSION SETUP.exe`.

TREE is the program's folder as it lies on Windows, with `pythonw.exe` at its top: the embeddable Python of
python.org, the locked wheels for Windows, the runtime of `installer/runtimes/build.py windows`, the program.
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


def make_setup(tree: Path, *, version: str, setup: Path) -> None:
    """Write the installer ``setup`` of what lies in ``tree``. Raises subprocess.CalledProcessError."""
    with tempfile.TemporaryDirectory() as scratch:
        stub = Path(scratch) / "Fireside.exe"
        _compile(stub, "-mwindows")
        values = {"VERSION": version, "TREE": tree, "STUB": stub, "OUTPUT": setup.absolute()}
        defined = (f"-D{name}={value}" for name, value in values.items())
        subprocess.run(["makensis", "-V1", "-WX", *defined, _PARTS / "fireside.nsi"], check=True)


def make_launcher(target: Path) -> None:
    """Compile what starts the program in its own tree from a terminal, as ``bin`` of the tree has it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _compile(target, "-DIN_TREE")


def _compile(target: Path, *flags: str) -> None:
    subprocess.run([COMPILER, *_FLAGS, *flags, _PARTS / "stub.c", "-o", target], check=True)


def main(words: Sequence[str]) -> int:
    """Build what the command line names; return the exit status."""
    if len(words) != 3:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    make_setup(Path(words[0]), version=words[1], setup=Path(words[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
