"""Each search provider is asked as it wants to be, and its results are words."""

from __future__ import annotations

import httpx2
import msgspec
import pytest

from fakes.played_web import PlayedWeb, Reply
from fakes.stores import asynchronous
from fireside.core.tools import SearchProvider
from fireside.hub.http_client import Route
from fireside.tools.tool import ToolFailed
from fireside.tools.web_search import web_search_tool

FOUND = {
    "title": "Kettles",
    "url": "https://kettle.example/",
    "content": "Blue  ones",
    "snippet": "Blue ones",
    "description": "Blue ones",
}
REPLIES = {
    SearchProvider.SEARXNG: {"results": [FOUND, {"url": 7}, "x"]},
    SearchProvider.BRAVE: {"web": {"results": [FOUND]}},
    SearchProvider.TAVILY: {"results": [FOUND]},
    SearchProvider.KAGI: {"data": [FOUND, {"t": 1, "list": ["x"]}]},
}


class Provider(PlayedWeb):
    """Answers one search, and keeps what was asked."""

    def __init__(self, reply: object) -> None:
        super().__init__()
        self.requests: list[httpx2.Request] = []
        self._reply = reply

    def client(self, _route: Route, _is_encrypted: bool) -> httpx2.AsyncClient:
        def answer(request: httpx2.Request) -> httpx2.Response:
            self.requests.append(request)
            data = self._reply if isinstance(self._reply, bytes) else msgspec.json.encode(self._reply)
            return Reply(data, kind="application/json").response()

        return httpx2.AsyncClient(transport=httpx2.MockTransport(answer))


async def search(
    web: Provider, provider: SearchProvider, *, searxng: str = "http://localhost:8888/", key: str = "k-1"
) -> str:
    async def find_key() -> str:
        return key

    tool = web_search_tool(web.door(), provider=provider, searxng=searxng, key=find_key)
    return await tool.run(tool.read('{"query": "blue  kettle"}'))


@pytest.mark.parametrize("provider", SearchProvider)
@asynchronous
async def test_a_query_goes_to_the_provider_that_was_chosen(provider: SearchProvider) -> None:
    web = Provider(REPLIES[provider])
    assert await search(web, provider) == "Kettles\nhttps://kettle.example/\nBlue ones"
    (request,) = web.requests
    sent = str(request.url) + str(dict(request.headers)) + request.content.decode()
    assert "blue+kettle" in sent or "blue%20kettle" in sent or "blue kettle" in sent
    assert ("k-1" in sent) == (provider is not SearchProvider.SEARXNG)
    assert "k-1" not in str(request.url)
    hosts = {
        SearchProvider.SEARXNG: "localhost",
        SearchProvider.BRAVE: "api.search.brave.com",
        SearchProvider.TAVILY: "api.tavily.com",
        SearchProvider.KAGI: "kagi.com",
    }
    assert request.url.host == hosts[provider]


@pytest.mark.parametrize("provider", [one for one in SearchProvider if one is not SearchProvider.SEARXNG])
@asynchronous
async def test_without_a_key_nothing_is_asked(provider: SearchProvider) -> None:
    web = Provider({})
    with pytest.raises(ToolFailed, match="API key"):
        await search(web, provider, key="")
    assert web.requests == []


@pytest.mark.parametrize(
    "address", ["", "localhost:8888", "ftp://x", "http://u:p@x", "http://", "http://[", "x"]
)
@asynchronous
async def test_without_an_address_nothing_is_asked(address: str) -> None:
    web = Provider({})
    with pytest.raises(ToolFailed, match="SearXNG"):
        await search(web, SearchProvider.SEARXNG, searxng=address)
    assert web.requests == []


@pytest.mark.parametrize("reply", [b"<html>", b"", b"\xff", b"[" * 100_000])
@asynchronous
async def test_what_is_no_json_is_said(reply: bytes) -> None:
    with pytest.raises(ToolFailed, match="JSON"):
        await search(Provider(reply), SearchProvider.SEARXNG)


@pytest.mark.parametrize("reply", [{}, [], {"results": {}}, {"results": None}, {"results": [1, None, {}]}, 1])
@asynchronous
async def test_no_results_are_none(reply: object) -> None:
    assert await search(Provider(reply), SearchProvider.SEARXNG) == "Nothing was found."
