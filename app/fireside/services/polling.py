"""Poll for external changes at intervals, at a bounded cost."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from fireside.core.errors import FiresideError

MAX_SHARE: Final = 0.02
"""Largest share of the time, and so of one core and the disk: a slow poll delays the next one."""

log = logging.getLogger(__name__)


class Poller:
    """Polls at once and then every few seconds. A failed poll is logged, and polling continues.

    Lives on the engine's loop.
    """

    def __init__(
        self,
        poll: Callable[[], Awaitable[None]],
        *,
        name: str,
        interval_s: float,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``name`` is what is polled, for the log; ``interval_s`` is the pause between two polls."""
        self._poll = poll
        self._name = name
        self._interval_s = interval_s
        self._wait = wait
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start polling, unless it already runs."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"watch over {self._name}")

    async def close(self) -> None:
        """Stop polling. What a poll does in another thread is not waited for."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self) -> None:
        while True:
            started_s = self._clock()
            try:
                await self._poll()
            except FiresideError as exc:
                log.warning("polling %s failed: %s", self._name, exc)
            except Exception:
                log.exception("polling %s failed", self._name)
            took_s = self._clock() - started_s
            await self._wait(max(self._interval_s, took_s / MAX_SHARE))
