"""Speculative decoding in the decode loop: get drafts for a step, and learn from what was accepted."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from fireside.runner.decoder import DecodedPart, Drafter, DraftRequest
from fireside.runner.slots import Sequence, Slot
from fireside.runner.tokens import NO_TOKENS, Tokens

# Decide how many tokens to draft, from the measured duration of steps with and without drafts.

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


class Speculator:
    """Drafts for all slots of one model.

    Args:
        n_draft: most tokens to draft for one sequence in one step.
        n_vocab: size of the vocabulary; image cells are not in it.
        clock: seconds, monotonic.
    """

    def __init__(self, *, drafter: Drafter, n_draft: int, n_vocab: int, clock: Callable[[], float]) -> None:
        self._drafter = drafter
        self._n_draft = n_draft
        self._n_vocab = n_vocab
        self._clock = clock
        self._costs = CostModel()
        self._rates: dict[int, tuple[Sequence, AcceptanceRate]] = {}
        self._drafts: dict[int, Tokens] = {}
        self._streams: dict[int, Slot] = {}
        self._is_alone = False
        self._started_at = 0.0
        self._drafted_at = 0.0

    def draft(self, streams: abc.Sequence[Slot], *, n_available: int, is_alone: bool) -> None:
        """Draft for the ``streams`` that take part in a step with one token each.

        Args:
            n_available: tokens that the step has left.
            is_alone: whether nothing else takes part; only such steps are comparable.
        """
        self._started_at = self._clock()
        self._drafts.clear()
        self._streams = {slot.index: slot for slot in streams}
        self._is_alone = is_alone
        requests = self._requests(n_available)
        drafts = self._drafter.draft(requests) if requests else []
        for request, draft in zip(requests, drafts, strict=True):
            self._add(request, draft)
        # Without requests, no time was spent on drafting.
        self._drafted_at = self._clock() if requests else self._started_at

    def _add(self, request: DraftRequest, draft: Tokens | None) -> None:
        if draft is None:
            self._is_alone = False  # the time was spent on evaluating a prompt, not on drafting
            return
        draft = draft[: request.n_max]
        unknown = (draft < 0) | (draft >= self._n_vocab)
        if unknown.any():
            draft = draft[: int(unknown.argmax())]
        if len(draft):
            self._drafts[request.slot] = draft
        elif not self._drafter.is_free:
            self._rates[request.slot][1].count_failure()

    def _requests(self, n_available: int) -> list[DraftRequest]:
        n_streams = len(self._streams)
        if not n_streams or self._costs.needs_baseline(n_streams=n_streams):
            return []
        # What is available is divided evenly.
        n_each = min(self._n_draft, n_available // n_streams)
        requests = []
        for slot in self._streams.values():
            if slot.sequence is None:
                continue
            n_max = min(n_each, _n_useful(slot, slot.sequence))
            rate = self._rate_of(slot.index, slot.sequence)
            n = rate.n_to_draft(self._costs, n_streams=n_streams, n_max=n_max)
            if n > 0:
                requests.append(DraftRequest(slot.index, slot.tokens, n))
        return requests

    def _rate_of(self, slot: int, sequence: Sequence) -> AcceptanceRate:
        owner, rate = self._rates.get(slot, (None, None))
        if owner is not sequence or rate is None:
            rate = AcceptanceRate()
            self._rates[slot] = (sequence, rate)
        return rate

    def follow(self, parts: abc.Sequence[DecodedPart]) -> None:
        """Show the drafter what the step has computed, in the order of its batch."""
        self._drafter.follow(parts)

    def draft_of(self, slot: Slot) -> Tokens:
        """Return the draft for ``slot`` in this step; mostly empty."""
        return self._drafts.get(slot.index, NO_TOKENS)

    def on_verified(self, slot: Slot, sequence: Sequence, *, n_drafted: int, n_accepted: int) -> None:
        """Record that the first ``n_accepted`` draft tokens for ``slot`` were accepted."""
        self._rate_of(slot.index, sequence).on_verified(n_drafted=n_drafted, n_accepted=n_accepted)

    def on_step_done(self) -> None:
        """Record the duration of a step, after all its tokens were sampled."""
        if not self._is_alone or not self._streams:
            return
        draft_s = self._drafted_at - self._started_at
        n_drafted = sum(map(len, self._drafts.values()))
        self._costs.add_measurement(
            n_streams=len(self._streams),
            n_drafted=n_drafted,
            step_s=self._clock() - self._drafted_at,
            draft_s=draft_s,
        )


def _n_useful(slot: Slot, sequence: Sequence) -> int:
    """Return how many draft tokens fit into the context and into the length of the answer."""
    n_available = slot.n_ctx - slot.n_tokens
    max_tokens = sequence.task.sampling.max_tokens
    # One token comes without a draft.
    return n_available if max_tokens is None else min(n_available, max_tokens - sequence.output.n_tokens - 1)


_FIRST_PAUSE: Final = 32
_MAX_PAUSE: Final = 1024
_N_TEST_TOKENS: Final = 4
"""Tokens drafted to test whether drafting pays by now."""
_DECAY: Final = 0.9
_PRIOR_HITS: Final = 1.4
_PRIOR_TRIES: Final = 2.0
MAX_RATE: Final = 0.99


class AcceptanceRate:
    """The acceptance rate of one sequence, and how many tokens to draft next."""

    def __init__(self) -> None:
        self._hits = _PRIOR_HITS
        self._tries = _PRIOR_TRIES
        self._n_paused = 0
        self._pause = _FIRST_PAUSE
        self._is_test = False

    @property
    def rate(self) -> float:
        """Probability that a draft token is accepted, given that those before it were."""
        return min(MAX_RATE, self._hits / self._tries)

    def n_to_draft(self, costs: CostModel, *, n_streams: int, n_max: int) -> int:
        """Return how many tokens to draft now. Where that does not pay, it is tested ever more rarely."""
        if n_max <= 0:
            return 0
        n_worth = costs.n_worth(rate=self.rate, n_streams=n_streams, n_max=n_max)
        if n_worth > 0:
            self._pause = _FIRST_PAUSE
            self._n_paused = 0
            self._is_test = False
            return n_worth
        if self._n_paused > 0:
            return 0
        if costs.n_worth(rate=MAX_RATE, n_streams=n_streams, n_max=n_max) == 0:
            # Not even a perfect draft would pay. Its measured cost becomes stale in time.
            return 0
        self._is_test = True
        return min(_N_TEST_TOKENS, n_max)

    def on_verified(self, *, n_drafted: int, n_accepted: int) -> None:
        """Record a step: of ``n_drafted`` tokens the first ``n_accepted`` were accepted."""
        self._n_paused = max(0, self._n_paused - 1 - n_accepted)
        if n_drafted > 0:
            # Tokens after a rejected one say nothing.
            self._learn(n_hits=n_accepted, n_tries=min(n_accepted + 1, n_drafted))

    def count_failure(self) -> None:
        """Record that drafting took time and yielded nothing."""
        self._learn(n_hits=0, n_tries=1)

    def _learn(self, *, n_hits: int, n_tries: int) -> None:
        self._hits = self._hits * _DECAY + n_hits
        self._tries = self._tries * _DECAY + n_tries
        if self._is_test:
            self._is_test = False
            self._n_paused = self._pause
            self._pause = min(2 * self._pause, _MAX_PAUSE)
