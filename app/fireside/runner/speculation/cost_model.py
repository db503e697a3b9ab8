"""Decide how many tokens to draft, from the measured duration of steps with and without drafts."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

_N_BEFORE_JUDGING: Final = 2
"""Steps without drafts that are measured first, as a baseline."""
_N_BETWEEN_PLAIN: Final = 64
"""Steps with drafts after which the baseline is measured again: contexts grow, and machines get busy."""
_N_UNTIL_STALE: Final = 1024
"""Steps after which the cost of drafts is stale, and measured again."""
_WEIGHT: Final = 0.25
_OUTLIER: Final = 3.0
"""Samples are clipped to this multiple of the average: another program had the processor."""
_GAIN: Final = 1.03
"""Minimum expected speed-up; less is within the noise."""


class _Average:
    """An exponential moving average that is robust against single outliers."""

    def __init__(self) -> None:
        self.value = 0.0
        self.n = 0
        self.last_step = 0

    def add(self, sample: float, *, step: int) -> None:
        self.last_step = step
        self.n += 1
        if self.n <= _N_BEFORE_JUDGING:
            # The first step of a kind includes one-time setup.
            self.value = sample if self.n == 1 else min(self.value, sample)
        else:
            limit = _OUTLIER * self.value if self.value > 0 else sample
            self.value += _WEIGHT * (min(sample, limit) - self.value)


class CostModel:
    """Duration of steps in seconds for one model on this machine. Reads no clock itself."""

    def __init__(self) -> None:
        self._n_steps = 0
        self._plain: dict[int, _Average] = {}
        self._n_since_plain = 0
        self._extra: dict[int, _Average] = {}

    def needs_baseline(self, *, n_streams: int) -> bool:
        """Whether the next step should have no drafts, to measure the baseline."""
        plain = self._plain.get(n_streams)
        return plain is None or plain.n < _N_BEFORE_JUDGING or self._n_since_plain >= _N_BETWEEN_PLAIN

    def add_measurement(self, *, n_streams: int, n_drafted: int, step_s: float, draft_s: float) -> None:
        """Record one step of ``n_streams`` sequences with ``n_drafted`` draft tokens.

        ``draft_s`` is the time for drafting itself, also where it yielded nothing.
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
        """Return how many tokens to draft for one sequence; 0 if drafting is not faster.

        ``rate`` is its acceptance rate. Maximizes the tokens per second of all sequences:
        (streams + expected accepted tokens) ÷ (plain step + extra time of the draft).
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
        """Return the extra time of each number of draft tokens: measured, or interpolated."""
        oldest = self._n_steps - _N_UNTIL_STALE
        measured = {0: 0.0} | {
            k: average.value for k, average in self._extra.items() if average.last_step >= oldest
        }
        numbers = sorted(measured)
        extra_s = np.interp(n, numbers, [measured[k] for k in numbers])
        largest = numbers[-1]
        if largest > 0:
            # Beyond the measurements: proportional, which is the worst case that is likely.
            extra_s = np.where(n > largest, measured[largest] * n / largest, extra_s)
        return extra_s
