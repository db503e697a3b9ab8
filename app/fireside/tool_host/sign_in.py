"""Sign in to a server behind a URL (OAuth 2.1): in the user's browser, with tokens bound to the URL and
stored by the program.

The server names the addresses involved, so they are checked: encrypted and public, unless the server itself
is on this computer.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Callable
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs, urlsplit

import httpx2
import msgspec
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from mcp.shared.auth_utils import calculate_token_expiry
from pydantic import AnyUrl, BaseModel, ValidationError

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.loopback import is_loopback
from fireside.tool_host.host_messages import HttpLaunch

SIGN_IN_S: Final = 600.0
"""Time for the user to sign in."""
_PATH: Final = "/callback"
_HEAD_BYTES: Final = 16_000
_HEAD_S: Final = 10.0
_PAGE: Final = (
    b"<!doctype html><meta charset=utf-8><title>Fireside</title><p>You can close this page and go back to "
    b"Fireside."
)


ModelT = TypeVar("ModelT", bound=BaseModel)


class AddressRefused(httpx2.RequestError):
    """The server names an address that is not allowed."""


class StoredSignIn(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a sign-in, for one URL."""

    url: str
    tokens: str = ""
    client: str = ""
    expires_at: float | None = None
    """When the tokens must be renewed, in seconds since 1970."""


class SignIn:
    """The sign-in of one server. Also the token storage of its OAuth provider."""

    def __init__(
        self, launch: HttpLaunch, *, on_stored: Callable[[str], None], on_url: Callable[[str], None]
    ) -> None:
        """``on_stored`` receives the text to store, which comes back as ``launch.sign_in``; ``on_url`` has
        the user open a URL."""
        self._launch = launch
        self._on_stored = on_stored
        self._on_url = on_url
        self._stored = _load_stored(launch)
        self._result: asyncio.Future[AuthorizationCodeResult] | None = None
        self._callback_server: asyncio.Server | None = None
        self.is_required = False
        """The server responded that the user has to sign in."""

    @property
    def has_tokens(self) -> bool:
        """Whether the user has signed in before."""
        return bool(self._stored.tokens)

    async def provider(self) -> OAuthClientProvider:
        """Return the OAuth provider, which signs requests, and signs in where the user allows it."""
        port = 0
        if self._launch.may_sign_in and self._callback_server is None:
            self._stored = StoredSignIn(url=self._launch.url)  # registered again: the port differs each time
            self._callback_server = await asyncio.start_server(self._on_connection, "127.0.0.1", 0)
        if self._callback_server is not None:
            port = self._callback_server.sockets[0].getsockname()[1]
        metadata = OAuthClientMetadata(
            client_name="Fireside",
            redirect_uris=[AnyUrl(f"http://127.0.0.1:{port}{_PATH}")],
            token_endpoint_auth_method="none",  # noqa: S106  # no secret: a program of the user can keep none
        )
        return _Provider(
            self._launch.url,
            metadata,
            self,
            redirect_handler=self._open,
            callback_handler=self._wait_for_callback,
        )

    def close(self) -> None:
        """Close the callback server."""
        if self._callback_server is not None:
            self._callback_server.close()

    # Token storage of the provider

    @property
    def expires_at(self) -> float | None:
        """When the tokens must be renewed."""
        return self._stored.expires_at

    async def get_tokens(self) -> OAuthToken | None:
        return _read(OAuthToken, self._stored.tokens)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._store(tokens=tokens.model_dump_json(), expires_at=calculate_token_expiry(tokens.expires_in))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return _read(OAuthClientInformationFull, self._stored.client)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._store(client=client_info.model_dump_json())

    def _store(self, **changes: Any) -> None:
        self._stored = msgspec.structs.replace(self._stored, **changes)
        if self._stored.tokens:
            self._on_stored(msgspec.json.encode(self._stored).decode())

    # Callback of the browser

    async def _open(self, url: str) -> None:
        if not self._launch.may_sign_in:
            self.is_required = True
            raise OAuthFlowError("The sign-in is no longer valid.")
        await check_address(url, server=self._launch.url)
        self._result = asyncio.get_running_loop().create_future()
        self._on_url(url)

    async def _wait_for_callback(self) -> AuthorizationCodeResult:
        assert self._result is not None
        async with asyncio.timeout(SIGN_IN_S):
            return await self._result

    async def _on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(
            OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError
        ):
            async with asyncio.timeout(_HEAD_S):
                head = await reader.readuntil(b"\r\n\r\n")
            path = [*head[:_HEAD_BYTES].split(b" ", 2), b""][1]
            target = urlsplit(path.decode("ascii", "replace"))
            is_callback = target.path == _PATH
            status = b"200 OK" if is_callback else b"404 Not Found"
            body = _PAGE if is_callback else b""
            writer.write(
                b"HTTP/1.1 %b\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b"
                % (status, len(body), body)
            )
            await writer.drain()
            if is_callback and self._result is not None and not self._result.done():
                self._handle_callback({name: values[0] for name, values in parse_qs(target.query).items()})
        writer.close()

    def _handle_callback(self, query: dict[str, str]) -> None:
        assert self._result is not None
        if "error" in query:
            reason = query.get("error_description") or query["error"]
            self._result.set_exception(OAuthFlowError(f"It was not allowed: {reason[:200]}"))
        elif "code" in query:
            self._result.set_result(
                AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))
            )


class _Provider(OAuthClientProvider):
    async def _initialize(self) -> None:
        await super()._initialize()
        storage = self.context.storage
        assert isinstance(storage, SignIn)
        # The library would take an expired token for valid after a restart.
        self.context.token_expiry_time = storage.expires_at

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        metadata = self.context.oauth_metadata
        if metadata is not None and "S256" not in (metadata.code_challenge_methods_supported or ()):
            raise OAuthFlowError("Its authorization server does not support PKCE.")
        return await super()._perform_authorization_code_grant()


async def check_address(url: str, *, server: str, resolves: bool = True) -> None:
    """Raise ``AddressRefused`` if ``server`` must not refer to ``url``.

    Without ``resolves`` the addresses of names are not checked, since a proxy resolves them.
    """
    parts, own = urlsplit(url), urlsplit(server)
    if (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
        return
    is_local = is_loopback(own.hostname or "") and is_loopback(parts.hostname or "")
    if is_local and parts.scheme in ("http", "https"):
        return
    if parts.scheme != "https":
        raise AddressRefused(f"It names an address that is not encrypted: {url[:200]}")
    if not resolves:
        return
    try:
        addresses = await asyncio.get_running_loop().getaddrinfo(
            parts.hostname or "", parts.port or 443, type=socket.SOCK_STREAM
        )
    except OSError as exc:
        raise AddressRefused(f"{parts.hostname}: {exc}") from exc
    if not all(ipaddress.ip_address(address[4][0]).is_global for address in addresses):
        raise AddressRefused(f"It names an address within this network: {url[:200]}")


def _load_stored(launch: HttpLaunch) -> StoredSignIn:
    """Return the stored sign-in, or an empty one if that is for another URL."""
    try:
        stored = decode_json(launch.sign_in or "{}", kind=StoredSignIn)
    except JsonInvalid:
        return StoredSignIn(url=launch.url)
    return stored if stored.url == launch.url else StoredSignIn(url=launch.url)


def _read(kind: type[ModelT], text: str) -> ModelT | None:
    try:
        return kind.model_validate_json(text) if text else None
    except ValidationError:
        return None
