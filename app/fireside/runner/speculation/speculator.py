"""Speculative decoding in the decode loop: get drafts for a step, and learn from what was accepted."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable
from typing import Final

from fireside.runner.decoder import DecodedPart, Drafter, DraftRequest
from fireside.runner.slots import Sequence, Slot
from fireside.runner.speculation.cost_model import CostModel
from fireside.runner.tokens import NO_TOKENS, Tokens


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
