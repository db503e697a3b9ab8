"""Versions of the program beside each other, and which of them starts.

ROOT/fireside            the stub, which never changes: starts a version, see installer/release/stub.sh
                         and, for Windows, installer/windows/stub.c
ROOT/current             two lines: the version that starts, and the one to go back to
ROOT/unproven            there until the version that starts has opened its window; one byte a start
ROOT/failed              a version that did not come up
ROOT/seen.json           the newest version that each key has signed
ROOT/versions/VERSION    trees; ``.VERSION.part`` while they are made
ROOT/downloads           archives that are not unpacked yet
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from pathlib import Path
from typing import Final

import msgspec

from fireside.files.atomic_replace import replace_file
from fireside.files.fsync import sync_file, sync_folder
from fireside.updates.manifest import is_version

if sys.platform == "win32":
    import winreg

    _ENTRY: Final = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\Fireside"

    def _tell_windows(version: str) -> None:
        """Have the list of installed programs, which winget reads too, say ``version``."""
        # A folder that was copied has no entry.
        with (
            contextlib.suppress(OSError),
            winreg.OpenKey(winreg.HKEY_CURRENT_USER, _ENTRY, access=winreg.KEY_SET_VALUE) as entry,
        ):
            winreg.SetValueEx(entry, "DisplayVersion", 0, winreg.REG_SZ, version)


VERSIONS: Final = "versions"
CURRENT: Final = "current"
TRIES: Final = 2
"""How often a version may fail to open its window; the stub knows the same number."""


class InUse(msgspec.Struct, frozen=True, kw_only=True):
    """The version that starts, and the one to go back to; empty where there is none."""

    version: str
    previous: str = ""


class VersionFolders:
    """The folder ``root``. Every change is whole or not there, whenever the program is killed.

    Blocks; one thread at a time. Raises ``OSError``.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.downloads = root / "downloads"
        self._versions = root / VERSIONS
        self._unproven = root / "unproven"
        self._failed = root / "failed"
        self.seen = root / "seen.json"
        """See ``ReleaseAddress``."""

    def in_use(self) -> InUse:
        """Return which version the next start uses."""
        lines = (self.root / CURRENT).read_text("utf-8").splitlines()
        known = [line.strip() for line in lines[:2] if is_version(line.strip())]
        return InUse(version=known[0] if known else "", previous=known[1] if len(known) > 1 else "")

    def failed(self) -> str:
        """Return the version that did not come up, if that was the last one to be installed."""
        return _read(self._failed)

    def tree(self, version: str) -> Path:
        """Return the folder of a version."""
        return self._versions / version

    def begin(self, version: str) -> Path:
        """Return the empty folder in which a version is put together."""
        part = self._part(version)
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        return part

    def adopt(self, version: str) -> None:
        """Have what was put together be a version among the others."""
        # All of it is on the disk before the name says so.
        if sys.platform == "win32":
            for path in self._part(version).rglob("*"):
                if path.is_file():
                    sync_file(path)
        else:
            os.sync()  # one call for thousands of files
        shutil.rmtree(self.tree(version), ignore_errors=True)
        self._part(version).rename(self.tree(version))
        sync_folder(self._versions)

    def switch(self, version: str) -> None:
        """Have the next start use ``version``; the one that is in use until then can be gone back to."""
        before = self.in_use().version
        self._failed.unlink(missing_ok=True)
        replace_file(self._unproven, b"")
        self._write(version, before)

    def go_back(self) -> str:
        """Have the next start use the version before, and return it; the other stays to go forward to."""
        now = self.in_use()
        self._unproven.unlink(missing_ok=True)
        self._write(now.previous, now.version)
        return now.previous

    def settle(self, running: str) -> None:
        """Note that the window of ``running`` is open. Where the stub took it in place of one that did not
        come up, it is the one that starts from now on."""
        now = self.in_use()
        if running == now.previous and len(_read(self._unproven)) >= TRIES:
            replace_file(self._failed, now.version.encode())
            self._write(running, "")
        if running in (now.version, now.previous):
            self._unproven.unlink(missing_ok=True)

    def sweep(self, *, running: str) -> None:
        """Remove downloads, what was left half done, and versions that no start needs any more."""
        now = self.in_use()
        shutil.rmtree(self.downloads, ignore_errors=True)
        for folder in self._versions.iterdir():
            if folder.name not in (now.version, now.previous, running):
                shutil.rmtree(folder, ignore_errors=True)

    def _part(self, version: str) -> Path:
        return self._versions / f".{version}.part"

    def _write(self, version: str, previous: str) -> None:
        replace_file(self.root / CURRENT, f"{version}\n{previous}\n".encode())
        if sys.platform == "win32":
            _tell_windows(version)


def folders_around(tree: Path) -> VersionFolders | None:
    """Return the version folders that ``tree`` is one of; ``None`` where it is none."""
    root = tree.parent.parent
    is_one = tree.parent.name == VERSIONS and is_version(tree.name) and (root / CURRENT).is_file()
    return VersionFolders(root) if is_one else None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
