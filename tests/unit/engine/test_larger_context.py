"""A request that needs a larger context than its model is loaded with."""

from __future__ import annotations

import msgspec

from fakes.engine_harness import OPTIONS, EngineHarness, a_request, a_spec, end_of, settle
from fakes.fake_runner import Answers, FakeSpawner, Loads, Script
from fireside.core.generation import Failed, Finished
from fireside.core.options import LoadOptions
from fireside.core.status import Ready
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.wire.messages import Load


def needing(n_ctx: int, number: int) -> GenerationRequest:
    return msgspec.structs.replace(a_request(number), n_ctx=n_ctx)


def loads(harness: EngineHarness) -> list[int]:
    """The context length of each load so far."""
    received = [command for runner in harness.spawner.runners for command in runner.received]
    return [command.options.n_ctx for command in received if isinstance(command, Load)]


def scripts(*each: Script) -> FakeSpawner:
    return FakeSpawner(lambda number, _name: each[min(number, len(each) - 1)])


async def test_an_idle_model_is_loaded_anew_and_serves_everyone_then() -> None:
    harness = EngineHarness()
    await end_of(harness.engine.generate(a_request(1)))
    end = await end_of(harness.engine.generate(needing(4096, 2)))
    assert isinstance(end, Finished)
    assert end.n_ctx == 4096
    state = harness.state()
    assert isinstance(state, Ready)
    assert "larger context" in state.note
    assert (state.options, state.loaded.n_ctx) == (OPTIONS, 4096)
    await end_of(harness.engine.generate(a_request(3)))
    await end_of(harness.engine.generate(needing(2048, 4)))
    # As the window does it, with the user's settings.
    await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    assert loads(harness) == [1024, 4096]
    await harness.engine.close()


async def test_a_length_that_the_user_sets_then_applies() -> None:
    harness = EngineHarness()
    await end_of(harness.engine.generate(needing(4096, 1)))
    chosen = msgspec.structs.replace(OPTIONS, n_ctx=2048)
    await end_of(harness.engine.generate(a_request(2, options=chosen)))
    assert loads(harness) == [4096, 2048]
    await harness.engine.close()


async def test_running_answers_end_first() -> None:
    harness = EngineHarness(spawner=scripts(Script(answers=Answers.HANG), Script()))
    first = harness.engine.generate(a_request(1))
    await settle()
    second = harness.engine.generate(needing(4096, 2))
    await settle()
    assert loads(harness) == [1024]
    harness.engine.cancel(first.request_id)
    assert isinstance(await end_of(second), Finished)
    assert loads(harness) == [1024, 4096]
    await harness.engine.close()


async def test_requests_that_wait_together_share_the_load_of_the_largest() -> None:
    harness = EngineHarness(spawner=scripts(Script(answers=Answers.HANG), Script()))
    first = harness.engine.generate(a_request(1))
    await settle()
    waiting = [harness.engine.generate(needing(n_ctx, number)) for number, n_ctx in ((2, 2048), (3, 4096))]
    harness.engine.cancel(first.request_id)
    for stream in waiting:
        assert isinstance(await end_of(stream), Finished)
    assert loads(harness) == [1024, 4096]
    await harness.engine.close()


async def test_memory_limits_it_and_nothing_is_loaded_in_vain() -> None:
    harness = EngineHarness()
    harness.available_bytes = 400_000_000
    roomy = LoadOptions(n_ctx=1024)
    one = msgspec.structs.replace(a_request(1, options=roomy), n_ctx=8192)
    end = await end_of(harness.engine.generate(one))
    assert isinstance(end, Finished)
    assert 1024 <= end.n_ctx < 8192
    again = msgspec.structs.replace(one, request_id=a_request(2).request_id)
    assert isinstance(await end_of(harness.engine.generate(again)), Finished)
    assert len(loads(harness)) == 1
    await harness.engine.close()


async def test_if_it_cannot_be_loaded_only_what_needs_it_fails() -> None:
    harness = EngineHarness(spawner=scripts(Script(), Script(loads=Loads.OUT_OF_MEMORY), Script()))
    await end_of(harness.engine.generate(a_request(1)))
    large = harness.engine.generate(needing(4096, 2))
    await harness.asked_to_load(1)
    small = harness.engine.generate(a_request(3))
    assert isinstance(await end_of(large), Failed)
    assert isinstance(await end_of(small), Finished)
    assert loads(harness) == [1024, 4096, 1024]
    await harness.engine.close()
