"""The engine: owns requests and model instances, and carries out the decisions about them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Final, assert_never

import msgspec

from fireside.core.errors import (
    EngineStopped,
    FiresideError,
    LoadError,
    OutOfMemory,
    QueueFull,
    RequestError,
    RunnerCrashed,
    RunnerError,
    format_bytes,
)
from fireside.core.generation import WaitReason
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId, RequestId
from fireside.core.prompt_query import PromptQuery, ReplyT
from fireside.core.status import Broken, LoadedModel, ModelStatus, RunningModel, Unloaded
from fireside.engine.clock import Timer
from fireside.engine.crash_history import CrashTracker
from fireside.engine.decisions import (
    NEVER,
    Decision,
    EngineSnapshot,
    Evict,
    Phase,
    Refuse,
    RunnerView,
    StartLoad,
    Use,
    Wait,
    next_expiry,
    plan,
)
from fireside.engine.engine_context import EngineContext
from fireside.engine.fairness import InstanceId, LoadTarget
from fireside.engine.instance_lifecycle import InstanceLifecycle
from fireside.engine.memory_release import MemoryPressure
from fireside.engine.model_instance import ModelInstance
from fireside.engine.options import EngineOptions
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.engine.request_queue import LoadTicket, RequestQueue
from fireside.engine.request_state import GenerationStream, RequestState
from fireside.engine.runner_health import RunnerHealth
from fireside.engine.runner_session import RunnerSession
from fireside.engine.status_publisher import StatusPublisher
from fireside.wire.memory_limits import tell_of_shortage

logger = logging.getLogger(__name__)


class Engine:
    """Serves requests with models that it loads and unloads as needed.

    Bound to one asyncio loop; every method is called on that loop's thread, and so is ``on_status``, which
    must not call back into the engine.

    Args:
        on_status: called with each change of a model's state.
    """

    def __init__(
        self,
        context: EngineContext,
        *,
        on_status: Callable[[ModelStatus], None],
        options: EngineOptions | None = None,
    ) -> None:
        self._clock = context.clock
        self._probe = context.probe
        self._planner = context.planner
        self._setup = context.setup
        self._options = options or EngineOptions()
        self._queue = RequestQueue()
        self._instances: dict[InstanceId, ModelInstance] = {}
        self._status = StatusPublisher(queue=self._queue, instances=self._instances, on_status=on_status)
        self._crashes = CrashTracker()
        self._priority_owner: str | None = None
        self._lifecycle = InstanceLifecycle(
            context,
            options=lambda: self._options,
            new_session=self._new_session,
            evict_idle=self._evict_idle,
            on_progress=self._status.publish_progress,
        )
        self._memory_pressure = MemoryPressure(
            probe=context.probe,
            free_memory=context.free_memory,
            instances=self._instances.values,
            on_short=self._status.publish_instance,
        )
        self._health = RunnerHealth(
            clock=context.clock,
            boot_clock=context.boot_clock,
            interval_s=self._options.heartbeat_s,
            growth_limit_bytes=self._options.growth_limit_bytes,
            instances=self._instances.values,
            on_grown=self._recycle,
            on_check=self._memory_pressure.check,
        )
        self._load_freeze = LoadFreeze(is_quiet=self._is_quiet, on_end=self._wake)
        self._is_closed = False
        self._wake_up: asyncio.Handle | None = None
        self._expiry: Timer | None = None

    def generate(self, request: GenerationRequest) -> GenerationStream:
        """Queue ``request`` and return its events.

        A full queue, a model that cannot be loaded and a crash are not raised; the stream ends with
        ``Failed``. A cancelled request ends with ``Finished``.

        Raises:
            ValueError: a request of this number is still running, or the number is not positive.
        """
        request_id = request.request_id
        if request_id < 1 or self._is_known(request_id):
            raise ValueError(f"request {request_id} is running already or not a positive number")
        generation = RequestState(request, clock=self._clock)
        stream = GenerationStream(request_id, generation.events, cancel=lambda: self.cancel(request_id))
        if self._is_closed:
            generation.fail(EngineStopped())
        elif self._queue.n_requests >= self._options.queue_limit:
            generation.fail(QueueFull(limit=self._options.queue_limit))
        else:
            self._queue.add_request(generation)
            self._pump()
        return stream

    def cancel(self, request_id: RequestId) -> None:
        """Cancel a request; its stream then ends with ``Finished`` and the usage so far.

        Unknown and finished requests are ignored.
        """
        ticket = self._queue.find(request_id)
        if ticket is not None:
            self._queue.discard(ticket)
            ticket.generation.finish_cancelled()
            self._wake()
            return
        for instance in self._instances.values():
            generation = instance.active.get(request_id)
            if generation is not None and instance.session is not None:
                instance.session.cancel(generation, limit_s=self._cancel_limit_s(instance))

    def set_priority_owner(self, owner: str) -> None:
        """Serve this owner's interactive requests before those of others: the user has its chat open."""
        if owner != self._priority_owner:
            self._priority_owner = owner
            self._wake()

    def configure(self, options: EngineOptions) -> None:
        """Apply other limits. Loaded models and waiting requests stay."""
        self._options = options
        self._wake()

    async def load(self, request: LoadRequest) -> LoadedModel:
        """Load a model, and return once it is loaded; clears its crash history.

        Raises:
            FiresideError: it cannot be loaded.
        """
        if self._is_closed:
            raise EngineStopped
        override_options = request.override_options
        if request.persist and override_options is not None:
            self._planner.set_override(request.spec, request.options, override_options=override_options)
            request = msgspec.structs.replace(request, override_options=None)
        self._crashes.forget(request.spec.id)
        ticket = self._queue.add_load(request)
        self._pump()
        try:
            return await ticket.ready
        finally:
            self._queue.discard(ticket)
            self._wake()

    def freeze_loads(self, name: str) -> AbstractAsyncContextManager[None]:
        """Load nothing while the block runs, in which the model called ``name`` is benchmarked.

        Loaded models go on serving; requests for others wait. A load in progress ends first.
        """
        return self._load_freeze.freeze(name)

    async def unload(self, model_id: ModelId) -> None:
        """Unload a model and wait until its process has exited.

        Its requests end as cancelled, its waiting loads with ``load_failed``.
        """
        for ticket in self._queue.pop_model(model_id):
            ticket.cancel(
                LoadError.of(
                    "load_failed",
                    model=ticket.pending.target.spec.name,
                    reason=tr_noop("loading was cancelled."),
                )
            )
        loaded = [instance for instance in self._instances.values() if instance.model_id == model_id]
        for instance in loaded:
            self._start_unloading(instance)
        tasks = [instance.task for instance in loaded if instance.task is not None]
        if tasks:
            await asyncio.wait(tasks)
        elif self._status.is_broken(model_id) or self._status.is_waiting(model_id):
            self._status.publish(model_id, Unloaded())

    async def ask(self, model_id: ModelId, query: PromptQuery[ReplyT]) -> ReplyT | None:
        """Return the reply to a question about a prompt; ``None`` while the model is not loaded.

        Raises:
            RequestError: the prompt cannot be sent, rendered or tokenized.
        """
        instance = self._status.primary_instance(model_id)
        if instance is None:
            return None
        async with instance.query_lock:
            if instance.phase is not Phase.READY or instance.session is None:
                return None
            return await instance.session.ask(query)

    def statuses(self) -> tuple[ModelStatus, ...]:
        """Return the state of every model used since the program started."""
        return self._status.statuses()

    def running_models(self) -> tuple[RunningModel, ...]:
        """Return the model instances that are loaded, loading or unloading."""
        return tuple(
            instance.as_running_model(now=self._clock.now()) for instance in self._instances.values()
        )

    async def close(self) -> None:
        """Refuse new requests, cancel the running ones, stop all runners. Takes at most 5 s."""
        await self._setup.close()
        self._is_closed = True
        for ticket in self._queue.pop_all():
            ticket.cancel(EngineStopped())
        for timer in (self._wake_up, self._expiry):
            if timer is not None:
                timer.cancel()
        self._health.stop()
        self._load_freeze.close()
        for instance in self._instances.values():
            self._start_unloading(instance)
        self._lifecycle.close()
        self._memory_pressure.close()
        tasks = [instance.task for instance in self._instances.values() if instance.task is not None]
        if tasks:
            await asyncio.wait(tasks)

    def _is_known(self, request_id: RequestId) -> bool:
        is_active = any(request_id in instance.active for instance in self._instances.values())
        return is_active or self._queue.find(request_id) is not None

    def _wake(self) -> None:
        """Decide again in the next iteration of the loop: something changed."""
        if self._wake_up is None and not self._is_closed:
            self._wake_up = asyncio.get_running_loop().call_soon(self._pump)

    def _pump(self) -> None:
        if self._wake_up is not None:
            self._wake_up.cancel()
            self._wake_up = None
        if self._is_closed:
            return
        self._load_freeze.check()
        decisions = self._load_freeze.hold_loads(plan(self._snapshot()))
        for decision in decisions:
            self._act(decision)
        self._status.publish_waiting(decisions)
        self._arm_expiry()

    def _snapshot(self) -> EngineSnapshot:
        requests = self._queue.requests()
        may_load = any(pending.target.instance_id not in self._instances for pending in requests)
        return EngineSnapshot(
            now=self._clock.now(),
            requests=requests,
            runners=tuple(map(self._view, self._instances.values())),
            max_models=self._options.max_models,
            available_bytes=self._probe().available_bytes if may_load else 0,
            starvation=self._queue.starvation,
            priority_owner=self._priority_owner,
            n_active=self._n_active(),
            paused=self._crashes.paused(now=self._clock.now()),
        )

    def _is_quiet(self) -> bool:
        return all(instance.phase is Phase.READY for instance in self._instances.values())

    def _view(self, instance: ModelInstance) -> RunnerView:
        age_s = self._clock.now() - instance.ready_at
        return instance.view(
            in_min_residency=instance.n_served < self._options.min_residency_requests
            and age_s < self._options.min_residency_s,
            is_fallback_load=instance.is_without_gpu and not self._crashes.lost_gpu(instance.model_id),
        )

    def _n_active(self) -> Counter[str]:
        """Return the number of running requests of each owner."""
        owners = (
            each.request.task.owner
            for instance in self._instances.values()
            for each in instance.active.values()
        )
        return Counter(owner for owner in owners if owner is not None)

    def _act(self, decision: Decision) -> None:
        match decision:
            case Use(pending=pending):
                self._use(self._instances[pending.target.instance_id], pending.number)
            case StartLoad(pending=pending):
                self._load(pending.target, pending.number)
            case Evict(instance_id=instance_id):
                self._start_unloading(self._instances[instance_id])
            case Refuse(pending=pending, error=error):
                self._queue.pop(pending.number).fail(error)
                self._wake()
            case Wait():
                pass
            case _:
                assert_never(decision)

    def _use(self, instance: ModelInstance, number: int) -> None:
        assert instance.session is not None
        assert instance.loaded is not None
        ticket = self._queue.serve(number)
        if isinstance(ticket, LoadTicket):
            # A keep-alive of 0 would unload a model that was loaded by hand before its first use.
            instance.use(keep_alive_s=ticket.keep_alive_s or None, now=self._clock.now())
            if not ticket.ready.done():
                ticket.ready.set_result(instance.loaded)
            return
        generation = ticket.generation
        self._memory_pressure.request_started(generation)
        instance.use(keep_alive_s=ticket.keep_alive_s, now=self._clock.now())
        instance.active[generation.request.request_id] = generation
        generation.start(n_ctx=instance.loaded.n_ctx)
        instance.session.generate(generation)
        self._status.publish_instance(instance)

    def _load(self, target: LoadTarget, number: int) -> None:
        ticket = self._queue.peek(number)
        instance = ModelInstance(target, keep_alive_s=ticket.keep_alive_s, now=self._clock.now())
        instance.is_without_gpu = self._crashes.lost_gpu(target.model_id)
        instance.override_options = ticket.pending.override_options
        # Of all that wait, so that none of them needs another load.
        instance.n_ctx = max(each.pending.n_ctx for each in self._queue.of_target(target))
        self._instances[target.instance_id] = instance
        self._health.start()
        self._status.publish_instance(instance)
        instance.task = asyncio.create_task(self._run(instance), name=f"runner of {instance.model_id}")
        instance.task.add_done_callback(_report_bug)

    async def _run(self, instance: ModelInstance) -> None:
        """Run an instance from its load until its process has exited and its memory is free again."""
        error: FiresideError | None = LoadError.of(
            "load_failed", model=instance.name, reason=tr_noop("an internal error occurred.")
        )
        try:
            await self._lifecycle.load(instance)
            error = None
            assert instance.session is not None
            limit_s = (
                self._options.gpu_silence_limit_s if instance.is_on_gpu else self._options.silence_limit_s
            )
            instance.session.watch(limit_s=limit_s)
            self._on_loaded(instance)
            await instance.session.wait_ended()
        except FiresideError as exc:
            error = exc
        except Exception as exc:
            if tell_of_shortage((repr(exc),)):
                error = OutOfMemory(model=instance.name)
            raise
        finally:
            instance.phase = Phase.STOPPING
            await self._lifecycle.end(instance)
            self._on_exited(instance, load_error=error if instance.loaded is None else None)

    def _new_session(self, instance: ModelInstance, link: RunnerProcess) -> RunnerSession:
        return RunnerSession(
            link,
            name=instance.name,
            clock=self._clock,
            on_ended=partial(self._on_ended, instance),
            on_freed=partial(self._on_freed, instance),
            on_requeue=partial(self._requeue, instance),
            on_silent=partial(self._on_silent, instance),
            load_limit_s=self._options.load_limit_s,
        )

    async def _evict_idle(self) -> bool:
        idle = [
            instance
            for instance in self._instances.values()
            if instance.phase is Phase.READY and not instance.active
        ]
        for instance in idle:
            self._start_unloading(instance)
        tasks = [instance.task for instance in idle if instance.task is not None]
        if tasks:
            await asyncio.wait(tasks)
        return bool(tasks)

    def _on_silent(self, instance: ModelInstance, is_silent: bool) -> None:
        instance.is_silent = is_silent
        if instance.phase is Phase.LOADING:
            self._status.publish_progress(instance)
            self._wake()

    def _on_loaded(self, instance: ModelInstance) -> None:
        if instance.phase is Phase.LOADING:
            instance.start_serving(now=self._clock.now())
            self._status.publish_instance(instance)
            self._wake()

    def _on_ended(self, instance: ModelInstance, error: RunnerError) -> None:
        """Record that a runner crashed, hung or broke the protocol."""
        instance.phase = Phase.STOPPING
        self._crashes.note(instance.model_id, error, at=self._clock.now())
        logger.warning("%s", error)
        if self._status.primary_instance(instance.model_id) is instance:
            self._status.publish(instance.model_id, Broken(error=error.info()))

    def _requeue(self, instance: ModelInstance, generation: RequestState, error: RunnerCrashed) -> None:
        """Queue a request again whose runner died before it reported anything about it."""
        del instance.active[generation.request.request_id]
        if self._is_closed or self._queue.n_requests >= self._options.queue_limit:
            generation.fail(error)
        else:
            self._queue.add_request(generation)

    def _recycle(self, instance: ModelInstance, grown_bytes: int) -> None:
        instance.unload_reason = tr(
            "Unloaded to free {size} of unused memory. Your next message reloads it."
        ).format(size=format_bytes(grown_bytes))
        self._start_unloading(instance)

    def _on_freed(self, instance: ModelInstance, generation: RequestState) -> None:
        instance.active.pop(generation.request.request_id, None)
        instance.last_used_at = self._clock.now()
        self._memory_pressure.request_finished(instance, generation)
        if instance.phase is Phase.READY:
            self._status.publish_instance(instance)
        self._wake()

    def _start_unloading(self, instance: ModelInstance) -> None:
        if instance.phase is not Phase.STOPPING:
            instance.start_unloading()
            self._status.publish_instance(instance)

    def _on_exited(self, instance: ModelInstance, *, load_error: FiresideError | None) -> None:
        del self._instances[instance.id]
        if not self._instances:
            self._health.stop()
        primary = self._status.primary_instance(instance.model_id)
        if primary is not None:
            self._status.publish_instance(primary)
        elif instance.is_unload_requested:
            self._status.publish(instance.model_id, Unloaded(note=instance.unload_reason))
        elif load_error is not None:
            self._status.publish(instance.model_id, Broken(error=load_error.info()))
        if load_error is not None and not instance.is_unload_requested:
            for ticket in self._queue.of_target(instance.target):
                # Those that need less are tried with that.
                if ticket.pending.n_ctx >= instance.n_ctx:
                    self._queue.discard(ticket)
                    ticket.fail(load_error)
        self._wake()

    def _arm_expiry(self) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        when = next_expiry(tuple(instance.view() for instance in self._instances.values()))
        if when < NEVER:
            self._expiry = self._clock.call_at(when, self._pump)

    def _cancel_limit_s(self, instance: ModelInstance) -> float:
        return self._options.gpu_cancel_limit_s if instance.is_on_gpu else self._options.cancel_limit_s


def _report_bug(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.error("a runner's task failed", exc_info=error)


# Load nothing while a model is benchmarked; loaded models go on serving


_BEHIND_LOADS: Final = frozenset({WaitReason.LOADING, WaitReason.ROOM})


class LoadFreeze:
    """Holds back loads while a model is benchmarked. On the loop's thread.

    Args:
        is_quiet: returns whether no model is being loaded or unloaded.
        on_end: called when the loads that were held back may be decided again.
    """

    def __init__(self, *, is_quiet: Callable[[], bool], on_end: Callable[[], None]) -> None:
        self._is_quiet = is_quiet
        self._on_end = on_end
        self._frozen_by = ""
        self._waiting: list[asyncio.Future[None]] = []

    @contextlib.asynccontextmanager
    async def freeze(self, name: str) -> AsyncIterator[None]:
        """Load nothing while the block runs; it starts once loads and unloads in progress have ended.

        Requests for other models wait meanwhile, for the benchmark of ``name``. Raises ``EngineStopped`` if
        the engine is closed before the block starts, and ``tuning_refused`` if loads are frozen already, by
        another program that uses the engine.
        """
        if self._frozen_by:
            raise RequestError.of(
                "tuning_refused", reason=tr_noop("A benchmark is already running. Wait or cancel it.")
            )
        self._frozen_by = name
        try:
            while not self._is_quiet():
                changed = asyncio.get_running_loop().create_future()
                self._waiting.append(changed)
                await changed
            yield
        finally:
            self._frozen_by = ""
            self._on_end()

    def check(self) -> None:
        """Let a block that waits to start check again: something changed."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def close(self) -> None:
        """Fail the blocks that wait to start with ``EngineStopped``."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_exception(EngineStopped())

    def hold_loads(self, decisions: Iterable[Decision]) -> tuple[Decision, ...]:
        """Return ``decisions`` with each load, and each eviction for one, replaced by a wait.

        What would have waited for such a load waits for the benchmark, too.
        """
        if not self._frozen_by:
            return tuple(decisions)
        kept: list[Decision] = []
        is_holding = False
        for decision in decisions:
            is_for_load = isinstance(decision, StartLoad | Evict) and decision.pending is not None
            is_behind = isinstance(decision, Wait) and decision.waits_for in _BEHIND_LOADS
            is_holding = is_holding or is_for_load
            if is_for_load or (is_behind and is_holding):
                assert isinstance(decision, StartLoad | Evict | Wait)
                assert decision.pending is not None
                kept.append(
                    Wait(pending=decision.pending, waits_for=WaitReason.MEASURING, model=self._frozen_by)
                )
            else:
                kept.append(decision)
        return tuple(kept)
