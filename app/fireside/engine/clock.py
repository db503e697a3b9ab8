"""Time, as the engine is given it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A call that will happen unless it is cancelled."""

    def cancel(self) -> None:
        """Call nothing. Idempotent."""
        ...


class Clock(Protocol):
    """Seconds that never go backwards, and calls at a later time. Used on the loop's thread only."""

    def now(self) -> float:
        """Return seconds that never go backwards."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` once ``now()`` has reached ``when``."""


BootClock = Callable[[], float]
"""Seconds that go on while the computer sleeps, from no particular beginning."""


def seconds_since_boot() -> float:
    """Return seconds that count the computer's sleep too, where the system has such a clock."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        # There it is Python's own monotonic clock that stops during a sleep, and this one that does not.
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


class LoopClock:
    """The clock of the running asyncio loop."""

    def now(self) -> float:
        """See ``Clock.now``."""
        return asyncio.get_running_loop().time()

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """See ``Clock.call_at``."""
        return asyncio.get_running_loop().call_at(when, callback)
