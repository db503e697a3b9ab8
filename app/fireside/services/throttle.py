"""Limit how often progress of a worker thread is reported."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

INTERVAL_S: Final = 0.1


class Throttle(Generic[T]):
    """Called from one worker thread; ``deliver`` is called on the loop, at most ten times a second."""

    def __init__(
        self,
        deliver: Callable[[T], None],
        *,
        loop: asyncio.AbstractEventLoop,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._deliver = deliver
        self._loop = loop
        self._clock = clock
        self._next_s: float | None = None

    def __call__(self, value: T) -> None:
        now = self._clock()
        if self._next_s is None or now >= self._next_s:
            self._next_s = now + INTERVAL_S
            with contextlib.suppress(RuntimeError):  # The loop is closed.
                self._loop.call_soon_threadsafe(self._deliver, value)
