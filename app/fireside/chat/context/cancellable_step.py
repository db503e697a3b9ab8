"""What is done before an answer begins, and can be ended like the answer itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from fireside.chat.context.prepared_request import PreparedRequest


class CancellableStep:
    """Runs once. ``cancel`` may come before, during and after it."""

    def __init__(self, work: Callable[[], Coroutine[object, object, PreparedRequest]]) -> None:
        self._work = work
        self._task: asyncio.Task[PreparedRequest] | None = None
        self._is_cancelled = False

    def cancel(self) -> None:
        """End it; ``run`` then returns nothing."""
        self._is_cancelled = True
        if self._task is not None:
            self._task.cancel()

    async def run(self) -> PreparedRequest | None:
        """Return what to ask, or nothing where the user no longer wants it. Raises what the work does."""
        if self._is_cancelled:
            return None
        self._task = asyncio.create_task(self._work(), name="prepare an answer")
        try:
            await asyncio.wait({self._task})
        finally:
            self._task.cancel()
        return None if self._task.cancelled() or self._is_cancelled else self._task.result()
