"""Web access of chats: the network route, the text of pages, and the key of the search provider."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Final

import msgspec

from fireside.core.errors import SecretsError, SettingInvalid
from fireside.core.for_window import for_window
from fireside.core.i18n import render, tr_noop
from fireside.core.secret_location import SecretLocation
from fireside.documents.messages import ReadRequest
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.services.collections.file_reading import ReadFiles
from fireside.services.secret_storage import store_secret
from fireside.settings.conversions import tool_options
from fireside.settings.secret import secret_from_text
from fireside.settings.secrets import SecretName, SecretRequester, Secrets
from fireside.settings.service import Settings

_MANY_LINES: Final = re.compile(r"\n{3,}")
_LABEL: Final = tr_noop("API key")


class WebParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root provides for web access."""

    route: Callable[[], Route]
    """Returns the network route of the current settings."""
    log: ConnectionLog
    secrets: Secrets


class WebAccess:
    """Web access of chats: the route, readable page text and the search provider's API key.

    All methods run on the engine's loop, except ``route``. Opens no connection by itself.

    ``location``, ``store`` and ``forget`` are about the key of the selected provider. Each provider has a key
    of its own, which is sent to that provider alone.
    """

    def __init__(self, parts: WebParts | None, *, read: ReadFiles, settings: Settings) -> None:
        """Without ``parts`` this program is offline; ``read`` reads files in a process of their own."""
        self.log = ConnectionLog() if parts is None else parts.log
        self.route = (lambda: Route(is_offline=True)) if parts is None else parts.route
        self._secrets = None if parts is None else parts.secrets
        self._read = read
        self._settings = settings

    async def page_text(self, data: bytes) -> tuple[str, str]:
        """Return the text of a page or a file without its invisible parts, or why there is none."""
        if not data:
            return "", ""
        request = ReadRequest(name="page", data=data)
        (reply,) = await asyncio.to_thread(lambda: tuple(self._read((request,))))
        visible, end = [], 0
        for start, stop in reply.hidden:
            visible.append(reply.text[end:start])
            end = stop
        text = _MANY_LINES.sub("\n\n", "".join((*visible, reply.text[end:])).strip())
        return text, render(reply.problem)

    async def key(self) -> str:
        """Return the key of the selected provider; empty if none is stored."""
        if self._secrets is None:
            return ""
        try:
            stored = await self._secrets.find(self._name())
        except SecretsError:
            return ""
        return "" if stored is None else stored.secret.reveal()

    @for_window
    async def location(self) -> SecretLocation:
        """Return where the token is stored, never the token itself. May open the keyring."""
        if self._secrets is None:
            return SecretLocation.NONE
        stored = await self._secrets.find(self._name(), requester=SecretRequester.CLICK)
        return SecretLocation.NONE if stored is None else stored.location

    @for_window
    async def store(self, token: str, *, location: SecretLocation = SecretLocation.KEYRING) -> SecretLocation:
        """Store an access token and return where it is now.

        Without a keyring it is kept for this run only; ``SecretLocation.FILE`` stores it unencrypted. Raises
        ``SecretsError`` or ``SettingsError``, ``SettingInvalid`` if it is no token.
        """
        if self._secrets is None:
            raise SettingInvalid(key=_LABEL, reason=tr_noop("It cannot be stored there."))
        secret = secret_from_text(token, label=_LABEL)
        return await store_secret(self._secrets, self._name(), secret, label=_LABEL, location=location)

    @for_window
    async def forget(self) -> None:
        """Delete the stored token."""
        if self._secrets is not None:
            await self._secrets.forget(self._name())

    def _name(self) -> SecretName:
        return SecretName(f"search-key@{tool_options(self._settings.resolved()).provider.value}")
