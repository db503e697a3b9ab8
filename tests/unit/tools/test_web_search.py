"""Each search provider is asked as it wants to be, and its results are words."""

from __future__ import annotations

import httpx2
import msgspec
import pytest

from fakes.fake_web import FakeWeb, Reply
from fakes.tool_calls import text_of
from fireside.core.tools import SearchProvider
from fireside.hub.http_client import Route
from fireside.tools.tool import ToolFailed
from fireside.tools.web_search import web_search_tool

SEARXNG = {
    "query": "blue kettle",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://kettle.example/",
            "title": "Kettles & more",
            "content": "Blue  ones",
            "thumbnail": None,
            "engine": "duckduckgo",
            "template": "default.html",
            "parsed_url": ["https", "kettle.example", "/", "", "", ""],
            "engines": ["duckduckgo", "brave"],
            "positions": [1, 2],
            "score": 3.0,
            "category": "general",
        },
        {"url": 7},
        "x",
    ],
    "answers": [],
    "corrections": [],
    "infoboxes": [],
    "suggestions": [],
    "unresponsive_engines": [["google", "access denied"]],
}
BRAVE = {
    "type": "search",
    "query": {"original": "blue kettle", "is_navigational": False, "more_results_available": True},
    "mixed": {"type": "mixed", "main": [{"type": "web", "index": 0, "all": False}], "top": [], "side": []},
    "web": {
        "type": "search",
        "results": [
            {
                "title": "Kettles &amp; more",
                "url": "https://kettle.example/",
                "is_source_local": False,
                "description": "<strong>Blue</strong> ones",
                "profile": {
                    "name": "Kettle",
                    "url": "https://kettle.example/",
                    "long_name": "kettle.example",
                },
                "language": "en",
                "family_friendly": True,
                "type": "search_result",
                "subtype": "generic",
                "meta_url": {"scheme": "https", "netloc": "kettle.example", "path": ""},
            }
        ],
        "family_friendly": True,
    },
}
TAVILY = {
    "query": "blue kettle",
    "follow_up_questions": None,
    "answer": None,
    "images": [],
    "results": [
        {
            "title": "Kettles & more",
            "url": "https://kettle.example/",
            "content": "Blue ones",
            "score": 0.81,
            "raw_content": None,
        }
    ],
    "response_time": 1.67,
    "request_id": "123e4567-e89b-12d3-a456-426614174111",
}
KAGI = {
    "meta": {"trace": "ec420bfd904acf48", "node": "us-central1", "ms": 231},
    "data": {
        "search": [
            {
                "url": "https://kettle.example/",
                "title": "Kettles &amp; more",
                "snippet": "<b>Blue</b> ones",
                "time": "2026-01-02T03:04:05Z",
            }
        ],
        "related_search": [
            {"url": "/search?q=kettles", "title": "kettles", "props": {"question": "kettles"}}
        ],
    },
}
REPLIES = {
    SearchProvider.SEARXNG: SEARXNG,
    SearchProvider.BRAVE: BRAVE,
    SearchProvider.TAVILY: TAVILY,
    SearchProvider.KAGI: KAGI,
}
"""As the providers document them."""


def of_brave(code: str, detail: str, status: int) -> object:
    said = {"id": "5d83", "code": code, "detail": detail, "status": status, "meta": {"component": "x"}}
    return {"type": "ErrorResponse", "error": said, "time": 1663072993}


def of_kagi(code: str, message: str) -> object:
    return {
        "meta": {"trace": "bcbf"},
        "error": [{"code": code, "url": "https://kagi.com/", "message": message}],
    }


HTML = b"<!doctype html><title>Sign in</title><p>To go on, prove that you are human.</p>"
REFUSALS: list[tuple[SearchProvider, int, object, str]] = [
    (SearchProvider.SEARXNG, 403, b"<!doctype html><title>403 Forbidden</title>", "formats"),
    (SearchProvider.SEARXNG, 429, b"Too Many Requests", "too many requests"),
    (SearchProvider.SEARXNG, 302, b"", "status 302"),
    (SearchProvider.BRAVE, 422, of_brave("SUBSCRIPTION_TOKEN_INVALID", "Invalid.", 422), "API key"),
    (SearchProvider.BRAVE, 422, of_brave("VALIDATION", "Unable to validate.", 422), "status 422"),
    (SearchProvider.BRAVE, 429, of_brave("RATE_LIMITED", "Exceeded.", 429), "limit of the user's plan"),
    (SearchProvider.TAVILY, 401, {"detail": {"error": "Unauthorized"}}, "API key"),
    (
        SearchProvider.TAVILY,
        432,
        {"detail": {"error": "This exceeds your plan."}},
        "limit of the user's plan",
    ),
    (SearchProvider.TAVILY, 433, {"detail": {"error": "Pay as you go."}}, "limit of the user's plan"),
    (SearchProvider.KAGI, 401, of_kagi("auth.invalid", "Missing or invalid."), "API key"),
    (SearchProvider.KAGI, 402, of_kagi("billing.credit", "Insufficient."), "limit of the user's plan"),
    (SearchProvider.KAGI, 502, HTML, "status 502"),
    *((provider, 200, HTML, "JSON") for provider in SearchProvider),
]


class Provider(FakeWeb):
    """Answers one search, and keeps what was asked."""

    def __init__(self, reply: object, *, status: int = 200) -> None:
        super().__init__()
        self._status = status
        self.requests: list[httpx2.Request] = []
        self._reply = reply

    def client(self, _route: Route, _is_encrypted: bool) -> httpx2.AsyncClient:
        def answer(request: httpx2.Request) -> httpx2.Response:
            self.requests.append(request)
            data = self._reply if isinstance(self._reply, bytes) else msgspec.json.encode(self._reply)
            kind = "text/html" if isinstance(self._reply, bytes) else "application/json"
            return Reply(data, kind=kind, status=self._status).response()

        return httpx2.AsyncClient(transport=httpx2.MockTransport(answer))


async def search(
    web: Provider, provider: SearchProvider, *, searxng: str = "http://localhost:8888/", key: str = "k-1"
) -> str:
    async def find_key() -> str:
        return key

    tool = web_search_tool(web.door(), provider=provider, searxng=searxng, key=find_key)
    return await text_of(tool, tool.read('{"query": "blue  kettle"}'))


@pytest.mark.parametrize("provider", SearchProvider)
async def test_a_query_is_sent_to_the_selected_provider(provider: SearchProvider) -> None:
    web = Provider(REPLIES[provider])
    assert await search(web, provider) == "Kettles & more\nhttps://kettle.example/\nBlue ones"
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


@pytest.mark.parametrize(
    "provider", [provider for provider in SearchProvider if provider is not SearchProvider.SEARXNG]
)
async def test_without_a_key_there_is_no_request(provider: SearchProvider) -> None:
    web = Provider({})
    with pytest.raises(ToolFailed, match="API key"):
        await search(web, provider, key="")
    assert web.requests == []


@pytest.mark.parametrize(
    "address", ["", "localhost:8888", "ftp://x", "http://u:p@x", "http://", "http://[", "x"]
)
async def test_without_an_address_there_is_no_request(address: str) -> None:
    web = Provider({})
    with pytest.raises(ToolFailed, match="SearXNG"):
        await search(web, SearchProvider.SEARXNG, searxng=address)
    assert web.requests == []


@pytest.mark.parametrize("reply", [b"<html>", b"", b"\xff", b"[" * 100_000])
async def test_a_response_that_is_not_json_gives_a_reason(reply: bytes) -> None:
    with pytest.raises(ToolFailed, match="JSON"):
        await search(Provider(reply), SearchProvider.SEARXNG)


@pytest.mark.parametrize("reply", [{}, [], {"results": {}}, {"results": None}, {"results": [1, None, {}]}, 1])
async def test_no_results_are_none(reply: object) -> None:
    assert await search(Provider(reply), SearchProvider.SEARXNG) == "Nothing was found."


async def test_engines_that_did_not_answer_are_named_where_nothing_was_found() -> None:
    web = Provider({**SEARXNG, "results": []})
    said = await search(web, SearchProvider.SEARXNG)
    assert said == "Nothing was found. These search engines did not answer: google."


@pytest.mark.parametrize(("provider", "status", "reply", "message"), REFUSALS)
async def test_a_refusal_is_explained_with_advice(
    provider: SearchProvider, status: int, reply: object, message: str
) -> None:
    with pytest.raises(ToolFailed, match=message):
        await search(Provider(reply, status=status), provider)
