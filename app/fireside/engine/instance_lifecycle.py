"""A seat from the load of its model until its process is gone and the memory is back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from fireside.core.errors import FiresideError, LoadFailed, RunnerCrashed, RunnerError
from fireside.core.i18n import tr, tr_noop
from fireside.core.plan import LoadPlan
from fireside.core.status import LoadedModel, LoadStage
from fireside.engine.cache_budget import CacheProbe
from fireside.engine.clock import Clock
from fireside.engine.decisions import Phase
from fireside.engine.host_info import HostProbe
from fireside.engine.load_retry import load_with_retries
from fireside.engine.memory_release import Expected, FreeOn, expected_after, memory_returned
from fireside.engine.model_instance import ModelInstance
from fireside.engine.options import EngineOptions
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.link import Spawn
from fireside.engine.request_state import Generation
from fireside.engine.runner_session import RunnerSession
from fireside.wire.messages import CacheOptions

logger = logging.getLogger(__name__)

LOAD_STEP = 0.01
"""Progress of a load is told in steps of this much."""
GPU_LOST = tr_noop(
    "The graphics card stopped answering, so this model runs on the processor for now. "
    "Load it again to use the card."
)
THIS_TIME = tr_noop("Loaded otherwise than its settings say, this time.")


class OnLeft(Protocol):
    def __call__(self, seat: ModelInstance, /, *, load_error: FiresideError | None) -> None: ...


class LifecycleCallbacks(msgspec.Struct, frozen=True, kw_only=True):
    """Who is told what becomes of a seat."""

    on_progress: Callable[[ModelInstance], None]
    """Its load got on."""
    on_silent: Callable[[ModelInstance, bool], None]
    """The process of its load does nothing for a while, or does something again."""
    on_loaded: Callable[[ModelInstance], None]
    on_ended: Callable[[ModelInstance, RunnerError], None]
    """Its runner ended by itself, or was ended for what it did."""
    on_freed: Callable[[ModelInstance, Generation], None]
    on_given_back: Callable[[ModelInstance, Generation, RunnerCrashed], None]
    on_left: OnLeft
    """All is over; ``load_error`` says why it was not loaded."""
    evict_idle: Callable[[], Awaitable[bool]]
    """See ``load_with_retries``."""


class InstanceLifecycle:
    """Runs seats. Everything it needs comes from whoever owns them."""

    def __init__(
        self,
        *,
        spawn: Spawn,
        clock: Clock,
        probe: HostProbe,
        cache: CacheProbe,
        planner: Planner,
        free_on: FreeOn,
        options: Callable[[], EngineOptions],
        news: LifecycleCallbacks,
    ) -> None:
        self._spawn = spawn
        self._clock = clock
        self._probe = probe
        self._cache = cache
        self._planner = planner
        self._free_on = free_on
        self._options = options
        self._news = news
        self._returning: set[asyncio.Task[bool]] = set()
        """Waits for memory that is to come back."""
        self._is_closed = False

    def close(self) -> None:
        """Memory is waited for no longer."""
        self._is_closed = True
        for returning in self._returning:
            returning.cancel()

    async def live(self, seat: ModelInstance) -> None:
        """Run a seat from its load to the exit of its process."""
        error: FiresideError | None = LoadFailed(
            model=seat.name, reason=tr_noop("something went wrong inside Fireside.")
        )
        try:
            seat.loaded = await self._load(seat)
            error = None
            assert seat.session is not None
            options = self._options()
            is_on_gpu = seat.loaded.n_gpu_layers > 0
            seat.session.watch(limit_s=options.gpu_silence_limit_s if is_on_gpu else options.silence_limit_s)
            self._news.on_loaded(seat)
            await seat.session.wait_ended()
        except FiresideError as exc:
            error = exc
        finally:
            was_loading = seat.loaded is None
            seat.phase = Phase.STOPPING
            expected = await self._expected_after(seat)
            if seat.session is not None:
                # Whoever waits for a load to be given up waits for nothing that it would do in its end.
                await seat.session.stop(at_once=was_loading)
            if expected is not None and not self._is_closed:
                await self._wait_for_memory(seat, expected)
            self._news.on_left(seat, load_error=error if was_loading else None)

    async def _expected_after(self, seat: ModelInstance) -> Expected | None:
        """Return the memory that will be free; ``None`` where there is nothing to wait for."""
        if seat.loaded is None or seat.session is None or not seat.is_dismissed or self._is_closed:
            return None
        if not seat.loaded.n_gpu_layers:
            return None
        return expected_after(seat.loaded, free_on=await self._free_on(seat.session.devices))

    async def _wait_for_memory(self, seat: ModelInstance, expected: Expected) -> None:
        assert seat.session is not None
        returning = asyncio.create_task(
            memory_returned(expected, devices=seat.session.devices, free_on=self._free_on, clock=self._clock),
            name=f"memory of {seat.name}",
        )
        self._returning.add(returning)
        await asyncio.wait({returning})
        self._returning.discard(returning)
        if not returning.cancelled() and not returning.result():
            logger.warning("the memory of %s has not come back yet", seat.name)

    async def _load(self, seat: ModelInstance) -> LoadedModel:
        def on_progress(fraction: float, stage: LoadStage) -> None:
            if fraction - seat.fraction >= LOAD_STEP or stage is not seat.stage:
                seat.fraction, seat.stage = fraction, stage
                self._news.on_progress(seat)

        def on_planned(plan: LoadPlan) -> None:
            seat.placed, seat.rooms, seat.uses = plan.options, plan.rooms, plan.uses

        def cache() -> CacheOptions:
            kept = self._cache()
            seat.cache_bytes = kept.memory_bytes
            return kept

        wanted = seat.wanted
        if seat.instead is not None:
            seat.note = tr(THIS_TIME)
            wanted = msgspec.structs.replace(wanted, options=seat.instead)
        if seat.is_without_gpu:
            seat.note = tr(GPU_LOST)
            on_processor = msgspec.structs.replace(wanted.options, n_gpu_layers=0)
            wanted = msgspec.structs.replace(wanted, options=on_processor)
        return await load_with_retries(
            wanted,
            open_session=lambda: self._open_session(seat),
            evict_idle=self._news.evict_idle,
            probe=self._probe,
            planner=self._planner,
            cache=cache,
            handshake_limit_s=self._options().handshake_limit_s,
            handshake_silence_s=self._options().handshake_silence_s,
            on_progress=on_progress,
            on_planned=on_planned,
        )

    async def _open_session(self, seat: ModelInstance) -> RunnerSession:
        seat.fraction, seat.stage = 0.0, LoadStage.STARTING
        options = seat.instead if seat.instead is not None else seat.wanted.options
        link = await self._spawn(seat.name, runtime=options.runtime, spin_count=options.spin_count)
        logger.info("runner %d is to load %s", link.pid, seat.name)
        seat.session = RunnerSession(
            link,
            name=seat.name,
            clock=self._clock,
            on_ended=lambda error: self._news.on_ended(seat, error),
            on_freed=lambda generation: self._news.on_freed(seat, generation),
            on_given_back=lambda generation, error: self._news.on_given_back(seat, generation, error),
            load_limit_s=self._options().load_limit_s,
            on_silent=lambda is_silent: self._news.on_silent(seat, is_silent),
        )
        if seat.is_dismissed:
            seat.session.leave()
        return seat.session
