"""Coroutines started from slots."""

from __future__ import annotations

import asyncio
import gc
import logging

import pytest
from pytestqt.qtbot import QtBot

from fireside.core.errors import EngineStopped, FiresideError, RecordNotFound
from fireside.ui.tasks import TaskRunner


async def value(result: int) -> int:
    await asyncio.sleep(0)
    return result


async def failing(error: BaseException) -> int:
    await asyncio.sleep(0)
    raise error


def test_the_result_is_delivered_and_the_task_forgotten(
    qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    results: list[int] = []
    runner = TaskRunner(loop, on_error=lambda _error: None)
    runner.run(value(7), on_done=results.append)
    gc.collect()
    qtbot.waitUntil(lambda: results == [7])
    assert runner.n_running == 0


def test_an_error_goes_to_the_callback_of_its_task(qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
    general: list[FiresideError] = []
    own: list[FiresideError] = []
    runner = TaskRunner(loop, on_error=general.append)
    runner.run(failing(RecordNotFound(what="message", id=1)), on_error=own.append)
    runner.run(failing(EngineStopped()))
    qtbot.waitUntil(lambda: len(own) == 1 and len(general) == 1)
    assert isinstance(own[0], RecordNotFound)
    assert isinstance(general[0], EngineStopped)


def test_a_bug_is_logged_and_reported_and_not_shown_as_an_error(
    qtbot: QtBot, loop: asyncio.AbstractEventLoop, caplog: pytest.LogCaptureFixture
) -> None:
    errors: list[FiresideError] = []
    bugs: list[BaseException] = []
    runner = TaskRunner(loop, on_error=errors.append, on_bug=bugs.append)
    with caplog.at_level(logging.ERROR):
        runner.run(failing(ZeroDivisionError("oops")))
        qtbot.waitUntil(lambda: len(bugs) == 1)
    assert errors == []
    assert "oops" in caplog.text


def test_running_tasks_are_cancelled_silently(qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
    errors: list[FiresideError] = []
    results: list[int] = []
    runner = TaskRunner(loop, on_error=errors.append)

    async def forever() -> int:
        await asyncio.Event().wait()
        return 1

    runner.run(forever(), on_done=results.append)
    runner.cancel_all()
    qtbot.waitUntil(lambda: runner.n_running == 0)
    assert (errors, results) == ([], [])


def test_nothing_is_started_once_the_loop_is_closed() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    tasks = TaskRunner(loop, on_error=lambda _error: None)

    async def work() -> None:
        raise AssertionError("started")

    assert tasks.run(work()) is None
    assert tasks.n_running == 0
