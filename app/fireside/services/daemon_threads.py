"""Run blocking work in daemon threads, which do not delay the end of the program."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Final, TypeVar

from fireside.hub.cancel_token import CancelToken

T = TypeVar("T")

AT_ONCE: Final = 8
"""Concurrent threads; one whose caller was cancelled counts until it ends."""


class DaemonThreads:
    """Runs blocking calls in daemon threads: cancelling the caller ends the wait at once.

    Lives on one event loop. The result of a call whose caller was cancelled is dropped.
    """

    def __init__(self, *, name: str) -> None:
        self._name = name
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def run(self, work: Callable[[], T]) -> T:
        """Run ``work`` in a thread; return its result or raise its exception."""
        await self._slots.acquire()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def succeeded(result: T) -> None:
            self._slots.release()
            if not future.done():
                future.set_result(result)

        def failed(error: Exception) -> None:
            self._slots.release()
            if not future.done():
                future.set_exception(error)

        def run_work() -> None:
            # The loop may have been closed meanwhile.
            with contextlib.suppress(RuntimeError):
                try:
                    result = work()
                except Exception as exc:  # noqa: BLE001 - it belongs to the caller
                    loop.call_soon_threadsafe(failed, exc)
                else:
                    loop.call_soon_threadsafe(succeeded, result)

        threading.Thread(target=run_work, name=self._name, daemon=True).start()
        return await future

    async def run_until(self, cancel: CancelToken, work: Callable[[CancelToken], T]) -> T:
        """Like ``run``, but cancellation stops ``cancel`` and returns only once the work has ended."""
        task = asyncio.ensure_future(self.run(lambda: work(cancel)))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            cancel.stop()
            await asyncio.gather(task, return_exceptions=True)
            raise
