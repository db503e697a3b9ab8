"""Decide how many guessed tokens are worth their time, from what steps with and without them have taken."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

_N_BEFORE_JUDGING: Final = 2
"""Steps without guesses before any are made: what they gain cannot be told otherwise."""
_N_BETWEEN_PLAIN: Final = 64
"""Steps with guesses after which one goes without: contexts grow, and machines get busy."""
_N_UNTIL_STALE: Final = 1024
"""Steps after which what guesses cost is forgotten, so that it is measured again."""
_WEIGHT: Final = 0.25
_OUTLIER: Final = 3.0
"""Times the usual that count as this many at most: another program had the processor."""
_GAIN: Final = 1.03
"""What guessing must promise to be done: less is within the noise."""


class _Average:
    """A running mean that forgets, and that one hiccup does not move far."""

    def __init__(self) -> None:
        self.value = 0.0
        self.n = 0
        self.last_step = 0

    def add(self, sample: float, *, step: int) -> None:
        self.last_step = step
        self.n += 1
        if self.n <= _N_BEFORE_JUDGING:
            # The first step of a kind also pays for what is set up once.
            self.value = sample if self.n == 1 else min(self.value, sample)
        else:
            limit = _OUTLIER * self.value if self.value > 0 else sample
            self.value += _WEIGHT * (min(sample, limit) - self.value)


class CostModel:
    """What steps cost, in seconds, for one model on this machine as it is now. Reads no clock."""

    def __init__(self) -> None:
        self._n_steps = 0
        self._plain: dict[int, _Average] = {}
        self._n_since_plain = 0
        self._extra: dict[int, _Average] = {}

    def needs_baseline(self, *, n_streams: int) -> bool:
        """Whether the next step should do without guesses, to know what such a step takes."""
        plain = self._plain.get(n_streams)
        return plain is None or plain.n < _N_BEFORE_JUDGING or self._n_since_plain >= _N_BETWEEN_PLAIN

    def add_measurement(self, *, n_streams: int, n_drafted: int, step_s: float, draft_s: float) -> None:
        """Take in one step of ``n_streams`` sequences, ``n_drafted`` guessed tokens among them.

        ``draft_s`` is what guessing itself took, also where it led to nothing.
        """
        self._n_steps += 1
        if n_drafted == 0:
            self._n_since_plain = 0
            self._plain.setdefault(n_streams, _Average()).add(step_s, step=self._n_steps)
            if draft_s > 0:
                self._extra.setdefault(0, _Average()).add(draft_s, step=self._n_steps)
            return
        self._n_since_plain += 1
        plain = self._plain.get(n_streams)
        if plain is not None:
            extra_s = max(0.0, step_s - plain.value) + draft_s
            self._extra.setdefault(n_drafted, _Average()).add(extra_s, step=self._n_steps)

    def n_worth(self, *, rate: float, n_streams: int, n_max: int) -> int:
        """Return how many tokens to guess for one sequence; 0 if none at all is faster.

        ``rate`` is the share of its guesses that come true. What counts is tokens a second of all sequences:
        (streams + expected hits) ÷ (a plain step + what the guesses add).
        """
        plain = self._plain.get(n_streams)
        if plain is None:
            return 0
        n = np.arange(1, n_max + 1)
        hits = np.cumsum(rate**n)
        speeds = (n_streams + hits) / np.maximum(plain.value + self._extra_s(n), 1e-9)
        best = int(speeds.argmax())
        return best + 1 if speeds[best] > _GAIN * n_streams / max(plain.value, 1e-9) else 0

    def _extra_s(self, n: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """What each number of guessed tokens adds: measured, or between the nearest numbers that were."""
        oldest = self._n_steps - _N_UNTIL_STALE
        known = {0: 0.0} | {k: each.value for k, each in self._extra.items() if each.last_step >= oldest}
        numbers = sorted(known)
        extra_s = np.interp(n, numbers, [known[k] for k in numbers])
        most = numbers[-1]
        if most > 0:
            # Beyond what was measured: in proportion, which is the least favourable that is likely.
            extra_s = np.where(n > most, known[most] * n / most, extra_s)
        return extra_s
