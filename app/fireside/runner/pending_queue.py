"""Queue of requests without a slot: interactive before background, without starvation."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from fireside.core.generation import Priority
from fireside.core.ids import RequestId
from fireside.runner.slots import Sequence

MAX_OVERTAKES: Final = 4
"""How many interactive requests may overtake a waiting background request."""


class PendingQueue:
    """Requests without a slot; first in, first out within a priority."""

    def __init__(self) -> None:
        self._front: deque[Sequence] = deque()
        self._back: deque[Sequence] = deque()
        self._n_overtakes = 0

    def __bool__(self) -> bool:
        return bool(self._front or self._back)

    def add(self, sequence: Sequence) -> None:
        """Add a request behind those of its priority."""
        (self._back if sequence.task.priority is Priority.BACKGROUND else self._front).append(sequence)

    def pop(
        self,
        is_ready: Callable[[Sequence], bool] = lambda _: True,
        fits: Callable[[Sequence], bool] = lambda _: True,
    ) -> Sequence | None:
        """Remove and return the next request that is ready; ``None`` if none is.

        A request that does not fit is not overtaken by others, or it might wait for ever.
        """
        queues = (self._front, self._back)
        for queue in reversed(queues) if self._n_overtakes >= MAX_OVERTAKES else queues:
            for sequence in queue:
                if is_ready(sequence):
                    if not fits(sequence):
                        return None
                    queue.remove(sequence)
                    self._n_overtakes = 0 if queue is self._back else self._n_overtakes + bool(self._back)
                    return sequence
        return None

    def remove(self, request_id: RequestId) -> Sequence | None:
        """Remove and return a request; ``None`` if it is not queued."""
        for queue in (self._front, self._back):
            for sequence in queue:
                if sequence.request_id == request_id:
                    queue.remove(sequence)
                    return sequence
        return None
