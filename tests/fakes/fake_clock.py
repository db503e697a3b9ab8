"""A clock that moves only when a test says so."""

from __future__ import annotations

from collections.abc import Callable


class FakeTimer:
    """One call that waits for its time."""

    def __init__(self, when: float, callback: Callable[[], None]) -> None:
        self.when = when
        self.callback = callback
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class FakeClock:
    """Passes the contract of ``engine.clock.Clock``."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._timers: list[FakeTimer] = []

    def now(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], None]) -> FakeTimer:
        timer = FakeTimer(when, callback)
        self._timers.append(timer)
        return timer

    @property
    def n_timers(self) -> int:
        """Timers that are armed."""
        return sum(not timer.is_cancelled for timer in self._timers)

    def jump(self, seconds: float) -> None:
        """Move on at once, as after a sleep of the computer: what fell due meanwhile is called late."""
        self._now += seconds
        self.advance(0.0)

    def advance(self, seconds: float) -> None:
        """Move on, calling what falls due in order of time."""
        end = self._now + seconds
        while True:
            due = [timer for timer in self._timers if not timer.is_cancelled and timer.when <= end]
            if not due:
                break
            timer = min(due, key=lambda timer: timer.when)
            self._timers.remove(timer)
            self._now = max(self._now, timer.when)
            timer.callback()
        self._timers = [timer for timer in self._timers if not timer.is_cancelled]
        self._now = end


class ManualClock:
    """A clock to be called: seconds that pass only when a test says so."""

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
