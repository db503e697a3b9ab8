"""Run Python's cycle collector on the GUI thread only, and trim the heap while the window is idle."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

CHECK_INTERVAL_MS = 1000
YOUNG_OBJECTS = 2000
"""Allocations since the last collection that are worth a new one."""
FULL_EVERY = 30
"""Young collections between two full ones; a full one takes some milliseconds in a large program."""
IDLE_CHECKS = 5
"""Consecutive checks below ``YOUNG_OBJECTS`` after which the heap is trimmed; then again every 30."""


def _trim() -> None:
    """Return glibc's freed memory to the system: much of what a long chat used."""
    ctypes.CDLL(None).malloc_trim(0)


def memory_trimmer() -> Callable[[], object]:
    """Return ``malloc_trim`` on Linux with glibc, else a no-op.

    It takes 10 ms after a long chat, and 2 ms where there is nothing to trim.
    """
    is_available = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim")
    return _trim if is_available else lambda: None


class GuiGarbageCollector(QObject):
    """Replaces Python's automatic collection by a timer on the GUI thread.

    Python collects in whichever thread allocates. A cycle with a widget could then be destroyed in the engine
    thread, which crashes Qt.
    """

    def __init__(self, *, trim: Callable[[], object] | None = None) -> None:
        """``trim`` returns freed memory to the system; by default ``memory_trimmer()``."""
        super().__init__()
        self._trim = trim if trim is not None else memory_trimmer()
        self._n_young = 0
        self._n_quiet = 0
        # Objects created at start live until the end, so they are frozen. Without a collection before:
        # modules leave few cycles, and the window would have to wait for it.
        gc.freeze()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(CHECK_INTERVAL_MS)
        self._timer.timeout.connect(self.collect_if_due)
        self._timer.start()

    def collect_if_due(self) -> None:
        """Collect if enough was allocated since the last collection; while idle, trim the heap."""
        if gc.get_count()[0] < YOUNG_OBJECTS:
            self._n_quiet += 1
            if self._n_quiet % FULL_EVERY == IDLE_CHECKS:
                self._trim()
            return
        self._n_quiet = 0
        self._n_young += 1
        if self._n_young >= FULL_EVERY:
            self._n_young = 0
            gc.collect()
        else:
            gc.collect(1)

    def close(self) -> None:
        """Collect a last time and re-enable automatic collection."""
        self._timer.stop()
        gc.collect()
        gc.unfreeze()
        gc.enable()
