"""The application bundle for macOS, which `installer/macos/sign.sh` signs on a Mac. Not yet run on one."""

from __future__ import annotations

import plistlib
import shutil
import struct
from collections.abc import Mapping
from pathlib import Path

OLDEST_MACOS = "15.0"
"""Required by some modules of PySide 6.11, though its wheels are tagged for 13."""
ICON = "fireside.icns"

_ICON_TYPES = {32: b"ic11", 64: b"ic12", 128: b"ic07", 256: b"ic08", 512: b"ic09"}
"""Apple's types of PNG icons, by size in pixels."""
_LAUNCHER = """\
#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P) || exit
exec "$here/../Resources/fireside/bin/fireside" "$@"
"""


def write_bundle(app: Path, *, tree: Path, version: str, plist: Path, pictures: Mapping[int, Path]) -> None:
    """Write the new bundle ``app``, a folder ``Fireside.app``, with ``tree`` in it.

    Args:
        tree: the relocatable tree for macOS.
        plist: the property list with the file type, see ``installer/association``.
        pictures: the icon as PNG files, by their size in pixels.
    """
    contents = app / "Contents"
    shutil.copytree(tree, contents / "Resources" / "fireside", symlinks=True)
    (contents / "Info.plist").write_bytes(info_plist(plist.read_bytes(), version=version))
    (contents / "PkgInfo").write_text("APPL????", encoding="ascii")
    (contents / "Resources" / ICON).write_bytes(icon(pictures))
    launcher = contents / "MacOS" / "fireside"
    launcher.parent.mkdir()
    launcher.write_text(_LAUNCHER, encoding="utf-8")
    launcher.chmod(0o755)


def info_plist(associated: bytes, *, version: str) -> bytes:
    """Return the property list with the keys that an application needs."""
    more = {
        "CFBundleVersion": version,
        "CFBundleShortVersionString": version,
        "CFBundleDisplayName": "Fireside",
        "CFBundleIconFile": ICON,
        "LSMinimumSystemVersion": OLDEST_MACOS,
        "LSApplicationCategoryType": "public.app-category.productivity",
        "NSHumanReadableCopyright": "Apache License 2.0. The About page shows the licences of others' works.",
    }
    return plistlib.dumps(plistlib.loads(associated) | more)


def icon(pictures: Mapping[int, Path]) -> bytes:
    """Return an icon in Apple's format with those of ``pictures`` whose size it supports."""
    parts = b"".join(
        kind + struct.pack(">I", 8 + pictures[size].stat().st_size) + pictures[size].read_bytes()
        for size, kind in _ICON_TYPES.items()
        if size in pictures
    )
    return b"icns" + struct.pack(">I", 8 + len(parts)) + parts
