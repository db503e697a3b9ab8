"""One model for answers and embeddings has a runner for each purpose."""

from __future__ import annotations

import asyncio

import msgspec

from fakes.engine_harness import OPTIONS, EngineHarness, a_request, a_spec, end_of, settle
from fakes.fake_runner import Answers, Crash, FakeSpawner, Loads, Script
from fireside.core.generation import Failed, Finished
from fireside.core.options import Purpose
from fireside.core.status import Broken, Ready, Unloaded
from fireside.engine.options import EngineOptions

VECTORS = msgspec.structs.replace(OPTIONS, purpose=Purpose.EMBED)
ALPHA = a_spec().id


async def both_loaded(harness: EngineHarness) -> None:
    """Ask one model for an answer, then for vectors."""
    for number, options in ((1, OPTIONS), (2, VECTORS)):
        assert isinstance(await end_of(harness.engine.generate(a_request(number, options=options))), Finished)


def purpose_told(harness: EngineHarness) -> Purpose:
    state = harness.state()
    assert isinstance(state, Ready)
    return state.options.purpose


async def test_alternating_answers_and_vectors_load_a_model_twice_only() -> None:
    harness = EngineHarness()
    for number in range(1, 7):
        options = VECTORS if number % 2 else OPTIONS
        assert isinstance(await end_of(harness.engine.generate(a_request(number, options=options))), Finished)
    assert len(harness.spawner.runners) == len(harness.spawner.alive) == 2
    assert [model.model_id for model in harness.engine.running_models()] == [ALPHA, ALPHA]
    assert len({model.pid for model in harness.engine.running_models()}) == 2
    await harness.engine.close()


async def test_the_state_of_a_model_is_that_of_its_generating_instance() -> None:
    harness = EngineHarness()
    assert isinstance(await end_of(harness.engine.generate(a_request(1, options=VECTORS))), Finished)
    assert purpose_told(harness) is Purpose.EMBED
    assert isinstance(await end_of(harness.engine.generate(a_request(2))), Finished)
    assert isinstance(await end_of(harness.engine.generate(a_request(3, options=VECTORS))), Finished)
    assert purpose_told(harness) is Purpose.GENERATE
    (vectors, answers) = harness.spawner.runners
    vectors.post(Crash("SIGSEGV"))
    await settle()
    assert purpose_told(harness) is Purpose.GENERATE
    answers.post(Crash("SIGSEGV"))
    await settle()
    assert isinstance(harness.state(), Broken)
    await harness.engine.close()


async def test_the_embedding_instance_is_published_once_the_other_has_ended() -> None:
    harness = EngineHarness()
    first = a_request(1, keep_alive_s=30.0)
    assert isinstance(await end_of(harness.engine.generate(first)), Finished)
    assert isinstance(await end_of(harness.engine.generate(a_request(2, options=VECTORS))), Finished)
    harness.clock.advance(31.0)
    await settle()
    assert purpose_told(harness) is Purpose.EMBED
    await harness.engine.close()


async def test_unload_stops_both() -> None:
    harness = EngineHarness()
    await both_loaded(harness)
    await harness.engine.unload(ALPHA)
    assert harness.spawner.alive == []
    assert harness.engine.running_models() == ()
    assert harness.state() == Unloaded()


async def test_one_purpose_is_evicted_for_the_other_if_only_one_fits() -> None:
    for options, available_bytes in ((EngineOptions(max_models=1), 1 << 40), (EngineOptions(), 1)):
        harness = EngineHarness(options=options)
        assert isinstance(await end_of(harness.engine.generate(a_request(1))), Finished)
        harness.available_bytes = available_bytes
        ending = asyncio.create_task(end_of(harness.engine.generate(a_request(2, options=VECTORS))))
        await settle()
        assert len(harness.spawner.alive) == 1
        assert isinstance(await ending, Finished)
        assert purpose_told(harness) is Purpose.EMBED
        await harness.engine.close()


async def test_a_load_for_vectors_that_fails_leaves_the_chat_alone() -> None:
    scripts = (Script(answers=Answers.HANG), Script(loads=Loads.OUT_OF_MEMORY))
    harness = EngineHarness(spawner=FakeSpawner(lambda number, _name: scripts[min(number, 1)]))
    answer = harness.engine.generate(a_request(1))
    await settle()
    assert isinstance(await end_of(harness.engine.generate(a_request(2, options=VECTORS))), Failed)
    assert purpose_told(harness) is Purpose.GENERATE
    harness.engine.cancel(answer.request_id)
    assert isinstance(await end_of(answer), Finished)
    await harness.engine.close()
