"""Pages are fetched from the public internet alone, whatever addresses, name servers and servers say."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import tracemalloc
import zlib
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from fakes.certificates import certificate
from fakes.fake_web import PAGE, PUBLIC, Asked, FakeWeb, Reply
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.tools import web_fetcher
from fireside.tools.tool import ToolFailed
from fireside.tools.web_fetcher import PAGE_BYTES, WebFetcher

INSIDE = ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "::ffff:169.254.169.254", "fd00:ec2::254"]


async def test_a_page_comes_from_the_address_that_was_judged() -> None:
    web = FakeWeb()
    page = await web.door().fetch_page("https://example.org/a?b=c#d")
    assert web.asked == [Asked(number=PUBLIC, path="/a?b=c", host="example.org", certificate="example.org")]
    assert web.resolved == ["example.org"]
    assert b"Words of the page" in page.data
    (noted,) = web.log.all()
    assert noted.host == "example.org"


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "javascript:alert(1)",
        "data:text/html,x",
        "example.org",
        "//example.org/",
        "https://",
        "https:///path",
        "https://user:word@example.org/",
        "https://user@example.org/",
        "https://example.org:22/",
        "https://example.org:8443/",
        "https://exa mple.org/",
        "https://example.org\x00.evil/",
        "",
        "https://example.org/" + "a" * 3000,
    ],
)
async def test_an_invalid_address_is_refused_without_a_request(address: str) -> None:
    web = FakeWeb()
    with pytest.raises(ToolFailed, match="url"):
        await web.door().fetch_page(address)
    assert web.asked == []
    assert web.resolved == []


@pytest.mark.parametrize("number", INSIDE)
async def test_a_name_that_leads_inside_is_refused(number: str) -> None:
    web = FakeWeb()
    web.names["example.org"] = [(number,)]
    with pytest.raises(ToolFailed, match="public internet"):
        await web.door().fetch_page("https://example.org/")
    assert web.asked == []


@pytest.mark.parametrize("number", INSIDE)
async def test_a_single_private_address_among_public_ones_is_refused(number: str) -> None:
    web = FakeWeb()
    web.names["example.org"] = [(PUBLIC, number)]
    with pytest.raises(ToolFailed, match="public internet"):
        await web.door().fetch_page("https://example.org/")
    assert web.asked == []


@pytest.mark.parametrize("number", INSIDE)
async def test_a_name_is_resolved_only_once(number: str) -> None:
    """DNS rebinding: public when it is judged, inside when it is connected to."""
    web = FakeWeb()
    web.names["example.org"] = [(PUBLIC,), (number,)]
    await web.door().fetch_page("https://example.org/")
    assert [asked.number for asked in web.asked] == [PUBLIC]
    assert web.resolved == ["example.org"]


@pytest.mark.parametrize("number", INSIDE)
async def test_a_redirection_is_judged_anew(number: str) -> None:
    web = FakeWeb()
    web.names = {"example.org": [(PUBLIC,), (number,)], "inner.example": [(number,)]}
    for place, to in {
        "example.org/same": "/elsewhere",
        "a.example/other": "https://inner.example/latest/meta-data/",
        "a.example/number": f"https://{f'[{number}]' if ':' in number else number}/",
    }.items():
        web.redirect(place, to)
        web.names[number] = [(number,)]
        before = len(web.asked)
        with pytest.raises(ToolFailed, match="public internet"):
            await web.door().fetch_page(f"https://{place}")
        assert [asked.number for asked in web.asked[before:]] == [PUBLIC]
        web.names["example.org"] = [(PUBLIC,), (number,)]


@pytest.mark.parametrize(
    "to", ["http://example.org/", "file:///etc/passwd", "https://example.org:22/", "https://u@x/"]
)
async def test_a_redirect_to_an_invalid_address_is_refused(to: str) -> None:
    web = FakeWeb()
    web.redirect("example.org/", to)
    with pytest.raises(ToolFailed, match="url"):
        await web.door().fetch_page("https://example.org/")
    assert len(web.asked) == 1


async def test_redirections_are_followed_and_end() -> None:
    web = FakeWeb()
    web.redirect("example.org/", "https://www.example.org/new", 301)
    assert (await web.door().fetch_page("https://example.org/")).address == "https://www.example.org/new"
    web.redirect("example.org/round", "/round", 307)
    with pytest.raises(ToolFailed, match="redirects more than"):
        await web.door().fetch_page("https://example.org/round")


async def test_another_address_of_the_host_is_tried() -> None:
    web = FakeWeb()
    web.names["example.org"] = [("2606:2800:220:1::1", PUBLIC)]
    web.down = {"2606:2800:220:1::1"}
    await web.door().fetch_page("https://example.org/")
    assert [asked.number for asked in web.asked] == [PUBLIC]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(status=404), "status 404"),
        (Reply(kind="image/png"), "no text"),
        (Reply(kind="application/octet-stream"), "no text"),
        (Reply(headers=(("Content-Encoding", "gzip"),)), "damaged"),
        (Reply(gzip.compress(PAGE)[:-9], headers=(("Content-Encoding", "gzip"),)), "damaged"),
        (Reply(headers=(("Content-Encoding", "br"),)), "packed as “br”"),
        (Reply(headers=(("Content-Encoding", "gzip, gzip"),)), "packed as"),
        (Reply(b"x" * (PAGE_BYTES + 1), kind="text/plain"), "larger than 5 MB"),
    ],
)
async def test_an_unreadable_response_gives_a_reason(reply: Reply, message: str) -> None:
    web = FakeWeb()
    web.pages["example.org/"] = reply
    with pytest.raises(ToolFailed, match=message):
        await web.door().fetch_page("https://example.org/")


@pytest.mark.parametrize(
    ("packing", "data"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("GZip", gzip.compress(PAGE)),
        ("x-gzip", gzip.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE, wbits=-15)),
        ("identity", PAGE),
    ],
)
async def test_an_unrequested_compression_is_decoded(packing: str, data: bytes) -> None:
    web = FakeWeb()
    web.pages["example.org/"] = Reply(data, headers=(("Content-Encoding", packing),))
    page = await web.door().fetch_page("https://example.org/")
    assert page.data.endswith(PAGE.removeprefix(b"<!doctype html>"))


async def test_a_bomb_is_not_unpacked() -> None:
    web = FakeWeb()
    bomb = gzip.compress(bytes(20 * PAGE_BYTES), 1)
    web.pages["example.org/"] = Reply(bomb, headers=(("Content-Encoding", "gzip"),))
    tracemalloc.start()
    try:
        with pytest.raises(ToolFailed, match="larger than 5 MB"):
            await web.door().fetch_page("https://example.org/")
        assert tracemalloc.get_traced_memory()[1] < 6 * PAGE_BYTES
    finally:
        tracemalloc.stop()


async def test_a_server_that_never_answers_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_fetcher, "PAGE_LIMIT_S", 0.01)
    web = FakeWeb()

    async def resolve(_host: str) -> tuple[str, ...]:
        await asyncio.Event().wait()
        return ()

    web.resolve = resolve  # type: ignore[assignment, method-assign]
    with pytest.raises(ToolFailed, match="longer than"):
        await web.door().fetch_page("https://example.org/")


async def test_offline_not_even_a_name_is_resolved() -> None:
    web = FakeWeb()
    web.is_offline = True
    with pytest.raises(ToolFailed, match="Offline"):
        await web.door().fetch_page("https://example.org/")
    with pytest.raises(ToolFailed, match="Offline"):
        await web.door().query_provider("http://localhost:1/", parameters={}, headers={})
    assert web.resolved == []
    assert web.log.all() == ()


@pytest.mark.parametrize(
    "written", ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "localhost", "[::1]", "0"]
)
async def test_addresses_of_the_systems_resolver_are_checked(written: str) -> None:
    log = ConnectionLog()
    door = WebFetcher(route=Route, log=log)
    with pytest.raises(ToolFailed, match=r"public internet|not found|no address"):
        await door.fetch_page(f"https://{written}/")
    assert log.all() == ()


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(serve: Serve, context: ssl.SSLContext):  # type: ignore[no-untyped-def]
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize("name", ["example.org", "other.example"])
async def test_the_certificate_is_checked_for_the_name_though_the_number_is_connected_to(
    tmp_path: Path, name: str
) -> None:
    pair = certificate(tmp_path, name)
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
            + f"Content-Length: {len(PAGE)}\r\n\r\n".encode()
            + PAGE
        )
        await writer.drain()
        writer.close()

    class ToLoopback(httpx2.AsyncHTTPTransport):
        """Stands for the internet: whatever number is connected to, a server of this test answers."""

        port = 0

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            request.url = request.url.copy_with(host="127.0.0.1", port=self.port)
            return await super().handle_async_request(request)

    def client(_route: Route, _is_encrypted: bool) -> httpx2.AsyncClient:
        trusted = ssl.create_default_context(cafile=str(pair.file))
        return httpx2.AsyncClient(transport=ToLoopback(verify=trusted))

    web = FakeWeb()
    async with listening(serve, pair.server) as port:
        ToLoopback.port = port
        door = WebFetcher(route=Route, log=web.log, resolve=web.resolve, make_client=client)
        if name == "example.org":
            assert (
                PAGE.removeprefix(b"<!doctype html>") in (await door.fetch_page("https://example.org/x")).data
            )
            assert b"Host: example.org\r\n" in heads[0]
            assert b"cookie" not in heads[0].lower()
        else:
            with pytest.raises(ToolFailed, match=r"not trusted|not reached"):
                await door.fetch_page("https://example.org/x")
            assert heads == []
