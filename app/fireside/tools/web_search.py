"""The tool that searches the web with the selected provider. The user confirms each query and may edit it."""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.tools import SearchProvider, Taint
from fireside.tools.confirmed_text_tool import ConfirmedTextTool
from fireside.tools.tool import RunnableTool, ToolFailed
from fireside.tools.web_fetcher import Answer, WebFetcher

_MAX_RESULTS: Final = 10
_MAX_LINE_CHARS: Final = 500
_MAX_QUERY_CHARS: Final = 400
_MARKUP: Final = re.compile(r"</?(?:b|strong|em|mark)>", re.IGNORECASE)
"""Providers highlight the words of the query."""
_UNAUTHORIZED: Final = frozenset({401, 403})
_LIMIT_REACHED: Final = frozenset({402, 429, 432, 433})
"""Payment required, rate limits, and Tavily's status for plan limits."""
_FORBIDDEN: Final = 403
"""What SearXNG returns for a format that is not enabled."""
_NO_JSON: Final = (
    "The SearXNG server did not answer in JSON. Its settings need “json” among the formats of search."
)


class _Query(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: str


class _Request(msgspec.Struct, frozen=True, kw_only=True):
    address: str
    parameters: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    body: object = None
    results: tuple[str, ...]
    """Keys that lead to the results in the response."""
    snippet: str
    """Key of a result's snippet."""


def web_search_tool(
    fetcher: WebFetcher, *, provider: SearchProvider, searxng: str, key: Callable[[], Awaitable[str]]
) -> RunnableTool[_Query]:
    """Return the tool; ``searxng`` is the address of the user's own server, ``key`` returns the API key of
    the provider, or an empty text."""

    async def run(arguments: _Query) -> str:
        query = " ".join(arguments.query.split())
        if not query or len(query) > _MAX_QUERY_CHARS:
            raise ToolFailed(f"query: 1 to {_MAX_QUERY_CHARS} characters are wanted.")
        is_own = provider is SearchProvider.SEARXNG
        request = _searxng_request(searxng, query) if is_own else _request(provider, query, key=await key())
        answer = await fetcher.query_provider(
            request.address, parameters=request.parameters, headers=request.headers, body=request.body
        )
        if answer.status >= 300:
            raise ToolFailed(_refusal(answer, is_own=is_own))
        response = _decoded(answer.data, is_own=is_own)
        return "\n\n".join(_results(response, request)) or _no_results(response)

    return ConfirmedTextTool(
        "web_search",
        description="Searches the web. Returns titles, addresses and a few words of each page.",
        arguments=_Query,
        field="query",
        run=run,
        taints=frozenset({Taint.UNTRUSTED, Taint.OUTBOUND}),
    )


def _request(provider: SearchProvider, query: str, *, key: str) -> _Request:
    """Return the request to a provider. Raises ``ToolFailed`` where its key is missing."""
    if not key:
        raise ToolFailed(
            "There is no API key for the search provider. The user can add one in Settings, Tools."
        )
    match provider:
        case SearchProvider.BRAVE:
            return _Request(
                address="https://api.search.brave.com/res/v1/web/search",
                parameters={"q": query, "count": str(_MAX_RESULTS)},
                headers={"X-Subscription-Token": key, "Accept": "application/json"},
                results=("web", "results"),
                snippet="description",
            )
        case SearchProvider.TAVILY:
            return _Request(
                address="https://api.tavily.com/search",
                headers={"Authorization": f"Bearer {key}"},
                body={"query": query, "max_results": _MAX_RESULTS},
                results=("results",),
                snippet="content",
            )
        case SearchProvider.KAGI:
            return _Request(
                address="https://kagi.com/api/v1/search",
                headers={"Authorization": f"Bearer {key}"},
                body={"query": query, "workflow": "search", "limit": _MAX_RESULTS},
                results=("data", "search"),
                snippet="snippet",
            )
        case _:
            raise ToolFailed("No search provider is chosen.")


def _searxng_request(address: str, query: str) -> _Request:
    """Return the request to the user's own server. Raises ``ToolFailed`` for an invalid address."""
    try:
        parts = urlsplit(address.strip())
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or parts.username is not None or not address.strip().isprintable():
        raise ToolFailed("There is no address of a SearXNG server. The user can add one in Settings, Tools.")
    base = f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/").removesuffix("/search")
    return _Request(
        address=f"{base}/search",
        parameters={"q": query, "format": "json"},
        results=("results",),
        snippet="content",
    )


def _refusal(answer: Answer, *, is_own: bool) -> str:
    """Return what an error status means, and what the user can do."""
    status = answer.status
    if is_own and status == _FORBIDDEN:
        return _NO_JSON
    if status in _LIMIT_REACHED:
        return (
            f"The search provider answers no more for now (status {status}): there were too many requests, "
            "or the limit of the user's plan is reached. Answer without it."
        )
    # Brave uses a status for it that also means an invalid request.
    if not is_own and (status in _UNAUTHORIZED or b"SUBSCRIPTION_TOKEN" in answer.data):
        return (
            f"The search provider does not accept the API key (status {status}). The user can change it in "
            "Settings, Tools."
        )
    return f"The search provider answered with status {status}."


def _decoded(data: bytes, *, is_own: bool) -> Any:
    try:
        return decode_json(data, kind=object)
    except JsonInvalid as exc:
        raise ToolFailed(_NO_JSON if is_own else "The search provider did not answer in JSON.") from exc


def _results(response: Any, request: _Request) -> Iterable[str]:
    """Return title, address and snippet of each result, one a line."""
    for key in request.results:
        response = response.get(key) if isinstance(response, dict) else None
    for result in (response if isinstance(response, list) else [])[:_MAX_RESULTS]:
        if isinstance(result, dict) and isinstance(address := result.get("url"), str):
            title, snippet = (_plain(str(result.get(key) or "")) for key in ("title", request.snippet))
            lines = (" ".join(text.split())[:_MAX_LINE_CHARS] for text in (title, address, snippet) if text)
            yield "\n".join(lines)


def _no_results(response: Any) -> str:
    """Return that there are no results, and which engines of a SearXNG server failed."""
    failed = response.get("unresponsive_engines") if isinstance(response, dict) else None
    names = [str(each[0])[:40] for each in failed or () if isinstance(each, list) and each]
    note = f" These search engines did not answer: {', '.join(names[:_MAX_RESULTS])}." if names else ""
    return f"Nothing was found.{note}"


def _plain(text: str) -> str:
    """Return a title or snippet without markup."""
    return html.unescape(_MARKUP.sub("", text))
