"""Bring requests and runners together: act on the decisions, and keep the books that they are made from."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeVar, assert_never

from fireside.core.errors import (
    EngineStopped,
    FiresideError,
    LoadFailed,
    QueueFull,
    RunnerCrashed,
    RunnerError,
    RunnerProtocolError,
    format_bytes,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId, RequestId
from fireside.core.options import LoadOptions
from fireside.core.status import Broken, LoadedModel, ModelStatus, RunningModel, Unloaded
from fireside.engine.cache_budget import CacheProbe
from fireside.engine.clock import BootClock, Clock, Timer, seconds_since_boot
from fireside.engine.crash_history import Crashes
from fireside.engine.decisions import (
    NEVER,
    Decision,
    Evict,
    Load,
    Phase,
    Refuse,
    RunnerView,
    Snapshot,
    Use,
    Wait,
    next_expiry,
    plan,
)
from fireside.engine.fairness import Wanted
from fireside.engine.host_info import HostProbe
from fireside.engine.instance_lifecycle import InstanceLifecycle, LifecycleCallbacks
from fireside.engine.load_freeze import LoadFreeze
from fireside.engine.memory_pressure import Shortages
from fireside.engine.memory_release import FreeOn
from fireside.engine.model_instance import ModelInstance
from fireside.engine.options import EngineOptions
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.link import Spawn
from fireside.engine.request_queue import LoadTicket, Queue
from fireside.engine.request_state import Generation
from fireside.engine.runner_health import Health
from fireside.engine.runner_session import RunnerSession
from fireside.engine.status_publisher import StatusPublisher

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class Scheduler:
    """Owns the queue and the seats. Every method runs on the loop's thread."""

    def __init__(
        self,
        *,
        spawn: Spawn,
        clock: Clock,
        probe: HostProbe,
        cache: CacheProbe,
        planner: Planner,
        free_on: FreeOn,
        on_status: Callable[[ModelStatus], None],
        options: EngineOptions,
        boot_clock: BootClock = seconds_since_boot,
    ) -> None:
        self._clock = clock
        self._probe = probe
        self._options = options
        self._queue = Queue()
        self._seats: dict[ModelId, ModelInstance] = {}
        self._board = StatusPublisher(queue=self._queue, seats=self._seats, on_status=on_status)
        self._crashes: dict[ModelId, Crashes] = {}
        self._front: str | None = None
        self._lives = InstanceLifecycle(
            spawn=spawn,
            clock=clock,
            probe=probe,
            cache=cache,
            planner=planner,
            free_on=free_on,
            options=lambda: self._options,
            news=LifecycleCallbacks(
                on_progress=self._board.show_progress,
                on_silent=self._silent,
                on_loaded=self._loaded,
                on_ended=self._ended,
                on_freed=self._freed,
                on_given_back=self._given_back,
                on_left=self._leave_seat,
                evict_idle=self._evict_idle,
            ),
        )
        self._shortages = Shortages(
            probe=probe,
            free_on=free_on,
            seats=self._seats.values,
            on_short=self._board.show,
        )
        self._health = Health(
            clock=clock,
            boot_clock=boot_clock,
            every_s=options.heartbeat_s,
            growth_limit_bytes=options.growth_limit_bytes,
            seats=self._seats.values,
            on_grown=self._recycle,
            on_look=self._shortages.look,
        )
        self._without_gpu: set[ModelId] = set()
        """Models whose GPU was lost: they are loaded on the processor until a person loads them again."""
        self._standstill = LoadFreeze(is_quiet=self._is_quiet, on_over=self._wake)
        self._is_closed = False
        self._wake_up: asyncio.Handle | None = None
        self._expiry: Timer | None = None

    def submit(self, generation: Generation) -> None:
        """Take a request. Its end, be it a refusal, comes as its last event."""
        if self._is_closed:
            generation.fail(EngineStopped())
        elif self._queue.n_requests >= self._options.queue_limit:
            generation.fail(QueueFull(limit=self._options.queue_limit))
        else:
            self._queue.add_request(generation)
            self._pump()

    def cancel(self, request_id: RequestId) -> None:
        """End a request wherever it is. Unknown and ended ones are ignored."""
        ticket = self._queue.find(request_id)
        if ticket is not None:
            self._queue.discard(ticket)
            ticket.generation.finish_cancelled()
            self._wake()
            return
        for seat in self._seats.values():
            generation = seat.active.get(request_id)
            if generation is not None and seat.session is not None:
                seat.session.cancel(generation, limit_s=self._cancel_limit_s(seat))

    def set_priority_owner(self, owner: str | None) -> None:
        """A person looks at this owner's answers now: they come before those of others."""
        if owner != self._front:
            self._front = owner
            self._wake()

    def configure(self, options: EngineOptions) -> None:
        """Take over other limits."""
        self._options = options
        self._wake()

    def is_known(self, request_id: RequestId) -> bool:
        """Whether a request of this number waits or is being answered."""
        is_active = any(request_id in seat.active for seat in self._seats.values())
        return is_active or self._queue.find(request_id) is not None

    async def load(
        self, wanted: Wanted, *, keep_alive_s: float | None, instead: LoadOptions | None = None
    ) -> LoadedModel:
        """Load for a person: forgets earlier crashes. Raises ``FiresideError``.

        Args:
            instead: how to load it this time, for those who want ``wanted``.
        """
        if self._is_closed:
            raise EngineStopped
        self._crashes.pop(wanted.model_id, None)
        self._without_gpu.discard(wanted.model_id)
        ticket = self._queue.add_load(wanted, keep_alive_s=keep_alive_s, instead=instead)
        self._pump()
        try:
            return await ticket.ready
        finally:
            self._queue.discard(ticket)
            self._wake()

    def measuring(self, name: str) -> AbstractAsyncContextManager[None]:
        """Load nothing while the block runs; see ``LoadFreeze``."""
        return self._standstill.measuring(name)

    async def unload(self, model_id: ModelId) -> None:
        """Stop a model. Its requests end as cancelled, its waiting loads with ``LoadFailed``."""
        for ticket in self._queue.take_model(model_id):
            ticket.cancel(
                LoadFailed(model=ticket.claim.wanted.spec.name, reason=tr_noop("loading was stopped."))
            )
        seat = self._seats.get(model_id)
        if seat is not None and seat.life is not None:
            self._dismiss(seat)
            await asyncio.wait({seat.life})
        elif self._board.is_broken(model_id) or self._board.is_waiting(model_id):
            self._board.tell(model_id, Unloaded())

    async def ask(
        self, model_id: ModelId, question: Callable[[RunnerSession], Awaitable[Answer | None]]
    ) -> Answer | None:
        """Return what a model's runner says to ``question``; ``None`` while the model is not loaded."""
        seat = self._seats.get(model_id)
        if seat is None:
            return None
        async with seat.counting:
            if seat.phase is not Phase.READY or seat.session is None:
                return None
            return await question(seat.session)

    def pids(self) -> dict[ModelId, int]:
        """Return the process of each model that has one."""
        return {
            model_id: seat.session.pid for model_id, seat in self._seats.items() if seat.session is not None
        }

    def statuses(self) -> tuple[ModelStatus, ...]:
        return self._board.statuses()

    def running(self) -> tuple[RunningModel, ...]:
        """Return what is in memory now, or on its way in or out."""
        return tuple(seat.running(now=self._clock.now()) for seat in self._seats.values())

    async def close(self) -> None:
        """Refuse what comes, end what waits and runs as cancelled, stop all runners side by side."""
        self._is_closed = True
        for ticket in self._queue.take_all():
            ticket.cancel(EngineStopped())
        for timer in (self._wake_up, self._expiry):
            if timer is not None:
                timer.cancel()
        self._health.stop()
        self._standstill.close()
        for seat in self._seats.values():
            self._dismiss(seat)
        self._lives.close()
        self._shortages.close()
        lives = [seat.life for seat in self._seats.values() if seat.life is not None]
        if lives:
            await asyncio.wait(lives)

    def _wake(self) -> None:
        """Something changed: decide again, soon."""
        if self._wake_up is None and not self._is_closed:
            self._wake_up = asyncio.get_running_loop().call_soon(self._pump)

    def _pump(self) -> None:
        if self._wake_up is not None:
            self._wake_up.cancel()
            self._wake_up = None
        if self._is_closed:
            return
        self._standstill.look()
        decisions = self._standstill.held_back(plan(self._snapshot()))
        for decision in decisions:
            self._act(decision)
        self._board.show_waiting(decisions)
        self._arm_expiry()

    def _snapshot(self) -> Snapshot:
        claims = self._queue.claims()
        may_load = any(claim.wanted.model_id not in self._seats for claim in claims)
        return Snapshot(
            now=self._clock.now(),
            claims=claims,
            runners=tuple(map(self._view, self._seats.values())),
            max_models=self._options.max_models,
            available_bytes=self._probe().available_bytes if may_load else 0,
            passed=self._queue.passed,
            front=self._front,
            n_active=self._n_active(),
            exhausted={model_id: crashes for model_id, crashes in self._crashes.items() if crashes.exhausted},
        )

    def _is_quiet(self) -> bool:
        return all(seat.phase is Phase.READY for seat in self._seats.values())

    def _view(self, seat: ModelInstance) -> RunnerView:
        age_s = self._clock.now() - seat.ready_at
        return seat.view(
            in_min_residency=seat.n_served < self._options.turn_requests and age_s < self._options.turn_s,
            is_fallback_load=seat.is_without_gpu and seat.model_id not in self._without_gpu,
        )

    def _n_active(self) -> Counter[str]:
        """Return how many answers are being written for each owner."""
        owners = (each.request.task.owner for seat in self._seats.values() for each in seat.active.values())
        return Counter(owner for owner in owners if owner is not None)

    def _act(self, decision: Decision) -> None:
        match decision:
            case Use(claim=claim):
                self._use(self._seats[claim.wanted.model_id], claim.number)
            case Load(claim=claim):
                self._take_seat(claim.wanted, claim.number)
            case Evict(model_id=model_id):
                self._dismiss(self._seats[model_id])
            case Refuse(claim=claim, error=error):
                self._queue.take(claim.number).fail(error)
                self._wake()
            case Wait():
                pass
            case _:
                assert_never(decision)

    def _use(self, seat: ModelInstance, number: int) -> None:
        assert seat.session is not None
        assert seat.loaded is not None
        ticket = self._queue.serve(number)
        if isinstance(ticket, LoadTicket):
            # Loaded by hand to be unloaded when idle: it would go before its first use.
            seat.use(keep_alive_s=ticket.keep_alive_s or None, now=self._clock.now())
            if not ticket.ready.done():
                ticket.ready.set_result(seat.loaded)
            return
        generation = ticket.generation
        self._shortages.begin(generation)
        seat.use(keep_alive_s=ticket.keep_alive_s, now=self._clock.now())
        seat.active[generation.request.request_id] = generation
        generation.start(n_ctx=seat.loaded.n_ctx)
        seat.session.generate(generation)
        self._board.show(seat)

    def _take_seat(self, wanted: Wanted, number: int) -> None:
        ticket = self._queue.peek(number)
        seat = ModelInstance(wanted, keep_alive_s=ticket.keep_alive_s, now=self._clock.now())
        seat.is_without_gpu = wanted.model_id in self._without_gpu
        seat.instead = ticket.claim.instead
        self._seats[wanted.model_id] = seat
        self._health.start()
        self._board.show(seat)
        seat.life = asyncio.create_task(self._lives.live(seat), name=f"runner of {seat.model_id}")
        seat.life.add_done_callback(_report_bug)

    async def _evict_idle(self) -> bool:
        idle = [seat for seat in self._seats.values() if seat.phase is Phase.READY and not seat.active]
        for seat in idle:
            self._dismiss(seat)
        lives = [seat.life for seat in idle if seat.life is not None]
        if lives:
            await asyncio.wait(lives)
        return bool(lives)

    def _silent(self, seat: ModelInstance, is_silent: bool) -> None:
        seat.is_silent = is_silent
        if seat.phase is Phase.LOADING:
            self._board.show_progress(seat)
            self._wake()

    def _loaded(self, seat: ModelInstance) -> None:
        if seat.phase is Phase.LOADING:
            seat.start_serving(now=self._clock.now())
            self._board.show(seat)
            self._wake()

    def _ended(self, seat: ModelInstance, error: RunnerError) -> None:
        """A runner ended by itself, or was ended for what it did."""
        seat.phase = Phase.STOPPING
        if isinstance(error, RunnerCrashed | RunnerProtocolError):
            cause = error.cause if isinstance(error, RunnerCrashed) else error.reason
            crashes = self._crashes.get(seat.model_id, Crashes())
            self._crashes[seat.model_id] = crashes.with_crash(at=self._clock.now(), cause=cause)
        if isinstance(error, RunnerCrashed) and error.lost_device:
            self._without_gpu.add(seat.model_id)
        logger.warning("%s", error)
        self._board.tell(seat.model_id, Broken(error=error.info()))

    def _given_back(self, seat: ModelInstance, generation: Generation, error: RunnerCrashed) -> None:
        """A request whose runner died before it began waits for the next one."""
        del seat.active[generation.request.request_id]
        if self._is_closed or self._queue.n_requests >= self._options.queue_limit:
            generation.fail(error)
        else:
            self._queue.add_request(generation)

    def _recycle(self, seat: ModelInstance, grown_bytes: int) -> None:
        seat.unload_reason = tr(
            "Unloaded to give back {size} of memory that it no longer needed. The next "
            "message loads it again."
        ).format(size=format_bytes(grown_bytes))
        self._dismiss(seat)

    def _freed(self, seat: ModelInstance, generation: Generation) -> None:
        seat.active.pop(generation.request.request_id, None)
        seat.last_used_at = self._clock.now()
        self._shortages.answered(seat, generation)
        if seat.phase is Phase.READY:
            self._board.show(seat)
        self._wake()

    def _dismiss(self, seat: ModelInstance) -> None:
        if seat.phase is not Phase.STOPPING:
            seat.dismiss()
            self._board.show(seat)

    def _leave_seat(self, seat: ModelInstance, *, load_error: FiresideError | None) -> None:
        del self._seats[seat.model_id]
        if not self._seats:
            self._health.stop()
        if seat.is_dismissed:
            self._board.tell(seat.model_id, Unloaded(note=seat.unload_reason))
        elif load_error is not None:
            self._board.tell(seat.model_id, Broken(error=load_error.info()))
            for ticket in self._queue.take_wanting(seat.wanted):
                ticket.fail(load_error)
        self._wake()

    def _arm_expiry(self) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        when = next_expiry(tuple(seat.view() for seat in self._seats.values()))
        if when < NEVER:
            self._expiry = self._clock.call_at(when, self._pump)

    def _cancel_limit_s(self, seat: ModelInstance) -> float:
        is_on_gpu = seat.loaded is not None and seat.loaded.n_gpu_layers > 0
        return self._options.gpu_cancel_limit_s if is_on_gpu else self._options.cancel_limit_s


def _report_bug(life: asyncio.Task[None]) -> None:
    if not life.cancelled() and (error := life.exception()) is not None:
        logger.error("a runner's task failed", exc_info=error)
