"""Fetch web pages and query the search provider for tools.

A page's host is resolved once, each of its addresses is checked, and the connection goes to the very address
that was checked, so a DNS server that answers differently the second time changes nothing. The same is done
for each redirect.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import msgspec

from fireside import __version__
from fireside.core.i18n import render, tr
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route, Timeouts, error_text, make_async_client
from fireside.tools.tool import ToolFailed

if TYPE_CHECKING:
    import httpx2


PAGE_BYTES: Final = 5_000_000
PAGE_LIMIT_S: Final = 15.0
_MAX_REDIRECTS: Final = 5
_MAX_ADDRESSES: Final = 3
"""Addresses of a host that are tried."""
_MAX_URL_CHARS: Final = 2_000
_HOST: Final = re.compile(r"[A-Za-z0-9._-]+|\[?[0-9A-Fa-f:.]+\]?")
_TYPES: Final = ("text/", "application/xhtml", "application/xml", "application/json", "application/pdf")
_HEADERS: Final = {"Accept-Encoding": "identity", "User-Agent": f"fireside/{__version__}"}
_ENCODINGS: Final = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}
"""Encodings that some servers send unrequested, with their zlib window bits; some omit the frame of
``deflate``."""

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the IP addresses of a host, best first. Raises ``OSError``."""


class WebPage(msgspec.Struct, frozen=True, kw_only=True):
    """A fetched page."""

    address: str
    """Its URL, after redirects."""
    data: bytes


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The response of a search provider."""

    status: int
    data: bytes


class WebFetcher:
    """Opens connections for tools, one after the other, and logs each. Lives on one loop.

    All methods raise ``ToolFailed`` with a message for the model.
    """

    def __init__(
        self,
        *,
        route: Callable[[], Route],
        log: ConnectionLog,
        resolve: Resolve | None = None,
        make_client: Callable[[Route, bool], httpx2.AsyncClient] | None = None,
    ) -> None:
        """``resolve`` and ``make_client`` are replaced in tests."""
        self._route = route
        self._log = log
        self._resolve = _resolved if resolve is None else resolve
        self._make_client = _client if make_client is None else make_client

    async def fetch_page(self, address: str) -> WebPage:
        """Fetch a public URL. Sends and keeps no cookies, and connects to no private address."""
        import httpx2

        try:
            async with asyncio.timeout(PAGE_LIMIT_S):
                url = _checked(address)
                for _ in range(_MAX_REDIRECTS + 1):
                    async with self._open(url) as response:
                        if not 300 <= response.status_code < 400:
                            return WebPage(address=str(url), data=await _page_content(response))
                        try:
                            url = _checked(str(url.join(response.headers.get("Location") or "")))
                        except httpx2.InvalidURL as exc:
                            raise ToolFailed("url: it redirects to an address that is none.") from exc
        except TimeoutError as exc:
            raise ToolFailed(f"url: it took longer than {PAGE_LIMIT_S:.0f} s.") from exc
        raise ToolFailed(f"url: it redirects more than {_MAX_REDIRECTS} times.")

    async def query_provider(
        self, address: str, *, parameters: Mapping[str, str], headers: Mapping[str, str], body: object = None
    ) -> Answer:
        """Query a search provider, whose address the user or the program chose: it may be in the user's
        own network. Redirects are not followed, so that the key is sent nowhere else."""
        import httpx2

        route = self._current_route()
        content = None if body is None else msgspec.json.encode(body)
        content_headers = {} if content is None else {"Content-Type": "application/json"}
        url = httpx2.URL(address)
        if parameters:
            url = url.copy_merge_params(dict(parameters))
        entry = self._log.start(host=url.netloc.decode(), why=tr("Web search"), n_sent=len(content or b""))
        try:
            async with (
                asyncio.timeout(PAGE_LIMIT_S),
                self._connected_client(route, url.scheme == "https") as client,
            ):
                request = client.build_request(
                    "GET" if content is None else "POST",
                    url,
                    headers={**_HEADERS, **content_headers, **headers},
                    content=content,
                )
                async with _streamed(client, request) as response:
                    entry.follow(response)
                    return Answer(status=response.status_code, data=await _body(response))
        except TimeoutError as exc:
            raise ToolFailed(f"The search provider took longer than {PAGE_LIMIT_S:.0f} s.") from exc
        except httpx2.HTTPError as exc:
            raise ToolFailed(f"The search provider {url.host} was not reached: {_reason(exc)}") from exc
        finally:
            entry.end()

    @asynccontextmanager
    async def _open(self, url: httpx2.URL) -> AsyncIterator[httpx2.Response]:
        """Yield the response to one request, over a connection to a checked address."""
        import httpx2

        route, failure = self._current_route(), ""
        for ip_address in (await self._public_addresses(url))[:_MAX_ADDRESSES]:
            entry = self._log.start(host=url.netloc.decode(), why=tr("Web page for a chat"))
            try:
                async with self._connected_client(route, True) as client:
                    # The certificate is verified for the host name; only the connection uses the address.
                    request = client.build_request(
                        "GET",
                        url.copy_with(host=ip_address, fragment=None),
                        headers={**_HEADERS, "Host": url.netloc.decode()},
                        extensions={"sni_hostname": url.raw_host.decode()},
                    )
                    async with _streamed(client, request) as response:
                        entry.follow(response)
                        yield response
                        return
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as exc:
                entry.was_refused()
                failure = _reason(exc)
            except httpx2.HTTPError as exc:
                raise ToolFailed(f"url: {url.host} was not reached: {_reason(exc)}") from exc
            finally:
                entry.end()
        raise ToolFailed(f"url: {url.host} was not reached: {failure}")

    async def _public_addresses(self, url: httpx2.URL) -> Sequence[str]:
        try:
            ip_addresses = await self._resolve(url.raw_host.decode().strip("[]"))
        except (OSError, UnicodeError) as exc:
            raise ToolFailed(f"url: the name {url.host} was not found.") from exc
        if not ip_addresses or not all(map(is_public, ip_addresses)):
            raise ToolFailed(
                f"url: {url.host} is not on the public internet, and nothing else is fetched from."
            )
        return ip_addresses

    def _current_route(self) -> Route:
        route = self._route()
        if route.is_offline:
            raise ToolFailed(
                "Offline mode is on, so nothing was asked. The user can turn it off in Settings."
            )
        return route

    @asynccontextmanager
    async def _connected_client(self, route: Route, is_encrypted: bool) -> AsyncIterator[httpx2.AsyncClient]:
        try:
            client = self._make_client(route, is_encrypted)
        except (OSError, ValueError, ssl.SSLError) as exc:
            raise ToolFailed(f"The proxy or certificates in the settings cannot be used: {exc}") from exc
        async with client:
            yield client


def _checked(address: str) -> httpx2.URL:
    """Return a valid URL, parsed once: what is checked is what is connected to."""
    import httpx2

    try:
        url = httpx2.URL(address.strip())
    except (httpx2.InvalidURL, ValueError, UnicodeError) as exc:
        raise ToolFailed("url: it is no address.") from exc
    if url.scheme != "https" or not _HOST.fullmatch(url.raw_host.decode(errors="replace")):
        raise ToolFailed("url: it must begin with https://.")
    if url.userinfo:
        raise ToolFailed("url: it must not hold a name or password.")
    if url.port is not None:
        raise ToolFailed("url: it must not name a port.")
    if len(str(url)) > _MAX_URL_CHARS:
        raise ToolFailed(f"url: it is longer than {_MAX_URL_CHARS} characters.")
    return url


async def _resolved(host: str) -> Sequence[str]:
    import socket

    addresses = await asyncio.get_running_loop().getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[4][0]) for address in addresses))


def _client(route: Route, is_encrypted: bool) -> httpx2.AsyncClient:
    return make_async_client(
        is_encrypted=is_encrypted,
        proxy=route.proxy,
        ca_file=route.ca_file,
        fingerprint="",
        timeouts=Timeouts(),
    )


@asynccontextmanager
async def _streamed(client: httpx2.AsyncClient, request: httpx2.Request) -> AsyncIterator[httpx2.Response]:
    response = await client.send(request, stream=True)
    try:
        yield response
    finally:
        await response.aclose()


async def _page_content(response: httpx2.Response) -> bytes:
    """Return a page's content, if it is of a readable type."""
    content_type = response.headers.get("Content-Type", "text/plain")
    if response.status_code >= 300:
        raise ToolFailed(f"url: the server answered with status {response.status_code}.")
    if not content_type.casefold().startswith(_TYPES):
        raise ToolFailed(f"url: “{content_type[:80]}” is no text.")
    return _with_declared_encoding(await _body(response), content_type)


async def _body(response: httpx2.Response) -> bytes:
    """Return the body, if it is not too long."""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > PAGE_BYTES:
            raise _too_large()
    return _decompressed(bytes(body), response.headers.get("Content-Encoding", "").strip().casefold())


def _decompressed(data: bytes, encoding: str) -> bytes:
    """Return the decompressed body, of no more than ``PAGE_BYTES``."""
    if encoding in ("", "identity"):
        return data
    if encoding not in _ENCODINGS:
        raise ToolFailed(f"The answer is packed as “{encoding[:40]}”, which was not asked for.")
    for window_bits in _ENCODINGS[encoding]:
        decompressor = zlib.decompressobj(window_bits)
        try:
            decompressed = decompressor.decompress(data, PAGE_BYTES + 1)
        except zlib.error:
            continue
        if len(decompressed) > PAGE_BYTES:
            raise _too_large()
        if decompressor.eof:
            return decompressed
    raise ToolFailed("The answer is packed, and damaged.")


def _too_large() -> ToolFailed:
    return ToolFailed(f"The answer is larger than {PAGE_BYTES // 10**6} MB.")


def _with_declared_encoding(data: bytes, content_type: str) -> bytes:
    """Return an HTML page that states its own encoding: its reader sees only the bytes."""
    media_type, _, parameters = content_type.casefold().partition(";")
    if "html" not in media_type:
        return data
    name, _, charset = parameters.strip().partition("=")
    declared = f'<meta charset="{charset.strip()}">' if name == "charset" and charset.isascii() else ""
    return b"<!doctype html>" + declared.encode() + data.removeprefix(b"\xef\xbb\xbf")


def _reason(error: Exception) -> str:
    return render(error_text(error))


# Decide which addresses web tools may fetch: only the public internet. Pure.
#
# Services on this computer, in the user's network or in a cloud's internal network trust whoever can reach
# them; a model that was misled must not.


_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_V4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
            "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "168.63.129.16/32",
        ),
    )
)  # fmt: skip
"""Not public, by IANA's registry of special-purpose addresses; the last is Azure's internal one."""
_V6_PUBLIC: Final = ipaddress.IPv6Network("2000::/3")
_V6: Final = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Exceptions in it: tunnels, which embed another address, and documentation."""
_TRANSLATED: Final = tuple(map(ipaddress.IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96")))
"""The last 32 bits are an IPv4 address, which is what is reached."""


def is_public(text: str) -> bool:
    """Return whether an IP address is public; an invalid address is not."""
    try:
        address: _Address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _V4)
    if any(address in network for network in _TRANSLATED):
        return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
    return address in _V6_PUBLIC and not any(address in network for network in _V6)
