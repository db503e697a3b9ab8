"""Keep a dry run process for reuse, since its start takes longer than most plans."""

from __future__ import annotations

import threading

from fireside.core.runtime import BUILT_IN
from fireside.engine.planning.dry_run import DryRun, OpenDryRun


class DryRunPool:
    """Starts dry run processes, or returns one that was released a short while ago. Any thread.

    Args:
        idle_s: how long an idle process is kept; 0 keeps none.
    """

    def __init__(self, open_dry_run: OpenDryRun, *, idle_s: float = 0.0) -> None:
        self._open = open_dry_run
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._idle: DryRun | None = None
        self._timer: threading.Timer | None = None
        self._is_closed = False

    def acquire(self, runtime: str) -> tuple[DryRun, bool]:
        """Return a dry run process with the runtime of that name, and whether it was used before."""
        idle = self._pop_idle() if runtime == BUILT_IN else None
        return (idle, True) if idle is not None else (self._open(runtime), False)

    def release(self, dry_run: DryRun, *, runtime: str) -> None:
        """Keep ``dry_run`` for the next plan, or close it. It must not be in the middle of a reply.

        Only one with the built-in runtime is kept: the folder of another may be deleted.
        """
        with self._lock:
            may_keep = self._idle_s > 0 and runtime == BUILT_IN and self._idle is None
            if may_keep and not self._is_closed:
                self._idle = dry_run
                self._timer = threading.Timer(self._idle_s, self._end, (dry_run,))
                self._timer.daemon = True
                self._timer.start()
                return
        dry_run.close()

    def close(self) -> None:
        """Close the idle process, and keep none from now on. Idempotent."""
        with self._lock:
            self._is_closed = True
        idle = self._pop_idle()
        if idle is not None:
            idle.close()

    def _pop_idle(self) -> DryRun | None:
        with self._lock:
            idle, self._idle = self._idle, None
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        return idle

    def _end(self, dry_run: DryRun) -> None:
        with self._lock:
            if self._idle is not dry_run:
                return
            self._idle = self._timer = None
        dry_run.close()
