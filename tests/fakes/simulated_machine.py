"""A made-up computer that is tuned: how fast it is with which options, and how noisy."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import msgspec

from fireside.core.options import LoadOptions, SettingValue
from fireside.core.tuning import Outcome
from fireside.engine.tuning.search import NextTrial, TuningSearch
from fireside.engine.tuning.significance import Round
from fireside.engine.tuning.trial_candidates import Machine

Speeds = Callable[[LoadOptions], Round]


def options_with(changes: Mapping[str, SettingValue], *, base: LoadOptions | None = None) -> LoadOptions:
    """Return options with settings of the group ``load`` on top."""
    fields = {key.partition(".")[2]: value for key, value in changes.items()}
    return msgspec.convert({**msgspec.to_builtins(base or LoadOptions()), **fields}, LoadOptions)


class SimulatedMachine:
    """Plays the tuner: measures what the search asks for, on a clock of its own.

    ``noise`` is how far a round may be off, as a part. ``broken`` says which options crash.
    """

    def __init__(
        self,
        speeds: Speeds,
        *,
        noise: float = 0.0,
        trial_s: float = 5.0,
        seed: int = 1,
        broken: Callable[[LoadOptions], bool] = lambda _: False,
    ) -> None:
        self._speeds = speeds
        self._noise = noise
        self._trial_s = trial_s
        self._random = random.Random(seed)
        self._broken = broken
        self.now_s = 0.0
        self.trials: list[NextTrial] = []
        self.outcomes: dict[int, Outcome] = {}

    def tune(self, search: TuningSearch, *, base: LoadOptions | None = None) -> TuningSearch:
        """Measure until the search wants no more."""
        first = options_with({}, base=base)
        search.start(first, [self._round(first) for _ in range(3)], took_s=self._trial_s)
        self.now_s += self._trial_s
        while (trial := search.next(elapsed_s=self.now_s)) is not None:
            self.trials.append(trial)
            options = options_with(trial.changes, base=base)
            self.now_s += self._trial_s
            if self._broken(options):
                search.skip(elapsed_s=self.now_s)
                continue
            rounds = [self._round(options)]
            while search.needs_more_rounds(rounds):
                rounds.append(self._round(options))
            self.outcomes[trial.number] = search.record(options, rounds, elapsed_s=self.now_s)
        if search.should_confirm(elapsed_s=self.now_s):
            best = options_with(search.best.changes, base=base)
            search.confirm([self._round(best)] * 2, [self._round(first)] * 2)
            self.now_s += 2 * self._trial_s
        return search

    def _round(self, options: LoadOptions) -> Round:
        speed = self._speeds(options)
        off = self._random.uniform(1 - self._noise, 1 + self._noise)
        return Round(prefill=speed.prefill * off, decode=speed.decode * off)


FOUR_CORES = Machine(n_cores=4, n_logical=8, n_layers=30)
