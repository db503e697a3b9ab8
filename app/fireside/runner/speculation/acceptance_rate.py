"""Know how well one sequence can be guessed, and let it rest where guessing does not pay."""

from __future__ import annotations

from typing import Final

from fireside.runner.speculation.cost_model import CostModel

_FIRST_REST: Final = 32
_LONGEST_REST: Final = 1024
_N_TRIAL: Final = 4
"""Tokens guessed to see whether it pays by now."""
_FORGET: Final = 0.9
_HOPED_HITS: Final = 1.4
_HOPED_TRIES: Final = 2.0
MOST_SURE: Final = 0.99


class AcceptanceRate:
    """How often guesses for one sequence come true, and how many to make next."""

    def __init__(self) -> None:
        self._hits = _HOPED_HITS
        self._tries = _HOPED_TRIES
        self._n_resting = 0
        self._rest = _FIRST_REST
        self._is_trial = False

    @property
    def rate(self) -> float:
        """Share of guessed tokens that come true, each of them after those before it did."""
        return min(MOST_SURE, self._hits / self._tries)

    def n_to_draft(self, costs: CostModel, *, n_streams: int, n_max: int) -> int:
        """Return how many tokens to guess now. Where that never pays, it is tried ever more rarely."""
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
            # Not even guesses that all come true would pay. What they cost is forgotten in time.
            return 0
        self._is_trial = True
        return min(_N_TRIAL, n_max)

    def on_verified(self, *, n_drafted: int, n_accepted: int) -> None:
        """Take in a step: of ``n_drafted`` guesses the first ``n_accepted`` came true."""
        self._n_resting = max(0, self._n_resting - 1 - n_accepted)
        if n_drafted > 0:
            # What stands behind a wrong guess says nothing.
            self._learn(n_hits=n_accepted, n_tries=min(n_accepted + 1, n_drafted))

    def count_failure(self) -> None:
        """Take in that looking for a guess took its time and led to none."""
        self._learn(n_hits=0, n_tries=1)

    def _learn(self, *, n_hits: int, n_tries: int) -> None:
        self._hits = self._hits * _FORGET + n_hits
        self._tries = self._tries * _FORGET + n_tries
        if self._is_trial:
            self._is_trial = False
            self._n_resting = self._rest
            self._rest = min(2 * self._rest, _LONGEST_REST)
