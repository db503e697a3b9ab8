"""Plan loads: with cached measurements, dry runs, and options the user accepted after a failed load."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.ids import ModelId
from fireside.core.load_sizes import with_larger_context
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.plan import LoadPlan, LoadRecord, MemoryUse
from fireside.core.status import Device, DeviceKind, LoadedModel, MemoryReport
from fireside.engine.cache_budget import CacheProbe, no_cache, planned_bytes
from fireside.engine.host_info import Host
from fireside.engine.planning.auto_fit import FitResult
from fireside.engine.planning.auxiliary_models import auxiliary_paths, find_auxiliary
from fireside.engine.planning.buffer_usage import HOST, buffer_usage, without_overlap
from fireside.engine.planning.dry_run import DryRunPool, DryRunProcess, OpenDryRun
from fireside.engine.planning.load_case import PROGRAM, LoadCase, load_case
from fireside.engine.planning.measurement_cache import MeasurementCache
from fireside.wire.runner_modes import MeasureReply

_MAX_OVERRIDES: Final = 200
_DEVICE_LIMIT_S: Final = 5.0
"""Time limit for measuring the devices."""

log = logging.getLogger(__name__)


class Planner:
    """Plans loads for the memory that is free. On one loop; dry runs run in threads.

    Args:
        open_dry_run: starts a dry run process; ``None`` plans from headers alone.
        measured: cache of measurements.
        cache: returns the limits of the prompt cache.
        display: returns the name of the GPU that draws the desktop; ``None`` if it is not known.
        measure_devices: returns devices with their memory now; blocks, called in a thread.
        idle_s: how long a dry run process is kept for the next plan, on a computer without a GPU, where it
            holds no memory that a load needs.
    """

    def __init__(
        self,
        *,
        open_dry_run: OpenDryRun | None = None,
        measured: MeasurementCache | None = None,
        cache: CacheProbe = no_cache,
        display: Callable[[], str | None] = lambda: None,
        measure_devices: Callable[[Sequence[Device]], tuple[Device, ...]] = tuple,
        now: Callable[[], float] = time.time,
        idle_s: float = 0.0,
    ) -> None:
        self._pool = DryRunPool(open_dry_run, idle_s=idle_s) if open_dry_run is not None else None
        self._measured = measured if measured is not None else MeasurementCache(None, build=lambda _: "")
        self._cache = cache
        self._display = display
        self._measure_devices = measure_devices
        self.on_record: Callable[[LoadRecord], None] = lambda _: None
        """Called with each successful load."""
        self._now = now
        self._last_plans: dict[ModelId, LoadPlan] = {}
        self._overrides: dict[tuple[ModelId, LoadOptions], LoadOptions] = {}

    async def with_current_memory(self, devices: Sequence[Device]) -> tuple[Device, ...]:
        """Return ``devices`` with their memory now, each card once; unchanged if that takes over 5 s."""
        measuring = asyncio.to_thread(self._measure_devices, devices)
        try:
            return await asyncio.wait_for(measuring, _DEVICE_LIMIT_S)
        except TimeoutError:
            log.warning("the graphics driver does not say how much memory is free")
            return tuple(devices)

    async def plan(
        self,
        spec: ModelSpec,
        requested: LoadOptions,
        *,
        devices: Sequence[Device],
        host: Host,
        n_ctx: int = 0,
    ) -> LoadPlan:
        """Return how to load ``spec`` with ``requested`` now; exact unless the dry runs failed.

        An override of ``requested``, see ``set_override``, is used instead.

        Args:
            n_ctx: context length to plan with if it is larger and there is memory for it.
        """
        options = with_larger_context(self._overrides.get((spec.id, requested), requested), n_ctx)
        case = load_case(
            spec,
            options,
            devices=devices,
            host=host,
            display=self._display(),
            auxiliary=await find_auxiliary(requested),
            states_bytes=planned_bytes(self._cache()),
        )
        # A process that has initialized a GPU holds some of its memory.
        has_gpu = any(device.kind is not DeviceKind.CPU for device in devices)
        result, unloadable = await self._fitted(case, may_reuse=not has_gpu)
        return case.plan(result, unloadable=unloadable)

    def set_override(self, spec: ModelSpec, requested: LoadOptions, *, override_options: LoadOptions) -> None:
        """From now on, plan ``spec`` with ``override_options`` whenever ``requested`` is requested."""
        self._overrides[spec.id, requested] = msgspec.structs.replace(
            override_options, tensor_split=requested.tensor_split
        )
        for key in list(self._overrides)[:-_MAX_OVERRIDES]:
            del self._overrides[key]

    def close(self) -> None:
        """Stop the idle dry run process, if there is one. Blocks for a moment; any thread."""
        if self._pool is not None:
            self._pool.close()

    def record_attempt(self, plan: LoadPlan) -> None:
        """Record that a load by ``plan`` is about to start."""
        self._last_plans[plan.model_id] = plan

    def last_plan(self, model_id: ModelId) -> LoadPlan | None:
        """Return the last plan by which a model was loaded or failed to, since the program started."""
        return self._last_plans.get(model_id)

    def record_load(self, spec: ModelSpec, plan: LoadPlan, loaded: LoadedModel) -> LoadedModel:
        """Record what a planned load of ``spec`` really used; return ``loaded`` with that."""
        names = [budget.device for budget in plan.budgets]
        gpus = [name for name in names if name != HOST]
        reports = without_overlap(loaded.memory, layout=spec.layout, devices=gpus)
        measured = buffer_usage(reports, devices=names)
        self.on_record(
            LoadRecord(
                model_id=plan.model_id,
                loaded_at=self._now(),
                options=plan.options,
                predicted=plan.uses,
                measured=measured,
                rss_bytes=loaded.rss_bytes,
                load_s=loaded.load_s,
            )
        )
        return msgspec.structs.replace(loaded, uses=(*measured, PROGRAM))

    async def _fitted(self, case: LoadCase, *, may_reuse: bool) -> tuple[FitResult, ErrorInfo | None]:
        """Return the best options, and the error if the model cannot be loaded with any."""
        if self._pool is None:
            return case.fitted(), None
        session = _Session(
            case.spec.path, gpus=case.gpus, measured=self._measured, pool=self._pool, may_reuse=may_reuse
        )
        work = asyncio.create_task(asyncio.to_thread(case.fitted, session.measure))
        try:
            # A thread cannot be cancelled, but stopping the process that it waits for ends it.
            return await asyncio.shield(work), session.unloadable
        finally:
            await asyncio.to_thread(session.close)
            await asyncio.wait({work})
            await asyncio.to_thread(session.save)


class _Session:
    """One plan's measurements: cached ones, and those of a dry run process."""

    def __init__(
        self,
        path: str,
        *,
        gpus: Sequence[Device],
        measured: MeasurementCache,
        pool: DryRunPool,
        may_reuse: bool,
    ) -> None:
        self._path = path
        self._gpus = gpus
        self._measured = measured
        self._pool = pool
        self._may_reuse = may_reuse
        self.unloadable: ErrorInfo | None = None
        """Why the model cannot be loaded in any way, if a dry run said so."""
        self._dry_run: DryRunProcess | None = None
        self._runtime = ""
        self._is_reused = False
        self._is_measuring = False
        self._new: list[tuple[str, tuple[MemoryReport, ...]]] = []
        self._is_closed = False
        self._lock = threading.Lock()

    def measure(self, options: LoadOptions) -> tuple[MemoryUse, ...] | None:
        """Return what llama.cpp would allocate; ``None`` if it cannot be measured."""
        key = self._measured.key(self._path, options, devices=self._gpus)
        memory = self._measured.get(key) if key else None
        if memory is None:
            memory = self._measure_new(options)
            if memory is None:
                return None
            self._new.append((key, memory))
        return buffer_usage(memory, devices=[gpu.name for gpu in self._gpus])

    def close(self) -> None:
        """Release the process; waiting measurements return ``None``, and no other is started. Any thread."""
        with self._lock:
            self._is_closed = True
            dry_run, self._dry_run = self._dry_run, None
            may_reuse = self._may_reuse and not self._is_measuring
        if dry_run is None:
            return
        if may_reuse:
            self._pool.release(dry_run, runtime=self._runtime)
        else:
            dry_run.close()

    def save(self) -> None:
        """Add the new measurements to the cache."""
        self._measured.store(self._new)

    def _measure_new(self, options: LoadOptions) -> tuple[MemoryReport, ...] | None:
        if auxiliary_paths(options):
            # A projector is really loaded, so the process holds memory and is not kept.
            self._may_reuse = False
        reply = self._request(options)
        if reply is not None and reply.problem and self._is_reused:
            self._discard()  # It may have ended while it was idle.
            reply = self._request(options)
        if reply is None:
            return None
        if reply.problem:
            self._may_reuse = False
            self.unloadable = reply.unloadable
            log.info("no dry run: %s", reply.problem)
            return None
        return reply.memory

    def _request(self, options: LoadOptions) -> MeasureReply | None:
        with self._lock:
            if self._is_closed:
                return None
            if self._dry_run is None:
                self._runtime = options.runtime
                self._dry_run, self._is_reused = self._pool.acquire(options.runtime)
            dry_run, self._is_measuring = self._dry_run, True
        try:
            return dry_run.measure(self._path, options)
        finally:
            with self._lock:
                self._is_measuring = False

    def _discard(self) -> None:
        with self._lock:
            dry_run, self._dry_run = self._dry_run, None
        if dry_run is not None:
            dry_run.close()
