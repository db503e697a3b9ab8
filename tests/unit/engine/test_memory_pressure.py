"""Memory taken by other programs, and slow answers."""

from __future__ import annotations

import msgspec

from fakes.engine_harness import GIB, EngineHarness, a_request, end_of, settle
from fakes.fake_clock import FakeClock
from fakes.fake_runner import ended
from fireside.core.generation import Finished, FinishReason
from fireside.core.ids import RequestId
from fireside.core.status import Ready
from fireside.engine.decisions import Phase
from fireside.engine.fairness import LoadTarget
from fireside.engine.host_info import Host
from fireside.engine.memory_release import MemoryPressure
from fireside.engine.model_instance import ModelInstance
from fireside.engine.options import EngineOptions
from fireside.engine.request_state import RequestState

BEAT_S = EngineOptions().heartbeat_s


def ready(harness: EngineHarness, name: str = "Alpha") -> Ready:
    state = harness.state(name)
    assert isinstance(state, Ready)
    return state


async def beat(harness: EngineHarness) -> None:
    harness.clock.advance(BEAT_S)
    await settle()


async def loaded(*names: str) -> EngineHarness:
    harness = EngineHarness()
    for number, name in enumerate(names, start=1):
        assert isinstance(await end_of(harness.engine.generate(a_request(number, name))), Finished)
    await settle()
    return harness


async def test_memory_taken_by_other_programs_is_reported_once() -> None:
    harness = await loaded("Alpha")
    await beat(harness)
    assert not ready(harness).is_memory_short
    harness.available_bytes = GIB // 4
    await beat(harness)
    first = ready(harness)
    assert first.is_memory_short
    assert "Other programs took" in first.note
    n_told = len(harness.statuses)
    harness.available_bytes = GIB // 8
    await beat(harness)
    await beat(harness)
    assert len(harness.statuses) == n_told
    await harness.engine.close()


async def test_memory_is_checked_after_each_answer_too() -> None:
    harness = await loaded("Alpha")
    harness.available_bytes = GIB // 4
    assert isinstance(await end_of(harness.engine.generate(a_request(5))), Finished)
    await settle()
    assert ready(harness).is_memory_short
    await harness.engine.close()


async def test_memory_of_own_models_is_not_attributed_to_other_programs() -> None:
    harness = await loaded("Alpha")
    harness.available_bytes = GIB
    assert isinstance(await end_of(harness.engine.generate(a_request(2, "Beta"))), Finished)
    harness.spawner.last("Beta").used_private_bytes = 64 * GIB
    harness.available_bytes = GIB // 4
    await beat(harness)
    assert not ready(harness, "Alpha").is_memory_short
    await harness.engine.close()


def answer(number: int, *, tokens_per_s: float = 20.0) -> RequestState:
    """Return an answer of 64 tokens that has ended."""
    generation = RequestState(a_request(number), clock=FakeClock())
    report = ended(FinishReason.STOP, n_completion=64)
    timings = msgspec.structs.replace(report.timings, decode_s=64 / tokens_per_s)
    generation.finish(msgspec.structs.replace(report, timings=timings))
    return generation


def an_instance() -> ModelInstance:
    request = a_request(1)
    instance = ModelInstance(
        LoadTarget(spec=request.spec, options=request.options), keep_alive_s=None, now=0.0
    )
    instance.phase = Phase.READY
    return instance


async def nothing(_devices: object) -> dict[str, int]:
    return {}


def watching(instance: ModelInstance, notes: list[str]) -> MemoryPressure:
    return MemoryPressure(
        probe=lambda: Host(n_cores=4, available_bytes=GIB),
        free_memory=nothing,
        instances=lambda: (instance,),
        on_short=lambda instance: notes.append(instance.note),
    )


def test_a_far_slower_answer_is_reported_once() -> None:
    instance, notes = an_instance(), list[str]()
    watch = watching(instance, notes)
    for number in range(4):
        watch.request_finished(instance, answer(number))
    watch.request_finished(instance, answer(4, tokens_per_s=8.0))
    assert notes == []
    for number in (5, 6):
        watch.request_finished(instance, answer(number, tokens_per_s=2.0))
    (note,) = notes
    assert "2.0 tokens/s instead of 20.0" in note


def test_concurrent_answers_are_not_compared() -> None:
    instance, notes = an_instance(), list[str]()
    watch = watching(instance, notes)
    for number in range(4):
        watch.request_finished(instance, answer(number))
    first, second = answer(5, tokens_per_s=1.0), answer(6, tokens_per_s=1.0)
    watch.request_started(first)
    assert first.was_alone
    instance.active[RequestId(5)] = first
    watch.request_started(second)
    assert not first.was_alone
    assert not second.was_alone
    for each in (first, second):
        watch.request_finished(instance, each)
    assert notes == []
