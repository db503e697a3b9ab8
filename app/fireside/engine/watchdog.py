"""Detect a runner that has stopped working while a request waits for it."""

from __future__ import annotations

from collections.abc import Callable

from fireside.engine.clock import Clock, Timer

N_CHECKS = 3
"""Checks within the time limit."""


class Watchdog:
    """Calls ``on_timeout`` once a busy runner has neither sent nor computed anything for ``limit_s`` seconds.

    A slow computer is no failure: as long as there is activity, nothing happens, and nothing either where
    activity cannot be measured. On the loop's thread only.

    Args:
        activity: returns any value that changes while the runner works, such as its CPU time; ``None`` where
            that cannot be measured.
        on_timeout: called with ``limit_s``, at most once between ``start`` and ``stop``.
        on_silent: called with True after a part of that time without activity, and with False at the next.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        activity: Callable[[], object | None],
        limit_s: float,
        on_timeout: Callable[[float], None],
        on_silent: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._clock = clock
        self._activity = activity
        self._limit_s = limit_s
        self._on_timeout = on_timeout
        self._on_silent = on_silent
        self._is_silent = False
        self._timer: Timer | None = None
        self._was_active = True
        self._last_activity: object | None = None
        self._active_at = 0.0
        self._due = 0.0

    @property
    def is_running(self) -> bool:
        """Whether the runner is being watched."""
        return self._timer is not None

    def start(self) -> None:
        """Start watching: something waits for the runner now. Does nothing if it is watched already."""
        if self._timer is None:
            self._reset()
            self._arm()

    def stop(self) -> None:
        """Stop watching: nothing waits for the runner any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._report_silence(is_silent=False)

    def note_activity(self) -> None:
        """Record that the runner has sent something, or waits for something else."""
        self._was_active = True
        self._report_silence(is_silent=False)

    def _arm(self) -> None:
        self._due = self._clock.now() + self._limit_s / N_CHECKS
        self._timer = self._clock.call_at(self._due, self._check)

    def _check(self) -> None:
        self._timer = None
        activity = self._activity()
        # A late timer means that this program was held up, by sleep or a debugger: then so was the runner, or
        # its message has arrived and is not read yet.
        is_late = self._clock.now() - self._due > self._limit_s / N_CHECKS
        if self._was_active or is_late or activity is None or activity != self._last_activity:
            self._reset(activity)
            self._report_silence(is_silent=False)
        elif self._clock.now() - self._active_at >= self._limit_s * (1 - 1e-9):
            self._on_timeout(self._limit_s)
            return
        else:
            self._report_silence(is_silent=True)
        self._arm()

    def _report_silence(self, *, is_silent: bool) -> None:
        if is_silent is not self._is_silent:
            self._is_silent = is_silent
            self._on_silent(is_silent)

    def _reset(self, activity: object | None = None) -> None:
        self._was_active = False
        self._active_at = self._clock.now()
        self._last_activity = activity if activity is not None else self._activity()
