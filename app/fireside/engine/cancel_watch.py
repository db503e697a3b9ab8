"""Detect a runner that does not react to a Cancel, and wait for one that cannot yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fireside.engine.clock import Clock

N_CHECKS: Final = 2
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
        self._due = self._clock.now() + self._limit_s / N_CHECKS
        self._timer = self._clock.call_at(self._due, self._check)

    def _check(self) -> None:
        if self._clock.now() - self._due > self._limit_s / N_CHECKS:
            self._n_idle = self._n_reporting = 0
            self._arm()
            return
        cpu_s = self._cpu_s()
        is_computing = cpu_s is not None and cpu_s != self._last_cpu_s
        self._n_reporting = self._n_reporting + 1 if self._has_reported else 0
        self._n_idle = 0 if self._has_reported or is_computing else self._n_idle + 1
        if self._n_idle >= N_CHECKS or self._n_reporting >= 2 * N_CHECKS:
            self._on_unresponsive(self._limit_s)
            return
        if is_computing:
            self._on_busy()
        self._arm()
