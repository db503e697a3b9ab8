"""Give up after a while, but not for what this program itself was late with."""

from __future__ import annotations

from collections.abc import Callable

from fireside.engine.clock import Clock


class Deadline:
    """Calls ``on_over`` with ``limit_s`` once so many seconds have passed, unless cancelled first.

    A timer that comes late tells of this program being held up, by sleep or a debugger: the runner
    was held up too, or has answered already, unread. Then the time begins anew. On the loop's thread only.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        limit_s: float,
        on_over: Callable[[float], None],
    ) -> None:
        self._clock = clock
        self._limit_s = limit_s
        self._on_over = on_over
        self._arm()

    def cancel(self) -> None:
        """It is in time. Idempotent."""
        self._timer.cancel()

    def _arm(self) -> None:
        self._due = self._clock.now() + self._limit_s
        self._timer = self._clock.call_at(self._due, self._check)

    def _check(self) -> None:
        is_late = self._clock.now() - self._due > self._limit_s / 2
        if is_late:
            self._arm()
        else:
            self._on_over(self._limit_s)
