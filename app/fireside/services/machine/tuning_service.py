"""Tune models: measure settings, apply what is faster, revert it, compare models."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import psutil
from msgspec.structs import replace

from fireside.core.errors import FiresideError, RequestError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions, SettingValue
from fireside.core.quality import QuestionSet
from fireside.core.status import Ready
from fireside.core.tuning import (
    MAX_COMPARED,
    BusyModels,
    ComparedModel,
    ComparingProgressed,
    FileStamp,
    MeasurementContext,
    ModelComparison,
    Trial,
    Tuning,
    TuningOptions,
    TuningProgressed,
    TuningReport,
)
from fireside.engine.clock import LoopClock
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.devices.device_report import processor_name
from fireside.engine.host_info import HostProbe
from fireside.engine.planning.planner import Planner
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.engine.tuning.records import TuningRecords
from fireside.engine.tuning.tuning_processes import BenchProcesses
from fireside.services.library.model_service import ModelService
from fireside.services.machine.load_plans import with_changes
from fireside.services.machine.question_files import read_questions
from fireside.services.preferences import Preferences
from fireside.services.request_builder import Resolved, load_options_for
from fireside.settings.conversions import load_options
from fireside.settings.values import ModelLayer, Origin, by_key

if TYPE_CHECKING:  # The measuring code, imported only for a measurement.
    from fireside.engine.tuning.benchmark import Bench
    from fireside.engine.tuning.trial_candidates import Machine as BenchMachine

_MOST_QUESTIONS: Final = 200
"""Of a file; more of them are drawn from."""
_LOAD_SAMPLE_S: Final = 0.3
"""How long the load by other programs is measured."""


class TuningParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root provides for tuning."""

    processes: BenchProcesses
    records: TuningRecords
    text_file: Path
    """The text that models read, and are evaluated on."""
    questions_file: Path
    """Questions that models are asked where their answers are compared."""
    build_of: Callable[[str], str]
    """Returns the llama.cpp build of a runtime by its name. Reads the disk."""
    probe: HostProbe
    now: Callable[[], float] = time.time


class TuningService:
    """Tunes a model and compares models' speed. Lives on the engine's loop.

    Progress arrives as ``TuningProgressed`` and ``ComparingProgressed``. One measurement runs at a time, and
    no model is loaded meanwhile: requests for other models wait.
    """

    def __init__(
        self,
        parts: TuningParts,
        *,
        engine: SharedEngine,
        planner: Planner,
        models: ModelService,
        preferences: Preferences,
        device_memory: DeviceMemory,
        emit: Callable[[AppEvent], None],
    ) -> None:
        self._parts = parts
        self._engine = engine
        self._planner = planner
        self._models = models
        self._preferences = preferences
        self._device_memory = device_memory
        self._emit = emit
        self._lock = asyncio.Lock()
        self._running: asyncio.Task[object] | None = None

    @for_window
    async def busy(self, measured: Sequence[ModelId]) -> BusyModels:
        """Return what would disturb a measurement now; ``measured`` models do so only while they answer."""
        ready = [(status.model_id, status.state) for status in self._engine.statuses()]
        loaded = [
            (model_id, state)
            for model_id, state in ready
            if isinstance(state, Ready) and (state.n_active or model_id not in measured)
        ]
        return BusyModels(
            loaded=tuple(self._models.name_of(model_id) for model_id, _ in loaded),
            answering=tuple(self._models.name_of(model_id) for model_id, state in loaded if state.n_active),
        )

    @for_window
    async def report(self, model_id: ModelId) -> TuningReport | None:
        """Return the latest tuning of a model and whether it still applies; ``None`` if there is none.

        Takes less than a second. Raises ``ModelNotFound``.
        """
        spec = self._models.spec(model_id)
        tuning = await asyncio.to_thread(self._parts.records.get, model_id)
        if tuning is None:
            return None
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=None)
        context = await self._context(load_options(resolved).runtime)
        stamp = await asyncio.to_thread(_stamp_of, spec)
        return TuningReport(
            tuning=_with_unchanged_settings(tuning, resolved),
            stale=_stale(tuning, context=context, stamp=stamp),
        )

    @for_window
    async def tune(self, model_id: ModelId, wishes: TuningOptions) -> TuningReport:
        """Find the fastest settings and store the measurements.

        Takes about as long as ``wishes`` allow; may be cancelled. Raises ``tuning_refused`` if another
        measurement runs, or the error of a load.
        """
        from fireside.engine.tuning.tuner import Tuner, TuningLimits

        spec = self._models.chat_spec(model_id)
        async with self._alone(spec.name, unload=wishes.unload) as loaded:
            resolved = await self._preferences.resolved(model_id=model_id, conversation_id=None)
            options = load_options_for(spec, resolved)
            context = await self._context(options.runtime)
            load = await asyncio.to_thread(psutil.cpu_percent, _LOAD_SAMPLE_S) / 100
            bench = await self._bench(spec)
            started_s = time.monotonic()

            def options_with(changes: Mapping[str, SettingValue]) -> LoadOptions:
                return load_options_for(spec, with_changes(resolved, changes))

            tuner = Tuner(
                bench,
                processes=self._parts.processes,
                options_for=options_with,
                machine=_machine(spec, resolved, n_cores=self._parts.probe().n_cores),
                limits=TuningLimits(total_s=wishes.limit_s - (time.monotonic() - started_s)),
                is_quick=wishes.is_quick,
                now_s=time.monotonic,
                on_progress=self._progress(model_id, limit_s=wishes.limit_s),
            )
            result = await tuner.run()
        earlier = await asyncio.to_thread(self._parts.records.get, model_id)
        tuning = Tuning(
            model_id=model_id,
            model_name=spec.name,
            file=await asyncio.to_thread(_stamp_of, spec),
            ground=context,
            measured_at_s=self._parts.now(),
            trials=result.trials,
            best=result.best,
            gain=result.gain,
            is_confirmed=result.is_confirmed,
            n_left_out=result.n_left_out,
            beside=loaded,
            load=load,
            # Settings of an earlier tuning that are in force can still be reverted.
            kept=earlier.kept if earlier is not None else None,
            before=earlier.before if earlier is not None else {},
        )
        await asyncio.to_thread(self._parts.records.put, tuning)
        return TuningReport(tuning=tuning)

    def _progress(
        self, model_id: ModelId, *, limit_s: float
    ) -> Callable[[Trial, tuple[Trial, ...], int, float], None]:
        """Return a callback that reports the progress of a tuning."""

        def report_progress(trial: Trial, trials: tuple[Trial, ...], best: int, elapsed_s: float) -> None:
            self._emit(
                TuningProgressed(
                    model_id=model_id,
                    now=trial,
                    trials=trials,
                    best=best,
                    elapsed_s=elapsed_s,
                    limit_s=limit_s,
                )
            )

        return report_progress

    @for_window
    async def apply(self, model_id: ModelId) -> TuningReport:
        """Store the fastest settings as the model's own.

        Raises ``tuning_refused`` if none were found, or a ``SettingsError``.
        """
        tuning = await self._known(model_id)
        changes = tuning.best_trial.changes
        if not changes:
            raise RequestError.of("tuning_refused", reason=tr_noop("No faster settings found."))
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=None)
        model_values = {
            setting.definition.key: setting.value for setting in resolved if setting.origin is Origin.MODEL
        }
        # A value that an earlier tuning set reverts to the one before that.
        before = {key: tuning.before.get(key, model_values.get(key)) for key in {**changes, **tuning.before}}
        for key, value in changes.items():
            await self._preferences.change(ModelLayer(model_id=model_id), key=key, value=value)
        applied = replace(tuning, kept={**(tuning.kept or {}), **changes}, before=before)
        await asyncio.to_thread(self._parts.records.put, applied)
        return TuningReport(tuning=applied)

    @for_window
    async def revert(self, model_id: ModelId) -> TuningReport:
        """Restore the settings that the model had before ``apply``.

        Settings that the user changed since stay. Raises ``tuning_refused`` if none were applied, or a
        ``SettingsError``.
        """
        tuning = await self._known(model_id)
        if tuning.kept is None:
            raise RequestError.of("tuning_refused", reason=tr_noop("No tuned settings to revert."))
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=None)
        values = by_key(resolved)
        layer = ModelLayer(model_id=model_id)
        for key, value in tuning.kept.items():
            if values.get(key) != value:
                continue
            earlier = tuning.before.get(key)
            if earlier is None:
                await self._preferences.clear(layer, key=key)
            else:
                await self._preferences.change(layer, key=key, value=earlier)
        reverted = replace(tuning, kept=None, before={})
        await asyncio.to_thread(self._parts.records.put, reverted)
        return TuningReport(tuning=reverted)

    @for_window
    async def compare(
        self,
        model_ids: Sequence[ModelId],
        *,
        unload: bool,
        is_quick: bool,
        quality: bool = False,
        question_files: Sequence[str] = (),
    ) -> ModelComparison:
        """Measure models one after the other, each with its own settings. May be cancelled.

        With ``quality`` they are asked questions too: Fireside's, and those of ``question_files``. A model
        that cannot be measured is in the result with the reason.
        Raises ``questions_unreadable`` before anything is measured, and ``tuning_refused`` for none or too
        many models, or if something is being measured already.
        """
        if not 1 <= len(model_ids) <= MAX_COMPARED:
            raise RequestError.of("tuning_refused", reason=tr_noop("Choose one to four models."))
        specs = [self._models.chat_spec(model_id) for model_id in model_ids]
        text = await asyncio.to_thread(self._text)
        files = (self._parts.questions_file, *map(Path, question_files)) if quality else ()
        questions = await asyncio.to_thread(_read_all, files)
        n_questions = sum(len(each.questions) for each in questions)
        from fireside.engine.tuning.model_comparison import compare_model

        compared: list[ComparedModel] = []
        async with self._alone(specs[0].name, unload=unload) as loaded:
            options: LoadOptions | None = None
            for spec in specs:
                progress = ComparingProgressed(
                    name=spec.name,
                    n_done=len(compared),
                    n_models=len(specs),
                    done=tuple(compared),
                    n_questions=n_questions,
                )
                self._emit(progress)

                def on_asked(n_asked: int, progress: ComparingProgressed = progress) -> None:
                    self._emit(replace(progress, n_asked=n_asked))

                resolved = await self._preferences.resolved(model_id=spec.id, conversation_id=None)
                options = load_options_for(spec, resolved)
                compared.append(
                    await compare_model(
                        await self._bench(spec),
                        options,
                        text=text,
                        questions=questions,
                        on_asked=on_asked,
                        is_quick=is_quick,
                    )
                )
            assert options is not None
            context = await self._context(options.runtime)
        return ModelComparison(
            models=tuple(compared), ground=context, measured_at_s=self._parts.now(), beside=loaded
        )

    async def close(self) -> None:
        """Stop a running measurement and its processes."""
        running = self._running
        if running is not None:
            running.cancel()
            await asyncio.wait({running})

    # Internals

    @contextlib.asynccontextmanager
    async def _alone(self, name: str, *, unload: bool) -> AsyncIterator[tuple[str, ...]]:
        """Keep other loads out during the block; yield the names of the models that stay loaded."""
        if self._lock.locked():
            raise RequestError.of(
                "tuning_refused", reason=tr_noop("A benchmark is already running. Wait or cancel it.")
            )
        async with self._lock:
            self._running = asyncio.current_task()
            try:
                async with self._engine.freeze_loads(name):
                    if unload:
                        await self._unload_all()
                    yield (await self.busy(())).loaded
            finally:
                self._running = None

    async def _unload_all(self) -> None:
        for status in self._engine.statuses():
            if isinstance(status.state, Ready):
                with contextlib.suppress(FiresideError):
                    await self._engine.unload(status.model_id)

    async def _known(self, model_id: ModelId) -> Tuning:
        tuning = await asyncio.to_thread(self._parts.records.get, model_id)
        if tuning is None:
            raise RequestError.of("tuning_refused", reason=tr_noop("Not tuned yet."))
        return tuning

    async def _bench(self, spec: ModelSpec) -> Bench:
        from fireside.engine.tuning.benchmark import Bench

        return Bench(
            spec,
            start=self._parts.processes.start_runner,
            planner=self._planner,
            probe=self._parts.probe,
            clock=LoopClock(),
            text=await asyncio.to_thread(self._text),
        )

    def _text(self) -> str:
        return self._parts.text_file.read_text(encoding="utf-8")

    async def _context(self, runtime: str) -> MeasurementContext:
        def measure() -> MeasurementContext:
            cards = self._device_memory.cards()
            return MeasurementContext(
                runtime=runtime,
                build=self._parts.build_of(runtime),
                driver=", ".join(sorted({card.driver for card in cards if card.driver})),
                processor=processor_name(),
                devices=tuple(card.name for card in cards if card.name),
            )

        return await asyncio.to_thread(measure)


def _machine(spec: ModelSpec, resolved: Resolved, *, n_cores: int) -> BenchMachine:
    from fireside.engine.tuning.trial_candidates import Machine

    n_logical = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    layers = spec.layout.layers if spec.layout is not None else ()
    return Machine(
        n_cores=n_cores,
        n_logical=n_logical,
        n_layers=spec.n_layers,
        has_experts=any(layer.expert_bytes for layer in layers),
        has_draft=bool(by_key(resolved).get("load.draft_path")),
        has_heads=bool(spec.n_heads or spec.heads_path),
        can_spin=sys.platform == "linux",
    )


def _read_all(files: Sequence[Path]) -> tuple[QuestionSet, ...]:
    return tuple(read_questions(path, most=_MOST_QUESTIONS) for path in files)


def _stamp_of(spec: ModelSpec) -> FileStamp:
    """Return the mark of the model file's content; a missing file has an empty one."""
    try:
        status = Path(spec.path).stat()
    except OSError:
        return FileStamp(path=spec.path, size_bytes=0, modified_ns=0)
    return FileStamp(path=spec.path, size_bytes=status.st_size, modified_ns=status.st_mtime_ns)


def _with_unchanged_settings(tuning: Tuning, resolved: Resolved) -> Tuning:
    """Return ``tuning`` with those of its applied settings that the user has not changed since."""
    values = by_key(resolved)
    unchanged = {key: value for key, value in (tuning.kept or {}).items() if values.get(key) == value}
    return replace(tuning, kept=unchanged or None)


def _stale(tuning: Tuning, *, context: MeasurementContext, stamp: FileStamp) -> str:
    """Return why the figures may not hold any more, as a sentence; empty where they do."""
    before = tuning.ground
    if (tuning.file.size_bytes, tuning.file.modified_ns) != (stamp.size_bytes, stamp.modified_ns):
        return tr("The model’s file has changed since then.")
    if (before.runtime, before.build) != (context.runtime, context.build):
        return tr("Measured with another build of llama.cpp.")
    if before.driver != context.driver or before.devices != context.devices:
        return tr("Measured with another GPU driver.")
    if before.processor != context.processor:
        return tr("Measured on another computer.")
    return ""
