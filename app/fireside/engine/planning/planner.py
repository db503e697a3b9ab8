"""Plan loads: what is known of them, what dry runs say, and what the user agreed to after a failure."""

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
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.plan import LoadPlan, LoadRecord, MemoryUse
from fireside.core.status import Device, DeviceKind, LoadedModel, MemoryReport
from fireside.engine.cache_budget import CacheProbe, no_cache, planned_bytes
from fireside.engine.host_info import Host
from fireside.engine.planning.auto_fit import Fitted
from fireside.engine.planning.auxiliary_models import auxiliary_paths, find_auxiliary
from fireside.engine.planning.buffer_usage import BESIDE, HOST, buffer_usage, without_gaps
from fireside.engine.planning.dry_run import DryRun, OpenDryRun
from fireside.engine.planning.dry_run_pool import DryRunPool
from fireside.engine.planning.load_case import PROGRAM, LoadCase, load_case
from fireside.engine.planning.measurement_cache import MeasurementCache
from fireside.wire.memory_limits import memory_now
from fireside.wire.runner_modes import MeasureReply

_MAX_AGREED: Final = 200
_DRIVER_S: Final = 5.0

log = logging.getLogger(__name__)


class Planner:
    """Plans loads for the memory that is free. Lives on one loop; dry runs are awaited off it.

    Args:
        open_dry_run: starts what measures; ``None`` plans by headers alone.
        measured: remembers what was measured.
        cache: how much is kept of conversations beyond a context.
        display: name of the GPU that draws the desktop; ``None`` where that is not known.
        measure_devices: returns devices with their memory by the most reliable source; blocks, in a thread.
        kept_s: how long the process that measured is kept for the next plan, on a computer without a GPU:
            there it holds no memory that a load could want.
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
        kept_s: float = 0.0,
    ) -> None:
        self._pool = DryRunPool(open_dry_run, kept_s=kept_s) if open_dry_run is not None else None
        self._measured = measured if measured is not None else MeasurementCache(None, build=lambda _: "")
        self._cache = cache
        self._display = display
        self._measure_devices = measure_devices
        self.on_record: Callable[[LoadRecord], None] = lambda _: None
        """Told of each load that came about."""
        self._now = now
        self._tried: dict[ModelId, LoadPlan] = {}
        self._agreed: dict[tuple[ModelId, LoadOptions], LoadOptions] = {}

    async def with_memory_now(self, devices: Sequence[Device]) -> tuple[Device, ...]:
        """Return ``devices`` with their memory as it is now, each card once; unchanged if that takes long."""
        measuring = asyncio.to_thread(self._measure_devices, devices)
        try:
            return await asyncio.wait_for(measuring, _DRIVER_S)
        except TimeoutError:
            log.warning("the graphics driver does not say how much memory is free")
            return tuple(devices)

    async def plan(
        self, spec: ModelSpec, wanted: LoadOptions, *, devices: Sequence[Device], host: Host
    ) -> LoadPlan:
        """Return how to load ``spec`` with ``wanted`` now; exact unless no dry run could be made.

        What was agreed on for the very same options is planned as it was agreed.
        """
        options = self._agreed.get((spec.id, wanted), wanted)
        case = load_case(
            spec,
            options,
            devices=devices,
            host=host,
            total_bytes=memory_now().total_bytes,
            display=self._display(),
            beside=await find_auxiliary(wanted),
            states_bytes=planned_bytes(self._cache()),
        )
        # A process that has looked at a GPU holds some of its memory.
        has_gpu = any(device.kind is not DeviceKind.CPU for device in devices)
        found, unloadable = await self._fitted(case, may_keep=not has_gpu)
        return case.plan(found, unloadable=unloadable)

    def set_override(self, spec: ModelSpec, wanted: LoadOptions, *, override_options: LoadOptions) -> None:
        """Load ``spec`` as ``override_options`` from now on whenever ``wanted`` is wanted of it."""
        self._agreed[spec.id, wanted] = msgspec.structs.replace(
            override_options, tensor_split=wanted.tensor_split
        )
        for key in list(self._agreed)[:-_MAX_AGREED]:
            del self._agreed[key]

    def close(self) -> None:
        """End the process that is kept, if there is one. Blocks for a moment; any thread."""
        if self._pool is not None:
            self._pool.close()

    def record_attempt(self, plan: LoadPlan) -> None:
        """Remember that a load is about to be made as planned."""
        self._tried[plan.model_id] = plan

    def last_tried(self, model_id: ModelId) -> LoadPlan | None:
        """Return how a model was last loaded, or was to be, in this run."""
        return self._tried.get(model_id)

    def record_load(self, spec: ModelSpec, plan: LoadPlan, loaded: LoadedModel) -> LoadedModel:
        """Remember what a load of ``spec`` that was planned really took; return ``loaded`` with that."""
        names = [room.device for room in plan.budgets]
        gpus = [name for name in names if name != HOST]
        reports = without_gaps(loaded.memory, layout=spec.layout, devices=gpus, beside=tuple(BESIDE))
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

    async def _fitted(self, case: LoadCase, *, may_keep: bool) -> tuple[Fitted, ErrorInfo | None]:
        """Return the best way that was found, and why the model cannot be loaded in any way, if so."""
        if self._pool is None:
            return case.fitted(), None
        session = _Session(
            case.spec.path, gpus=case.gpus, measured=self._measured, pool=self._pool, may_keep=may_keep
        )
        work = asyncio.create_task(asyncio.to_thread(case.fitted, session.measure))
        try:
            # A thread cannot be cancelled; ending the process that it waits for ends it soon.
            return await asyncio.shield(work), session.unloadable
        finally:
            await asyncio.to_thread(session.close)
            await asyncio.wait({work})
            await asyncio.to_thread(session.keep)


class _Session:
    """One plan's measurements: those that are known, and those of a process started for the others."""

    def __init__(
        self,
        path: str,
        *,
        gpus: Sequence[Device],
        measured: MeasurementCache,
        pool: DryRunPool,
        may_keep: bool,
    ) -> None:
        self._path = path
        self._gpus = gpus
        self._measured = measured
        self._pool = pool
        self._may_keep = may_keep
        self.unloadable: ErrorInfo | None = None
        """Why the model cannot be loaded in any way, if a dry run said so."""
        self._dry_run: DryRun | None = None
        self._runtime = ""
        self._is_second_hand = False
        self._is_asking = False
        self._new: list[tuple[str, tuple[MemoryReport, ...]]] = []
        self._is_closed = False
        self._lock = threading.Lock()

    def measure(self, options: LoadOptions) -> tuple[MemoryUse, ...] | None:
        """Return what llama.cpp would allocate; ``None`` where that cannot be told."""
        key = self._measured.key(self._path, options, devices=self._gpus)
        memory = self._measured.get(key) if key else None
        if memory is None:
            memory = self._ask(options)
            if memory is None:
                return None
            self._new.append((key, memory))
        names = [gpu.name for gpu in self._gpus]
        return buffer_usage(memory, devices=names)

    def close(self) -> None:
        """Give the process back; whatever waits for it gets nothing, and no other is started. Any thread."""
        with self._lock:
            self._is_closed = True
            dry_run, self._dry_run = self._dry_run, None
            may_keep = self._may_keep and not self._is_asking
        if dry_run is None:
            return
        if may_keep:
            self._pool.release(dry_run, runtime=self._runtime)
        else:
            dry_run.close()

    def keep(self) -> None:
        """Remember what was said."""
        self._measured.put(self._new)

    def _ask(self, options: LoadOptions) -> tuple[MemoryReport, ...] | None:
        if auxiliary_paths(options):
            # A projector is really loaded: that is not kept for a plan that may come.
            self._may_keep = False
        reply = self._reply_to(options)
        if reply is not None and reply.problem and self._is_second_hand:
            self._drop()  # It may have ended while it was unused.
            reply = self._reply_to(options)
        if reply is None:
            return None
        if reply.problem:
            self._may_keep = False
            self.unloadable = reply.unloadable
            log.info("no dry run: %s", reply.problem)
            return None
        return reply.memory

    def _reply_to(self, options: LoadOptions) -> MeasureReply | None:
        with self._lock:
            if self._is_closed:
                return None
            if self._dry_run is None:
                self._runtime = options.runtime
                self._dry_run, self._is_second_hand = self._pool.acquire(options.runtime)
            dry_run, self._is_asking = self._dry_run, True
        try:
            return dry_run.measure(self._path, options)
        finally:
            with self._lock:
                self._is_asking = False

    def _drop(self) -> None:
        with self._lock:
            dry_run, self._dry_run = self._dry_run, None
        if dry_run is not None:
            dry_run.close()
