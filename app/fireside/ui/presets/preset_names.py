"""What presets are called where they are shown: those that came with the program in the person's language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from fireside.core.i18n import tr
from fireside.core.preset import Preset, PresetKind
from fireside.ui.palette.targets import Target, TargetKind
from fireside.ui.widgets.text import one_line


def shown_name(preset: Preset) -> str:
    """Return its name on one line; it is kept as it was stored, whatever language is chosen later."""
    return _shown(preset.name, preset)


def shown_about(preset: Preset) -> str:
    """Return what it is for, on one line."""
    return _shown(preset.about, preset)


def _shown(words: str, preset: Preset) -> str:
    # Words that a person has changed have no translation, and are said as they are.
    return one_line(tr(words) if preset.source and words else words)


def preset_targets(presets: Sequence[Preset], *, use: Callable[[Preset], None]) -> tuple[Target, ...]:
    """Return presets and texts to insert as targets of palette and slash menu, in their order."""
    return tuple(
        Target(
            kind=TargetKind.PRESET,
            key=str(preset.id),
            words=shown_name(preset),
            place=tr("Text") if preset.kind is PresetKind.SNIPPET else tr("Preset"),
            icon="file-text" if preset.kind is PresetKind.SNIPPET else "bookmark",
            also=shown_about(preset),
            go=partial(use, preset),
        )
        for preset in presets
    )
