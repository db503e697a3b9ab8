"""Texts for what an answer or a load waits for. Pure."""

from __future__ import annotations

from typing import assert_never

from fireside.core.generation import WaitReason
from fireside.core.i18n import tr


def waiting_message(waits_for: WaitReason, *, model: str) -> str:
    """Return a text for ``waits_for``; ``model`` names the other model, empty where there is none."""
    match waits_for:
        case WaitReason.ANSWERS:
            return tr("Next in queue…")
        case WaitReason.OTHER_MODEL if not model:
            return tr("Waiting for another model to finish…")
        case WaitReason.OTHER_MODEL:
            return tr("Waiting for {model} to finish…").format(model=model)
        case WaitReason.LOADING if not model:
            return tr("Waiting for another model to load…")
        case WaitReason.LOADING:
            return tr("Waiting for {model} to load…").format(model=model)
        case WaitReason.SILENT_LOAD if not model:
            return tr("Loading model… no progress at the moment")
        case WaitReason.SILENT_LOAD:
            return tr("Waiting for {model} to load (no progress at the moment)…").format(model=model)
        case WaitReason.MEASURING:
            return tr("Waiting for the benchmark of {model}… · Cancel it on the model’s page").format(
                model=model
            )
        case WaitReason.ROOM:
            return tr("Freeing memory for the model…")
        case _:
            assert_never(waits_for)
