"""The engine's clock and timers, which tests replace."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A scheduled call; ``asyncio.TimerHandle`` is one."""

    def cancel(self) -> None:
        """Do not make the call. Idempotent."""
        ...


class Clock(Protocol):
    """Monotonic time, and calls at a later time. Used on the loop's thread only."""

    def now(self) -> float:
        """Return monotonic seconds."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` once ``now()`` has reached ``when``."""


BootClock = Callable[[], float]
"""Monotonic seconds that include the computer's sleep; only differences have a meaning."""


def seconds_since_boot() -> float:
    """Return monotonic seconds that include the computer's sleep, where the system has such a clock."""
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
