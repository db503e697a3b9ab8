"""A runner that hangs is ended; one that is slow, stopped or waited for is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from fakes.engine_harness import EngineHarness, a_request, end_of, settle
from fakes.fake_runner import Answers, FakeRunner, FakeSpawner, Script, Stretch
from fireside.core.generation import Failed, OutputKind
from fireside.core.ids import ModelId
from fireside.core.status import Ready
from fireside.engine.engine import GenerationStream
from fireside.engine.options import EngineOptions
from fireside.engine.request_state import MAX_UNREAD_CHARACTERS

LIMIT_S = EngineOptions().silence_limit_s

Scenario = Callable[[EngineHarness, FakeRunner, GenerationStream], Awaitable[None]]


def with_a_hanging_runner(scenario: Scenario, *, script: Script | None = None) -> None:
    """Run ``scenario`` with a runner that has said one text and then neither says nor computes anything."""
    said = script or Script(answers=Answers.HANG)

    async def run() -> None:
        harness = EngineHarness(spawner=FakeSpawner(lambda _number, _name: said))
        stream = harness.engine.generate(a_request(1))
        await settle()
        runner = harness.spawner.runners[0]
        runner.used_cpu_s = 5.0
        harness.clock.advance(LIMIT_S / 2)  # what it did until now is seen
        await settle()
        await scenario(harness, runner, stream)
        await harness.engine.close()

    asyncio.run(run())


def test_a_runner_that_neither_says_nor_computes_anything_is_ended_with_a_reason() -> None:
    async def scenario(harness: EngineHarness, runner: FakeRunner, stream: GenerationStream) -> None:
        harness.clock.advance(LIMIT_S)
        await settle()
        end = await end_of(stream)
        assert isinstance(end, Failed)
        assert end.error.code == "runner_unresponsive"
        assert not runner.is_alive

    with_a_hanging_runner(scenario)


def test_a_runner_that_computes_is_left_alone_however_long_it_takes() -> None:
    async def scenario(harness: EngineHarness, runner: FakeRunner, stream: GenerationStream) -> None:
        for _ in range(100):
            runner.used_cpu_s = (runner.used_cpu_s or 0.0) + 0.01
            harness.clock.advance(LIMIT_S / 4)
            await settle()
        assert isinstance(harness.state(), Ready)

    with_a_hanging_runner(scenario)


def test_a_runner_whose_work_cannot_be_told_is_left_alone() -> None:
    async def scenario(harness: EngineHarness, runner: FakeRunner, stream: GenerationStream) -> None:
        runner.used_cpu_s = None
        harness.clock.advance(100 * LIMIT_S)
        await settle()
        assert isinstance(harness.state(), Ready)

    with_a_hanging_runner(scenario)


def test_an_idle_runner_is_not_watched() -> None:
    async def scenario(harness: EngineHarness, runner: FakeRunner, stream: GenerationStream) -> None:
        await end_of(stream)
        for _ in range(100):
            harness.clock.advance(LIMIT_S)
            await settle()  # it is asked whether it is there, and answers
        assert isinstance(harness.state(), Ready)
        assert harness.n_timers == 0

    with_a_hanging_runner(scenario, script=Script(answers=Answers.FINISH))


def test_a_computer_that_slept_gives_its_runner_the_whole_time_again() -> None:
    async def scenario(harness: EngineHarness, runner: FakeRunner, stream: GenerationStream) -> None:
        harness.clock.jump(3600)
        harness.clock.advance(LIMIT_S / 2)
        await settle()
        assert isinstance(harness.state(), Ready)
        harness.clock.advance(LIMIT_S)
        await settle()
        assert isinstance(await end_of(stream), Failed)

    with_a_hanging_runner(scenario)


def test_a_runner_that_a_slow_reader_keeps_waiting_is_not_to_blame() -> None:
    async def scenario(harness: EngineHarness, runner: FakeRunner, stream: GenerationStream) -> None:
        harness.clock.advance(10 * LIMIT_S)
        await settle()
        assert isinstance(harness.state(), Ready)

    flood = tuple(
        Stretch(text="x" * (MAX_UNREAD_CHARACTERS // 2), kind=OutputKind.REASONING) for _ in range(4)
    )
    with_a_hanging_runner(scenario, script=Script(pieces=flood, answers=Answers.HANG))


def test_a_runner_that_hangs_while_it_counts_is_ended_too() -> None:
    async def scenario(harness: EngineHarness, runner: FakeRunner, stream: GenerationStream) -> None:
        await end_of(stream)
        runner.take_nothing = True
        counting = asyncio.create_task(harness.engine.count_tokens(ModelId("alpha"), messages=(), draft="x"))
        await settle()
        harness.clock.advance(2 * LIMIT_S)
        await settle()
        assert await counting is None
        assert not runner.is_alive

    with_a_hanging_runner(scenario, script=Script(answers=Answers.FINISH))
