"""Cancel blocking work from another thread. Pause and cancel are the same to a transfer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Stopped(Exception):
    """The work was cancelled. What has arrived is kept."""


class Interruptible(Protocol):
    def interrupt(self) -> None:
        """Interrupt a blocking call of another thread."""


class CancelToken:
    """Belongs to one run of a transfer. Any thread may ``stop`` it, permanently."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._woken = threading.Event()
        self._lock = threading.Lock()
        self._interruptible: Interruptible | None = None

    def stop(self) -> None:
        """Cancel the work, interrupting what it waits for."""
        self._stopped.set()
        self._woken.set()
        with self._lock:
            if self._interruptible is not None:
                self._interruptible.interrupt()

    def wake(self) -> None:
        """End a ``wait`` early: what it waits for may be available."""
        self._woken.set()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def check(self) -> None:
        """Raise ``Stopped`` if the work is cancelled."""
        if self._stopped.is_set():
            raise Stopped

    def wait(self, seconds: float) -> None:
        """Sleep for ``seconds``, or until ``wake`` is called. Raises ``Stopped`` once the work is
        cancelled."""
        self._woken.wait(seconds)
        self.check()
        self._woken.clear()
        self.check()  # It may have been stopped in between.

    @contextmanager
    def interrupting(self, call: Interruptible) -> Iterator[None]:
        """Let ``stop`` interrupt ``call`` during the block."""
        with self._lock:
            self._interruptible = call
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._interruptible = None
