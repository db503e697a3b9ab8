"""Blocking calls with a time limit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

T = TypeVar("T")

_STUCK_LIMIT: Final = 4


class TimeLimitedCaller:
    """Runs each blocking call in a thread of its own, and stops waiting for it after a time limit.

    A stuck call cannot be ended, so its thread is a daemon that does not keep the program from exiting. When
    a few calls are stuck, new ones fail at once.
    """

    def __init__(self, *, name: str) -> None:
        self._name = name
        self._running: set[threading.Thread] = set()

    async def call(self, work: Callable[[], T], *, limit_s: float) -> T:
        """Return the result of ``work``. Raises its error, or ``TimeoutError`` after ``limit_s``.

        A later result is dropped. Call from one event loop.
        """
        self._running = {thread for thread in self._running if thread.is_alive()}
        if len(self._running) >= _STUCK_LIMIT:
            raise TimeoutError
        future: Future[T] = Future()
        thread = threading.Thread(target=_run, args=(work, future), name=self._name, daemon=True)
        self._running.add(thread)
        thread.start()
        return await asyncio.wait_for(asyncio.wrap_future(future), limit_s)


def _run(work: Callable[[], T], future: Future[T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as exc:  # noqa: BLE001 - passed on to the caller, which waits for it
        future.set_exception(exc)
    else:
        future.set_result(result)
