"""The archive for home folders: the tree with `install.sh` and `uninstall.sh`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from release.published import write_build
from runtimes.packing import pack

_SETUP = "share/fireside/setup"
_PARTS = (
    "installer/association",
    "installer/provision/__init__.py",
    "installer/provision/layout.py",
    "installer/provision/association",
    "installer/release/home_folder.py",
    "installer/release/stub.sh",
    "resources/icons/fireside.svg",
)
_INSTALL = """\
#!/bin/sh
# Install Fireside for the user who runs this, into ~/.local; no administrator is needed.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P) || exit
exec "$here"/bin/python3.* -E -s -B "$here/{setup}/installer/release/home_folder.py" install "$here"
"""
_UNINSTALL = """\
#!/bin/sh
# Remove Fireside from the home folder of the user who runs this. Chats, models and settings stay.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P) || exit
exec "$here"/bin/python3.* -E -s -B "$here/{setup}/installer/release/home_folder.py" uninstall
"""


def make_tarball(tree: Path, *, root: Path, archive: Path) -> None:
    """Pack ``tree`` with its installer. The single top folder is named like the archive.

    ``root`` is the checkout, with the code of the installer.
    """
    folder = archive.with_name(archive.name.removesuffix(".tar.xz"))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(tree, folder, symlinks=True, copy_function=os.link)
    write_build(folder, kind="folders")
    for part in _PARTS:
        source, target = root / part, folder / _SETUP / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target)
    for name, text in (("install.sh", _INSTALL), ("uninstall.sh", _UNINSTALL)):
        script = folder / name
        script.write_text(text.format(setup=_SETUP), encoding="utf-8")
        script.chmod(0o755)
    pack(folder, archive=archive, preset=3)
    shutil.rmtree(folder)
