"""What presets are called where they are shown: those that came with the program in the user's language."""

from __future__ import annotations

from fireside.core.i18n import tr
from fireside.core.preset import Preset
from fireside.ui.widgets.text import one_line


def localized_name(preset: Preset) -> str:
    """Return its name on one line; it is kept as it was stored, whatever language is chosen later."""
    return _shown(preset.name, preset)


def localized_about(preset: Preset) -> str:
    """Return what it is for, on one line."""
    return _shown(preset.about, preset)


def _shown(words: str, preset: Preset) -> str:
    # Words that the user has changed have no translation, and are said as they are.
    return one_line(tr(words) if preset.source and words else words)
