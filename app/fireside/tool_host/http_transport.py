"""Reach a server behind an address with a client of our own: no proxy of the environment, no cookie, and no
redirection to another host."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx2
from mcp.client.streamable_http import streamable_http_client

from fireside.tool_host.host_messages import MAX_LINE_BYTES, HttpLaunch

_TIMEOUT: Final = httpx2.Timeout(30.0, read=600.0)


@contextlib.asynccontextmanager
async def http_transport(launch: HttpLaunch) -> AsyncIterator[Any]:
    """Yield the streams of a server."""
    verify: Any = ssl.create_default_context(cafile=launch.ca_file) if launch.ca_file else True
    async with (
        httpx2.AsyncClient(
            headers=launch.headers,
            timeout=_TIMEOUT,
            trust_env=False,
            proxy=launch.proxy or None,
            follow_redirects=False,
            verify=verify,
        ) as client,
        streamable_http_client(launch.url, http_client=client, max_sse_event_size=MAX_LINE_BYTES) as streams,
    ):
        yield streams
