"""The local API as the window shows it: where it is, who may use it, what it does now."""

from __future__ import annotations

import msgspec

from fireside.core.errors import ErrorInfo


class ApiToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token that opens the local API, without the token itself."""

    id: str
    name: str
    scopes: tuple[str, ...]


class ApiCall(msgspec.Struct, frozen=True, kw_only=True):
    """A request that is being answered."""

    client: str
    """Name of its token, or its address."""
    path: str
    tokens_per_s: float = 0.0
    """How fast its answers are written, all together; 0 before the second token."""


class ApiFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A request that was refused."""

    client: str
    path: str
    sentence: str


class LocalApiStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Status of the local API."""

    address: str = ""
    """Its URL; empty while it does not run."""
    problem: ErrorInfo | None = None
    """Why it does not run although it should."""
    tokens: tuple[ApiToken, ...] = ()
    running: tuple[ApiCall, ...] = ()
    failed: tuple[ApiFailure, ...] = ()
    """The last ones, the newest last."""
