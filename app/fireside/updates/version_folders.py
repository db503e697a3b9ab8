"""The folder with the installed versions of the program, and which of them starts.

ROOT/fireside            the stub, which never changes: starts a version, see installer/release/stub.sh
                         and, for Windows, installer/windows/stub.c
ROOT/current             two lines: the version that starts, and the one to roll back to
ROOT/unproven            exists until the version that starts has opened its window; one byte per start
ROOT/failed              a version that did not start
ROOT/seen.json           the newest version that each key has signed
ROOT/versions/VERSION    trees; ``.VERSION.part`` while one is assembled
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

    def _update_registry(version: str) -> None:
        """Update the version in Windows' list of installed programs, which winget reads too."""
        # A folder that was copied has no entry.
        with (
            contextlib.suppress(OSError),
            winreg.OpenKey(winreg.HKEY_CURRENT_USER, _ENTRY, access=winreg.KEY_SET_VALUE) as entry,
        ):
            winreg.SetValueEx(entry, "DisplayVersion", 0, winreg.REG_SZ, version)


VERSIONS: Final = "versions"
CURRENT: Final = "current"
MAX_START_ATTEMPTS: Final = 2
"""How often a version may fail to open its window; the stub has the same number."""


class CurrentVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The version that starts, and the one to roll back to; empty if there is none."""

    version: str
    previous: str = ""


class VersionFolders:
    """The versions in the folder ``root``. Every change is atomic, whenever the program is killed.

    Blocks; one thread at a time. Raises ``OSError``.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.downloads = root / "downloads"
        self._versions = root / VERSIONS
        self._unproven = root / "unproven"
        self._failed = root / "failed"
        self.seen = root / "seen.json"
        """See ``ReleaseRepository``."""

    def current(self) -> CurrentVersion:
        """Return the version that the next start uses."""
        lines = (self.root / CURRENT).read_text("utf-8").splitlines()
        versions = [line.strip() for line in lines[:2] if is_version(line.strip())]
        version, previous = (*versions, "", "")[:2]
        return CurrentVersion(version=version, previous=previous)

    def failed(self) -> str:
        """Return the version that did not start, if that was the last one installed; else empty."""
        return _read(self._failed)

    def tree(self, version: str) -> Path:
        """Return the folder of a version."""
        return self._versions / version

    def create_partial(self, version: str) -> Path:
        """Create and return the empty folder in which a version is assembled."""
        part = self._part(version)
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        return part

    def commit(self, version: str) -> None:
        """Make the assembled folder a version, durably."""
        # All files are synced before the folder gets its name.
        if sys.platform == "win32":
            for path in self._part(version).rglob("*"):
                if path.is_file():
                    sync_file(path)
        else:
            os.sync()  # one call for thousands of files
        shutil.rmtree(self.tree(version), ignore_errors=True)
        self._part(version).rename(self.tree(version))
        sync_folder(self._versions)

    def activate(self, version: str) -> None:
        """Let the next start use ``version``; the current one becomes the one to roll back to."""
        before = self.current().version
        self._failed.unlink(missing_ok=True)
        replace_file(self._unproven, b"")
        self._write(version, before)

    def roll_back(self) -> str:
        """Let the next start use the previous version, and return it; the two are exchanged."""
        current = self.current()
        self._unproven.unlink(missing_ok=True)
        self._write(current.previous, current.version)
        return current.previous

    def confirm_start(self, running: str) -> None:
        """Record that the window of ``running`` is open. If the stub started it because the current version
        did not start, it becomes the current one."""
        current = self.current()
        if running == current.previous and len(_read(self._unproven)) >= MAX_START_ATTEMPTS:
            replace_file(self._failed, current.version.encode())
            self._write(running, "")
        if running in (current.version, current.previous):
            self._unproven.unlink(missing_ok=True)

    def clean_up(self, *, running: str) -> None:
        """Delete downloads, partial folders, and versions other than current, previous and ``running``."""
        current = self.current()
        shutil.rmtree(self.downloads, ignore_errors=True)
        for folder in self._versions.iterdir():
            if folder.name not in (current.version, current.previous, running):
                shutil.rmtree(folder, ignore_errors=True)

    def _part(self, version: str) -> Path:
        return self._versions / f".{version}.part"

    def _write(self, version: str, previous: str) -> None:
        replace_file(self.root / CURRENT, f"{version}\n{previous}\n".encode())
        if sys.platform == "win32":
            _update_registry(version)


def find_version_folders(tree: Path) -> VersionFolders | None:
    """Return the version folders that contain ``tree``; ``None`` if it is not in any."""
    root = tree.parent.parent
    is_one = tree.parent.name == VERSIONS and is_version(tree.name) and (root / CURRENT).is_file()
    return VersionFolders(root) if is_one else None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
