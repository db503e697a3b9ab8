"""Scheduling decisions as pure functions, without time, processes or tasks."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.engine_harness import OPTIONS, a_spec
from fireside.core.generation import Priority, WaitReason
from fireside.core.options import LoadOptions, Purpose
from fireside.engine.crash_history import CrashHistory
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
from fireside.engine.fairness import LoadTarget, PendingRequest

OTHER_OPTIONS = LoadOptions(n_ctx=2048)


def target(name: str = "Alpha", options: LoadOptions = OPTIONS) -> LoadTarget:
    return LoadTarget(spec=a_spec(name), options=options)


def pending(
    number: int,
    name: str = "Alpha",
    *,
    options: LoadOptions = OPTIONS,
    priority: Priority = Priority.INTERACTIVE,
    needs_slot: bool = True,
    needed_bytes: int = 100,
) -> PendingRequest:
    return PendingRequest(
        number=number,
        target=target(name, options),
        priority=priority,
        needs_slot=needs_slot,
        needed_bytes=needed_bytes,
    )


def ready(
    name: str = "Alpha", *, n_active: int = 0, expires_at: float = NEVER, used: float = 0
) -> RunnerView:
    return RunnerView(
        target=target(name),
        phase=Phase.READY,
        n_active=n_active,
        n_slots=2,
        expires_at=expires_at,
        last_used_at=used,
    )


def runner(name: str, phase: Phase) -> RunnerView:
    return RunnerView(target=target(name), phase=phase)


def waits(one: PendingRequest) -> Wait:
    """Return the decision that a claim waits, whatever for."""
    return Wait(pending=one, waits_for=WaitReason.ANSWERS)


def decide(
    *requests: PendingRequest, runners: tuple[RunnerView, ...] = (), max_models: int = 2
) -> tuple[Decision, ...]:
    """Decide, leaving out what those who wait are waiting for."""
    decisions = decide_in_full(*requests, runners=runners, max_models=max_models)
    return tuple(map(_in_short, decisions))


def _in_short(decision: Decision) -> Decision:
    match decision:
        case Wait(pending=one):
            return waits(one)
        case Evict(instance_id=instance_id):
            return Evict(instance_id=instance_id)
        case _:
            return decision


def decide_in_full(
    *requests: PendingRequest, runners: tuple[RunnerView, ...] = (), max_models: int = 2
) -> tuple[Decision, ...]:
    return plan(
        EngineSnapshot(
            now=100.0, requests=requests, runners=runners, max_models=max_models, available_bytes=1000
        )
    )


def test_two_requests_for_one_model_share_a_load() -> None:
    assert decide(pending(1), pending(2)) == (StartLoad(pending=pending(1)), waits(pending(2)))


def test_each_slot_serves_one_request() -> None:
    decisions = decide(pending(1), pending(2), pending(3), runners=(ready(),))
    assert decisions == (Use(pending=pending(1)), Use(pending=pending(2)), waits(pending(3)))


def test_a_load_by_hand_needs_no_slot() -> None:
    load = pending(1, needs_slot=False)
    assert decide(load, runners=(ready(n_active=2),)) == (Use(pending=load),)


def test_a_requested_load_is_not_aborted_for_another() -> None:
    decisions = decide(pending(1, "Beta"), pending(2, "Alpha"), runners=(runner("Alpha", Phase.LOADING),))
    assert decisions == (waits(pending(1, "Beta")), waits(pending(2, "Alpha")))


def test_a_load_with_superseded_options_is_aborted() -> None:
    decisions = decide(pending(1, options=OTHER_OPTIONS), runners=(runner("Alpha", Phase.LOADING),))
    assert decisions == (Evict(instance_id=target().instance_id),)


def test_a_stopping_model_is_waited_for() -> None:
    assert decide(pending(1), runners=(runner("Alpha", Phase.STOPPING),)) == (waits(pending(1)),)


def test_a_stopping_model_counts_until_its_process_has_exited() -> None:
    runners = (ready("Alpha"), runner("Beta", Phase.STOPPING))
    assert decide(pending(1, "Gamma"), runners=runners) == (waits(pending(1, "Gamma")),)


def test_an_idle_model_is_evicted_before_a_busy_one_that_expires_sooner() -> None:
    runners = (ready("Alpha", n_active=1, expires_at=110), ready("Beta", expires_at=900))
    assert decide(pending(1, "Gamma"), runners=runners) == (Evict(instance_id=target("Beta").instance_id),)


def test_without_expiry_the_least_recently_used_model_is_evicted() -> None:
    runners = (ready("Alpha", used=90), ready("Beta", used=20))
    assert decide(pending(1, "Gamma"), runners=runners) == (Evict(instance_id=target("Beta").instance_id),)


def test_a_busy_model_to_be_evicted_takes_no_later_request() -> None:
    later = pending(2, "Alpha")
    decisions = decide(pending(1, "Beta"), later, runners=(ready("Alpha", n_active=1),), max_models=1)
    assert decisions == (waits(pending(1, "Beta")), waits(later))


def test_an_earlier_request_is_served_before_its_model_is_evicted() -> None:
    decisions = decide(
        pending(1, "Alpha"), pending(2, "Beta"), runners=(ready("Alpha", n_active=1),), max_models=1
    )
    assert decisions == (Use(pending=pending(1)), waits(pending(2, "Beta")))


def test_other_options_evict_the_idle_runner_of_the_same_model() -> None:
    changed = pending(1, options=OTHER_OPTIONS)
    assert decide(changed, runners=(ready(),)) == (Evict(instance_id=target().instance_id),)


def test_short_memory_alone_does_not_forbid_a_load() -> None:
    large = pending(1, needed_bytes=2000)
    assert decide(large) == (StartLoad(pending=large),)


def test_short_memory_waits_for_stopping_models() -> None:
    large = pending(1, "Gamma", needed_bytes=2000)
    runners = (ready("Alpha"), runner("Beta", Phase.STOPPING))
    assert decide(large, runners=runners, max_models=5) == (waits(large),)


def test_a_model_that_crashed_too_often_is_refused_with_the_cause() -> None:
    crashes = CrashHistory(times=(1, 2, 3), cause="it read memory that is not its own.", paused_until=130.5)
    snapshot = EngineSnapshot(
        now=100,
        requests=(pending(1),),
        runners=(),
        max_models=2,
        available_bytes=1000,
        paused={target().model_id: crashes},
    )
    (decision,) = plan(snapshot)
    assert isinstance(decision, Refuse)
    assert decision.error.info().data == {
        "model": "Alpha",
        "n_crashes": 3,
        "cause": "it read memory that is not its own.",
        "wait_s": 31,
    }


def test_an_expired_model_serves_a_waiting_request() -> None:
    assert decide(pending(1), runners=(ready(expires_at=99),)) == (Use(pending=pending(1)),)


def test_only_idle_models_expire() -> None:
    runners = (ready("Alpha", n_active=1, expires_at=110), ready("Beta", expires_at=120))
    assert next_expiry(runners) == 120
    assert next_expiry(runners[:1]) == NEVER


NAMES = ("Alpha", "Beta", "Gamma")
VECTORS = msgspec.structs.replace(OPTIONS, purpose=Purpose.EMBED)
CLAIMS = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.sampled_from((OPTIONS, OTHER_OPTIONS, VECTORS)),
        st.sampled_from(Priority),
        st.booleans(),
        st.sampled_from((10, 2000)),
        st.sampled_from((0, 4096)),
    ),
    max_size=8,
).map(
    lambda rows: tuple(
        msgspec.structs.replace(
            pending(number, name, options=options, priority=priority, needs_slot=slot, needed_bytes=n_bytes),
            n_ctx=n_ctx,
        )
        for number, (name, options, priority, slot, n_bytes, n_ctx) in enumerate(rows)
    )
)


@st.composite
def runner_views(draw: st.DrawFn) -> tuple[RunnerView, ...]:
    instances = st.tuples(st.sampled_from(NAMES), st.sampled_from(((OPTIONS, OTHER_OPTIONS), (VECTORS,))))
    drawn = draw(st.lists(instances, unique=True, max_size=3))
    views = []
    is_loading = False
    for name, options in drawn:
        phases = [Phase.READY, Phase.STOPPING] + ([] if is_loading else [Phase.LOADING])
        phase = draw(st.sampled_from(phases))
        is_loading = is_loading or phase is Phase.LOADING
        view = RunnerView(
            target=target(name, draw(st.sampled_from(options))),
            phase=phase,
            n_active=draw(st.integers(0, 2)) if phase is Phase.READY else 0,
            n_slots=2 if phase is Phase.READY else 0,
            expires_at=draw(st.sampled_from((50.0, 100.0, 150.0, NEVER))),
            in_min_residency=draw(st.booleans()),
            n_ctx=draw(st.sampled_from((1024, 4096))),
            is_context_cut=draw(st.booleans()),
        )
        views.append(view)
    return tuple(views)


@given(requests=CLAIMS, runners=runner_views(), max_models=st.integers(1, 3))
def test_no_decision_breaks_a_rule(
    requests: tuple[PendingRequest, ...], runners: tuple[RunnerView, ...], max_models: int
) -> None:
    decisions = decide(*requests, runners=runners, max_models=max_models)
    before = {view.target.instance_id: view for view in runners}
    used = [decision.pending for decision in decisions if isinstance(decision, Use)]
    loads = [decision for decision in decisions if isinstance(decision, StartLoad)]
    evicted = [before[decision.instance_id] for decision in decisions if isinstance(decision, Evict)]

    for one in used:
        view = before[one.target.instance_id]
        assert view.phase is Phase.READY
        assert view.target == one.target
        assert view.n_ctx >= one.n_ctx or view.is_context_cut
        given_out = sum(other.needs_slot and other.target == one.target for other in used)
        assert view.n_active + given_out <= max(view.n_slots, view.n_active)
    for view in evicted:
        assert view.phase is not Phase.STOPPING
        assert view.n_active == 0
        assert not any(one.needs_slot and one.target == view.target for one in used)
    still_loading = [v for v in runners if v.phase is Phase.LOADING and v not in evicted]
    assert len(loads) + len(still_loading) <= 1
    if loads:
        assert len(runners) < max_models
    assert len(evicted) == len({view.target.model_id for view in evicted})


@given(requests=CLAIMS, runners=runner_views(), max_models=st.integers(1, 3))
def test_every_wait_ends(
    requests: tuple[PendingRequest, ...], runners: tuple[RunnerView, ...], max_models: int
) -> None:
    decisions = decide(*requests, runners=runners, max_models=max_models)
    acts = any(not isinstance(decision, Wait) for decision in decisions)
    will_change = any(view.phase is not Phase.READY or view.n_active for view in runners)
    assert not requests or acts or will_change


def reasons(
    *requests: PendingRequest, runners: tuple[RunnerView, ...], max_models: int = 2
) -> list[tuple[str, str]]:
    decisions = decide_in_full(*requests, runners=runners, max_models=max_models)
    return [(each.waits_for.value, each.model) for each in decisions if isinstance(each, Wait)]


def test_a_request_without_a_slot_waits_for_answers() -> None:
    assert reasons(pending(1), runners=(ready(n_active=2),)) == [("answers", "")]


def test_a_request_behind_a_busy_model_gets_its_name() -> None:
    waiting = pending(1, "Beta")
    assert reasons(waiting, runners=(ready(n_active=1),), max_models=1) == [("other_model", "Alpha")]


def test_a_request_behind_a_load_gets_the_models_name() -> None:
    loading = runner("Alpha", Phase.LOADING)
    assert reasons(pending(1), pending(2, "Beta"), runners=(loading,)) == [
        ("loading", ""),
        ("loading", "Alpha"),
    ]


def test_a_request_behind_a_stopping_model_waits_for_memory() -> None:
    assert reasons(pending(1), runners=(runner("Alpha", Phase.STOPPING),)) == [("room", "")]


def test_an_idle_model_in_its_minimum_residency_serves_before_it_is_evicted() -> None:
    young = msgspec.structs.replace(ready(), in_min_residency=True)
    other, later = pending(1, "Beta"), pending(2, "Alpha")
    assert decide(other, later, runners=(young,), max_models=1) == (waits(other), Use(pending=later))
    assert decide(other, runners=(young,), max_models=1) == (Evict(instance_id=target("Alpha").instance_id),)


@pytest.mark.parametrize("step_s", [1.0, 149.0])
def test_three_crashes_within_five_minutes_are_too_many(step_s: float) -> None:
    crashes = CrashHistory()
    for number in range(3):
        crashes = crashes.with_crash(at=number * step_s, cause="it died.")
    assert crashes.paused_until == 2 * step_s + 60


def test_pauses_grow_while_it_keeps_crashing_and_begin_anew_after_a_good_time() -> None:
    crashes, at, pauses = CrashHistory(times=(-2.0, -1.0)), 0.0, []
    for _ in range(7):
        crashes = crashes.with_crash(at=at, cause="it died.")
        pauses.append(crashes.paused_until - at)
        at = crashes.paused_until + 1
    assert pauses == [60, 120, 240, 480, 960, 960, 960]
    crashes = crashes.with_crash(at=at + 300, cause="it died.")
    assert (crashes.times, crashes.paused_until) == ((at + 300,), 0)


def test_crashes_far_apart_do_not_add_up() -> None:
    crashes = CrashHistory()
    for number in range(10):
        crashes = crashes.with_crash(at=number * 151.0, cause="it died.")
    assert not crashes.paused_until


def test_memory_freed_for_a_large_model_is_not_taken_by_a_small_one() -> None:
    large, small = pending(1, "Beta", needed_bytes=2000), pending(2, "Gamma", needed_bytes=10)
    decisions = decide(large, small, runners=(ready("Alpha"),), max_models=3)
    assert decisions == (Evict(instance_id=target("Alpha").instance_id), waits(small))


INSTEAD = LoadOptions(n_ctx=512, n_threads=1)


def test_a_request_is_served_by_a_temporary_override() -> None:
    view = msgspec.structs.replace(ready(), resolved_options=INSTEAD, override_options=INSTEAD)
    assert decide(pending(1), runners=(view,)) == (Use(pending=pending(1)),)
    other = pending(1, options=OTHER_OPTIONS)
    assert decide(other, runners=(view,)) == (Evict(instance_id=other.target.instance_id),)


def test_a_load_by_hand_replaces_an_override() -> None:
    view = msgspec.structs.replace(ready(), in_min_residency=True)
    one = msgspec.structs.replace(pending(1, needs_slot=False), override_options=INSTEAD)
    assert decide(one, runners=(view,)) == (Evict(instance_id=one.target.instance_id),)
    done = msgspec.structs.replace(view, resolved_options=INSTEAD, override_options=INSTEAD)
    assert decide(one, runners=(done,)) == (Use(pending=one),)
    plain = pending(2, needs_slot=False)
    assert decide(plain, runners=(done,)) == (Evict(instance_id=plain.target.instance_id),)
    makeshift = msgspec.structs.replace(view, is_fallback_load=True)
    assert decide(plain, runners=(makeshift,)) == (Evict(instance_id=plain.target.instance_id),)
    assert decide(pending(3), runners=(makeshift,)) == (Use(pending=pending(3)),)


def test_a_reload_waits_for_running_answers() -> None:
    busy = msgspec.structs.replace(ready(n_active=1), in_min_residency=True)
    one = msgspec.structs.replace(pending(1, needs_slot=False), override_options=INSTEAD)
    later = pending(2)
    assert all(isinstance(each, Wait) for each in decide(one, later, runners=(busy,)))


def test_an_idle_model_is_loaded_with_a_larger_context_for_a_request_that_needs_it() -> None:
    view = msgspec.structs.replace(ready(), n_ctx=1024, in_min_residency=True)
    one = msgspec.structs.replace(pending(1), n_ctx=4096)
    assert decide(one, runners=(view,)) == (Evict(instance_id=one.target.instance_id),)
    larger = msgspec.structs.replace(view, n_ctx=4096)
    assert decide(one, pending(2), runners=(larger,)) == (Use(pending=one), Use(pending=pending(2)))
    cut = msgspec.structs.replace(view, n_ctx=2048, is_context_cut=True)
    assert decide(one, runners=(cut,)) == (Use(pending=one),)


def test_a_larger_context_waits_for_running_answers() -> None:
    busy = msgspec.structs.replace(ready(n_active=1), n_ctx=1024)
    one = msgspec.structs.replace(pending(1), n_ctx=4096)
    later = pending(2)
    assert decide(one, later, runners=(busy,)) == (waits(one), waits(later))


def test_a_request_for_the_fitted_options_uses_the_loaded_model() -> None:
    asked = target("Alpha", LoadOptions(n_ctx=1024, n_threads=0))
    view = msgspec.structs.replace(
        ready(), target=asked, resolved_options=LoadOptions(n_ctx=1024, n_threads=3)
    )
    held = pending(1, options=LoadOptions(n_ctx=1024, n_threads=3))
    assert decide(held, runners=(view,)) == (Use(pending=held),)
    more = pending(1, options=LoadOptions(n_ctx=1024, n_threads=4))
    assert not any(isinstance(each, Use) for each in decide(more, runners=(view,)))
