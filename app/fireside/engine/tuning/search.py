"""The tuning search: which settings to try next, given the measurements. Pure: time is an argument."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.options import LoadOptions, SettingValue
from fireside.core.tuning import Outcome, TuningStep
from fireside.engine.tuning.significance import MAX_ROUNDS, MIN_GAIN, Judgement, Round, gain_of, judge
from fireside.engine.tuning.trial_candidates import STEPS, Machine, TrialCandidate, candidates

_N_CONFIRMATION_TRIALS: Final = 2
"""Trials of the confirmation, for which time is reserved."""
_SAFETY_FACTOR: Final = 1.1
"""A trial may take so much longer than the longest before it."""


class NextTrial(msgspec.Struct, frozen=True, kw_only=True):
    """What to measure next."""

    number: int
    step: TuningStep
    changes: dict[str, SettingValue]
    """Settings that differ from those in force at the start."""
    varied: dict[str, SettingValue] = {}
    """Those of ``changes`` that this trial is about."""


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """The fastest settings so far."""

    number: int
    changes: dict[str, SettingValue]
    options: LoadOptions
    rounds: tuple[Round, ...]


class TuningSearch:
    """Goes through the steps, each on top of the best settings so far.

    Call ``start`` first, then ``next`` for each trial. After each round of it ask ``needs_more_rounds``, then
    ``record`` its rounds, or ``skip`` it if it failed.
    """

    def __init__(self, machine: Machine, *, limit_s: float, steps: Sequence[TuningStep] = STEPS) -> None:
        self._machine = machine
        self._limit_s = limit_s
        self._steps = deque(steps)
        self._candidates: deque[TrialCandidate] = deque()
        self._current: TrialCandidate | None = None
        self._best: Best | None = None
        self._first: Best | None = None
        self._tried: list[dict[str, SettingValue]] = []
        self._n_trials = 0
        self._longest_s = 0.0
        self._started_at_s = 0.0
        self.n_left_out = 0
        """Candidates for which there was no time."""

    @property
    def best(self) -> Best:
        """The fastest settings so far. Available after ``start``."""
        assert self._best is not None
        return self._best

    @property
    def first(self) -> Best:
        """The settings at the start. Available after ``start``."""
        assert self._first is not None
        return self._first

    def start(self, options: LoadOptions, rounds: Sequence[Round], *, took_s: float) -> None:
        """Record the settings in force, without automatic values, with at least two rounds."""
        self._first = self._best = Best(number=0, changes={}, options=options, rounds=tuple(rounds))
        self._longest_s = took_s

    def next(self, *, elapsed_s: float) -> NextTrial | None:
        """Return what to measure now; ``None`` once everything was tried or there is no more time."""
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
            self._current = candidate
            self._n_trials += 1
            self._started_at_s = elapsed_s
            return NextTrial(
                number=self._n_trials,
                step=candidate.step,
                changes=changes,
                varied=candidate.changes,
            )

    def needs_more_rounds(self, rounds: Sequence[Round]) -> bool:
        """Return whether another round of the current trial is needed to judge it."""
        if self._current is not None and self._current.is_offered_only:
            return len(rounds) < 2
        return len(rounds) < MAX_ROUNDS and self._judge(rounds) is Judgement.UNDECIDED

    def record(
        self,
        options: LoadOptions,
        rounds: Sequence[Round],
        *,
        elapsed_s: float,
        is_slow_under_load: bool = False,
    ) -> Outcome:
        """Judge the current trial by its rounds; if it is faster, it is the best from now on.

        Args:
            is_slow_under_load: it is much slower while another program is busy, so it is never chosen.
        """
        assert self._current is not None
        self._longest_s = max(self._longest_s, elapsed_s - self._started_at_s)
        if self._current.is_offered_only or is_slow_under_load:
            return Outcome.OFFERED
        if self._judge(rounds) is not Judgement.FASTER:
            return Outcome.NOT_FASTER
        changes = {**self.best.changes, **self._current.changes}
        self._best = Best(number=self._n_trials, changes=changes, options=options, rounds=tuple(rounds))
        return Outcome.FASTER

    def skip(self, *, elapsed_s: float) -> None:
        """Skip the current trial, which does not fit or failed."""
        self._longest_s = max(self._longest_s, elapsed_s - self._started_at_s)

    def should_confirm(self, *, elapsed_s: float) -> bool:
        """Return whether to measure the best and the first settings again, and there is time for it."""
        return self.best.number != self.first.number and elapsed_s + self._longest_s < self._limit_s

    def confirm(self, best: Sequence[Round], first: Sequence[Round]) -> float:
        """Record new rounds of both settings, and return the gain; see ``gain_of``.

        A gain below ``MIN_GAIN`` was chance or caused by another program; then the first settings stay.
        """
        gain = gain_of([each.turn_s for each in best], [each.turn_s for each in first])
        if gain < MIN_GAIN:
            self._best = self.first
            return 0.0
        return gain

    def gain(self) -> float:
        """Return the gain of the best settings over the first by the search's rounds; see ``gain_of``."""
        ours = [each.turn_s for each in self.best.rounds]
        return gain_of(ours, [each.turn_s for each in self.first.rounds])

    def _judge(self, rounds: Sequence[Round]) -> Judgement:
        min_gain = self._current.min_gain if self._current is not None else None
        return judge(rounds, self.best.rounds, min_gain=MIN_GAIN if min_gain is None else min_gain)

    def _has_time(self, elapsed_s: float) -> bool:
        n_reserved = _N_CONFIRMATION_TRIALS if self.best.number != self.first.number else 1
        return elapsed_s + (n_reserved + 1) * self._longest_s * _SAFETY_FACTOR < self._limit_s
