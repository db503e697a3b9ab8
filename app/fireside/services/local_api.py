"""Run the local API server as its settings say, and manage its tokens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import msgspec

from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.for_window import for_window
from fireside.core.local_api import ApiCall, ApiFailure, ApiToken, LocalApiStatus
from fireside.services.collections.collection_service import CollectionService
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import ApiTokens, TokenScope
from fireside.settings.conversions import serves_clients
from fireside.settings.service import Settings

log = logging.getLogger(__name__)

API_KEYS: Final = "api."


class RunningApi(Protocol):
    """A running server."""

    @property
    def address(self) -> str:
        """Its URL, without a path."""
        ...

    def calls(self) -> tuple[ApiCall, ...]:
        """Return the calls in progress."""
        ...

    def failures(self) -> tuple[ApiFailure, ...]:
        """Return the latest refused calls."""
        ...

    async def stop(self) -> None:
        """Stop the server."""


ApiStarter = Callable[[ServiceContext, CollectionService], Awaitable[RunningApi]]
"""Starts a server with the current settings; its code is imported only then. Raises ``api_not_started``."""


class LocalApiParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root provides for the local API."""

    tokens: ApiTokens
    start: ApiStarter


class LocalApi:
    """The local API and its tokens, on the engine's loop. Without ``parts`` it never runs."""

    def __init__(
        self,
        services: ServiceContext,
        collections: CollectionService,
        *,
        settings: Settings,
        parts: LocalApiParts | None,
    ) -> None:
        self._services = services
        self._collections = collections
        self._settings = settings
        self._parts = parts
        self._running: RunningApi | None = None
        self._problem: ErrorInfo | None = None
        self._lock = asyncio.Lock()

    async def follow_settings(self) -> None:
        """Start, stop or restart the server as the settings say. An error is part of ``status``."""
        async with self._lock:
            await self._stop()
            self._problem = None
            if self._parts is None or not serves_clients(self._settings.resolved()):
                return
            try:
                self._running = await self._parts.start(self._services, self._collections)
            except FiresideError as exc:
                log.warning("the local API did not start: %s", exc)
                self._problem = exc.info()

    @for_window
    async def status(self) -> LocalApiStatus:
        """Return the state of the API and its tokens. Cheap."""
        running = self._running
        tokens = self._parts.tokens.all() if self._parts is not None else ()
        return LocalApiStatus(
            address=running.address if running is not None else "",
            problem=self._problem,
            tokens=tuple(
                ApiToken(id=token.id, name=token.name, scopes=tuple(sorted(token.scopes))) for token in tokens
            ),
            running=running.calls() if running is not None else (),
            failed=running.failures() if running is not None else (),
        )

    @for_window
    async def add_token(self, name: str, *, scopes: tuple[str, ...]) -> str:
        """Create a token for ``scopes`` and return it; it cannot be read again. Raises
        ``SettingsUnwritable``."""
        assert self._parts is not None
        secret = await asyncio.to_thread(self._parts.tokens.add, name, frozenset(map(TokenScope, scopes)))
        return secret.reveal()

    @for_window
    async def revoke_token(self, token_id: str) -> None:
        """Revoke a token. Raises ``SettingsUnwritable``."""
        if self._parts is not None:
            await asyncio.to_thread(self._parts.tokens.revoke, token_id)

    async def close(self) -> None:
        """Stop the server if it runs."""
        async with self._lock:
            await self._stop()

    async def _stop(self) -> None:
        if self._running is not None:
            running, self._running = self._running, None
            await running.stop()
