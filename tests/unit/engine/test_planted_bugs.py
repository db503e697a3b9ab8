"""The random schedules detect planted bugs of the engine."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from fireside.core.generation import Priority
from fireside.engine import decisions, fairness
from fireside.engine.decisions import Decision, EngineSnapshot, RunnerView, _Plan
from fireside.engine.engine import Engine
from fireside.engine.fairness import PendingRequest, StarvationCount
from fireside.engine.model_instance import ModelInstance
from fireside.engine.request_queue import RequestQueue
from fireside.engine.request_state import RequestState
from unit.engine import test_decisions, test_fairness
from unit.engine.test_schedules import SCHEDULES, SCRIPTS, Schedule

N_SCHEDULES = 150
QUIET = settings(
    max_examples=N_SCHEDULES,
    phases=(Phase.generate,),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def schedules() -> None:
    """Run many schedules; raises what the first of them objects to."""

    @QUIET
    @given(scripts=SCRIPTS, actions=SCHEDULES)
    def run(scripts: Any, actions: Any) -> None:
        async def scenario() -> None:
            schedule = Schedule(scripts)
            try:
                async with asyncio.timeout(10):
                    await schedule.run(actions)
            except BaseException:
                # Else the engine starts the next runner while the loop is closed, and another test is told.
                with contextlib.suppress(BaseException):
                    async with asyncio.timeout(1):
                        await schedule.harness.engine.close()
                raise

        asyncio.run(scenario())

    run()


def test_without_a_bug_no_check_fails() -> None:
    schedules()


def keeps_slot(engine: Engine, instance: ModelInstance, generation: RequestState) -> None:
    instance.last_used_at = engine._clock.now()
    engine._wake()


def keeps_ticket(_queue: RequestQueue, _ticket: object) -> None:
    pass


@pytest.mark.parametrize(
    ("owner", "name", "bug"),
    [
        pytest.param(Engine, "_on_freed", keeps_slot, id="a slot that is not given back"),
        pytest.param(RequestQueue, "discard", keeps_ticket, id="a cancelled request that stays in the queue"),
    ],
)
def test_a_planted_leak_or_loss_is_detected(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str, bug: Callable[..., None]
) -> None:
    monkeypatch.setattr(owner, name, bug)
    # What the bug leaves behind is no news, and must be gone before the next test.
    monkeypatch.setattr(sys, "unraisablehook", lambda _unraisable: None)
    with pytest.raises(BaseException):  # noqa: B017, PT011  # whatever the first schedule that notices says
        schedules()
    gc.collect()


def busy_ones_too(runner: RunnerView) -> bool:
    return runner.phase is decisions.Phase.READY


def never_passed(
    served: PendingRequest, *, waiting: Iterable[PendingRequest], starvation: StarvationCount
) -> StarvationCount:
    return starvation


def two_loads(plan: _Plan, pending: PendingRequest) -> Decision:
    loading = RunnerView(target=pending.target, phase=decisions.Phase.LOADING)
    plan._runners[pending.target.instance_id] = loading
    return decisions.StartLoad(pending=pending)


def all_memory(snapshot: EngineSnapshot) -> tuple[Decision, ...]:
    return _Plan(msgspec.structs.replace(snapshot, available_bytes=1 << 60)).decide()


@pytest.mark.parametrize(
    ("where", "name", "bug", "check"),
    [
        pytest.param(
            decisions,
            "_is_idle",
            busy_ones_too,
            test_decisions.test_no_decision_breaks_a_rule,
            id="busy models are evicted",
        ),
        pytest.param(
            _Plan,
            "_decide_load",
            two_loads,
            test_decisions.test_no_decision_breaks_a_rule,
            id="two loads at once",
        ),
        pytest.param(
            test_fairness,
            "after_serving",
            never_passed,
            test_fairness.test_a_background_request_is_passed_at_most_max_passes_times,
            id="who was passed is not counted",
        ),
        pytest.param(
            test_fairness,
            "plan",
            all_memory,
            test_fairness.test_no_load_exceeds_the_available_memory,
            id="memory is not counted",
        ),
    ],
)
def test_a_planted_wrong_decision_is_detected(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, bug: Callable[..., object], check: Any
) -> None:
    monkeypatch.setattr(where, name, bug)
    # Once is enough: without looking for a smaller example.
    monkeypatch.setattr(check, "_hypothesis_internal_use_settings", QUIET, raising=False)
    with pytest.raises((AssertionError, ExceptionGroup, KeyError)):
        check()


def test_a_planted_endless_residency_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    rank = fairness.rank

    def equal(pending: PendingRequest, *, priority_owner: str | None) -> int:
        return (
            min(rank(pending, priority_owner=priority_owner), 0)
            if pending.priority is Priority.BACKGROUND
            else 0
        )

    monkeypatch.setattr(decisions, "rank", equal)
    with pytest.raises(AssertionError):
        test_fairness.test_the_minimum_residency_does_not_delay_more_urgent_requests()
