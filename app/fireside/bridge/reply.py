"""What a request gave, on its way to the thread that asked: in its place among the events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Reply(Generic[T]):
    """Filled on the engine's loop, delivered on the loop that made it."""

    def __init__(self) -> None:
        """Call it on the loop that waits for the reply."""
        self._future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._result: T | None = None
        self._error: BaseException | None = None

    def succeed(self, result: T) -> None:
        """Take what the request returned."""
        self._result = result

    def fail(self, error: BaseException) -> None:
        """Take what the request raised."""
        self._error = error

    def deliver(self, *, then: Callable[[], None]) -> None:
        """Let the request return or raise; call ``then`` once what waits for it has had its turn.

        Its coroutine goes on first, then what is to be done at the coroutine's end. A loop calls what it was
        given in that order.
        """
        loop = self._future.get_loop()
        if self._future.done() or loop.is_closed():
            then()
            return
        if isinstance(self._error, asyncio.CancelledError):
            self._future.cancel()
        elif self._error is not None:
            self._future.set_exception(self._error)
        else:
            self._future.set_result(self._result)  # type: ignore[arg-type]  # it has succeeded
        loop.call_soon(loop.call_soon, then)

    async def wait(self) -> T:
        """Return or raise what the request did, once it is delivered."""
        return await self._future
