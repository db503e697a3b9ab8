"""The texts of the window for a chat's preset, rule and seed. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from fireside.core.i18n import tr
from fireside.core.options import SEED_RANDOM
from fireside.core.preset import Preset, PresetKind
from fireside.settings.definitions_answer import FORMAT_TEXT
from fireside.ui.chat.pane.chips import PRESET, RULE, SEED, SYSTEM, ChipContent
from fireside.ui.palette.targets import Target, TargetKind
from fireside.ui.preset_names import localized_about, localized_name
from fireside.ui.presets.rules import format_label


def preset_chips(*, preset: str, form: str, seed: object, own_system_prompt: bool) -> tuple[ChipContent, ...]:
    """Return the chips of a chat; ``own_system_prompt``: it has a system prompt that is from no preset."""
    chips: list[ChipContent] = []
    if preset:
        chips.append(
            ChipContent(
                kind=PRESET,
                label=preset,
                icon="bookmark",
                tooltip=tr("Preset of this chat; click to change"),
                remove_label=tr("Remove preset"),
            )
        )
    if own_system_prompt:
        chips.append(
            ChipContent(
                kind=SYSTEM,
                label=tr("System prompt"),
                icon="text-cursor",
                tooltip=tr("System prompt of this chat; click to change"),
                remove_label=tr("Use default system prompt"),
            )
        )
    if form not in ("", FORMAT_TEXT):
        chips.append(
            ChipContent(
                kind=RULE,
                label=tr("Format: {form}").format(form=format_label(form)),
                icon="braces",
                tooltip=tr("Response format of this chat; click to change"),
                remove_label=tr("Remove response format"),
            )
        )
    if isinstance(seed, int) and seed != SEED_RANDOM:
        chips.append(
            ChipContent(
                kind=SEED,
                label=tr("Seed {seed}").format(seed=seed),
                icon="dices",
                tooltip=tr("Same prompt, same settings, same answer"),
                remove_label=tr("Use random seed"),
            )
        )
    return tuple(chips)


def preset_targets(presets: Sequence[Preset], *, use: Callable[[Preset], None]) -> tuple[Target, ...]:
    """Return presets and texts to insert as targets of palette and slash menu, in their order."""
    return tuple(
        Target(
            kind=TargetKind.PRESET,
            key=str(preset.id),
            label=localized_name(preset),
            location=tr("Text") if preset.kind is PresetKind.SNIPPET else tr("Preset"),
            icon="file-text" if preset.kind is PresetKind.SNIPPET else "bookmark",
            keywords=localized_about(preset),
            action=partial(use, preset),
        )
        for preset in presets
    )
