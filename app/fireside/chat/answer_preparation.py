"""What is done before each request of an answer: make room in the context, and say what is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from fireside.chat.context.prepared_request import PreparedRequest
from fireside.core.chat import StoredMessage

Prepare = Callable[[StoredMessage], Coroutine[object, object, PreparedRequest]]
"""Returns what is asked for an answer as it stands."""


class Preparation:
    """What is done before a request. ``cancel`` may come before, during and after it, and holds."""

    def __init__(self, work: Prepare) -> None:
        self._work = work
        self._task: asyncio.Task[PreparedRequest] | None = None
        self.is_cancelled = False

    def cancel(self) -> None:
        """End it; ``run`` then returns nothing."""
        self.is_cancelled = True
        if self._task is not None:
            self._task.cancel()

    async def run(self, answer: StoredMessage) -> PreparedRequest | None:
        """Return what to ask, or nothing where the user no longer wants it. Raises what the work does."""
        if self.is_cancelled:
            return None
        self._task = asyncio.create_task(self._work(answer), name="prepare an answer")
        try:
            await asyncio.wait({self._task})
        finally:
            self._task.cancel()
        return None if self._task.cancelled() or self.is_cancelled else self._task.result()
