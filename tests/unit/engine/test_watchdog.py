"""Runners that hang or ignore a Cancel are killed; slow, stopped or paused ones are not. Deadlines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from fakes.engine_harness import QUESTION, EngineHarness, a_request, end_of, settle
from fakes.fake_clock import FakeClock
from fakes.fake_runner import Answers, FakeRunner, FakeSpawner, Script, Stretch
from fireside.core.generation import Failed, OutputKind
from fireside.core.ids import ModelId
from fireside.core.status import Ready
from fireside.engine.options import EngineOptions
from fireside.engine.request_state import MAX_UNREAD_CHARACTERS, GenerationStream
from fireside.engine.watchdog import CancelWatch, Deadline

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


CANCEL_LIMIT_S = 2.0


class Watched:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.used_s: float | None = 0.0
        self.deaf: list[float] = []
        self.n_busy = 0
        self.watch = CancelWatch(
            clock=self.clock,
            limit_s=CANCEL_LIMIT_S,
            cpu_s=lambda: self.used_s,
            on_unresponsive=self.deaf.append,
            on_busy=self._note_busy,
        )

    def _note_busy(self) -> None:
        self.n_busy += 1

    def works(self, s: float, *, reports: bool = False, computes: bool = True) -> None:
        for _ in range(round(s / 0.5)):
            if computes and self.used_s is not None:
                self.used_s += 0.4
            if reports:
                self.watch.note_report()
            self.clock.advance(0.5)


def test_an_idle_runner_is_unresponsive_once() -> None:
    watched = Watched()
    watched.clock.advance(1.9)
    assert watched.deaf == []
    watched.clock.advance(9.0)
    assert watched.deaf == [CANCEL_LIMIT_S]


def test_a_runner_without_measurable_activity_has_the_time_limit() -> None:
    watched = Watched()
    watched.used_s = None
    watched.clock.advance(CANCEL_LIMIT_S)
    assert watched.deaf == [CANCEL_LIMIT_S]


def test_a_computing_runner_without_reports_is_waited_for() -> None:
    watched = Watched()
    watched.works(600.0)
    assert watched.deaf == []
    assert watched.n_busy > 100
    watched.clock.advance(CANCEL_LIMIT_S + 1.0)
    assert watched.deaf == [CANCEL_LIMIT_S]


def test_a_runner_that_keeps_reporting_steps_is_unresponsive() -> None:
    watched = Watched()
    watched.works(1.0, reports=True)
    watched.works(10.0)  # that step was the last but one
    assert watched.deaf == []
    watched.works(5.0, reports=True)
    assert watched.deaf == [CANCEL_LIMIT_S]


def test_a_late_check_does_not_count() -> None:
    watched = Watched()
    watched.clock.advance(1.0)
    watched.clock.jump(3600.0)
    assert watched.deaf == []
    watched.clock.advance(CANCEL_LIMIT_S)
    assert watched.deaf == [CANCEL_LIMIT_S]


def test_the_end_of_the_request_stops_the_checks() -> None:
    watched = Watched()
    watched.watch.cancel()
    watched.clock.advance(9.0)
    assert (watched.deaf, watched.clock.n_timers) == ([], 0)


def test_a_deadline_fires_once_with_its_limit() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append)
    clock.advance(1.9)
    assert over == []
    clock.advance(0.2)
    clock.advance(9.0)
    assert over == [2.0]


def test_a_cancelled_deadline_does_not_fire() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append).cancel()
    clock.advance(9.0)
    assert (over, clock.n_timers) == ([], 0)


def test_a_late_timer_restarts_the_deadline() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append)
    clock.jump(60.0)
    assert over == []
    clock.advance(2.0)
    assert over == [2.0]
