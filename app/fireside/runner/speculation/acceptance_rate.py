"""Track the acceptance rate of drafts for one sequence, and pause drafting where it does not pay."""

from __future__ import annotations

from typing import Final

from fireside.runner.speculation.cost_model import CostModel

_FIRST_REST: Final = 32
_LONGEST_REST: Final = 1024
_N_TRIAL: Final = 4
"""Tokens drafted to test whether drafting pays by now."""
_FORGET: Final = 0.9
_HOPED_HITS: Final = 1.4
_HOPED_TRIES: Final = 2.0
MOST_SURE: Final = 0.99


class AcceptanceRate:
    """The acceptance rate of one sequence, and how many tokens to draft next."""

    def __init__(self) -> None:
        self._hits = _HOPED_HITS
        self._tries = _HOPED_TRIES
        self._n_resting = 0
        self._rest = _FIRST_REST
        self._is_trial = False

    @property
    def rate(self) -> float:
        """Probability that a draft token is accepted, given that those before it were."""
        return min(MOST_SURE, self._hits / self._tries)

    def n_to_draft(self, costs: CostModel, *, n_streams: int, n_max: int) -> int:
        """Return how many tokens to draft now. Where that does not pay, it is tested ever more rarely."""
        if n_max <= 0:
            return 0
        n_worth = costs.n_worth(rate=self.rate, n_streams=n_streams, n_max=n_max)
        if n_worth > 0:
            self._rest = _FIRST_REST
            self._n_resting = 0
            self._is_trial = False
            return n_worth
        if self._n_resting > 0:
            return 0
        if costs.n_worth(rate=MOST_SURE, n_streams=n_streams, n_max=n_max) == 0:
            # Not even a perfect draft would pay. Its measured cost becomes stale in time.
            return 0
        self._is_trial = True
        return min(_N_TRIAL, n_max)

    def on_verified(self, *, n_drafted: int, n_accepted: int) -> None:
        """Record a step: of ``n_drafted`` tokens the first ``n_accepted`` were accepted."""
        self._n_resting = max(0, self._n_resting - 1 - n_accepted)
        if n_drafted > 0:
            # Tokens after a rejected one say nothing.
            self._learn(n_hits=n_accepted, n_tries=min(n_accepted + 1, n_drafted))

    def count_failure(self) -> None:
        """Record that drafting took time and yielded nothing."""
        self._learn(n_hits=0, n_tries=1)

    def _learn(self, *, n_hits: int, n_tries: int) -> None:
        self._hits = self._hits * _FORGET + n_hits
        self._tries = self._tries * _FORGET + n_tries
        if self._is_trial:
            self._is_trial = False
            self._n_resting = self._rest
            self._rest = min(2 * self._rest, _LONGEST_REST)
