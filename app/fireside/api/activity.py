"""What clients do now and what went wrong last: names and paths, never contents."""

from __future__ import annotations

from collections import deque
from itertools import count
from typing import Final

from fireside.core.local_api import ApiCall, ApiFailure

_KEPT: Final = 20


class Activity:
    """Remembers what runs, and the last refusals."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self.running: dict[int, ApiCall] = {}
        self.failed: deque[ApiFailure] = deque(maxlen=_KEPT)

    def begin(self, client: str, path: str) -> int:
        """A request is answered from now on. Returns its number."""
        number = next(self._numbers)
        self.running[number] = ApiCall(client=client, path=path)
        return number

    def end(self, number: int) -> None:
        """A request is over."""
        self.running.pop(number, None)

    def refused(self, client: str, path: str, sentence: str) -> None:
        """A request ended with an error."""
        self.failed.append(ApiFailure(client=client, path=path, sentence=sentence))
