"""A hanging runner is killed; a slow, stopped or paused one is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from fakes.engine_harness import QUESTION, EngineHarness, a_request, end_of, settle
from fakes.fake_runner import Answers, FakeRunner, FakeSpawner, Script, Stretch
from fireside.core.generation import Failed, OutputKind
from fireside.core.ids import ModelId
from fireside.core.status import Ready
from fireside.engine.options import EngineOptions
from fireside.engine.request_state import MAX_UNREAD_CHARACTERS, GenerationStream

LIMIT_S = EngineOptions().silence_limit_s
FLOOD = tuple(Stretch(text="x" * (MAX_UNREAD_CHARACTERS // 2), kind=OutputKind.REASONING) for _ in range(4))


@pytest.fixture
def script() -> Script:
    return Script(answers=Answers.HANG)


@pytest.fixture
async def harness(script: Script) -> AsyncIterator[EngineHarness]:
    harness = EngineHarness(spawner=FakeSpawner(lambda _number, _name: script))
    yield harness
    await harness.engine.close()


@pytest.fixture
async def stream(harness: EngineHarness) -> GenerationStream:
    """Of a runner that has said one text and then neither says nor computes anything."""
    stream = harness.engine.generate(a_request(1))
    await settle()
    harness.spawner.runners[0].used_cpu_s = 5.0
    harness.clock.advance(LIMIT_S / 2)  # what it did until now is seen
    await settle()
    return stream


@pytest.fixture
def runner(harness: EngineHarness, stream: GenerationStream) -> FakeRunner:
    return harness.spawner.runners[0]


async def test_an_inactive_busy_runner_is_killed_with_a_reason(
    harness: EngineHarness, runner: FakeRunner, stream: GenerationStream
) -> None:
    harness.clock.advance(LIMIT_S)
    await settle()
    end = await end_of(stream)
    assert isinstance(end, Failed)
    assert end.error.code == "runner_unresponsive"
    assert not runner.is_alive


async def test_a_computing_runner_is_never_killed(harness: EngineHarness, runner: FakeRunner) -> None:
    for _ in range(100):
        runner.used_cpu_s = (runner.used_cpu_s or 0.0) + 0.01
        harness.clock.advance(LIMIT_S / 4)
        await settle()
    assert isinstance(harness.state(), Ready)


async def test_a_runner_without_measurable_activity_is_not_killed(
    harness: EngineHarness, runner: FakeRunner
) -> None:
    runner.used_cpu_s = None
    harness.clock.advance(100 * LIMIT_S)
    await settle()
    assert isinstance(harness.state(), Ready)


@pytest.mark.parametrize("script", [Script(answers=Answers.FINISH)])
async def test_an_idle_runner_is_not_watched(harness: EngineHarness, stream: GenerationStream) -> None:
    await end_of(stream)
    for _ in range(100):
        harness.clock.advance(LIMIT_S)
        await settle()  # it is asked whether it is there, and answers
    assert isinstance(harness.state(), Ready)
    assert harness.n_timers == 0


async def test_after_a_sleep_the_time_limit_starts_again(
    harness: EngineHarness, stream: GenerationStream
) -> None:
    harness.clock.jump(3600)
    harness.clock.advance(LIMIT_S / 2)
    await settle()
    assert isinstance(harness.state(), Ready)
    harness.clock.advance(LIMIT_S)
    await settle()
    assert isinstance(await end_of(stream), Failed)


@pytest.mark.parametrize("script", [Script(pieces=FLOOD, answers=Answers.HANG)])
async def test_a_runner_paused_by_a_slow_reader_is_not_killed(
    harness: EngineHarness, stream: GenerationStream
) -> None:
    harness.clock.advance(10 * LIMIT_S)
    await settle()
    assert isinstance(harness.state(), Ready)


@pytest.mark.parametrize("script", [Script(answers=Answers.FINISH)])
async def test_a_runner_that_hangs_in_a_query_is_killed_too(
    harness: EngineHarness, runner: FakeRunner, stream: GenerationStream
) -> None:
    await end_of(stream)
    runner.take_nothing = True
    counting = asyncio.create_task(harness.engine.ask(ModelId("alpha"), QUESTION))
    await settle()
    harness.clock.advance(2 * LIMIT_S)
    await settle()
    assert await counting is None
    assert not runner.is_alive
