"""Look again and again at what others may have changed, at a bounded cost."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from fireside.core.errors import FiresideError

MAX_SHARE: Final = 0.02
"""Of the time, and so of one core and the disk: after a look that took long the next one comes later."""

log = logging.getLogger(__name__)


class Poller:
    """Looks at once and then every few seconds. A look that fails is not the last.

    Lives on the engine's loop.
    """

    def __init__(
        self,
        poll: Callable[[], Awaitable[None]],
        *,
        name: str,
        each_s: float,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take ``name`` as what is looked at, for the log; ``each_s`` is from one look's end to the next."""
        self._poll = poll
        self._name = name
        self._each_s = each_s
        self._wait = wait
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look; no second time if it already does."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"watch over {self._name}")

    async def close(self) -> None:
        """End. What a look does in another thread is not waited for."""
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
                log.warning("could not look at %s: %s", self._name, exc)
            except Exception:
                log.exception("could not look at %s", self._name)
            took_s = self._clock() - started_s
            await self._wait(max(self._each_s, took_s / MAX_SHARE))
