"""Download the sources that `THIRD-PARTY.txt` offers beside the packages: `sources.py FOLDER`.

Existing files are not downloaded again, so this also checks that a folder is complete.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from provision.layout import find_layout
from provision.lock_files import RUN, pin_of, read_pins

ADDRESS = "https://download.qt.io/official_releases/"
_MODULES = ("qtbase", "qtsvg", "qtwayland", "qtimageformats")
"""Modules with libraries or plugins in the tree, see ``trimming.py``."""


def sources(*, qt: str) -> tuple[str, ...]:
    """Return the paths of the source archives of Qt and PySide in a version, relative to ``ADDRESS``."""
    submodules = f"qt/{qt.rpartition('.')[0]}/{qt}/submodules"
    return (
        *(f"{submodules}/{module}-everywhere-src-{qt}.tar.xz" for module in _MODULES),
        f"QtForPython/pyside6/PySide6-{qt}-src/pyside-setup-everywhere-src-{qt}.tar.xz",
    )


def fetch(folder: Path, *, qt: str, address: str = ADDRESS) -> Iterator[Path]:
    """Download missing sources to ``folder``; yield the path of each. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sources(qt=qt):
        target = folder / name.rpartition("/")[2]
        if not target.exists():
            part = target.with_name(f"{target.name}.part")
            with urllib.request.urlopen(address + name) as response, part.open("wb") as file:  # noqa: S310
                shutil.copyfileobj(response, file)
            part.replace(target)
        yield target


def main(arguments: Sequence[str]) -> int:
    """Download to the folder of the command line; return the exit status."""
    if len(arguments) != 1:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    locked = (find_layout().root / RUN).read_text(encoding="utf-8")
    qt = pin_of(read_pins(locked), name="pyside6-essentials").version
    try:
        for path in fetch(Path(arguments[0]), qt=qt):
            with path.open("rb") as file:
                sys.stdout.write(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    except OSError as error:
        sys.stderr.write(f"A source is missing, and nothing may be published without it: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
