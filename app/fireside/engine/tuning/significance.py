"""Decide whether a difference between measurements is significant."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from fireside.core.tuning import TURN_ANSWER, TURN_PROMPT, Speed

MIN_GAIN: Final = 0.03
"""A change that gains less is not worth a setting."""
MAX_ROUNDS: Final = 4
_CLEARLY_SLOWER: Final = 0.2
"""Settings that are slower by so much more than the noise are rejected after one round."""


class Judgement(Enum):
    """How settings compare with the best so far."""

    UNDECIDED = auto()
    """Another round is needed."""
    FASTER = auto()
    NOT_FASTER = auto()


class Round(NamedTuple):
    """Tokens per second of one round."""

    prefill: float
    decode: float

    @property
    def turn_s(self) -> float:
        """Seconds of a typical turn at these speeds."""
        return TURN_PROMPT / self.prefill + TURN_ANSWER / self.decode


def speed_of(samples: Sequence[float]) -> Speed:
    """Return the speed by at least one sample, in tokens per second."""
    median = statistics.median(samples)
    return Speed(per_s=median, noise=noise_of(samples), n_rounds=len(samples))


def noise_of(samples: Sequence[float]) -> float:
    """Return half the range of the samples, relative to the median."""
    median = statistics.median(samples)
    return (max(samples) - min(samples)) / 2 / median if median else 0.0


def judge(challenger: Sequence[Round], champion: Sequence[Round], *, min_gain: float = MIN_GAIN) -> Judgement:
    """Return whether the challenger's turns are shorter than the champion's by more than the noise of both.

    What is undecided after ``MAX_ROUNDS`` is not faster, so that settings without an effect stay unchanged.
    """
    theirs = [each.turn_s for each in champion]
    ours = [each.turn_s for each in challenger]
    gain = gain_of(ours, theirs)
    noise = noise_of(ours) + noise_of(theirs)
    if gain < -_CLEARLY_SLOWER - noise:
        return Judgement.NOT_FASTER
    if len(ours) < 2:
        return Judgement.UNDECIDED
    if gain > max(min_gain, noise):
        return Judgement.FASTER
    if gain < -max(min_gain, noise) or gain + noise < min_gain or len(ours) >= MAX_ROUNDS:
        return Judgement.NOT_FASTER
    return Judgement.UNDECIDED


def gain_of(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return how much shorter our turns are, relative to theirs; negative if longer."""
    return 1 - statistics.median(ours) / statistics.median(theirs)
