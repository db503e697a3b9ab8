"""Decide whether a difference between measurements is significant."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from fireside.core.tuning import TURN_ANSWER, TURN_PROMPT, Speed

LEAST_GAIN: Final = 0.03
"""A change that gains less is not worth a setting."""
MOST_ROUNDS: Final = 4
_CLEARLY: Final = 0.2
"""What is slower by so much, noise aside, is given up after one round."""


class Verdict(Enum):
    """How settings do against the best so far."""

    MORE = auto()
    """Another round is needed to tell."""
    FASTER = auto()
    NOT_FASTER = auto()


class Round(NamedTuple):
    """Tokens a second of one round."""

    prefill: float
    decode: float

    @property
    def turn_s(self) -> float:
        """Seconds of a typical turn at these speeds."""
        return TURN_PROMPT / self.prefill + TURN_ANSWER / self.decode


def speed_of(samples: Sequence[float]) -> Speed:
    """Return the speed of at least one sample, in tokens a second."""
    median = statistics.median(samples)
    return Speed(per_s=median, noise=noise_of(samples), n_rounds=len(samples))


def noise_of(samples: Sequence[float]) -> float:
    """Return half of what lies between the least and the most, as a part of the median."""
    median = statistics.median(samples)
    return (max(samples) - min(samples)) / 2 / median if median else 0.0


def judge(
    challenger: Sequence[Round], champion: Sequence[Round], *, least_gain: float = LEAST_GAIN
) -> Verdict:
    """Say whether the challenger's turns are shorter than the champion's by more than the noise of both.

    What stays undecided after ``MOST_ROUNDS`` is not faster: settings that do not matter are left alone.
    """
    theirs = [each.turn_s for each in champion]
    ours = [each.turn_s for each in challenger]
    gain = gain_of(ours, theirs)
    noise = noise_of(ours) + noise_of(theirs)
    if gain < -_CLEARLY - noise:
        return Verdict.NOT_FASTER
    if len(ours) < 2:
        return Verdict.MORE
    if gain > max(least_gain, noise):
        return Verdict.FASTER
    if gain < -max(least_gain, noise) or gain + noise < least_gain or len(ours) >= MOST_ROUNDS:
        return Verdict.NOT_FASTER
    return Verdict.MORE


def gain_of(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return how much shorter our turns are than theirs, as a part of theirs; negative if longer."""
    return 1 - statistics.median(ours) / statistics.median(theirs)
