"""Time, as the engine is given it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A call that will happen unless it is cancelled."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Seconds that never go backwards, and calls at a later time. Used on the loop's thread only."""

    def now(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` once ``now()`` has reached ``when``."""


class LoopClock:
    """The clock of the running asyncio loop."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_at(when, callback)
