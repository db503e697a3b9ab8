"""Reuse the processes that measure loads: a start takes longer than most plans."""

from __future__ import annotations

import threading

from fireside.core.runtime import BUILT_IN
from fireside.engine.planning.dry_run import DryRun, OpenDryRun


class DryRunPool:
    """Starts what measures, or hands out what was released a short while ago. Any thread.

    Args:
        kept_s: how long an unused one is kept; 0 keeps none.
    """

    def __init__(self, open_dry_run: OpenDryRun, *, kept_s: float = 0.0) -> None:
        self._open = open_dry_run
        self._kept_s = kept_s
        self._lock = threading.Lock()
        self._kept: DryRun | None = None
        self._alarm: threading.Timer | None = None
        self._is_closed = False

    def acquire(self, runtime: str) -> tuple[DryRun, bool]:
        """Return what measures with the runtime of that name, and whether it was used before."""
        kept = self._take() if runtime == BUILT_IN else None
        return (kept, True) if kept is not None else (self._open(runtime), False)

    def release(self, dry_run: DryRun, *, runtime: str) -> None:
        """Keep ``dry_run`` for the next plan, or end it. It must not be in the middle of a reply.

        Only one of the built-in runtime is kept: the folder of another may have to go.
        """
        with self._lock:
            may_keep = self._kept_s > 0 and runtime == BUILT_IN and self._kept is None
            if may_keep and not self._is_closed:
                self._kept = dry_run
                self._alarm = threading.Timer(self._kept_s, self._end, (dry_run,))
                self._alarm.daemon = True
                self._alarm.start()
                return
        dry_run.close()

    def close(self) -> None:
        """End what is kept, and keep nothing from now on. Idempotent."""
        with self._lock:
            self._is_closed = True
        kept = self._take()
        if kept is not None:
            kept.close()

    def _take(self) -> DryRun | None:
        with self._lock:
            kept, self._kept = self._kept, None
            alarm, self._alarm = self._alarm, None
        if alarm is not None:
            alarm.cancel()
        return kept

    def _end(self, dry_run: DryRun) -> None:
        with self._lock:
            if self._kept is not dry_run:
                return
            self._kept = self._alarm = None
        dry_run.close()
