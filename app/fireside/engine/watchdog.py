"""Detect a runner that has stopped working, ignores a Cancel or does not answer in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

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


_CANCEL_CHECKS: Final = 2
"""Checks within the time limit."""


class CancelWatch:
    """Checks a runner until ``cancel``: calls ``on_unresponsive`` once it hangs or ignores the Cancel.

    Between two decode steps a runner reacts at once. Within one it may encode an image or read a state of
    gigabytes, which cannot be interrupted: then it computes and reports nothing, and is waited for. One that
    computes nothing either for ``limit_s`` seconds hangs; one that reports step after step for twice as long
    ignores it. A check that comes late means that this program was held up, and does not count.

    Args:
        cpu_s: returns the CPU time that the runner has used; ``None`` where that cannot be measured.
        on_unresponsive: called with ``limit_s``, at most once.
        on_busy: called at each check at which the runner computes.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        limit_s: float,
        cpu_s: Callable[[], float | None],
        on_unresponsive: Callable[[float], None],
        on_busy: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._limit_s = limit_s
        self._cpu_s = cpu_s
        self._on_unresponsive = on_unresponsive
        self._on_busy = on_busy
        self._has_reported = False
        self._n_idle = 0
        """Checks in a row between which it did nothing."""
        self._n_reporting = 0
        """Checks in a row between which it reported steps."""
        self._arm()

    def cancel(self) -> None:
        """Stop checking: the request has ended. Idempotent."""
        self._timer.cancel()

    def note_report(self) -> None:
        """Record that a step was reported."""
        self._has_reported = True

    def _arm(self) -> None:
        self._has_reported = False
        self._last_cpu_s = self._cpu_s()
        self._due = self._clock.now() + self._limit_s / _CANCEL_CHECKS
        self._timer = self._clock.call_at(self._due, self._check)

    def _check(self) -> None:
        if self._clock.now() - self._due > self._limit_s / _CANCEL_CHECKS:
            self._n_idle = self._n_reporting = 0
            self._arm()
            return
        cpu_s = self._cpu_s()
        is_computing = cpu_s is not None and cpu_s != self._last_cpu_s
        self._n_reporting = self._n_reporting + 1 if self._has_reported else 0
        self._n_idle = 0 if self._has_reported or is_computing else self._n_idle + 1
        if self._n_idle >= _CANCEL_CHECKS or self._n_reporting >= 2 * _CANCEL_CHECKS:
            self._on_unresponsive(self._limit_s)
            return
        if is_computing:
            self._on_busy()
        self._arm()


class Deadline:
    """Calls ``on_timeout`` with ``limit_s`` after so many seconds, unless cancelled first.

    A timer that comes late means that this program was held up, by sleep or a debugger: so was the runner, or
    its answer is not read yet. Then the time starts again. On the loop's thread only.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        limit_s: float,
        on_timeout: Callable[[float], None],
    ) -> None:
        self._clock = clock
        self._limit_s = limit_s
        self._on_timeout = on_timeout
        self._arm()

    def cancel(self) -> None:
        """Do not call ``on_timeout``. Idempotent."""
        self._timer.cancel()

    def _arm(self) -> None:
        self._due = self._clock.now() + self._limit_s
        self._timer = self._clock.call_at(self._due, self._check)

    def _check(self) -> None:
        is_late = self._clock.now() - self._due > self._limit_s / 2
        if is_late:
            self._arm()
        else:
            self._on_timeout(self._limit_s)
