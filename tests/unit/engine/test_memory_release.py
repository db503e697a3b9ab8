"""The next model is loaded once the memory of the last one is free."""

from __future__ import annotations

import asyncio

import msgspec

from fakes.engine_harness import GIB, OPTIONS, EngineHarness, a_request, end_of, settle
from fakes.fake_runner import FakeSpawner, Loads, Script, loaded_model
from fakes.live_engine import turns_until
from fireside.core.status import LoadedModel, MemoryReport
from fireside.engine.memory_release import LIMIT_S, POLL_INTERVAL_S, expected_after
from fireside.engine.options import EngineOptions
from fireside.wire.messages import Loaded

CARD = MemoryReport(buffer="CUDA0", weights_bytes=6 * GIB, kv_bytes=GIB, compute_bytes=GIB)


def loaded(*memory: MemoryReport) -> LoadedModel:
    return msgspec.structs.replace(loaded_model(OPTIONS, n_seq_max=1), memory=memory, n_gpu_layers=30)


def test_only_measured_devices_are_waited_for() -> None:
    expected = expected_after(loaded(CARD), free_memory={"CUDA0": GIB})
    assert not expected.is_reached({"CUDA0": 2 * GIB})
    assert expected.is_reached({"CUDA0": 9 * GIB})
    assert expected.is_reached({})
    assert expected_after(loaded(CARD), free_memory={}).is_reached({"CUDA0": 0})


async def swapped(harness: EngineHarness) -> asyncio.Task[object]:
    """Have a model that held memory of a card make room for another one; return the other's answer."""
    harness.free_memory = {"CUDA0": GIB}
    first = asyncio.create_task(end_of(harness.engine.generate(a_request(1, "Alpha"))))
    (await harness.asked_to_load(0)).post(Loaded(loaded=loaded(CARD)))
    await first
    second = asyncio.create_task(end_of(harness.engine.generate(a_request(2, "Beta"))))
    await turns_until(lambda: not harness.spawner.runners[0].is_alive)
    await settle()
    return second


def one_at_a_time() -> EngineHarness:
    scripts = [Script(loads=Loads.FOREVER), Script()]
    return EngineHarness(
        spawner=FakeSpawner(lambda number, _name: scripts[min(number, 1)]),
        options=EngineOptions(max_models=1),
    )


async def test_the_next_load_waits_until_the_driver_has_freed_the_memory() -> None:
    harness = one_at_a_time()
    second = await swapped(harness)
    assert len(harness.spawner.runners) == 1
    harness.free_memory = {"CUDA0": 9 * GIB}
    harness.clock.advance(POLL_INTERVAL_S)
    await second
    assert len(harness.spawner.runners) == 2
    await harness.engine.close()


async def test_a_driver_that_never_frees_the_memory_is_not_waited_for_longer_than_the_limit() -> None:
    harness = one_at_a_time()
    second = await swapped(harness)
    for _ in range(int(LIMIT_S / POLL_INTERVAL_S) + 2):
        harness.clock.advance(POLL_INTERVAL_S)
        await settle()
    await second
    await harness.engine.close()


async def test_closing_does_not_wait_for_memory() -> None:
    harness = one_at_a_time()
    second = await swapped(harness)
    async with asyncio.timeout(5):
        await harness.engine.close()
    await second
    assert harness.clock.n_timers == 0
