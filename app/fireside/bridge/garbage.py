"""Collect reference cycles on the GUI thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

LOOK_INTERVAL_MS = 1000
YOUNG_OBJECTS = 2000
"""New objects since the last look that are worth looking through."""
FULL_EVERY = 30
"""Young collections between two full ones; a full one takes some milliseconds in a large program."""


class GuiGarbageCollector(QObject):
    """Turn Python's automatic collection off, and do it here, between two events of the window.

    Python collects in whatever thread happens to allocate. A cycle that holds a widget would then be
    destroyed in the engine's thread, which Qt does not survive.
    """

    def __init__(self, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._n_young = 0
        # What lives since the start lives to the end: never looked through, not even once before, since
        # modules leave few cycles behind and the window would wait for the search.
        gc.freeze()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_INTERVAL_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Collect if enough was made since the last time."""
        if gc.get_count()[0] < YOUNG_OBJECTS:
            return
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
