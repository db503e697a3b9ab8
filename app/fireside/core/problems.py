"""Problems that this run has found and that the user must know, whichever part found them."""

from __future__ import annotations

import threading
from collections.abc import Callable

from fireside.core.errors import FiresideError


class Problems:
    """Damaged files and services that did not start, each problem once. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[str, FiresideError] = {}
        self._n_taken = 0
        self._listener: Callable[[FiresideError], None] | None = None

    def add(self, problem: FiresideError) -> None:
        """Add a problem, unless it is known."""
        with self._lock:
            is_new = problem.sentence() not in self._found
            self._found.setdefault(problem.sentence(), problem)
            listener = self._listener
        if is_new and listener is not None:
            listener(problem)

    def all(self) -> tuple[FiresideError, ...]:
        """Return the problems, the first found first."""
        with self._lock:
            return tuple(self._found.values())

    def take_new(self) -> tuple[FiresideError, ...]:
        """Return the problems that were found since the last call."""
        with self._lock:
            new = tuple(self._found.values())[self._n_taken :]
            self._n_taken = len(self._found)
            return new

    def listen(self, listener: Callable[[FiresideError], None]) -> None:
        """Call ``listener`` with each problem from now on, in the thread that finds it."""
        with self._lock:
            self._listener = listener
