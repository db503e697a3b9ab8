"""Track the acceptance rate of drafts for one sequence, and pause drafting where it does not pay."""

from __future__ import annotations

from typing import Final

from fireside.runner.speculation.cost_model import CostModel

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
