"""Time limit of a call: extended by progress, up to a cap, and paused while the user is asked."""

from __future__ import annotations

import asyncio


class CallLimit:
    """The limit of one call, which has to be created inside its ``asyncio.timeout``."""

    def __init__(self, timeout: asyncio.Timeout, *, limit_s: float, cap_s: float) -> None:
        self._timeout = timeout
        self._limit_s = limit_s
        self._left_s = cap_s
        self._loop = asyncio.get_running_loop()
        self._counted_since = self._loop.time()
        self._n_pauses = 0
        self.renew()

    def renew(self) -> None:
        """Extend the limit: the call has made progress."""
        if self._n_pauses or self._timeout.expired():
            return
        now = self._loop.time()
        self._left_s -= now - self._counted_since
        self._counted_since = now
        self._timeout.reschedule(now + min(self._limit_s, self._left_s))

    def pause(self) -> None:
        """Stop counting: the user is asked."""
        self.renew()
        self._n_pauses += 1
        if not self._timeout.expired():
            self._timeout.reschedule(None)

    def resume(self) -> None:
        """Count again: the user has answered."""
        self._n_pauses -= 1
        self._counted_since = self._loop.time()
        self.renew()
