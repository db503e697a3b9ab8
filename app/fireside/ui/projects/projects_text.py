"""Texts about projects. Pure."""

from __future__ import annotations

from fireside.core.chat import Folder
from fireside.core.i18n import tr
from fireside.core.preset import PRESET_NAME_KEY
from fireside.settings.layers import project_settings

_SEPARATOR = " · "


def project_summary(folder: Folder, *, n_chats: int) -> str:
    """Return in one line what a project has: “3 chats · Instructions · 2 collections”."""
    parts = [tr("%n chat|%n chats", "", n_chats)]
    if folder.instructions.strip():
        parts.append(tr("Instructions"))
    if preset := str(folder.settings.get(PRESET_NAME_KEY) or ""):
        parts.append(tr("Preset “{preset}”").format(preset=preset))
    if folder.collections:
        parts.append(tr("%n collection|%n collections", "", len(folder.collections)))
    if n_settings := len(project_settings(folder)) - bool(folder.instructions):
        parts.append(tr("%n setting|%n settings", "", n_settings))
    return _SEPARATOR.join(parts)
