"""The tuning search: which settings to try next, given the measurements. Pure: time is an argument."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.options import LoadOptions, SettingValue
from fireside.core.tuning import Outcome, TuningStep
from fireside.engine.tuning.significance import LEAST_GAIN, MOST_ROUNDS, Round, Verdict, gain_of, judge
from fireside.engine.tuning.trial_candidates import STEPS, Candidate, Machine, candidates

_CONFIRMING: Final = 2
"""Trials that the confirmation takes, for which time is kept back."""
_SOME_MORE: Final = 1.1
"""A trial may take so much longer than those before it."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What to measure next."""

    number: int
    step: TuningStep
    changes: dict[str, SettingValue]
    """On top of the settings that were in force at first."""
    varied: dict[str, SettingValue] = {}


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """The fastest so far."""

    number: int
    changes: dict[str, SettingValue]
    options: LoadOptions
    rounds: tuple[Round, ...]


class Search:
    """Goes through the steps, each on top of what was best before.

    Ask ``next`` what to measure, begin with ``start``; after each round ask ``wants_more``, then ``take`` the
    rounds or ``leave`` the trial out.
    """

    def __init__(self, machine: Machine, *, limit_s: float, steps: Sequence[TuningStep] = STEPS) -> None:
        self._machine = machine
        self._limit_s = limit_s
        self._steps = deque(steps)
        self._candidates: deque[Candidate] = deque()
        self._now: Candidate | None = None
        self._best: Best | None = None
        self._first: Best | None = None
        self._tried: list[dict[str, SettingValue]] = []
        self._n_asked = 0
        self._longest_s = 0.0
        self._asked_at_s = 0.0
        self.n_left_out = 0
        """Trials for which there was no time."""

    @property
    def best(self) -> Best:
        """The fastest so far that may be kept. After ``start``."""
        assert self._best is not None
        return self._best

    @property
    def first(self) -> Best:
        """The settings as they were. After ``start``."""
        assert self._first is not None
        return self._first

    def start(self, options: LoadOptions, rounds: Sequence[Round], *, took_s: float) -> None:
        """Take the settings in force, with everything decided, and at least two rounds of them."""
        self._first = self._best = Best(number=0, changes={}, options=options, rounds=tuple(rounds))
        self._longest_s = took_s

    def next(self, *, elapsed_s: float) -> Asked | None:
        """Return what to measure now; ``None`` once all was tried or no time is left for more."""
        while True:
            while not self._candidates:
                if not self._steps:
                    return None
                step = self._steps.popleft()
                self._candidates.extend(candidates(step, best=self.best.options, machine=self._machine))
            candidate = self._candidates.popleft()
            changes = {**self.best.changes, **candidate.changes}
            if changes in self._tried:
                continue
            if not self._has_time(elapsed_s):
                self.n_left_out += 1
                continue
            self._tried.append(changes)
            self._now = candidate
            self._n_asked += 1
            self._asked_at_s = elapsed_s
            return Asked(
                number=self._n_asked,
                step=candidate.step,
                changes=changes,
                varied=candidate.changes,
            )

    def wants_more(self, rounds: Sequence[Round]) -> bool:
        """Say whether another round of the present trial is needed to judge it."""
        if self._now is not None and self._now.is_offered_only:
            return len(rounds) < 2
        return len(rounds) < MOST_ROUNDS and self._verdict(rounds) is Verdict.MORE

    def take(
        self,
        options: LoadOptions,
        rounds: Sequence[Round],
        *,
        elapsed_s: float,
        suffers_beside_others: bool = False,
    ) -> Outcome:
        """Judge the present trial by its rounds; what is faster is the best from now on.

        What is much slower beside a busy program is measured and never chosen: no computer stays quiet.
        """
        assert self._now is not None
        self._longest_s = max(self._longest_s, elapsed_s - self._asked_at_s)
        if self._now.is_offered_only or suffers_beside_others:
            return Outcome.OFFERED
        if self._verdict(rounds) is not Verdict.FASTER:
            return Outcome.NOT_FASTER
        changes = {**self.best.changes, **self._now.changes}
        self._best = Best(number=self._n_asked, changes=changes, options=options, rounds=tuple(rounds))
        return Outcome.FASTER

    def leave(self, *, elapsed_s: float) -> None:
        """The present trial has no figures: it does not fit, or it failed."""
        self._longest_s = max(self._longest_s, elapsed_s - self._asked_at_s)

    def wants_confirmation(self, *, elapsed_s: float) -> bool:
        """Say whether the best is to be measured against the first once more, and there is time for it."""
        return self.best.number != self.first.number and elapsed_s + self._longest_s < self._limit_s

    def confirm(self, best: Sequence[Round], first: Sequence[Round]) -> float:
        """Take rounds of both, measured by turns, and return how much shorter a turn is, as a part.

        What gains less than is worth a setting was chance, or another program's doing: then all stays as it
        was.
        """
        gain = gain_of([each.turn_s for each in best], [each.turn_s for each in first])
        if gain < LEAST_GAIN:
            self._best = self.first
            return 0.0
        return gain

    def gain(self) -> float:
        """Return what the best gains over the first by the rounds of the search, as a part."""
        ours = [each.turn_s for each in self.best.rounds]
        return gain_of(ours, [each.turn_s for each in self.first.rounds])

    def _verdict(self, rounds: Sequence[Round]) -> Verdict:
        least = self._now.least_gain if self._now is not None else None
        return judge(rounds, self.best.rounds, least_gain=LEAST_GAIN if least is None else least)

    def _has_time(self, elapsed_s: float) -> bool:
        kept_back = _CONFIRMING if self.best.number != self.first.number else 1
        return elapsed_s + (kept_back + 1) * self._longest_s * _SOME_MORE < self._limit_s
