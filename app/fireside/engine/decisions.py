"""Decide which runner serves which request: pure functions over a snapshot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from fireside.core.errors import FiresideError, RestartsExhausted
from fireside.core.generation import Priority
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.engine.crashes import Crashes

N_PASSES = 4
"""How often requests from the front may pass one of the background that came before them."""

NEVER = math.inf
"""Expiry of a runner that is kept until its place is needed."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A model and how it is to be loaded. Two that differ need two loads."""

    spec: ModelSpec
    options: LoadOptions

    @property
    def model_id(self) -> ModelId:
        return self.spec.id


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """Something that waits for a runner: a request, or a person who asked to load a model."""

    number: int
    """Order of arrival."""
    wanted: Wanted
    priority: Priority
    needs_slot: bool
    """False for a mere load: satisfied as soon as the model is ready."""
    needed_bytes: int
    """Estimate of the memory that loading takes."""


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """A claim of the background, and how often claims that came later were served before it."""

    number: int = 0
    times: int = 0


class Phase(StrEnum):
    """Where a runner process stands."""

    LOADING = "loading"
    READY = "ready"
    STOPPING = "stopping"
    """Asked to exit, or dead and not yet reaped. Its memory may still be in use."""


class RunnerView(msgspec.Struct, frozen=True, kw_only=True):
    """A runner as the decisions see it."""

    wanted: Wanted
    phase: Phase
    n_active: int = 0
    n_slots: int = 0
    expires_at: float = NEVER
    """When it may be unloaded if nobody uses it until then."""
    last_used_at: float = 0.0


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a decision depends on."""

    now: float
    claims: tuple[Claim, ...]
    runners: tuple[RunnerView, ...]
    max_models: int
    available_bytes: int
    passed: Passed = Passed()
    exhausted: Mapping[ModelId, Crashes] = {}
    """Models that crashed too often to be started by themselves."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """Give the claim to the ready runner of its model."""

    claim: Claim


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """Start a runner and load what the claim wants."""

    claim: Claim


class Evict(msgspec.Struct, frozen=True, kw_only=True):
    """Stop this runner; nobody uses it."""

    model_id: ModelId


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing can be done for the claim before something else ends."""

    claim: Claim


class Refuse(msgspec.Struct, frozen=True, kw_only=True):
    """End the claim with an error."""

    claim: Claim
    error: FiresideError


Decision = Use | Load | Evict | Wait | Refuse


def in_turn(claims: Iterable[Claim], *, passed: Passed) -> tuple[Claim, ...]:
    """Return claims in the order they are served: the chat in front first, then by arrival.

    Of the background, the first one goes before all others when it was passed ``N_PASSES`` times. One at a
    time: however much waits there, the front gets ``N_PASSES`` turns for each one of the background's.
    """
    in_order = sorted(claims, key=lambda claim: (not _is_in_front(claim), claim.number))
    first = _first_behind(in_order)
    if first is not None and passed.number == first.number and passed.times >= N_PASSES:
        in_order.remove(first)
        in_order.insert(0, first)
    return tuple(in_order)


def after_serving(served: Claim, *, waiting: Iterable[Claim], passed: Passed) -> Passed:
    """Return who has been passed how often, now that ``served`` was and ``waiting`` are still to be."""
    first = _first_behind(waiting)
    if first is None or not _is_in_front(served) or served.number < first.number:
        return passed
    times = passed.times if passed.number == first.number else 0
    return Passed(number=first.number, times=times + 1)


def plan(snapshot: Snapshot) -> tuple[Decision, ...]:
    """Return what to do now.

    A later claim is never served at the cost of an earlier one: a runner whose place an earlier claim needs
    takes no new requests, finishes those it has and makes room. One load runs at a time; ready runners go on
    serving meanwhile. Runners are only evicted while nobody uses them.
    """
    return _Plan(snapshot).decide()


def next_expiry(runners: Iterable[RunnerView]) -> float:
    """Return when the next idle runner expires; ``NEVER`` where none does."""
    return min((runner.expires_at for runner in runners if _is_idle(runner)), default=NEVER)


def _is_in_front(claim: Claim) -> bool:
    return claim.priority is Priority.INTERACTIVE


def _first_behind(claims: Iterable[Claim]) -> Claim | None:
    """Return the claim of the background that came first."""
    behind = (claim for claim in claims if not _is_in_front(claim))
    return min(behind, key=lambda claim: claim.number, default=None)


def _is_idle(runner: RunnerView) -> bool:
    return runner.phase is Phase.READY and runner.n_active == 0


class _Plan:
    """One pass over the claims. Holds what the decisions made so far change about the snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._claims = in_turn(snapshot.claims, passed=snapshot.passed)
        self._runners = {runner.wanted.model_id: runner for runner in snapshot.runners}
        self._reserved: set[ModelId] = set()
        """Runners that take no new requests, because they make room or are to be loaded with new options."""

    def decide(self) -> tuple[Decision, ...]:
        decisions = [self._decide_claim(claim) for claim in self._claims]
        return (*decisions, *self._evict_expired())

    def _decide_claim(self, claim: Claim) -> Decision:
        model_id = claim.wanted.model_id
        crashes = self._snapshot.exhausted.get(model_id)
        if crashes is not None:
            error = RestartsExhausted(
                model=claim.wanted.spec.name, n_crashes=len(crashes.times), cause=crashes.cause
            )
            return Refuse(claim=claim, error=error)
        runner = self._runners.get(model_id)
        if runner is None:
            return self._decide_load(claim)
        match runner.phase:
            case Phase.STOPPING:
                return Wait(claim=claim)
            case Phase.LOADING:
                return self._decide_while_loading(claim, runner)
            case Phase.READY:
                return self._decide_when_ready(claim, runner)

    def _decide_while_loading(self, claim: Claim, runner: RunnerView) -> Decision:
        if runner.wanted == claim.wanted or self._is_wanted(runner):
            return Wait(claim=claim)
        return self._evict(runner)

    def _decide_when_ready(self, claim: Claim, runner: RunnerView) -> Decision:
        model_id = claim.wanted.model_id
        if model_id in self._reserved:
            return Wait(claim=claim)
        if runner.wanted != claim.wanted:
            return self._make_room(claim, [runner])
        if not claim.needs_slot:
            # Its keep-alive counts from now.
            self._runners[model_id] = msgspec.structs.replace(runner, expires_at=NEVER)
            return Use(claim=claim)
        if runner.n_active >= runner.n_slots:
            return Wait(claim=claim)
        self._runners[model_id] = msgspec.structs.replace(runner, n_active=runner.n_active + 1)
        return Use(claim=claim)

    def _decide_load(self, claim: Claim) -> Decision:
        runners = self._runners.values()
        loading = next((runner for runner in runners if runner.phase is Phase.LOADING), None)
        if loading is not None:
            # A load that everyone has given up makes way; otherwise one load at a time.
            return Wait(claim=claim) if self._is_wanted(loading) else self._evict(loading)
        staying = [runner for runner in runners if runner.phase is Phase.READY]
        is_short = claim.needed_bytes > self._snapshot.available_bytes
        if staying and (is_short or len(staying) >= self._snapshot.max_models):
            if is_short and len(staying) < len(runners):
                # Something is on its way out: its memory may be enough.
                return Wait(claim=claim)
            return self._make_room(claim, staying)
        if len(staying) < len(runners) and (is_short or len(runners) >= self._snapshot.max_models):
            return Wait(claim=claim)
        self._runners[claim.wanted.model_id] = RunnerView(wanted=claim.wanted, phase=Phase.LOADING)
        return Load(claim=claim)

    def _make_room(self, claim: Claim, candidates: list[RunnerView]) -> Decision:
        """Evict the idle first, then the soonest to expire, then the longest unused; a busy one finishes
        what it has."""
        free = [runner for runner in candidates if runner.wanted.model_id not in self._reserved]
        if not free:
            return Wait(claim=claim)
        victim = min(free, key=lambda runner: (not _is_idle(runner), runner.expires_at, runner.last_used_at))
        if _is_idle(victim):
            return self._evict(victim)
        self._reserved.add(victim.wanted.model_id)
        return Wait(claim=claim)

    def _evict(self, runner: RunnerView) -> Evict:
        model_id = runner.wanted.model_id
        self._runners[model_id] = msgspec.structs.replace(runner, phase=Phase.STOPPING)
        return Evict(model_id=model_id)

    def _evict_expired(self) -> list[Evict]:
        return [
            self._evict(runner)
            for runner in tuple(self._runners.values())
            if _is_idle(runner) and runner.expires_at <= self._snapshot.now
        ]

    def _is_wanted(self, runner: RunnerView) -> bool:
        return any(claim.wanted == runner.wanted for claim in self._claims)
