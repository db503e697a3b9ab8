"""Connect to a server behind a URL, without proxies of the environment, cookies, and redirects to other
hosts."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from fireside.tool_host.host_messages import MAX_LINE_BYTES, HttpLaunch
from fireside.tool_host.sign_in import SignIn, check_address

_TIMEOUT: Final = httpx2.Timeout(30.0, read=600.0)
_UNAUTHORIZED: Final = 401
_NOT_STREAMABLE: Final = (400, 404, 405)
"""How servers of the older transport, HTTP with SSE, answer a request of the newer one."""


@contextlib.asynccontextmanager
async def http_transport(
    launch: HttpLaunch, sign_in: SignIn, *, is_sse: bool, on_refused: Callable[[int], None]
) -> AsyncIterator[Any]:
    """Yield the streams of a server, by the older transport with ``is_sse``.

    Responses before the user signed in are passed to ``sign_in``; ``on_refused`` is called with the HTTP
    status of a response by which a server may say that it does not speak the newer transport.
    """
    verify: Any = ssl.create_default_context(cafile=launch.ca_file) if launch.ca_file else True
    uses_sign_in = (launch.may_sign_in or sign_in.has_tokens) and not _has_own_key(launch)

    async def on_request(request: httpx2.Request) -> None:
        await check_address(str(request.url), server=launch.url, resolves=not launch.proxy)

    async def on_response(response: httpx2.Response) -> None:
        if response.status_code == _UNAUTHORIZED and not uses_sign_in and not _has_own_key(launch):
            sign_in.is_required = True
        if response.status_code in _NOT_STREAMABLE and response.request.method == "POST":
            on_refused(response.status_code)

    client = httpx2.AsyncClient(
        headers=launch.headers,
        timeout=_TIMEOUT,
        trust_env=False,
        proxy=launch.proxy or None,
        follow_redirects=False,
        verify=verify,
        auth=await sign_in.provider() if uses_sign_in else None,
        event_hooks={"request": [on_request], "response": [on_response]},
    )
    if is_sse:
        async with sse_client(launch.url, httpx_client_factory=lambda *_, **__: client) as streams:
            yield streams
        return
    async with (
        client,
        streamable_http_client(launch.url, http_client=client, max_sse_event_size=MAX_LINE_BYTES) as streams,
    ):
        yield streams


def _has_own_key(launch: HttpLaunch) -> bool:
    return "authorization" in {name.casefold() for name in launch.headers}
