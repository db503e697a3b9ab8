"""The local API as shown in the window: address, tokens, running and failed requests."""

from __future__ import annotations

import msgspec

from fireside.core.errors import ErrorInfo


class ApiToken(msgspec.Struct, frozen=True, kw_only=True):
    """An access token of the local API, without its text."""

    id: str
    name: str
    scopes: tuple[str, ...]


class ApiCall(msgspec.Struct, frozen=True, kw_only=True):
    """A running request."""

    client: str
    """The name of its token, or its address."""
    path: str
    tokens_per_s: float = 0.0
    """The speed of all its answers together; 0 before the second token."""


class ApiFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A request that ended with an error."""

    client: str
    path: str
    sentence: str


class LocalApiStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Status of the local API."""

    address: str = ""
    """The URL; empty if it is not running."""
    problem: ErrorInfo | None = None
    """Why it is not running although it is turned on."""
    tokens: tuple[ApiToken, ...] = ()
    running: tuple[ApiCall, ...] = ()
    failed: tuple[ApiFailure, ...] = ()
    """The latest failures, the newest last."""
