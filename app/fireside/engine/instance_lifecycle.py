"""Run a model instance, from its load until its process has exited and its memory is free again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from fireside.core.errors import (
    FiresideError,
    LoadFailed,
    OutOfMemory,
    RunnerCrashed,
    RunnerError,
    RunnerStartFailed,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.options import BYTES_A_MB
from fireside.core.plan import LoadPlan
from fireside.core.status import LoadedModel, LoadStage
from fireside.engine.decisions import Phase
from fireside.engine.engine_context import EngineContext
from fireside.engine.load_retry import load_with_retries
from fireside.engine.memory_release import ExpectedMemory, expected_after, wait_for_release
from fireside.engine.model_instance import ModelInstance
from fireside.engine.options import EngineOptions
from fireside.engine.processes.llama_setup import SetupProgress
from fireside.engine.request_state import RequestState
from fireside.engine.runner_session import RunnerSession
from fireside.wire.memory_limits import tell_of_shortage
from fireside.wire.messages import CacheOptions

logger = logging.getLogger(__name__)

PROCESS_RESERVE_BYTES = 256 * 1024 * 1024
"""Part of a process's memory limit that is not for the model: reserved for stacks, and mostly unused."""
LOAD_STEP = 0.01
"""Load progress is published in steps of this much."""
GPU_LOST = tr_noop(
    "The GPU stopped responding, so this model runs on the CPU for now. Reload it to use the GPU."
)
LARGER_CONTEXT = tr_noop("Loaded with a larger context than set, as a program needs it.")
TEMPORARY_SETTINGS = tr_noop("Loaded with temporary settings.")


class OnExited(Protocol):
    def __call__(self, instance: ModelInstance, /, *, load_error: FiresideError | None) -> None: ...


class LifecycleCallbacks(msgspec.Struct, frozen=True, kw_only=True):
    """What the lifecycle reports to the engine."""

    on_progress: Callable[[ModelInstance], None]
    """Its load progressed."""
    on_silent: Callable[[ModelInstance, bool], None]
    """Its load has shown no activity for a while (True), or does again (False)."""
    on_loaded: Callable[[ModelInstance], None]
    on_ended: Callable[[ModelInstance, RunnerError], None]
    """Its runner crashed, or was killed for not responding or breaking the protocol."""
    on_freed: Callable[[ModelInstance, RequestState], None]
    on_requeue: Callable[[ModelInstance, RequestState, RunnerCrashed], None]
    on_exited: OnExited
    """Its process has exited; ``load_error`` is why it was not loaded."""
    evict_idle: Callable[[], Awaitable[bool]]
    """See ``load_with_retries``."""


class InstanceLifecycle:
    """Runs model instances for the engine, which owns them."""

    def __init__(
        self, context: EngineContext, *, options: Callable[[], EngineOptions], callbacks: LifecycleCallbacks
    ) -> None:
        self._context = context
        self._options = options
        self._callbacks = callbacks
        self._memory_waits: set[asyncio.Task[bool]] = set()
        """Waits for the memory of instances that have exited."""
        self._is_closed = False

    def close(self) -> None:
        """Stop waiting for memory."""
        self._is_closed = True
        for task in self._memory_waits:
            task.cancel()

    async def run(self, instance: ModelInstance) -> None:
        """Run an instance from its load to the exit of its process."""
        error: FiresideError | None = LoadFailed(
            model=instance.name, reason=tr_noop("an internal error occurred.")
        )
        try:
            instance.loaded = await self._load(instance)
            error = None
            assert instance.session is not None
            options = self._options()
            is_on_gpu = instance.loaded.n_gpu_layers > 0
            instance.session.watch(
                limit_s=options.gpu_silence_limit_s if is_on_gpu else options.silence_limit_s
            )
            self._callbacks.on_loaded(instance)
            await instance.session.wait_ended()
        except FiresideError as exc:
            error = exc
        except Exception as exc:
            if tell_of_shortage((repr(exc),)):
                error = OutOfMemory(model=instance.name)
            raise
        finally:
            was_loading = instance.loaded is None
            instance.phase = Phase.STOPPING
            expected = await self._expected_after(instance)
            if instance.session is not None:
                # An aborted load has nothing to save: its runner is killed.
                await instance.session.stop(at_once=was_loading)
            if expected is not None and not self._is_closed:
                await self._wait_for_memory(instance, expected)
            self._callbacks.on_exited(instance, load_error=error if was_loading else None)

    async def _expected_after(self, instance: ModelInstance) -> ExpectedMemory | None:
        """Return the memory that should become free; ``None`` if there is nothing to wait for."""
        if (
            instance.loaded is None
            or instance.session is None
            or not instance.is_unload_requested
            or self._is_closed
        ):
            return None
        if not instance.loaded.n_gpu_layers:
            return None
        free_memory = await self._context.free_memory(instance.session.devices)
        return expected_after(instance.loaded, free_memory=free_memory)

    async def _wait_for_memory(self, instance: ModelInstance, expected: ExpectedMemory) -> None:
        assert instance.session is not None
        task = asyncio.create_task(
            wait_for_release(
                expected,
                devices=instance.session.devices,
                free_memory=self._context.free_memory,
                clock=self._context.clock,
            ),
            name=f"memory of {instance.name}",
        )
        self._memory_waits.add(task)
        await asyncio.wait({task})
        self._memory_waits.discard(task)
        if not task.cancelled() and not task.result():
            logger.warning("the memory of %s is not free yet", instance.name)

    async def _load(self, instance: ModelInstance) -> LoadedModel:
        def on_progress(fraction: float, stage: LoadStage) -> None:
            if fraction - instance.fraction >= LOAD_STEP or stage is not instance.stage:
                instance.fraction, instance.stage = fraction, stage
                self._callbacks.on_progress(instance)

        def on_planned(plan: LoadPlan) -> None:
            instance.resolved_options, instance.budgets, instance.uses = plan.options, plan.budgets, plan.uses

        def cache() -> CacheOptions:
            options = self._context.cache()
            instance.cache_bytes = options.memory_bytes
            return options

        target = msgspec.structs.replace(instance.target, options=instance.requested_options)
        if instance.has_larger_context:
            logger.info("%s is loaded with a larger context, as a program needs it", instance.name)
            instance.note = tr(LARGER_CONTEXT)
        elif instance.override_options is not None:
            instance.note = tr(TEMPORARY_SETTINGS)
        if instance.is_without_gpu:
            instance.note = tr(GPU_LOST)
            on_cpu = msgspec.structs.replace(target.options, n_gpu_layers=0)
            target = msgspec.structs.replace(target, options=on_cpu)
        return await load_with_retries(
            target,
            n_ctx=instance.n_ctx,
            open_session=lambda: self._open_session(instance),
            evict_idle=self._callbacks.evict_idle,
            context=self._context,
            cache=cache,
            options=self._options(),
            on_progress=on_progress,
            on_planned=on_planned,
        )

    async def _wait_for_setup(self, instance: ModelInstance) -> None:
        def on_progress(progress: SetupProgress) -> None:
            instance.fraction, instance.left_s = progress.fraction, progress.left_s
            instance.stage = LoadStage.PREPARING
            self._callbacks.on_progress(instance)

        instance.setup_wait = asyncio.create_task(self._context.setup.wait(on_progress))
        await asyncio.wait({instance.setup_wait})
        if instance.setup_wait.cancelled():
            raise RunnerStartFailed(reason=tr_noop("it was asked to stop."))
        instance.setup_wait.result()
        instance.setup_wait = instance.left_s = None

    async def _open_session(self, instance: ModelInstance) -> RunnerSession:
        if not self._context.setup.is_done:
            await self._wait_for_setup(instance)
        instance.fraction, instance.stage = 0.0, LoadStage.STARTING
        options = instance.requested_options
        link = await self._context.spawn(
            instance.name, runtime=options.runtime, spin_count=options.spin_count
        )
        logger.info("runner %d loads %s", link.pid, instance.name)
        if options.memory_limit_mb:
            link.limit_memory(options.memory_limit_mb * BYTES_A_MB + PROCESS_RESERVE_BYTES)
        instance.session = RunnerSession(
            link,
            name=instance.name,
            clock=self._context.clock,
            on_ended=lambda error: self._callbacks.on_ended(instance, error),
            on_freed=lambda generation: self._callbacks.on_freed(instance, generation),
            on_requeue=lambda generation, error: self._callbacks.on_requeue(instance, generation, error),
            load_limit_s=self._options().load_limit_s,
            on_silent=lambda is_silent: self._callbacks.on_silent(instance, is_silent),
        )
        if instance.is_unload_requested:
            instance.session.detach()
        return instance.session
