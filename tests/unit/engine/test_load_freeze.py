"""During a benchmark no model is loaded, and no request is lost."""

from __future__ import annotations

import asyncio

from fakes.engine_harness import EngineHarness, a_request, events_of, settle
from fakes.fake_runner import FakeSpawner, Loads, Script
from fireside.core.errors import EngineStopped
from fireside.core.generation import Finished, Queued, WaitReason
from fireside.core.ids import ModelId
from fireside.core.status import Unloaded


def scripted(script: Script) -> FakeSpawner:
    return FakeSpawner(lambda _number, _name: script)


async def test_a_request_for_an_unloaded_model_waits_with_the_reason() -> None:
    harness = EngineHarness()
    async with harness.engine.freeze_loads("Qwen"):
        stream = harness.engine.generate(a_request(1))
        await settle()
        assert harness.spawner.runners == []
        told = await anext(stream)
        assert told == Queued(position=0, waits_for=WaitReason.MEASURING, model="Qwen")
    events = await events_of(stream)
    assert isinstance(events[-1], Finished)
    await harness.engine.close()


async def test_what_waits_behind_such_a_request_waits_for_the_benchmark_too() -> None:
    harness = EngineHarness()
    async with harness.engine.freeze_loads("Qwen"):
        streams = [harness.engine.generate(a_request(number)) for number in (1, 2)]
        await settle()
        for stream in streams:
            told = await anext(stream)
            assert isinstance(told, Queued)
            assert (told.waits_for, told.model) == (WaitReason.MEASURING, "Qwen")
    for stream in streams:
        assert isinstance((await events_of(stream))[-1], Finished)
    await harness.engine.close()


async def test_a_model_that_is_loaded_goes_on_answering() -> None:
    harness = EngineHarness()
    await events_of(harness.engine.generate(a_request(1)))
    async with harness.engine.freeze_loads("Qwen"):
        events = await events_of(harness.engine.generate(a_request(2)))
        assert isinstance(events[-1], Finished)
    await harness.engine.close()


async def test_a_running_load_ends_before_the_freeze_starts() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.FOREVER)))
    stream = harness.engine.generate(a_request(1))
    await harness.asked_to_load(0)
    began = asyncio.Event()

    async def measure() -> None:
        async with harness.engine.freeze_loads("Qwen"):
            began.set()

    measuring = asyncio.create_task(measure())
    await settle()
    assert not began.is_set()
    await harness.engine.unload(ModelId("alpha"))
    await asyncio.wait_for(measuring, 10)
    assert began.is_set()
    await stream.aclose()
    await harness.engine.close()


async def test_models_can_be_unloaded_meanwhile_and_come_back_afterwards() -> None:
    harness = EngineHarness()
    await events_of(harness.engine.generate(a_request(1)))
    async with harness.engine.freeze_loads("Qwen"):
        await harness.engine.unload(ModelId("alpha"))
        assert isinstance(harness.state(), Unloaded)
        stream = harness.engine.generate(a_request(2))
        await settle()
        assert len(harness.spawner.runners) == 1
    events = await events_of(stream)
    assert isinstance(events[-1], Finished)
    assert len(harness.spawner.runners) == 2
    await harness.engine.close()


async def test_no_model_is_evicted_for_a_load_that_is_held_back() -> None:
    harness = EngineHarness(spawner=scripted(Script()))
    for number, name in ((1, "Alpha"), (2, "Beta")):
        await events_of(harness.engine.generate(a_request(number, name)))
    async with harness.engine.freeze_loads("Qwen"):
        stream = harness.engine.generate(a_request(3, "Gamma"))
        await settle()
        assert not isinstance(harness.state("Alpha"), Unloaded)
        assert not isinstance(harness.state("Beta"), Unloaded)
    assert isinstance((await events_of(stream))[-1], Finished)
    await harness.engine.close()


async def test_closing_fails_waiting_freezes() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.FOREVER)))
    stream = harness.engine.generate(a_request(1))
    await harness.asked_to_load(0)

    async def measure() -> None:
        async with harness.engine.freeze_loads("Qwen"):
            raise AssertionError("nothing is measured in an engine that closes")

    measuring = asyncio.create_task(measure())
    await settle()
    await harness.engine.close()
    (problem,) = await asyncio.gather(measuring, return_exceptions=True)
    assert isinstance(problem, EngineStopped)
    await events_of(stream)
