"""Notice when model files appear or go, at a bounded cost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

INTERVAL_S: Final = 3.0
MAX_SHARE: Final = 0.02
"""Of one core's time, and of the disk's: after a look that took long the next one comes later."""

log = logging.getLogger(__name__)


class LibraryWatch:
    """Looks at the folders every few seconds and asks for a scan once something changed.

    The operating systems' own ways to be told miss network drives, are bounded in number, and differ on each
    system; a look at 2,000 files takes some milliseconds. Lives on the engine's loop.
    """

    def __init__(
        self,
        *,
        has_changed: Callable[[], bool],
        rescan: Callable[[], Awaitable[None]],
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``has_changed`` blocks and is called in a worker thread."""
        self._has_changed = has_changed
        self._rescan = rescan
        self._wait = wait
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look; no second time if it already does."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="library watch")

    async def stop(self) -> None:
        """End. A look that runs in its thread is not waited for."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _run(self) -> None:
        took_s = 0.0
        while True:
            await self._wait(max(INTERVAL_S, took_s / MAX_SHARE))
            started_s = self._clock()
            try:
                if await asyncio.to_thread(self._has_changed):
                    await self._rescan()
            except Exception:
                log.exception("the library could not be looked at")
            took_s = self._clock() - started_s
