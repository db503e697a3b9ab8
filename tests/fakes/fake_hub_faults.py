"""What can go wrong with a hub, and what it saw."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto


class Fault(Enum):
    """What goes wrong with one request."""

    DROP = auto()
    """The connection is closed after ``after`` bytes."""
    RESET = auto()
    STALL = auto()
    """Nothing more comes after ``after`` bytes, until ``release``."""
    SHORT_BY_ONE = auto()
    FULL = auto()
    """200 with everything, whatever was asked for."""
    WRONG_RANGE = auto()
    RANGE_REFUSED = auto()
    NO_RANGE_SAID = auto()
    STATUS = auto()
    """``status`` with ``headers``."""
    PACKED = auto()
    LOGIN_PAGE = auto()
    WRONG_BYTES = auto()
    NO_COMMIT = auto()
    ENDLESS_REDIRECT = auto()
    NONSENSE = auto()
    ANOTHER_ANSWER = auto()
    """``body``, as JSON, in place of the right answer."""
    ENDLESS = auto()
    """Spaces, as long as the client reads them."""
    DRIP = auto()
    """A byte now and then, as long as the client waits for them."""
    SLOW_HEADERS = auto()
    """A header now and then, as long as the client waits for the last of them."""
    AWAY = auto()
    """A redirection to the other server, which says the same there."""


class Where(Enum):
    HEAD = auto()
    CONTENT = auto()
    API = auto()


@dataclass(kw_only=True)
class Planned:
    fault: Fault
    where: Where
    after: int = 0
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    n_before: int = 0
    """How many requests of its kind are answered as they should be before."""


@dataclass(kw_only=True)
class Seen:
    """One request as the server saw it, and how much it has sent."""

    server: str
    method: str
    path: str
    range: str | None
    authorization: str | None
    encoding: str | None
    cookie: str | None
    agent: str
    status: int
    n_sent: int = 0
