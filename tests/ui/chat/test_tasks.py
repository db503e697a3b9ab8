"""Coroutines started from slots."""

from __future__ import annotations

import asyncio
import gc
import logging

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from fireside.core.errors import EngineStopped, FiresideError, RecordNotFound
from fireside.ui.tasks import TaskRunner, task


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


class Controller:
    """Its one request fails for negative numbers."""

    def __init__(self, tasks: TaskRunner) -> None:
        self._tasks = tasks
        self.results: list[int] = []
        self.errors: list[FiresideError] = []

    @task
    async def request(self, number: int = 1, *, factor: int = 2) -> None:
        if number < 0:
            raise RecordNotFound(what="message", id=number)
        self.results.append(await value(number * factor))

    def _on_error(self, error: FiresideError) -> None:
        self.errors.append(error)


@pytest.fixture
def controller(loop: asyncio.AbstractEventLoop) -> Controller:
    return Controller(TaskRunner(loop, on_error=lambda _error: None))


def test_a_request_is_started_by_a_call_and_its_error_goes_to_the_controller(
    qtbot: QtBot, controller: Controller
) -> None:
    controller.request(3, factor=5)
    controller.request(-1)
    assert (controller.results, controller.errors) == ([], [])
    qtbot.waitUntil(lambda: controller.results == [15] and len(controller.errors) == 1)


def test_a_request_takes_of_a_signal_what_it_wants(qtbot: QtBot, controller: Controller) -> None:
    class Plain(Controller):
        @task
        async def refresh(self) -> None:
            self.results.append(0)

    plain, button = Plain(controller._tasks), QPushButton()
    qtbot.addWidget(button)
    button.clicked.connect(plain.refresh)
    button.click()
    qtbot.waitUntil(lambda: plain.results == [0])


def test_a_request_that_is_cancelled_ends_silently(qtbot: QtBot, controller: Controller) -> None:
    started = controller.request()
    assert started is not None
    started.cancel()
    qtbot.waitUntil(started.done)
    assert (controller.results, controller.errors) == ([], [])
