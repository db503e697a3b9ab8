"""Call what may never return, for a limited time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

T = TypeVar("T")

_STUCK_LIMIT: Final = 4


class TimeLimitedCaller:
    """Runs blocking calls in threads of their own and gives up on those that take too long.

    A stuck call cannot be ended from outside, so its thread is a daemon: the program exits without it. At
    most a few are let get stuck; after that a new call fails at once.
    """

    def __init__(self, *, name: str) -> None:
        self._name = name
        self._running: set[threading.Thread] = set()

    async def call(self, work: Callable[[], T], *, limit_s: float) -> T:
        """Return what ``work`` returns. Raises what it raises, or ``TimeoutError`` after ``limit_s``.

        What a call returns after its time is dropped. Call from one event loop.
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
    except BaseException as exc:  # noqa: BLE001 - it belongs to the caller, who waits for it
        future.set_exception(exc)
    else:
        future.set_result(result)
