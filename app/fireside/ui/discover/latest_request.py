"""Ask only what is still of interest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from fireside.core.errors import FiresideError
from fireside.ui.tasks import OnError, TaskRunner

Result = TypeVar("Result")


class Latest:
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
        self.drop()
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

    def drop(self) -> None:
        """End what runs; nobody wants its answer any more."""
        self._turn += 1
        if self._task is not None:
            self._task.cancel()
            self._task = None
