"""What a running answer is doing, and the words for it. Pure: no Qt."""

from __future__ import annotations

from typing import assert_never

import msgspec


class Starting(msgspec.Struct, frozen=True, kw_only=True, tag="starting"):
    """Asked for; nothing heard yet."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True, tag="waiting"):
    position: int
    """Requests ahead of this one."""


class LoadingModel(msgspec.Struct, frozen=True, kw_only=True, tag="loading"):
    fraction: float
    """0 to 1."""


class Reading(msgspec.Struct, frozen=True, kw_only=True, tag="reading"):
    """Tokens of the prompt."""

    n_done: int
    n_total: int
    n_cached: int


class Writing(msgspec.Struct, frozen=True, kw_only=True, tag="writing"):
    n_completion: int


Phase = Starting | Waiting | LoadingModel | Reading | Writing


def phase_words(phase: Phase) -> str:
    """Say what is going on, for the line under a running answer."""
    match phase:
        case Starting():
            return "Working…"
        case Waiting(position=0):
            return "Next in line…"
        case Waiting(position=1):
            return "Waiting for one other answer to finish…"
        case Waiting(position=position):
            return f"Waiting for {position} other answers to finish…"
        case LoadingModel(fraction=fraction):
            return f"Loading the model… {fraction:.0%}"
        case Reading(n_done=n_done, n_total=n_total):
            return f"Reading the conversation… {n_done:,} of {n_total:,} tokens"
        case Writing(n_completion=0):
            return "Writing…"
        case Writing(n_completion=n_completion):
            return f"Writing… {n_completion:,} tokens"
        case _:
            assert_never(phase)


def phase_fraction(phase: Phase) -> float | None:
    """How far it is, 0 to 1; ``None`` where that is not known."""
    match phase:
        case LoadingModel(fraction=fraction):
            return min(1.0, max(0.0, fraction))
        case Reading(n_done=n_done, n_total=n_total) if n_total > 0:
            return min(1.0, n_done / n_total)
        case _:
            return None
