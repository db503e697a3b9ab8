"""Run what blocks on the network in threads that the program does not wait for at its end."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Final, TypeVar

from fireside.hub.cancel_token import CancelToken

T = TypeVar("T")

AT_ONCE: Final = 8
"""Threads at a time; one that no caller waits for any more counts until it ends."""


class DaemonThreads:
    """Questions in daemon threads: giving one up ends the wait at once, and the program ends without them.

    Lives on one event loop. What a question that was given up answers is dropped.
    """

    def __init__(self, *, name: str) -> None:
        self._name = name
        self._room = asyncio.Semaphore(AT_ONCE)

    async def run(self, work: Callable[[], T]) -> T:
        """Return what ``work`` returns, in a thread; raise what it raises."""
        await self._room.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def succeeded(result: T) -> None:
            self._room.release()
            if not answer.done():
                answer.set_result(result)

        def failed(error: Exception) -> None:
            self._room.release()
            if not answer.done():
                answer.set_exception(error)

        def body() -> None:
            # The loop may have been closed meanwhile.
            with contextlib.suppress(RuntimeError):
                try:
                    result = work()
                except Exception as exc:  # noqa: BLE001 - it belongs to the caller
                    loop.call_soon_threadsafe(failed, exc)
                else:
                    loop.call_soon_threadsafe(succeeded, result)

        threading.Thread(target=body, name=self._name, daemon=True).start()
        return await answer

    async def run_until(self, cancel: CancelToken, work: Callable[[CancelToken], T]) -> T:
        """As ``run``. Giving it up stops ``cancel``, and returns only once the work has ended."""
        task = asyncio.ensure_future(self.run(lambda: work(cancel)))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            cancel.stop()
            await asyncio.gather(task, return_exceptions=True)
            raise
