"""The engine thread answers, reports and ends, whatever it is doing."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from fireside.bridge.engine_thread import EngineThread
from fireside.core.errors import EngineStopped, NotStored
from fireside.core.events import AppEvent, SettingsChanged


class Ticker:
    """A service that reports an event at a time, as a stream of tokens does."""

    def __init__(self, emit: Callable[[AppEvent], None]) -> None:
        self._emit = emit
        self.is_closed = False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._tick())

    async def _tick(self) -> None:
        for number in range(100_000):
            self._emit(SettingsChanged(keys=(str(number),)))
            await asyncio.sleep(0.001)

    async def double(self, number: int) -> int:
        return 2 * number

    async def fail(self) -> None:
        raise NotStored(what="chat", id=7)

    async def forever(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        self.is_closed = True
        if self._task is not None:
            self._task.cancel()


def started(qtbot: QtBot) -> tuple[EngineThread[Ticker], list[Ticker]]:
    built: list[Ticker] = []

    async def build(emit: Callable[[AppEvent], None]) -> Ticker:
        built.append(Ticker(emit))
        return built[0]

    thread = EngineThread(build=build)
    thread.start()
    return thread, built


def test_a_request_gives_its_result(qtbot: QtBot) -> None:
    thread, _ = started(qtbot)
    assert thread.submit(lambda service: service.double(21)).result(10) == 42
    assert thread.stop()


def test_a_request_gives_its_typed_error(qtbot: QtBot) -> None:
    thread, _ = started(qtbot)
    with pytest.raises(NotStored) as raised:
        thread.submit(lambda service: service.fail()).result(10)
    assert raised.value.id == 7
    assert thread.stop()


def test_requests_made_before_the_thread_runs_are_answered(qtbot: QtBot) -> None:
    async def build(_: Callable[[AppEvent], None]) -> Ticker:
        await asyncio.sleep(0.05)
        return Ticker(lambda _: None)

    thread = EngineThread(build=build)
    thread.start()
    futures = [thread.submit(partial(Ticker.double, number=n)) for n in range(5)]
    assert [future.result(10) for future in futures] == [0, 2, 4, 6, 8]
    assert thread.stop()


def test_events_reach_the_gui_thread_in_order(qtbot: QtBot) -> None:
    thread, _ = started(qtbot)
    seen: list[str] = []

    def on_frame(frame: object) -> None:
        assert isinstance(frame, tuple)
        seen.extend(event.keys[0] for event in frame)
        thread.acknowledge()

    thread.frame.connect(on_frame)
    thread.submit(lambda service: service.start()).result(10)
    qtbot.waitUntil(lambda: len(seen) > 50, timeout=10_000)
    assert seen == [str(number) for number in range(len(seen))]
    assert thread.stop()


def test_the_service_is_closed_before_the_thread_ends(qtbot: QtBot) -> None:
    thread, built = started(qtbot)
    thread.submit(lambda service: service.double(1)).result(10)
    assert thread.stop()
    assert built[0].is_closed


def test_a_request_that_never_ends_does_not_keep_the_thread(qtbot: QtBot) -> None:
    thread, _ = started(qtbot)
    future = thread.submit(lambda service: service.forever())
    assert thread.stop()
    assert future.cancelled() or isinstance(future.exception(10), EngineStopped)


def test_a_request_after_the_end_is_refused(qtbot: QtBot) -> None:
    thread, _ = started(qtbot)
    assert thread.stop()
    with pytest.raises(EngineStopped):
        thread.submit(lambda service: service.double(1)).result(10)


def test_stopping_twice_or_before_the_start_is_harmless(qtbot: QtBot) -> None:
    thread, _ = started(qtbot)
    assert thread.stop()
    assert thread.stop()


def test_a_build_that_fails_is_told_to_who_asks(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    async def build(_: Callable[[AppEvent], None]) -> Ticker:
        raise NotStored(what="folder", id=1)

    thread = EngineThread(build=build)
    thread.start()
    with pytest.raises(NotStored):
        thread.submit(lambda service: service.double(1)).result(10)
    assert thread.stop()
    assert "could not be built" in caplog.text


@pytest.mark.parametrize("seed", range(8))
def test_the_thread_ends_at_any_moment(qtbot: QtBot, seed: int) -> None:
    chance = random.Random(seed)
    thread, _ = started(qtbot)
    thread.frame.connect(lambda _: thread.acknowledge())
    thread.submit(lambda service: service.start())
    deadline = time.monotonic() + chance.uniform(0, 0.2)
    while time.monotonic() < deadline:
        qtbot.wait(1)
    assert thread.stop()
    assert not thread.isRunning()
