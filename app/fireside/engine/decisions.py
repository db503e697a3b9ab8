"""Scheduling decisions as pure functions over a snapshot: which model to load, evict or use."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from fireside.core.errors import FiresideError, RestartsExhausted
from fireside.core.generation import WaitReason
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions
from fireside.core.reload import fields_to_reload
from fireside.engine.crash_history import CrashHistory
from fireside.engine.fairness import (
    InstanceId,
    LoadTarget,
    PendingRequest,
    StarvationCount,
    rank,
    serving_order,
)

NEVER = math.inf
"""Expiry of a model that stays loaded until another needs its memory."""


class Phase(StrEnum):
    """The phase of a model instance."""

    LOADING = "loading"
    READY = "ready"
    STOPPING = "stopping"
    """Told to exit, or dead and not yet reaped. Its memory may still be in use."""


class RunnerView(msgspec.Struct, frozen=True, kw_only=True):
    """What the decisions need to know of a model instance."""

    target: LoadTarget
    phase: Phase
    n_active: int = 0
    n_slots: int = 0
    expires_at: float = NEVER
    """When its keep-alive ends, if it is not used before."""
    last_used_at: float = 0.0
    in_min_residency: bool = False
    """It was loaded a short while ago: its requests are served before it is evicted for others, so that two
    models that are requested in turn are not reloaded for each request."""
    resolved_options: LoadOptions | None = None
    """The options that it is loaded with, with no automatic values left; ``None`` until they are known."""
    n_ctx: int = 0
    """Context length that it is loaded with; 0 until that is known."""
    is_context_cut: bool = False
    """Its context is smaller than requested: the memory has no more."""
    override_options: LoadOptions | None = None
    """What it was loaded with in place of ``target``'s options; see ``Engine.load``."""
    is_fallback_load: bool = False
    """It is loaded without its lost GPU; a load by hand may get that back."""
    is_silent: bool = False
    """Its load has shown no activity for a while."""

    def serves(self, target: LoadTarget) -> bool:
        """Whether it is loaded as ``target`` wants, though the options may be written otherwise."""
        if target is self.target or target == self.target:
            return True
        is_other = target.spec != self.target.spec or self.override_options is not None
        if is_other or self.resolved_options is None:
            return False
        return not fields_to_reload(
            target.spec, target.options, requested=self.target.options, resolved=self.resolved_options
        )

    def lacks_context(self, pending: PendingRequest) -> bool:
        """Whether a load could give it the larger context that ``pending`` needs."""
        return pending.n_ctx > self.n_ctx and not self.is_context_cut


class EngineSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a decision depends on."""

    now: float
    requests: tuple[PendingRequest, ...]
    runners: tuple[RunnerView, ...]
    max_models: int
    available_bytes: int
    starvation: StarvationCount = StarvationCount()
    priority_owner: str | None = None
    """The owner whose chat the user has open."""
    n_active: Mapping[str, int] = {}
    """Running requests of each owner."""
    paused: Mapping[ModelId, CrashHistory] = {}
    """Models that crashed too often to be restarted for now."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """Send the request to the ready instance of its model."""

    pending: PendingRequest


class StartLoad(msgspec.Struct, frozen=True, kw_only=True):
    """Start a runner and load the request's model."""

    pending: PendingRequest


class Evict(msgspec.Struct, frozen=True, kw_only=True):
    """Unload this instance, which is idle or loads for no request any more."""

    instance_id: InstanceId
    pending: PendingRequest | None = None
    """The request that needs its memory; ``None`` if its keep-alive is over."""


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """Leave the request in the queue until something else ends."""

    pending: PendingRequest
    waits_for: WaitReason
    model: str = ""
    """Name of the model that it waits for, if that is another one."""


class Refuse(msgspec.Struct, frozen=True, kw_only=True):
    """End the request with an error."""

    pending: PendingRequest
    error: FiresideError


Decision = Use | StartLoad | Evict | Wait | Refuse


def plan(snapshot: EngineSnapshot) -> tuple[Decision, ...]:
    """Return the decisions for now, in serving order.

    A later request is never served at the cost of an earlier one: an instance whose memory an earlier request
    needs takes no new requests, finishes those it has and is evicted. An instance within its minimum
    residency is the exception, for requests at least as urgent. One load runs at a time; ready instances go
    on serving meanwhile. An instance is evicted only while idle.
    """
    return _Plan(snapshot).decide()


def next_expiry(runners: Iterable[RunnerView]) -> float:
    """Return when the keep-alive of the next idle instance ends; ``NEVER`` if none does."""
    return min((runner.expires_at for runner in runners if _is_idle(runner)), default=NEVER)


def _is_idle(runner: RunnerView) -> bool:
    return runner.phase is Phase.READY and runner.n_active == 0


class _Plan:
    """One pass over the requests. Holds what the decisions so far change in the snapshot."""

    def __init__(self, snapshot: EngineSnapshot) -> None:
        self._snapshot = snapshot
        self._in_order = serving_order(
            snapshot.requests,
            starvation=snapshot.starvation,
            priority_owner=snapshot.priority_owner,
            n_active=snapshot.n_active,
        )
        self._runners = {runner.target.instance_id: runner for runner in snapshot.runners}
        self._reserved: set[InstanceId] = set()
        """Instances that take no new requests, since they are to be evicted or reloaded when idle."""
        self._is_memory_awaited = False
        """Whether a request waits until its load has enough memory and stays within ``max_models``."""
        self._undecided: dict[int, tuple[LoadTarget, Counter[int]]] = {}
        """How many requests of which rank are still undecided, by the identity of their target: comparing
        targets for each of a thousand requests would take longer than everything else."""
        self._served: dict[int, bool] = {}
        """Whether the one instance of its model serves a target, by identity too."""
        for pending in self._in_order:
            _, n_by_rank = self._undecided.setdefault(id(pending.target), (pending.target, Counter()))
            n_by_rank[self._rank(pending)] += 1

    def decide(self) -> tuple[Decision, ...]:
        decisions = [self._decide_one(pending) for pending in self._in_order]
        return (*decisions, *self._evict_expired())

    def _decide_one(self, pending: PendingRequest) -> Decision:
        crashes = self._snapshot.paused.get(pending.target.model_id)
        if crashes is not None:
            error = RestartsExhausted(
                model=pending.target.spec.name,
                n_crashes=len(crashes.times),
                cause=crashes.cause,
                wait_s=math.ceil(crashes.paused_until - self._snapshot.now),
            )
            return Refuse(pending=pending, error=error)
        runner = self._runners.get(pending.target.instance_id)
        if runner is None:
            return self._decide_load(pending)
        match runner.phase:
            case Phase.STOPPING:
                return Wait(pending=pending, waits_for=WaitReason.ROOM)
            case Phase.LOADING:
                return self._decide_while_loading(pending, runner)
            case Phase.READY:
                return self._decide_when_ready(pending, runner)

    def _decide_while_loading(self, pending: PendingRequest, runner: RunnerView) -> Decision:
        if self._serves(runner, pending.target) or self._is_requested(runner):
            return _wait_for_load(pending, runner)
        return self._evict(runner, pending=pending)

    def _decide_when_ready(self, pending: PendingRequest, runner: RunnerView) -> Decision:
        if runner.target.instance_id in self._reserved:
            return _wait_for(pending, runner, WaitReason.OTHER_MODEL)
        if not self._serves(runner, pending.target):
            return self._evict_for(pending, [runner])
        if runner.lacks_context(pending):
            return self._reload(pending, runner)
        if not pending.needs_slot:
            if runner.is_fallback_load or runner.override_options != pending.override_options:
                return self._reload(pending, runner)
            # Its keep-alive starts now.
            return self._use(pending, msgspec.structs.replace(runner, expires_at=NEVER))
        if runner.n_active >= runner.n_slots:
            return Wait(pending=pending, waits_for=WaitReason.ANSWERS)
        return self._use(pending, msgspec.structs.replace(runner, n_active=runner.n_active + 1))

    def _use(self, pending: PendingRequest, changed: RunnerView) -> Use:
        self._runners[pending.target.instance_id] = changed
        self._undecided[id(pending.target)][1][self._rank(pending)] -= 1
        return Use(pending=pending)

    def _decide_load(self, pending: PendingRequest) -> Decision:
        runners = self._runners.values()
        loading = next((runner for runner in runners if runner.phase is Phase.LOADING), None)
        if loading is not None:
            # A load that no request waits for is aborted; otherwise one load at a time.
            if not self._is_requested(loading):
                return self._evict(loading, pending=pending)
            return _wait_for_load(pending, loading)
        if self._is_memory_awaited:
            # Freed memory is for the request that came first: else two small models could take turns in it
            # for ever while a large one waits for both to be evicted.
            return Wait(pending=pending, waits_for=WaitReason.ROOM)
        decision = self._load_or_evict(pending)
        self._is_memory_awaited = not isinstance(decision, StartLoad)
        return decision

    def _load_or_evict(self, pending: PendingRequest) -> Decision:
        runners = self._runners.values()
        ready = [runner for runner in runners if runner.phase is Phase.READY]
        is_short = pending.needed_bytes > self._snapshot.available_bytes
        if ready and (is_short or len(ready) >= self._snapshot.max_models):
            if is_short and len(ready) < len(runners):
                # Another instance is unloading: its memory may be enough.
                return Wait(pending=pending, waits_for=WaitReason.ROOM)
            return self._evict_for(pending, ready)
        if len(ready) < len(runners) and (is_short or len(runners) >= self._snapshot.max_models):
            return Wait(pending=pending, waits_for=WaitReason.ROOM)
        self._runners[pending.target.instance_id] = RunnerView(target=pending.target, phase=Phase.LOADING)
        return StartLoad(pending=pending)

    def _evict_for(self, pending: PendingRequest, candidates: list[RunnerView]) -> Decision:
        """Evict an idle instance first, then the soonest to expire, then the least recently used; a busy one
        finishes its requests. One within its minimum residency stays as long as equally urgent requests need
        it."""
        free = [runner for runner in candidates if runner.target.instance_id not in self._reserved]
        if not free:
            return _wait_for(pending, candidates[0], WaitReason.OTHER_MODEL)

        def reluctance(runner: RunnerView) -> tuple[bool, bool, float, float]:
            stays = self._keeps_residency(runner, against=pending)
            return stays, not _is_idle(runner), runner.expires_at, runner.last_used_at

        victim = min(free, key=reluctance)
        if not self._keeps_residency(victim, against=pending):
            if _is_idle(victim):
                return self._evict(victim, pending=pending)
            self._reserved.add(victim.target.instance_id)
        return _wait_for(pending, victim, WaitReason.OTHER_MODEL)

    def _reload(self, pending: PendingRequest, runner: RunnerView) -> Decision:
        """Reload for a load by hand or a larger context, though requests would be served, as soon as the
        running ones end."""
        if _is_idle(runner):
            return self._evict(runner, pending=pending)
        self._reserved.add(runner.target.instance_id)
        return Wait(pending=pending, waits_for=WaitReason.ANSWERS)

    def _keeps_residency(self, runner: RunnerView, *, against: PendingRequest) -> bool:
        return runner.in_min_residency and any(
            n > 0 and rank <= self._rank(against)
            for target, n_by_rank in self._undecided.values()
            if self._serves(runner, target)
            for rank, n in n_by_rank.items()
        )

    def _evict(self, runner: RunnerView, *, pending: PendingRequest | None = None) -> Evict:
        instance_id = runner.target.instance_id
        self._runners[instance_id] = msgspec.structs.replace(runner, phase=Phase.STOPPING)
        return Evict(instance_id=instance_id, pending=pending)

    def _evict_expired(self) -> list[Evict]:
        return [
            self._evict(runner)
            for runner in tuple(self._runners.values())
            if _is_idle(runner) and runner.expires_at <= self._snapshot.now
        ]

    def _is_requested(self, runner: RunnerView) -> bool:
        return any(self._serves(runner, target) for target, _ in self._undecided.values())

    def _serves(self, runner: RunnerView, target: LoadTarget) -> bool:
        if target.instance_id != runner.target.instance_id:
            return False
        key = id(target)
        if key not in self._served:
            self._served[key] = runner.serves(target)
        return self._served[key]

    def _rank(self, pending: PendingRequest) -> int:
        return rank(pending, priority_owner=self._snapshot.priority_owner)


def _wait_for_load(pending: PendingRequest, loading: RunnerView) -> Wait:
    return _wait_for(pending, loading, WaitReason.SILENT_LOAD if loading.is_silent else WaitReason.LOADING)


def _wait_for(pending: PendingRequest, runner: RunnerView, reason: WaitReason) -> Wait:
    """Return a wait for ``runner``, which is named if it is another model."""
    is_other = runner.target.model_id != pending.target.model_id
    return Wait(pending=pending, waits_for=reason, model=runner.target.spec.name if is_other else "")
