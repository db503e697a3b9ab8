"""Only the latest of several requests is answered."""

from __future__ import annotations

import asyncio

import pytest
from pytestqt.qtbot import QtBot

from fireside.core.errors import FiresideError, HubOffline
from fireside.ui.tasks import LatestRequest, TaskRunner


@pytest.fixture
def latest(tasks: TaskRunner) -> LatestRequest:
    return LatestRequest(tasks)


async def stubborn(answer: asyncio.Future[str], *, begun: list[bool]) -> str:
    """Wait for ``answer`` even when cancelled, as a request that was already sent."""
    begun.append(True)
    while not answer.done():
        try:
            await asyncio.shield(answer)
        except asyncio.CancelledError:
            continue
    return answer.result()


def test_a_late_reply_is_dropped(
    qtbot: QtBot, loop: asyncio.AbstractEventLoop, tasks: TaskRunner, latest: LatestRequest
) -> None:
    answers: list[str] = []
    begun: list[bool] = []
    failures: list[FiresideError] = []
    old, new = loop.create_future(), loop.create_future()
    latest.run(stubborn(old, begun=begun), on_done=answers.append, on_error=failures.append)
    qtbot.waitUntil(lambda: bool(begun))
    latest.run(stubborn(new, begun=begun), on_done=answers.append, on_error=failures.append)
    new.set_result("new")
    old.set_result("old")
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert answers == ["new"]
    assert not latest.is_running


def test_a_late_failure_is_dropped(
    qtbot: QtBot, loop: asyncio.AbstractEventLoop, tasks: TaskRunner, latest: LatestRequest
) -> None:
    failures: list[FiresideError] = []
    answers: list[str] = []
    begun: list[bool] = []
    old = loop.create_future()
    latest.run(stubborn(old, begun=begun), on_done=answers.append, on_error=failures.append)
    qtbot.waitUntil(lambda: bool(begun))
    latest.cancel()
    old.set_exception(HubOffline())
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert failures == []


def test_a_replaced_request_is_cancelled(qtbot: QtBot, tasks: TaskRunner, latest: LatestRequest) -> None:
    async def wait() -> str:
        await asyncio.Event().wait()
        return "never"

    latest.run(wait(), on_done=lambda _answer: None, on_error=lambda _error: None)
    assert latest.is_running
    latest.cancel()
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert not latest.is_running
