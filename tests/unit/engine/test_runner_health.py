"""Idle runners: dead ones are detected, too large ones unloaded, and sleep of the computer ends none."""

from __future__ import annotations

import asyncio

from fakes.engine_harness import GIB, OPTIONS, EngineHarness, a_request, a_spec, end_of, settle
from fakes.fake_runner import Answers, Crash, FakeRunner, FakeSpawner, Loads, Script
from fakes.live_engine import turns_until
from fireside.core.generation import Failed, Finished, TextDelta
from fireside.core.options import GPU_LAYERS_ALL, LoadOptions
from fireside.core.status import Broken, Device, DeviceKind, Ready, Unloaded
from fireside.engine.options import EngineOptions
from fireside.engine.request import LoadRequest
from fireside.wire.messages import Generate, Load, LoadProgressed, Ping

LIMITS = EngineOptions()


async def idle() -> tuple[EngineHarness, FakeRunner]:
    """Return an engine with a model that has answered, and its runner."""
    harness = EngineHarness()
    await end_of(harness.engine.generate(a_request(1)))
    return harness, harness.spawner.runners[0]


async def beats(harness: EngineHarness, number: int = 1) -> None:
    for _ in range(number):
        harness.clock.advance(LIMITS.heartbeat_s)
        await settle()


def n_pings(runner: FakeRunner) -> int:
    return sum(isinstance(command, Ping) for command in runner.received)


async def test_an_idle_runner_is_pinged_and_stays_loaded() -> None:
    harness, runner = await idle()
    runner.used_cpu_s = 1.0
    await beats(harness, 5)
    assert n_pings(runner) == 5
    assert isinstance(harness.state(), Ready)
    await harness.engine.close()


async def test_an_unresponsive_idle_runner_is_killed_and_the_next_request_is_served() -> None:
    harness, runner = await idle()
    runner.used_cpu_s = 1.0
    runner.take_nothing = True
    await beats(harness, 3)
    assert not runner.is_alive
    assert isinstance(harness.state(), Broken)
    assert isinstance(await end_of(harness.engine.generate(a_request(2))), Finished)
    await harness.engine.close()


async def test_a_busy_runner_is_not_pinged() -> None:
    harness = EngineHarness(spawner=FakeSpawner(lambda *_: Script(answers=Answers.HANG)))
    stream = harness.engine.generate(a_request(1))
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    await beats(harness, 3)
    assert n_pings(harness.spawner.runners[0]) == 0
    await harness.engine.close()
    await end_of(stream)


async def test_without_runners_there_is_no_timer() -> None:
    harness, _runner = await idle()
    await harness.engine.unload(a_spec().id)
    assert harness.clock.n_timers == 0
    await harness.engine.close()


def grown(by_bytes: int) -> list[str]:
    """Return the states of a model whose runner grows by so much, and then answers once more."""

    async def scenario() -> list[str]:
        harness = EngineHarness(spawner=FakeSpawner(lambda *_: Script(loads=Loads.FOREVER)))
        stream = harness.engine.generate(a_request(1))
        runner = await harness.asked_to_load(0)
        runner.used_private_bytes = GIB
        runner.post_loaded(OPTIONS)
        await end_of(stream)
        runner.used_private_bytes = GIB + by_bytes
        await beats(harness, 2)
        if isinstance(state := harness.state(), Unloaded):
            assert "memory" in state.note
        await harness.engine.close()
        return harness.states()

    return asyncio.run(scenario())


def test_a_runner_that_uses_too_much_memory_is_unloaded_with_a_note() -> None:
    assert grown(2 * GIB)[-2:] == ["Unloading", "Unloaded"]
    assert grown(2 * GIB).count("Unloaded") == 1


def test_a_runner_within_its_memory_limit_stays_loaded() -> None:
    assert grown(GIB // 2).count("Ready") == 1


async def test_a_sleep_of_the_computer_ends_no_runner() -> None:
    harness, runner = await idle()
    runner.used_cpu_s = 1.0
    harness.slept_s = 8 * 3600.0
    await beats(harness, 2)
    harness.clock.jump(8 * 3600.0)
    await settle()
    assert runner.is_alive
    assert isinstance(harness.state(), Ready)
    await harness.engine.close()


async def test_a_request_to_a_runner_that_died_during_sleep_is_served_by_a_new_one() -> None:
    harness, runner = await idle()
    runner.take_nothing = True
    stream = harness.engine.generate(a_request(2))
    runner.post(Crash("SIGABRT"))
    assert isinstance(await end_of(stream), Finished)
    assert len(harness.spawner.runners) == 2
    await harness.engine.close()


async def test_a_request_that_crashed_two_runners_is_not_retried() -> None:
    scripts = [Script(), Script(loads=Loads.FOREVER)]
    harness = EngineHarness(spawner=FakeSpawner(lambda number, _: scripts[min(number, 1)]))
    await end_of(harness.engine.generate(a_request(1)))
    first = harness.spawner.runners[0]
    first.take_nothing = True
    stream = harness.engine.generate(a_request(2))
    first.post(Crash("SIGSEGV"))
    second = await harness.asked_to_load(1)
    second.post_loaded(OPTIONS)
    second.take_nothing = True
    await turns_until(lambda: any(isinstance(command, Generate) for command in second.received))
    second.post(Crash("SIGSEGV"))
    end = await end_of(stream)
    assert isinstance(end, Failed)
    assert end.error.code == "runner_crashed"
    assert len(harness.spawner.runners) == 2
    await harness.engine.close()


GPU = Device(
    name="CUDA0",
    description="A card",
    kind=DeviceKind.GPU,
    free_bytes=8 * GIB,
    total_bytes=8 * GIB,
    backend="CUDA",
)
ON_GPU = LoadOptions(n_ctx=1024, n_threads=1, n_gpu_layers=GPU_LAYERS_ALL)


def layers(runner: FakeRunner) -> int:
    return next(command for command in runner.received if isinstance(command, Load)).options.n_gpu_layers


async def test_after_its_gpu_is_lost_a_model_runs_on_the_cpu_until_it_is_loaded_by_hand() -> None:
    scripts = [Script(devices=(GPU,), answers=Answers.HANG), Script(devices=(GPU,))]
    harness = EngineHarness(spawner=FakeSpawner(lambda number, _: scripts[min(number, 1)]))
    stream = harness.engine.generate(a_request(1, options=ON_GPU))
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    harness.spawner.runners[0].post(Crash("SIGABRT", lost_device=True))
    assert isinstance(await end_of(stream), Failed)
    assert isinstance(await end_of(harness.engine.generate(a_request(2, options=ON_GPU))), Finished)
    state = harness.state()
    assert isinstance(state, Ready)
    assert "CPU" in state.note
    assert [layers(runner) > 0 for runner in harness.spawner.runners] == [True, False]
    await harness.engine.unload(a_spec().id)
    await harness.engine.load(LoadRequest(spec=a_spec(), options=ON_GPU, keep_alive_s=None))
    assert layers(harness.spawner.runners[2]) > 0
    await harness.engine.close()


def stalled(*, reads: bool, progresses: bool, computes: bool) -> Finished | Failed | None:
    """Let three times the limit pass over a load, and return its end, if it has come to one."""

    async def scenario() -> Finished | Failed | None:
        harness = EngineHarness(spawner=FakeSpawner(lambda *_: Script(loads=Loads.FOREVER)))
        ending = asyncio.create_task(end_of(harness.engine.generate(a_request(1))))
        runner = await harness.asked_to_load(0)
        runner.used_cpu_s, runner.used_read_bytes = 1.0, 1000
        for step in range(9):
            harness.clock.advance(LIMITS.load_limit_s / 3)
            if reads:
                runner.used_read_bytes += 4096
            if computes:
                runner.used_cpu_s += 0.1
            if progresses:
                runner.post(LoadProgressed(fraction=0.5 + step / 100))
            await settle()
        end = ending.result() if ending.done() else None
        await harness.engine.close()
        await ending
        return end

    return asyncio.run(scenario())


def test_a_stalled_load_is_aborted_with_an_error() -> None:
    end = stalled(reads=False, progresses=False, computes=False)
    assert isinstance(end, Failed)
    assert end.error.code == "load_stalled"
    assert "no progress" in end.error.sentence


def test_a_load_with_activity_is_not_aborted() -> None:
    assert stalled(reads=True, progresses=False, computes=False) is None
    assert stalled(reads=False, progresses=True, computes=False) is None
    assert stalled(reads=False, progresses=False, computes=True) is None
