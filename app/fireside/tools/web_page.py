"""The tool that reads a web page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

import msgspec

from fireside.core.tools import Taint
from fireside.tools.tool import RunnableTool, ToolFailed
from fireside.tools.web_fetcher import WebFetcher

ReadPage = Callable[[bytes], Awaitable[tuple[str, str]]]
"""Returns the text of a page and an empty problem, or the problem."""


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str


def web_page_tool(
    fetcher: WebFetcher, *, read: ReadPage, allowed_addresses: Collection[str] | None
) -> RunnableTool[_Arguments]:
    """Return the tool.

    ``allowed_addresses`` are those that the user wrote or a search returned. If it is not ``None``, as in
    chats with private data, no other address is fetched, since an address can exfiltrate data.
    """

    async def run(arguments: _Arguments) -> str:
        if allowed_addresses is not None and arguments.url.strip() not in allowed_addresses:
            raise ToolFailed(
                "url: this chat has private data, so only addresses that the user wrote or a search returned "
                "are fetched, exactly as they are there."
            )
        page = await fetcher.fetch_page(arguments.url)
        text, problem = await read(page.data)
        if problem:
            raise ToolFailed(f"url: it cannot be read: {problem}")
        return f"{page.address}\n\n{text or 'The page has no text.'}"

    return RunnableTool(
        "fetch_page",
        description="Returns the text of a web page.",
        arguments=_Arguments,
        run=run,
        taints=frozenset({Taint.UNTRUSTED, Taint.OUTBOUND}),
    )
