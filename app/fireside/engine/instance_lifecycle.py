"""Load a model instance, with less where memory runs out, and end it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

import msgspec

from fireside.core.errors import OutOfMemory, RunnerError
from fireside.core.i18n import tr, tr_noop
from fireside.core.options import BYTES_A_MB
from fireside.core.plan import LoadPlan
from fireside.core.status import LoadedModel, LoadStage
from fireside.engine.engine_context import EngineContext
from fireside.engine.fairness import LoadTarget
from fireside.engine.memory_release import ExpectedMemory, expected_after, wait_for_release
from fireside.engine.model_instance import ModelInstance
from fireside.engine.options import EngineOptions
from fireside.engine.planning.auto_fit import smaller_layers
from fireside.engine.processes.llama_setup import SetupProgress
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.engine.runner_session import RunnerSession
from fireside.wire.messages import Hello, Load

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


class InstanceLifecycle:
    """Loads model instances for the engine, which owns them, and ends them.

    Args:
        options: returns the limits in force.
        new_session: makes the session of an instance with its runner.
        evict_idle: unloads every idle model, waits for that, and returns whether there was any.
        on_progress: called when the load of an instance has progressed.
    """

    def __init__(
        self,
        context: EngineContext,
        *,
        options: Callable[[], EngineOptions],
        new_session: Callable[[ModelInstance, RunnerProcess], RunnerSession],
        evict_idle: Callable[[], Awaitable[bool]],
        on_progress: Callable[[ModelInstance], None],
    ) -> None:
        self._context = context
        self._options = options
        self._new_session = new_session
        self._evict_idle = evict_idle
        self._on_progress = on_progress
        self._memory_waits: set[asyncio.Task[bool]] = set()
        """Waits for the memory of instances that have exited."""
        self._is_closed = False

    def close(self) -> None:
        """Stop waiting for memory."""
        self._is_closed = True
        for task in self._memory_waits:
            task.cancel()

    async def load(self, instance: ModelInstance) -> None:
        """Load an instance, whose ``session`` and ``loaded`` are set then.

        The planner plans it for the memory that is free. A load that runs out of memory all the same is
        planned again once idle models are unloaded, and, if the number of layers on the GPU is automatic,
        tried with half of them and then with none. Each attempt is a new process.

        Raises:
            FiresideError: of the last attempt.
        """
        target = _noted_target(instance)
        smaller: deque[LoadPlan] | None = None
        may_evict = True
        plan: LoadPlan | None = None
        while True:
            session = await self._open_session(instance)
            options = self._options()
            hello = await session.handshake(
                limit_s=options.handshake_limit_s, silence_s=options.handshake_silence_s
            )
            if plan is None:
                planning = self._planned(target, n_ctx=instance.n_ctx, hello=hello)
                plan = await session.run_until_exit(planning)
            try:
                loaded = await self._load_planned(instance, session, plan)
            except OutOfMemory:
                await session.stop()
                if may_evict:
                    may_evict = False
                    if await self._evict_idle():
                        plan = None
                        continue
                if smaller is None:
                    fallbacks = smaller_layers(target.options, placed=plan.options)
                    smaller = deque(msgspec.structs.replace(plan, options=each) for each in fallbacks)
                if not smaller:
                    raise
                plan = smaller.popleft()
            else:
                instance.loaded = self._context.planner.record_load(target.spec, plan, loaded)
                return

    async def end(self, instance: ModelInstance) -> None:
        """Stop the runner of an instance, and wait until its process has exited and its memory is free."""
        if instance.session is None:
            return
        expected = await self._expected_after(instance, instance.session)
        # An aborted load has nothing to save: its runner is killed.
        await instance.session.stop(at_once=instance.loaded is None)
        if expected is not None and not self._is_closed:
            await self._wait_for_memory(instance, instance.session, expected)

    async def _expected_after(self, instance: ModelInstance, session: RunnerSession) -> ExpectedMemory | None:
        """Return the memory that should become free; ``None`` if there is nothing to wait for."""
        if instance.loaded is None or not instance.is_unload_requested or self._is_closed:
            return None
        if not instance.loaded.n_gpu_layers:
            return None
        free_memory = await self._context.free_memory(session.devices)
        return expected_after(instance.loaded, free_memory=free_memory)

    async def _wait_for_memory(
        self, instance: ModelInstance, session: RunnerSession, expected: ExpectedMemory
    ) -> None:
        task = asyncio.create_task(
            wait_for_release(
                expected,
                devices=session.devices,
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

    async def _planned(self, target: LoadTarget, *, n_ctx: int, hello: Hello) -> LoadPlan:
        devices = await self._context.planner.with_current_memory(hello.devices)
        return await self._context.planner.plan(
            target.spec, target.options, devices=devices, host=self._context.probe(), n_ctx=n_ctx
        )

    async def _load_planned(
        self, instance: ModelInstance, session: RunnerSession, plan: LoadPlan
    ) -> LoadedModel:
        def on_progress(fraction: float, stage: LoadStage) -> None:
            if fraction - instance.fraction >= LOAD_STEP or stage is not instance.stage:
                instance.fraction, instance.stage = fraction, stage
                self._on_progress(instance)

        cache = self._context.cache()
        instance.cache_bytes = cache.memory_bytes
        self._context.planner.record_attempt(plan)
        instance.resolved_options, instance.budgets, instance.uses = plan.options, plan.budgets, plan.uses
        spec = instance.target.spec
        command = Load(path=spec.path, name=spec.name, options=plan.options, cache=cache)
        return await session.load(command, on_progress=on_progress)

    async def _wait_for_setup(self, instance: ModelInstance) -> None:
        def on_progress(progress: SetupProgress) -> None:
            instance.fraction, instance.left_s = progress.fraction, progress.left_s
            instance.stage = LoadStage.PREPARING
            self._on_progress(instance)

        instance.setup_wait = asyncio.create_task(self._context.setup.wait(on_progress))
        await asyncio.wait({instance.setup_wait})
        if instance.setup_wait.cancelled():
            raise RunnerError.of("runner_start_failed", reason=tr_noop("it was asked to stop."))
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
        instance.session = self._new_session(instance, link)
        if instance.is_unload_requested:
            instance.session.detach()
        return instance.session


def _noted_target(instance: ModelInstance) -> LoadTarget:
    """Return what an instance is to be loaded with, and note for the user what is unusual about it."""
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
    return target
