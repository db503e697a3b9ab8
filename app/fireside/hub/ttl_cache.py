"""A cache of answers with a time limit, so that going back and forth causes no new requests."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)

KEEP_S: Final = 600.0
_MAX_ANSWERS: Final = 100
_MAX_BYTES: Final = 16 * 1024 * 1024


class TtlCache(Generic[T]):
    """Answers not older than ``keep_s``; the oldest are evicted where they are many or large.

    Thread-safe. Errors are not cached.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float],
        keep_s: float = KEEP_S,
        max_answers: int = _MAX_ANSWERS,
        max_bytes: int = _MAX_BYTES,
    ) -> None:
        """``clock`` is monotonic, in seconds."""
        self._clock = clock
        self._keep_s = keep_s
        self._max_answers = max_answers
        self._max_bytes = max_bytes
        self._kept: OrderedDict[Hashable, tuple[float, int, T]] = OrderedDict()
        self._n_bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> T | None:
        """Return the cached answer of ``key``."""
        with self._lock:
            self._drop_old()
            kept = self._kept.get(key)
            return None if kept is None else kept[2]

    def store(self, key: Hashable, answer: T) -> None:
        """Cache ``answer``, unless it is too large."""
        n_bytes = len(msgspec.msgpack.encode(answer))
        with self._lock:
            self._drop(key)
            if n_bytes > self._max_bytes:
                return
            self._kept[key] = (self._clock(), n_bytes, answer)
            self._n_bytes += n_bytes
            self._drop_old()
            while len(self._kept) > self._max_answers or self._n_bytes > self._max_bytes:
                self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Drop all answers."""
        with self._lock:
            self._kept.clear()
            self._n_bytes = 0

    def _drop_old(self) -> None:
        now = self._clock()
        while self._kept:
            key, (since, _, _) = next(iter(self._kept.items()))
            if now - since < self._keep_s:
                break
            self._drop(key)

    def _drop(self, key: Hashable) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._n_bytes -= kept[1]
