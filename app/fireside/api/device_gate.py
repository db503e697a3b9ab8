"""Which addresses of the network may connect: so many at once and so fast, and none that fails again and
again. Pure."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

MAX_OPEN: Final = 96
"""Connections at the same time, with those whose handshake is not done."""
MAX_OPEN_EACH: Final = 24
"""Of one address: browsers open six, and clients keep some."""
_BURST: Final = 40
_PER_S: Final = 5.0
"""New connections of one address. A handshake costs a millisecond of the loop that all answers run on."""
_ALL_BURST: Final = 100
_ALL_PER_S: Final = 20.0
MAX_FAILURES: Final = 20
"""Refused requests and handshakes of one address within ``BLOCK_S``; after them it is blocked for as long."""
BLOCK_S: Final = 60.0
_MAX_KNOWN: Final = 1024
"""Addresses that are remembered; the one that was quiet longest is forgotten."""


class _Bucket:
    """Tokens that come back with time."""

    def __init__(self, *, most: float, per_s: float, now: float) -> None:
        self._most, self._per_s = most, per_s
        self._n, self._at = most, now

    def take(self, now: float) -> bool:
        self._n = min(self._most, self._n + (now - self._at) * self._per_s)
        self._at = now
        if self._n < 1:
            return False
        self._n -= 1
        return True


class _Address:
    """What is known of one address."""

    def __init__(self, now: float) -> None:
        self.bucket = _Bucket(most=_BURST, per_s=_PER_S, now=now)
        self.n_failures = 0
        self.counted_from = now
        self.blocked_until = 0.0


class DeviceGate:
    """Counts the connections. Every one that was admitted leaves once."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._all = _Bucket(most=_ALL_BURST, per_s=_ALL_PER_S, now=clock())
        self._open: Counter[str] = Counter()
        self._known: OrderedDict[str, _Address] = OrderedDict()

    @property
    def n_open(self) -> int:
        """Connections that were admitted and did not leave."""
        return self._open.total()

    def admit(self, address: str) -> bool:
        """Count a new connection, and return whether it may stay."""
        now = self._clock()
        known = self._address(address, now)
        if now < known.blocked_until or self.n_open >= MAX_OPEN or self._open[address] >= MAX_OPEN_EACH:
            return False
        # The address first: one that is too fast takes nothing from the others.
        if not (known.bucket.take(now) and self._all.take(now)):
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection that was admitted is closed."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def fail(self, address: str) -> None:
        """A handshake or a request of ``address`` was refused."""
        now = self._clock()
        known = self._address(address, now)
        if now - known.counted_from > BLOCK_S:
            known.n_failures, known.counted_from = 0, now
        known.n_failures += 1
        if known.n_failures >= MAX_FAILURES:
            known.blocked_until = now + BLOCK_S
            known.n_failures = 0

    def _address(self, address: str, now: float) -> _Address:
        known = self._known.setdefault(address, _Address(now))
        self._known.move_to_end(address)
        if len(self._known) > _MAX_KNOWN:
            self._known.popitem(last=False)
        return known
