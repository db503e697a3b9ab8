"""Prepare each request of an answer: free space in the context, then build the request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from fireside.chat.context.prepared_request import PreparedRequest
from fireside.core.chat import StoredMessage

Prepare = Callable[[StoredMessage], Coroutine[object, object, PreparedRequest]]
"""Returns the prepared request for an answer in its current state."""


class Preparation:
    """The work before one request, as a task.

    ``cancel`` may be called before, during or after it and is permanent.
    """

    def __init__(self, work: Prepare) -> None:
        self._work = work
        self._task: asyncio.Task[PreparedRequest] | None = None
        self.is_cancelled = False

    def cancel(self) -> None:
        """Cancel the work for good; ``run`` then returns ``None``."""
        self.is_cancelled = True
        if self._task is not None:
            self._task.cancel()

    async def run(self, answer: StoredMessage) -> PreparedRequest | None:
        """Return the prepared request, or ``None`` after ``cancel``. Raises what the work raises."""
        if self.is_cancelled:
            return None
        self._task = asyncio.create_task(self._work(answer), name="prepare an answer")
        try:
            await asyncio.wait({self._task})
        finally:
            self._task.cancel()
        return None if self._task.cancelled() or self.is_cancelled else self._task.result()
