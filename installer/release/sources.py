"""Fetch the sources that `THIRD-PARTY.txt` offers, to lie beside the packages: `sources.py FOLDER`.

What is there already is not fetched again, so this also tells whether a folder is complete.
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
"""Those whose libraries and plugins the tree keeps, see ``trimming.py``."""


def sources(*, qt: str) -> tuple[str, ...]:
    """Return where the source archives of Qt and PySide of a version are, as seen from ``ADDRESS``."""
    submodules = f"qt/{qt.rpartition('.')[0]}/{qt}/submodules"
    return (
        *(f"{submodules}/{module}-everywhere-src-{qt}.tar.xz" for module in _MODULES),
        f"QtForPython/pyside6/PySide6-{qt}-src/pyside-setup-everywhere-src-{qt}.tar.xz",
    )


def fetch(folder: Path, *, qt: str, address: str = ADDRESS) -> Iterator[Path]:
    """Have the sources in ``folder``; give each, whole. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sources(qt=qt):
        target = folder / name.rpartition("/")[2]
        if not target.exists():
            part = target.with_name(f"{target.name}.part")
            with urllib.request.urlopen(address + name) as said, part.open("wb") as file:  # noqa: S310
                shutil.copyfileobj(said, file)
            part.replace(target)
        yield target


def main(arguments: Sequence[str]) -> int:
    """Fetch into the folder that the command line names; return the exit status."""
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
