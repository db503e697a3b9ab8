"""Names and descriptions of presets for display: those shipped with the program are translated."""

from __future__ import annotations

from fireside.core.i18n import tr
from fireside.core.preset import Preset
from fireside.ui.widgets.text import one_line


def localized_name(preset: Preset) -> str:
    """Return the preset's name on one line, in the user's language; the stored name does not change."""
    return _display_text(preset.name, preset)


def localized_about(preset: Preset) -> str:
    """Return the preset's description on one line."""
    return _display_text(preset.about, preset)


def _display_text(text: str, preset: Preset) -> str:
    # A text that the user has edited has no translation and is displayed as it is.
    return one_line(tr(text) if preset.source and text else text)
