"""Run coroutines from Qt slots, on the event loop that Qt and asyncio share."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from fireside.core.errors import FiresideError

_log = logging.getLogger(__name__)

_SETTLE_S = 1.0

P = ParamSpec("P")
Result = TypeVar("Result")
OnError = Callable[[FiresideError], None]


class TaskRunner:
    """Starts coroutines and keeps them until they end. GUI thread only.

    A ``FiresideError`` goes to the caller's ``on_error``, else to the runner's: it is meant for the user.
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

        Starts nothing once the loop is closed, since a timer of a closing window may still fire.
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
        """Wait for the tasks that run now, one second at most."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=_SETTLE_S)

    def cancel_all(self) -> None:
        """Cancel every running task; used when the window closes."""
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


class Requester(Protocol):
    """A controller whose requests are marked ``task``."""

    _tasks: TaskRunner

    def _on_error(self, error: FiresideError, /) -> None:
        """Show an error that a request did not handle itself."""


RequesterT = TypeVar("RequesterT", bound=Requester)


def task(
    method: Callable[Concatenate[RequesterT, P], Coroutine[Any, Any, Result]],
) -> Callable[Concatenate[RequesterT, P], asyncio.Task[Result] | None]:
    """Make a coroutine of a controller one that Qt can call: it is started, and nobody waits for it.

    Its first step is taken in the next turn of the loop. A ``FiresideError`` goes to the controller's
    ``_on_error``; cancelling the task that is returned ends it silently.
    """
    n_positional = sum(
        each.kind is not each.KEYWORD_ONLY for each in inspect.signature(method).parameters.values()
    )

    @wraps(method)
    def start(self: RequesterT, /, *given: P.args, **named: P.kwargs) -> asyncio.Task[Result] | None:
        # Qt gives a function of any number of arguments all that its signal carries.
        wanted: Any = given[: n_positional - 1]
        return self._tasks.run(method(self, *wanted, **named), on_error=self._on_error)

    return start


class LatestRequest:
    """At most one request of a kind: a newer one cancels the older, whose result or error is dropped."""

    def __init__(self, tasks: TaskRunner) -> None:
        self._tasks = tasks
        self._serial = 0
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
        """Start ``work`` in place of the running request."""
        self.cancel()
        serial = self._serial

        def handle_result(result: Result) -> None:
            if serial == self._serial:
                self._task = None
                on_done(result)

        def handle_error(error: FiresideError) -> None:
            if serial == self._serial:
                self._task = None
                on_error(error)

        self._task = self._tasks.run(work, on_done=handle_result, on_error=handle_error)

    def cancel(self) -> None:
        """Cancel the running request and drop its result."""
        self._serial += 1
        if self._task is not None:
            self._task.cancel()
            self._task = None
