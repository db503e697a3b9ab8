"""Run the local API server as its settings say, and manage its tokens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Protocol

import msgspec

from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.local_api import ApiCall, ApiFailure, ApiToken, DevicesStatus, LocalApiStatus
from fireside.core.os_errors import render_os_error
from fireside.core.pairing import PairingInvite, PairingLink
from fireside.files.atomic_replace import replace_file
from fireside.services.collections.collection_service import CollectionService
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import ApiTokens, StoredToken, TokenScope
from fireside.settings.conversions import serves_clients, serves_devices
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

    def devices(self) -> DevicesStatus:
        """Return what other devices find of this computer."""
        ...

    @property
    def device_pem(self) -> str:
        """The certificate that other devices may install; empty without one."""
        ...

    async def end_client(self, token_id: str) -> None:
        """End all that runs for a token that was revoked."""
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
            if self._parts is None or not self._is_wanted():
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
        devices = self._parts.tokens.devices() if self._parts is not None else ()
        return LocalApiStatus(
            address=running.address if running is not None else "",
            problem=self._problem,
            tokens=tuple(_shown(token) for token in tokens if not token.is_device),
            devices=running.devices() if running is not None else DevicesStatus(),
            paired=tuple(map(_shown, devices)),
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
        if self._running is not None:
            await self._running.end_client(token_id)

    @for_window
    async def pair(self, name: str, *, scopes: tuple[str, ...]) -> PairingInvite:
        """Make a token for another device, and return the link with it, which cannot be read again.

        Raises ``devices_not_served`` while there is no address, or ``SettingsUnwritable``.
        """
        devices = self._running.devices() if self._running is not None else DevicesStatus()
        if self._parts is None or not devices.address:
            reason = tr_noop("this computer has no address on a local network.")
            raise FiresideError.of("devices_not_served", reason=reason)
        secret = await asyncio.to_thread(
            self._parts.tokens.add, name, frozenset(map(TokenScope, scopes)), is_device=True
        )
        link = PairingLink(
            address=devices.address,
            token=secret.reveal(),
            fingerprint=devices.fingerprint,
            name=devices.names[0].removesuffix(".local"),
        )
        return PairingInvite(link=link, qr=await asyncio.to_thread(_qr_rows, link.uri))

    @for_window
    async def save_certificate(self, path: str) -> None:
        """Write the certificate that other devices may install. Raises ``export_unwritable``."""
        pem = self._running.device_pem if self._running is not None else ""
        try:
            await asyncio.to_thread(replace_file, Path(path), pem.encode())
        except OSError as exc:
            raise FiresideError.of("export_unwritable", path=path, reason=render_os_error(exc)) from exc

    async def close(self) -> None:
        """Stop the server if it runs."""
        async with self._lock:
            await self._stop()

    def _is_wanted(self) -> bool:
        resolved = self._settings.resolved()
        return serves_clients(resolved) or serves_devices(resolved)

    async def _stop(self) -> None:
        if self._running is not None:
            running, self._running = self._running, None
            await running.stop()


def _shown(token: StoredToken) -> ApiToken:
    return ApiToken(
        id=token.id,
        name=token.name,
        scopes=tuple(sorted(token.scopes)),
        seen_at=token.seen_at,
        seen_from=token.seen_from,
    )


def _qr_rows(text: str) -> tuple[bytes, ...]:
    import segno  # only where a device is paired

    return tuple(bytes(row) for row in segno.make(text, error="m", micro=False).matrix)
