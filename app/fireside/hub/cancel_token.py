"""Let one thread stop the work of another: pause and cancel are the same to a transfer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Stopped(Exception):
    """The work was stopped by the user. What has arrived is kept."""


class Interruptible(Protocol):
    def interrupt(self) -> None:
        """End a blocking call in another thread."""


class CancelToken:
    """Belongs to one run of a transfer. Any thread may ``stop`` it, once and for all."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._woken = threading.Event()
        self._lock = threading.Lock()
        self._waits_for: Interruptible | None = None

    def stop(self) -> None:
        """Have the work end soon, wherever it is."""
        self._stopped.set()
        self._woken.set()
        with self._lock:
            if self._waits_for is not None:
                self._waits_for.interrupt()

    def wake(self) -> None:
        """Have it wait no longer, if it waits: what it waits for may be there."""
        self._woken.set()

    @property
    def is_stopped(self) -> bool:
        """Whether the work is to end."""
        return self._stopped.is_set()

    def check(self) -> None:
        """Raise ``Stopped`` if the work is to end."""
        if self._stopped.is_set():
            raise Stopped

    def wait(self, seconds: float) -> None:
        """Wait, or less if ``wake`` is called meanwhile. Raises ``Stopped`` once the work is to end."""
        self._woken.wait(seconds)
        self.check()
        self._woken.clear()
        self.check()  # It may have been said in between.

    @contextmanager
    def interrupting(self, waits_for: Interruptible) -> Iterator[None]:
        """While inside, ``stop`` also interrupts ``waits_for``."""
        with self._lock:
            self._waits_for = waits_for
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._waits_for = None
