"""Tune a model: run the trials of the search, one runner after the other."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from fireside.core.errors import FiresideError, OutOfMemory
from fireside.core.i18n import tr
from fireside.core.load_sizes import effective_flash_attention
from fireside.core.options import LoadOptions, SettingValue
from fireside.core.plan import LoadPlan, MemoryKind
from fireside.core.tuning import Outcome, Speed, Trial, TuningStep
from fireside.engine.tuning.benchmark import AnswerTimings, Bench, LoadedBench, Workload
from fireside.engine.tuning.search import NextTrial, TuningSearch
from fireside.engine.tuning.significance import Round, speed_of
from fireside.engine.tuning.trial_candidates import QUICK_STEPS, STEPS, Machine
from fireside.engine.tuning.tuning_processes import BenchProcesses

_BASELINE_LIMIT_S: Final = 600.0
"""Time limit for the settings in force, which are measured however slow they are."""
_TARGET_S: Final = 0.8
_QUICK_TARGET_S: Final = 0.3
_N_BASELINE_ROUNDS: Final = 3
_MIN_BUSY_SPEED: Final = 0.9
"""A spin count below this part of the baseline's speed while another program is busy is not chosen."""

OnProgress = Callable[[Trial, tuple[Trial, ...], int, float], None]
"""Called with the trial that is measured now, those measured so far, the number of the best, and the elapsed
seconds."""


class TuningLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How long a tuning may take."""

    total_s: float
    trial_s: float = 45.0
    """A trial that takes longer is aborted and counts as failed."""


class TunedModel(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a tuning."""

    trials: tuple[Trial, ...]
    best: int
    gain: float
    is_confirmed: bool
    n_left_out: int


class Tuner:
    """Tunes one model once.

    Args:
        options_for: returns the options of a load with changes to the settings in force.
        machine: its ``n_prompt`` and ``has_gpu`` are set by the first measurement.
        now_s: returns monotonic seconds.
    """

    def __init__(
        self,
        bench: Bench,
        *,
        processes: BenchProcesses,
        options_for: Callable[[Mapping[str, SettingValue]], LoadOptions],
        machine: Machine,
        limits: TuningLimits,
        is_quick: bool,
        now_s: Callable[[], float],
        on_progress: OnProgress,
    ) -> None:
        self._bench = bench
        self._processes = processes
        self._options_for = options_for
        self._machine = machine
        self._limits = limits
        self._is_quick = is_quick
        self._now_s = now_s
        self._on_progress = on_progress
        self._started_s = now_s()
        self._trials: list[Trial] = []
        self._workload = Workload()
        self._search: TuningSearch | None = None

    async def run(self) -> TunedModel:
        """Measure until everything was tried or the time is over. May be cancelled at any time.

        Raises:
            FiresideError: the model cannot be measured even with the settings in force.
        """
        search = await self._measure_baseline()
        while (trial := search.next(elapsed_s=self._elapsed_s())) is not None:
            await self._run_trial(trial)
        gain, is_confirmed = search.gain(), False
        if search.should_confirm(elapsed_s=self._elapsed_s()):
            with contextlib.suppress(FiresideError, TimeoutError):
                gain, is_confirmed = await self._confirm(), True
        best = search.best.number
        return TunedModel(
            trials=tuple(self._trials),
            best=best,
            gain=gain if best else 0.0,
            is_confirmed=is_confirmed,
            n_left_out=search.n_left_out,
        )

    async def _measure_baseline(self) -> TuningSearch:
        trial = Trial(number=0, step=TuningStep.START, outcome=Outcome.START)
        self._report(trial)
        async with (
            asyncio.timeout(_BASELINE_LIMIT_S),
            self._bench.loaded(
                self._options_for({}), on_planned=lambda plan: self._report(with_plan(trial, plan))
            ) as loaded,
        ):
            target_s = _QUICK_TARGET_S if self._is_quick else _TARGET_S
            self._workload = await loaded.calibrated_workload(target_s=target_s)
            started_s = self._now_s()
            answers = [await loaded.round(self._workload) for _ in range(_N_BASELINE_ROUNDS)]
            took_s = loaded.report.load_s + self._now_s() - started_s
            measured = await self._with_figures(trial, loaded, answers)
        self._trials.append(measured)
        # The first budget is that of RAM, each other one that of a GPU.
        has_gpu = len(loaded.plan.budgets) > 1
        machine = replace(self._machine, n_prompt=self._workload.n_prompt, has_gpu=has_gpu)
        steps = QUICK_STEPS if self._is_quick else STEPS
        search = TuningSearch(machine, limit_s=self._limits.total_s, steps=steps)
        rounds = [answer.round for answer in answers]
        search.start(self._effective_options(loaded), rounds, took_s=took_s)
        self._search = search
        return search

    def _effective_options(self, loaded: LoadedBench) -> LoadOptions:
        """Return the options it is loaded with, with the effective kind of attention, to spare its trial."""
        options, layout = loaded.plan.options, self._bench.spec.layout
        if layout is None:
            return options
        attention = effective_flash_attention(options, n_head=layout.n_head, n_ctx=loaded.report.n_ctx)
        return replace(options, flash_attn=attention)

    async def _run_trial(self, planned: NextTrial) -> None:
        assert self._search is not None
        trial = Trial(
            number=planned.number, step=planned.step, changes=planned.changes, varied=planned.varied
        )
        self._report(trial)

        def on_planned(plan: LoadPlan) -> None:
            nonlocal trial
            trial = with_plan(trial, plan)
            self._report(trial)

        try:
            async with asyncio.timeout(self._limits.trial_s):
                measured, options, answers = await self._measure(trial, on_planned=on_planned)
        except (FiresideError, TimeoutError) as exc:
            self._search.skip(elapsed_s=self._elapsed_s())
            self._trials.append(with_error(trial, exc))
            return
        rounds = [answer.round for answer in answers]
        outcome = self._search.record(
            options,
            rounds,
            elapsed_s=self._elapsed_s(),
            is_slow_under_load=is_slow_under_load(measured.busy, baseline=self._trials[0].busy),
        )
        self._trials.append(replace(measured, outcome=outcome))

    async def _measure(
        self, trial: Trial, *, on_planned: Callable[[LoadPlan], None]
    ) -> tuple[Trial, LoadOptions, list[AnswerTimings]]:
        assert self._search is not None
        options = self._options_for(trial.changes)
        async with self._bench.loaded(options, on_planned=on_planned) as loaded:
            answers = [await loaded.round(self._workload)]
            while self._search.needs_more_rounds([answer.round for answer in answers]):
                answers.append(await loaded.round(self._workload))
            return await self._with_figures(trial, loaded, answers), loaded.plan.options, answers

    async def _with_figures(self, trial: Trial, loaded: LoadedBench, answers: list[AnswerTimings]) -> Trial:
        several = None
        if loaded.report.n_seq_max > 1 and not self._is_quick:
            several = speed_of([await loaded.throughput(self._workload)])
        figures = with_figures(trial, loaded, answers)
        if trial.step is TuningStep.WAITING or (trial.step is TuningStep.START and self._machine.can_spin):
            figures = replace(figures, busy=speed_of([(await self._busy_round(loaded)).decode]))
        return replace(figures, several=several)

    async def _busy_round(self, loaded: LoadedBench) -> Round:
        async with self._processes.busy_core(loaded.plan.options.runtime):
            return (await loaded.round(self._workload)).round

    async def _confirm(self) -> float:
        """Measure the best and the first settings again, and return the gain."""
        assert self._search is not None
        best, first = self._search.best, self._search.first
        self._report(next(trial for trial in self._trials if trial.number == best.number))
        ours = await self._rounds_with(best.changes)
        theirs = await self._rounds_with(first.changes)
        return self._search.confirm(ours, theirs)

    async def _rounds_with(self, changes: Mapping[str, SettingValue]) -> list[Round]:
        async with (
            asyncio.timeout(self._limits.trial_s),
            self._bench.loaded(self._options_for(changes)) as loaded,
        ):
            return [(await loaded.round(self._workload)).round for _ in range(2)]

    def _report(self, trial: Trial) -> None:
        best = self._search.best.number if self._search is not None else 0
        self._on_progress(trial, tuple(self._trials), best, self._elapsed_s())

    def _elapsed_s(self) -> float:
        return self._now_s() - self._started_s


def is_slow_under_load(busy: Speed | None, *, baseline: Speed | None) -> bool:
    """Return whether decoding is much slower than the baseline while another program is busy."""
    return busy is not None and baseline is not None and busy.per_s < baseline.per_s * _MIN_BUSY_SPEED


def with_figures(trial: Trial, loaded: LoadedBench, answers: list[AnswerTimings]) -> Trial:
    """Return ``trial`` with the results of rounds of one answer each."""
    n_drafted = sum(answer.n_drafted for answer in answers)
    n_accepted = sum(answer.n_draft_accepted for answer in answers)
    return replace(
        with_plan(trial, loaded.plan),
        prefill=speed_of([answer.round.prefill for answer in answers]),
        decode=speed_of([answer.round.decode for answer in answers]),
        first_token_s=sorted(answer.first_token_s for answer in answers)[len(answers) // 2],
        n_streams=loaded.report.n_seq_max,
        load_s=loaded.report.load_s,
        measured_bytes=loaded.measured_bytes,
        accepted=n_accepted / n_drafted if n_drafted else None,
    )


def with_plan(trial: Trial, plan: LoadPlan) -> Trial:
    """Return ``trial`` with its planned memory, and whether it fits.

    The memory is that of llama.cpp, without the process itself and the prompt cache.
    """
    excluded = (MemoryKind.PROGRAM, MemoryKind.STATES)
    planned_bytes = sum(use.n_bytes for use in plan.uses if use.kind not in excluded)
    return replace(trial, planned_bytes=planned_bytes, verdict=plan.verdict)


def with_error(trial: Trial, exc: FiresideError | TimeoutError) -> Trial:
    """Return ``trial`` with the outcome and the sentence of an error."""
    outcome = Outcome.DOES_NOT_FIT if isinstance(exc, OutOfMemory) else Outcome.FAILED
    sentence = exc.sentence() if isinstance(exc, FiresideError) else tr("Timed out.")
    return replace(trial, outcome=outcome, problem=sentence)
