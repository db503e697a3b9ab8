"""What a running answer is doing, and the words for it. Pure: no Qt."""

from __future__ import annotations

from typing import assert_never

import msgspec

from fireside.core.generation import WaitsFor
from fireside.core.wording import tr


class Starting(msgspec.Struct, frozen=True, kw_only=True, tag="starting"):
    """Asked for; nothing heard yet."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True, tag="waiting"):
    position: int
    """Requests ahead of this one."""
    waits_for: WaitsFor = WaitsFor.ANSWERS
    model: str = ""
    """Name of the model that it waits for, where that is another one."""


class LoadingModel(msgspec.Struct, frozen=True, kw_only=True, tag="loading"):
    fraction: float
    """0 to 1."""


class Summarising(msgspec.Struct, frozen=True, kw_only=True, tag="summarising"):
    """Of the oldest messages, so that the rest fits."""

    n_messages: int
    fraction: float
    """0 to 1."""


class Reading(msgspec.Struct, frozen=True, kw_only=True, tag="reading"):
    """Tokens of the prompt."""

    n_done: int
    n_total: int
    n_cached: int


class Writing(msgspec.Struct, frozen=True, kw_only=True, tag="writing"):
    n_completion: int


Phase = Starting | Waiting | LoadingModel | Summarising | Reading | Writing


def phase_words(phase: Phase) -> str:
    """Say what is going on, for the line under a running answer."""
    match phase:
        case Starting():
            return "Working…"
        case Waiting():
            return _waiting_words(phase)
        case LoadingModel(fraction=fraction):
            return f"Loading the model… {fraction:.0%}"
        case Summarising(n_messages=n_messages, fraction=fraction):
            return f"Summarising {n_messages:,} earlier messages… {fraction:.0%}"
        case Reading(n_done=n_done, n_total=n_total):
            return f"Reading the conversation… {n_done:,} of {n_total:,} tokens"
        case Writing(n_completion=0):
            return "Writing…"
        case Writing(n_completion=n_completion):
            return f"Writing… {n_completion:,} tokens"
        case _:
            assert_never(phase)


def _waiting_words(waiting: Waiting) -> str:
    n_ahead = f" · {waiting.position} ahead" if waiting.position else ""
    match waiting.waits_for:
        case WaitsFor.ANSWERS if waiting.position == 0:
            return "Next in line…"
        case WaitsFor.ANSWERS if waiting.position == 1:
            return "Waiting for one other answer to finish…"
        case WaitsFor.ANSWERS:
            return f"Waiting for {waiting.position} other answers to finish…"
        case WaitsFor.OTHER_MODEL:
            return f"Waiting for {waiting.model or 'another model'} to finish…{n_ahead}"
        case WaitsFor.LOADING:
            return f"Waiting while {waiting.model or 'another model'} loads…{n_ahead}"
        case WaitsFor.MEASURING:
            return tr("Waiting while {model} is measured…").format(model=waiting.model)
        case WaitsFor.ROOM:
            return f"Making room for the model…{n_ahead}"
        case _:
            assert_never(waiting.waits_for)


def phase_fraction(phase: Phase) -> float | None:
    """How far it is, 0 to 1; ``None`` where that is not known."""
    match phase:
        case LoadingModel(fraction=fraction) | Summarising(fraction=fraction):
            return min(1.0, max(0.0, fraction))
        case Reading(n_done=n_done, n_total=n_total) if n_total > 0:
            return min(1.0, n_done / n_total)
        case _:
            return None
