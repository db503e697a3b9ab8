"""Check a folder or file that the user chooses before the program depends on it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr
from fireside.core.os_errors import render_os_error
from fireside.settings.values import SettingDefinition

_WRITTEN: Final = frozenset({"folders.data"})
"""The model folder may be shared and read-only; then it only cannot take downloads."""


def check_file(definition: SettingDefinition, path: str) -> None:
    """Raise ``SettingInvalid`` if the file cannot be read. Empty is none."""
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
    """Raise ``SettingInvalid`` if the folder cannot be used as ``definition``'s. Empty is the usual place."""
    if not path:
        return
    folder = Path(path)
    if not folder.is_dir():
        raise SettingInvalid(key=definition.label, reason=tr("Folder not found: {path}").format(path=path))
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
        if definition.key in _WRITTEN:
            # Asking for permission is not enough: read-only disks and quotas only show when one writes.
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as exc:
        raise SettingInvalid(
            key=definition.label,
            reason=tr("{path} cannot be used: {reason}.").format(path=path, reason=render_os_error(exc)),
        ) from exc
