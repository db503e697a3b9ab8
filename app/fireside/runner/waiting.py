"""Who gets the next free seat: the front before the background, and nobody waits for ever."""

from __future__ import annotations

from collections import deque
from typing import Final

from fireside.core.generation import Priority
from fireside.core.ids import RequestId
from fireside.runner.slots import Sequence

N_PASSES: Final = 4
"""How often the front may pass a waiting request of the background."""


class WaitingLine:
    """Requests without a seat. Among equals, the first that came."""

    def __init__(self) -> None:
        self._front: deque[Sequence] = deque()
        self._back: deque[Sequence] = deque()
        self._n_passed = 0

    def __bool__(self) -> bool:
        return bool(self._front or self._back)

    def add(self, sequence: Sequence) -> None:
        (self._back if sequence.task.priority is Priority.BACKGROUND else self._front).append(sequence)

    def take(self) -> Sequence:
        """Return who is next. Raises ``IndexError`` if nobody waits."""
        if self._back and (not self._front or self._n_passed >= N_PASSES):
            self._n_passed = 0
            return self._back.popleft()
        self._n_passed += bool(self._back)
        return self._front.popleft()

    def withdraw(self, request_id: RequestId) -> Sequence | None:
        """Take this request out, if it waits."""
        for line in (self._front, self._back):
            for sequence in line:
                if sequence.request_id == request_id:
                    line.remove(sequence)
                    return sequence
        return None
