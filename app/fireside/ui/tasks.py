"""Run coroutines from Qt slots, on the event loop that Qt and asyncio share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from fireside.core.errors import FiresideError

_log = logging.getLogger(__name__)

_SETTLE_S = 1.0

Result = TypeVar("Result")
OnError = Callable[[FiresideError], None]


class TaskRunner:
    """Starts coroutines and keeps them until they end. GUI thread only.

    A ``FiresideError`` goes to the caller's ``on_error``, else to the runner's: it is for the user to read.
    Anything else is a bug: it is logged and goes to ``on_bug``. A cancellation is silent.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        *,
        on_error: OnError,
        on_bug: Callable[[BaseException], None] | None = None,
    ) -> None:
        self._loop = loop
        self._on_error = on_error
        self._on_bug = on_bug
        self._tasks: set[asyncio.Task[Any]] = set()

    def run(
        self,
        work: Coroutine[Any, Any, Result],
        *,
        on_done: Callable[[Result], None] | None = None,
        on_error: OnError | None = None,
    ) -> asyncio.Task[Result] | None:
        """Start ``work``. ``on_done`` gets its result, unless it failed or was cancelled.

        Once the loop is closed nothing is started: a timer of a closing window may still ask.
        """
        if self._loop.is_closed():
            work.close()
            return None
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._on_task_done(done, on_done, on_error or self._on_error))
        return task

    @property
    def n_running(self) -> int:
        return len(self._tasks)

    async def wait_until_idle(self) -> None:
        """Return when what runs now has ended, after a second at most."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=_SETTLE_S)

    def cancel_all(self) -> None:
        """Ask everything that still runs to stop; used when the window closes."""
        for task in tuple(self._tasks):
            task.cancel()

    def _on_task_done(
        self,
        task: asyncio.Task[Result],
        on_done: Callable[[Result], None] | None,
        on_error: OnError,
    ) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        match task.exception():
            case None:
                if on_done is not None:
                    on_done(task.result())
            case FiresideError() as error:
                on_error(error)
            case bug:
                _log.error("A task of the window failed", exc_info=bug)
                if self._on_bug is not None:
                    self._on_bug(bug)


class LatestRequest:
    """At most one request of a kind: a newer one ends the older, whose answer or failure is dropped."""

    def __init__(self, tasks: TaskRunner) -> None:
        self._tasks = tasks
        self._turn = 0
        self._task: asyncio.Task[Any] | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def run(
        self,
        work: Coroutine[Any, Any, Result],
        *,
        on_done: Callable[[Result], None],
        on_error: OnError,
    ) -> None:
        """Start ``work`` in place of what runs."""
        self.cancel()
        turn = self._turn

        def take(result: Result) -> None:
            if turn == self._turn:
                self._task = None
                on_done(result)

        def fail(error: FiresideError) -> None:
            if turn == self._turn:
                self._task = None
                on_error(error)

        self._task = self._tasks.run(work, on_done=take, on_error=fail)

    def cancel(self) -> None:
        """End what runs; its answer is not wanted any more."""
        self._turn += 1
        if self._task is not None:
            self._task.cancel()
            self._task = None
