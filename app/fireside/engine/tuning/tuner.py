"""Tune a model: run the trials of the search, one runner after the other."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from fireside.core.attention import effective_flash_attention
from fireside.core.errors import FiresideError, OutOfMemory
from fireside.core.i18n import tr
from fireside.core.options import LoadOptions, SettingValue
from fireside.core.plan import LoadPlan, MemoryKind
from fireside.core.tuning import Outcome, Speed, Trial, TuningStep
from fireside.engine.tuning.benchmark import Answer, Bench, Loaded
from fireside.engine.tuning.search import Asked, Search
from fireside.engine.tuning.significance import Round, speed_of
from fireside.engine.tuning.trial_candidates import QUICK_STEPS, STEPS, Machine
from fireside.engine.tuning.tuning_processes import BenchProcesses
from fireside.engine.tuning.workload import Workload, fitting_workload

_FIRST_S: Final = 600.0
"""The settings in force are measured however slow they are; the user can cancel."""
_TARGET_S: Final = 0.8
_QUICK_TARGET_S: Final = 0.3
_N_FIRST: Final = 3
_LEAST_WHEN_BUSY: Final = 0.9
"""A way of waiting keeps so much of the speed beside a busy program, or it is not chosen."""
_CALIBRATION: Final = Workload(n_prompt=64, n_answer=8)


class TuningLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How long a tuning may take."""

    total_s: float
    trial_s: float = 45.0
    """A trial that takes longer is out, whatever it does."""


class TunedModel(msgspec.Struct, frozen=True, kw_only=True):
    """What a tuning found."""

    trials: tuple[Trial, ...]
    best: int
    gain: float
    is_confirmed: bool
    n_left_out: int


class Tuner:
    """Tunes one model once.

    Args:
        options_for: returns the wanted load with changes on top of the settings in force.
        machine: what trials depend on; the size of the prompt is set here.
        now_s: seconds that never go backwards.
        tell: is told what is tried now, with what was measured so far.
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
        tell: Callable[[Trial | None, tuple[Trial, ...], int, float], None],
    ) -> None:
        self._bench = bench
        self._processes = processes
        self._options_for = options_for
        self._machine = machine
        self._limits = limits
        self._is_quick = is_quick
        self._now_s = now_s
        self._tell = tell
        self._began_s = now_s()
        self._trials: list[Trial] = []
        self._workload = _CALIBRATION
        self._search: Search | None = None

    async def run(self) -> TunedModel:
        """Measure until all is tried or the time is over. Cancel it freely: its runner ends with it.

        Raises:
            FiresideError: the model cannot be measured even with the settings in force.
        """
        search = await self._measure_first()
        while (asked := search.next(elapsed_s=self._elapsed_s())) is not None:
            await self._try(asked)
        gain, is_confirmed = search.gain(), False
        if search.wants_confirmation(elapsed_s=self._elapsed_s()):
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

    async def _measure_first(self) -> Search:
        trial = Trial(number=0, step=TuningStep.START, outcome=Outcome.START)
        self._report(trial)
        async with (
            asyncio.timeout(_FIRST_S),
            self._bench.loaded(
                self._options_for({}), on_planned=lambda plan: self._report(with_plan(trial, plan))
            ) as loaded,
        ):
            target_s = _QUICK_TARGET_S if self._is_quick else _TARGET_S
            calibrated = await loaded.round(_CALIBRATION)
            self._workload = fitting_workload(calibrated.round, n_ctx=loaded.report.n_ctx, target_s=target_s)
            began_s = self._now_s()
            answers = [await loaded.round(self._workload) for _ in range(_N_FIRST)]
            took_s = loaded.report.load_s + self._now_s() - began_s
            measured = await self._with_figures(trial, loaded, answers)
        self._trials.append(measured)
        # The computer's own memory is the first room, and each GPU another one.
        has_gpu = len(loaded.plan.budgets) > 1
        machine = replace(self._machine, n_prompt=self._workload.n_prompt, has_gpu=has_gpu)
        steps = QUICK_STEPS if self._is_quick else STEPS
        search = Search(machine, limit_s=self._limits.total_s, steps=steps)
        rounds = [answer.round for answer in answers]
        search.start(self._settled(loaded), rounds, took_s=took_s)
        self._search = search
        return search

    def _settled(self, loaded: Loaded) -> LoadOptions:
        """Return how it is loaded, its kind of attention told: what it is anyway needs no trial."""
        options, layout = loaded.plan.options, self._bench.spec.layout
        if layout is None:
            return options
        attention = effective_flash_attention(options, n_head=layout.n_head, n_ctx=loaded.report.n_ctx)
        return replace(options, flash_attn=attention)

    async def _try(self, asked: Asked) -> None:
        assert self._search is not None
        trial = Trial(number=asked.number, step=asked.step, changes=asked.changes, varied=asked.varied)
        self._report(trial)

        def on_planned(plan: LoadPlan) -> None:
            nonlocal trial
            trial = with_plan(trial, plan)
            self._report(trial)

        try:
            async with asyncio.timeout(self._limits.trial_s):
                measured, options, answers = await self._measure(asked, trial, on_planned=on_planned)
        except (FiresideError, TimeoutError) as exc:
            self._search.leave(elapsed_s=self._elapsed_s())
            is_full = isinstance(exc, OutOfMemory)
            outcome = Outcome.DOES_NOT_FIT if is_full else Outcome.FAILED
            sentence = exc.sentence() if isinstance(exc, FiresideError) else tr("Timed out.")
            self._trials.append(replace(trial, outcome=outcome, problem=sentence))
            return
        rounds = [answer.round for answer in answers]
        outcome = self._search.take(
            options,
            rounds,
            elapsed_s=self._elapsed_s(),
            suffers_beside_others=suffers(measured.busy, beside=self._trials[0].busy),
        )
        self._trials.append(replace(measured, outcome=outcome))

    async def _measure(
        self, asked: Asked, trial: Trial, *, on_planned: Callable[[LoadPlan], None]
    ) -> tuple[Trial, LoadOptions, list[Answer]]:
        assert self._search is not None
        wanted = self._options_for(asked.changes)
        async with self._bench.loaded(wanted, on_planned=on_planned) as loaded:
            answers = [await loaded.round(self._workload)]
            while self._search.wants_more([answer.round for answer in answers]):
                answers.append(await loaded.round(self._workload))
            return await self._with_figures(trial, loaded, answers), loaded.plan.options, answers

    async def _with_figures(self, trial: Trial, loaded: Loaded, answers: list[Answer]) -> Trial:
        several = None
        if loaded.report.n_seq_max > 1 and not self._is_quick:
            several = speed_of([await loaded.several(self._workload)])
        figures = with_figures(trial, loaded, answers)
        if trial.step is TuningStep.WAITING or (trial.step is TuningStep.START and self._machine.can_spin):
            figures = replace(figures, busy=speed_of([(await self._beside_busy(loaded)).decode]))
        return replace(figures, several=several)

    async def _beside_busy(self, loaded: Loaded) -> Round:
        async with self._processes.busy_core(loaded.plan.options.runtime):
            return (await loaded.round(self._workload)).round

    async def _confirm(self) -> float:
        """Measure the best and the first once more, one after the other."""
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
        self._tell(trial, tuple(self._trials), best, self._elapsed_s())

    def _elapsed_s(self) -> float:
        return self._now_s() - self._began_s


def suffers(busy: Speed | None, *, beside: Speed | None) -> bool:
    """Say whether a way of waiting writes much slower beside a busy program than the one in force."""
    return busy is not None and beside is not None and busy.per_s < beside.per_s * _LEAST_WHEN_BUSY


def with_figures(trial: Trial, loaded: Loaded, answers: list[Answer]) -> Trial:
    """Return ``trial`` with what was measured in rounds of one answer each."""
    return replace(
        with_plan(trial, loaded.plan),
        prefill=speed_of([answer.round.prefill for answer in answers]),
        decode=speed_of([answer.round.decode for answer in answers]),
        first_token_s=sorted(answer.first_token_s for answer in answers)[len(answers) // 2],
        n_streams=loaded.report.n_seq_max,
        load_s=loaded.report.load_s,
        measured_bytes=loaded.measured_bytes,
    )


def with_plan(trial: Trial, plan: LoadPlan) -> Trial:
    """Return ``trial`` with what it would take of memory, and whether it fits.

    That is what llama.cpp takes: without the program, and what is kept of conversations.
    """
    besides = (MemoryKind.PROGRAM, MemoryKind.STATES)
    planned_bytes = sum(use.n_bytes for use in plan.uses if use.kind not in besides)
    return replace(trial, planned_bytes=planned_bytes, verdict=plan.verdict)
