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
        self._on_kept = on_stored
        self._on_url = on_url
        self._kept = _kept(launch)
        self._found: asyncio.Future[AuthorizationCodeResult] | None = None
        self._listening: asyncio.Server | None = None
        self.is_wanted = False
        """The server answered that the user has to sign in."""

    @property
    def has_tokens(self) -> bool:
        """Whether the user has signed in before."""
        return bool(self._kept.tokens)

    async def provider(self) -> OAuthClientProvider:
        """Return the OAuth provider, which signs requests, and signs in where the user allows it."""
        port = 0
        if self._launch.may_sign_in:
            self._kept = StoredSignIn(url=self._launch.url)  # registered again: the port differs each time
            self._listening = await asyncio.start_server(self._on_redirected, "127.0.0.1", 0)
            port = self._listening.sockets[0].getsockname()[1]
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
            callback_handler=self._redirected,
        )

    def close(self) -> None:
        """Close the callback server."""
        if self._listening is not None:
            self._listening.close()

    # Token storage of the provider

    @property
    def expires_at(self) -> float | None:
        """When the tokens must be renewed."""
        return self._kept.expires_at

    async def get_tokens(self) -> OAuthToken | None:
        return _read(OAuthToken, self._kept.tokens)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._keep(tokens=tokens.model_dump_json(), expires_at=calculate_token_expiry(tokens.expires_in))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return _read(OAuthClientInformationFull, self._kept.client)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._keep(client=client_info.model_dump_json())

    def _keep(self, **changes: Any) -> None:
        self._kept = msgspec.structs.replace(self._kept, **changes)
        if self._kept.tokens:
            self._on_kept(msgspec.json.encode(self._kept).decode())

    # Callback of the browser

    async def _open(self, url: str) -> None:
        if not self._launch.may_sign_in:
            self.is_wanted = True
            raise OAuthFlowError("The sign-in is no longer valid.")
        await check_address(url, server=self._launch.url)
        self._found = asyncio.get_running_loop().create_future()
        self._on_url(url)

    async def _redirected(self) -> AuthorizationCodeResult:
        assert self._found is not None
        async with asyncio.timeout(SIGN_IN_S):
            return await self._found

    async def _on_redirected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(
            OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError
        ):
            async with asyncio.timeout(_HEAD_S):
                head = await reader.readuntil(b"\r\n\r\n")
            path = [*head[:_HEAD_BYTES].split(b" ", 2), b""][1]
            target = urlsplit(path.decode("ascii", "replace"))
            is_ours = target.path == _PATH
            status = b"200 OK" if is_ours else b"404 Not Found"
            body = _PAGE if is_ours else b""
            writer.write(
                b"HTTP/1.1 %b\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b"
                % (status, len(body), body)
            )
            await writer.drain()
            if is_ours and self._found is not None and not self._found.done():
                self._take({name: values[0] for name, values in parse_qs(target.query).items()})
        writer.close()

    def _take(self, query: dict[str, str]) -> None:
        assert self._found is not None
        if "error" in query:
            said = query.get("error_description") or query["error"]
            self._found.set_exception(OAuthFlowError(f"It was not allowed: {said[:200]}"))
        elif "code" in query:
            self._found.set_result(
                AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))
            )


class _Provider(OAuthClientProvider):
    async def _initialize(self) -> None:
        await super()._initialize()
        storage = self.context.storage
        assert isinstance(storage, SignIn)
        self.context.token_expiry_time = (
            storage.expires_at
        )  # otherwise an expired token would count as valid after a restart

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        metadata = self.context.oauth_metadata
        if metadata is not None and "S256" not in (metadata.code_challenge_methods_supported or ()):
            raise OAuthFlowError("Its authorization server does not support PKCE.")
        return await super()._perform_authorization_code_grant()


async def check_address(url: str, *, server: str, resolves: bool = True) -> None:
    """Return the address if ``server`` may use it. Without ``resolves``, a proxy resolves names.

    Raises ``AddressRefused``.
    """
    parts, own = urlsplit(url), urlsplit(server)
    if (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
        return
    is_local = _is_loopback(own.hostname or "") and _is_loopback(parts.hostname or "")
    if is_local and parts.scheme in ("http", "https"):
        return
    if parts.scheme != "https":
        raise AddressRefused(f"It names an address that is not encrypted: {url[:200]}")
    if not resolves:
        return
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            parts.hostname or "", parts.port or 443, type=socket.SOCK_STREAM
        )
    except OSError as exc:
        raise AddressRefused(f"{parts.hostname}: {exc}") from exc
    if not all(ipaddress.ip_address(address[4][0]).is_global for address in found):
        raise AddressRefused(f"It names an address within this network: {url[:200]}")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _kept(launch: HttpLaunch) -> StoredSignIn:
    """Return the stored sign-in of this very URL."""
    try:
        kept = msgspec.json.decode(launch.sign_in or "{}", type=StoredSignIn)
    except msgspec.DecodeError:
        return StoredSignIn(url=launch.url)
    return kept if kept.url == launch.url else StoredSignIn(url=launch.url)


def _read(kind: type[ModelT], text: str) -> ModelT | None:
    try:
        return kind.model_validate_json(text) if text else None
    except ValidationError:
        return None
