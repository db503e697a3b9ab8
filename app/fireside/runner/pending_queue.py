"""Decide which request gets the next free slot: interactive before background, and none waits for ever."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from fireside.core.generation import Priority
from fireside.core.ids import RequestId
from fireside.runner.slots import Sequence

N_PASSES: Final = 4
"""How often interactive requests may pass a waiting background request."""


class PendingQueue:
    """Requests without a slot. Among equals, the first that came."""

    def __init__(self) -> None:
        self._front: deque[Sequence] = deque()
        self._back: deque[Sequence] = deque()
        self._n_passed = 0

    def __bool__(self) -> bool:
        return bool(self._front or self._back)

    def add(self, sequence: Sequence) -> None:
        """Add a request behind its equals."""
        (self._back if sequence.task.priority is Priority.BACKGROUND else self._front).append(sequence)

    def take(
        self,
        is_ready: Callable[[Sequence], bool] = lambda _: True,
        has_room: Callable[[Sequence], bool] = lambda _: True,
    ) -> Sequence | None:
        """Return the next of the requests that are ready; ``None`` if none is.

        A request that there is no room for is not passed by others: it would wait for ever.
        """
        lines = (self._front, self._back)
        for line in reversed(lines) if self._n_passed >= N_PASSES else lines:
            for sequence in line:
                if is_ready(sequence):
                    if not has_room(sequence):
                        return None
                    line.remove(sequence)
                    self._n_passed = 0 if line is self._back else self._n_passed + bool(self._back)
                    return sequence
        return None

    def withdraw(self, request_id: RequestId) -> Sequence | None:
        """Take this request out, if it waits."""
        for line in (self._front, self._back):
            for sequence in line:
                if sequence.request_id == request_id:
                    line.remove(sequence)
                    return sequence
        return None
