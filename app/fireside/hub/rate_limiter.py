"""Limit and measure the speed of downloads."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from fireside.hub.cancel_token import CancelToken

_WINDOW_S: Final = 8.0
_STALLED_AFTER_S: Final = 10.0
_BURST_S: Final = 0.25


class RateLimiter:
    """Shares a limit in bytes a second among all transfers. Thread-safe."""

    def __init__(self, *, limit: Callable[[], float | None], clock: Callable[[], float]) -> None:
        """``limit`` is called again and again, so a change applies at once; ``None`` is no limit."""
        self._limit = limit
        self._clock = clock
        self._lock = threading.Lock()
        self._free_at_s = 0.0

    def throttle(self, n_bytes: int, *, cancel: CancelToken) -> None:
        """Wait until the ``n_bytes`` that have arrived are within the limit. Raises ``Stopped``."""
        limit = self._limit()
        if limit is None or limit <= 0:
            return
        with self._lock:
            now = self._clock()
            self._free_at_s = max(self._free_at_s, now - _BURST_S) + n_bytes / limit
            wait_s = self._free_at_s - now
        if wait_s > 0:
            cancel.wait(wait_s)


class SpeedMeter:
    """The speed of one download over the last seconds. One thread."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._samples: deque[tuple[float, int]] = deque()
        self._progressed_at_s = clock()

    def restart(self) -> None:
        """Reset, after a new connection or a pause."""
        self._samples.clear()
        self._progressed_at_s = self._clock()

    def update(self, n_bytes: int) -> None:
        """Record the number of bytes that have arrived."""
        now = self._clock()
        if self._samples and n_bytes > self._samples[-1][1]:
            self._progressed_at_s = now
        if not self._samples or now - self._samples[-1][0] >= 0.1:
            self._samples.append((now, n_bytes))
        else:
            self._samples[-1] = (self._samples[-1][0], n_bytes)
        while len(self._samples) > 2 and now - self._samples[0][0] > _WINDOW_S:
            self._samples.popleft()

    @property
    def bytes_per_s(self) -> float:
        """Decays to 0 while nothing arrives."""
        if len(self._samples) < 2:
            return 0.0
        (first_s, first), (_, last) = self._samples[0], self._samples[-1]
        return max(0.0, (last - first) / max(0.001, self._clock() - first_s))

    @property
    def is_stalled(self) -> bool:
        """Whether nothing has arrived for ten seconds."""
        return self._clock() - self._progressed_at_s > _STALLED_AFTER_S

    def seconds_left(self, n_left: int) -> float | None:
        """Return the time for ``n_left`` bytes; ``None`` if unknown."""
        speed = self.bytes_per_s
        return n_left / speed if speed >= 1.0 and not self.is_stalled else None
