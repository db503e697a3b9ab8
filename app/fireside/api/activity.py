"""What clients do now and what went wrong last: names and figures, never contents."""

from __future__ import annotations

import time
from collections import deque
from itertools import count
from typing import Final

import msgspec

_KEPT: Final = 20


class RunningCall(msgspec.Struct, frozen=True, kw_only=True):
    """A request that is being answered."""

    number: int
    client: str
    path: str
    began_at: float
    """Seconds since 1970."""


class FailedCall(msgspec.Struct, frozen=True, kw_only=True):
    """A request that was refused."""

    client: str
    path: str
    sentence: str
    at: float
    """Seconds since 1970."""


class Activity:
    """Remembers what runs, and the last refusals."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self.running: dict[int, RunningCall] = {}
        self.failed: deque[FailedCall] = deque(maxlen=_KEPT)
        self.n_served = 0

    def begin(self, client: str, path: str) -> int:
        """A request is answered from now on. Returns its number."""
        number = next(self._numbers)
        self.running[number] = RunningCall(number=number, client=client, path=path, began_at=time.time())
        return number

    def end(self, number: int) -> None:
        """A request is over."""
        self.running.pop(number, None)
        self.n_served += 1

    def refused(self, client: str, path: str, sentence: str) -> None:
        """A request ended with an error."""
        self.failed.append(FailedCall(client=client, path=path, sentence=sentence, at=time.time()))
