"""Do work that needs Qt, but no window, in a thread of Qt's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QThread


class _WorkThread(QThread):
    """Qt's rich text starts timers, which a thread of Python's has no place for."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self._work()
        except BaseException as exc:  # noqa: BLE001  # raised where the work is awaited
            self.error = exc


async def in_qt_thread(work: Callable[[], None]) -> None:
    """Do ``work`` and return when it is done, or raise what it raises. GUI thread only.

    If the wait is cancelled, it ends once the work has: a thread cannot be stopped halfway.
    """
    thread = _WorkThread(work)
    done = asyncio.Event()
    thread.finished.connect(done.set)
    thread.start()
    try:
        await done.wait()
    finally:
        thread.wait()
    if thread.error is not None:
        raise thread.error
