"""Collect reference cycles on the GUI thread alone, and give memory back when the window rests."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

LOOK_INTERVAL_MS = 1000
YOUNG_OBJECTS = 2000
"""New objects since the last look that are worth looking through."""
FULL_EVERY = 30
"""Young collections between two full ones; a full one takes some milliseconds in a large program."""
REST_LOOKS = 5
"""Looks in a row with little that is new, after which memory is given back; then again each thirty."""


def _trim() -> None:
    """Give the system back what glibc holds of freed memory: much of what a long chat took."""
    ctypes.CDLL(None).malloc_trim(0)


def trimming() -> Callable[[], object]:
    """Return what gives freed memory back where that does not happen by itself, else what does nothing.

    It takes 10 ms after a long chat, and 2 ms where there is nothing to give.
    """
    has_it = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim")
    return _trim if has_it else lambda: None


class GuiGarbageCollector(QObject):
    """Turn Python's automatic collection off, and do it here, between two events of the window.

    Python collects in whatever thread happens to allocate. A cycle that holds a widget would then be
    destroyed in the engine's thread, which Qt does not survive.
    """

    def __init__(self, *, trim: Callable[[], object] | None = None) -> None:
        """``trim`` gives freed memory back; by default the C library's own."""
        super().__init__()
        self._trim = trim if trim is not None else trimming()
        self._n_young = 0
        self._n_quiet = 0
        # What lives since the start lives to the end: never looked through, not even once before, since
        # modules leave few cycles behind and the window would wait for the search.
        gc.freeze()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_INTERVAL_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Collect if enough was made since the last time; once nothing was for a while, give memory back."""
        if gc.get_count()[0] < YOUNG_OBJECTS:
            self._n_quiet += 1
            if self._n_quiet % FULL_EVERY == REST_LOOKS:
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
        """Collect once more and give the work back to Python."""
        self._timer.stop()
        gc.collect()
        gc.unfreeze()
        gc.enable()
