"""What moving chats between folders changes for them, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.core.i18n import tr
from fireside.core.project import MoveEffect
from fireside.settings.definitions import BY_KEY


def effect_text(effect: MoveEffect) -> str:
    """Return what is different for moved chats, as sentences; empty where nothing is."""
    parts: list[str] = []
    if effect.gains_instructions:
        parts.append(
            tr("other instructions") if effect.loses_instructions else tr("instructions of the project")
        )
    elif effect.loses_instructions:
        parts.append(tr("no instructions of a project"))
    if effect.gained_collections:
        parts.append(tr("documents from {names}").format(names=_quoted(effect.gained_collections)))
    if effect.lost_collections:
        parts.append(tr("no documents from {names}").format(names=_quoted(effect.lost_collections)))
    if n := effect.n_gained_facts:
        parts.append(tr("%n remembered fact of the project|%n remembered facts of the project", "", n))
    if n := effect.n_lost_facts:
        parts.append(tr("without %n remembered fact|without %n remembered facts", "", n))
    if effect.tools_on:
        parts.append(tr("tools on: {names}").format(names=_labels(effect.tools_on)))
    if effect.tools_off:
        parts.append(tr("tools off: {names}").format(names=_labels(effect.tools_off)))
    if effect.changed:
        parts.append(tr("other values: {names}").format(names=_labels(effect.changed)))
    sentences = [tr("From the next answer on: {changes}.").format(changes="; ".join(parts))] if parts else []
    if effect.keeps_model:
        sentences.append(tr("The model stays.") if parts else tr("The chat keeps its model."))
    return " ".join(sentences)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(tr("“{name}”").format(name=name) for name in names)


def _labels(keys: Sequence[str]) -> str:
    return ", ".join(tr(BY_KEY[key].label) for key in keys)
