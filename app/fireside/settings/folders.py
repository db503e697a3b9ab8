"""Checks of folders and files that the user chooses."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr
from fireside.core.os_errors import render_os_error
from fireside.settings.values import SettingDefinition

_WRITABLE: Final = frozenset({"folders.data"})
"""Folders that must be writable. A read-only model folder is allowed: it only cannot take downloads."""


def check_file(definition: SettingDefinition, path: str) -> None:
    """Raise ``SettingInvalid`` if the file cannot be read. An empty path means none."""
    if not path:
        return
    try:
        with Path(path).open("rb"):
            pass
    except FileNotFoundError as exc:
        raise SettingInvalid(
            key=definition.label, reason=tr("File not found: {path}").format(path=path)
        ) from exc
    except OSError as exc:
        raise SettingInvalid(
            key=definition.label,
            reason=tr("{path} cannot be used: {reason}.").format(path=path, reason=render_os_error(exc)),
        ) from exc


def check_folder(definition: SettingDefinition, path: str) -> None:
    """Raise ``SettingInvalid`` if the folder cannot be used. An empty path means the default."""
    if not path:
        return
    folder = Path(path)
    if not folder.is_dir():
        raise SettingInvalid(key=definition.label, reason=tr("Folder not found: {path}").format(path=path))
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
        if definition.key in _WRITABLE:
            # Permissions are not enough: read-only disks and quotas are only noticed by writing.
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as exc:
        raise SettingInvalid(
            key=definition.label,
            reason=tr("{path} cannot be used: {reason}.").format(path=path, reason=render_os_error(exc)),
        ) from exc
