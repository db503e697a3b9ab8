"""A program that listens at a local endpoint, and one that speaks to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fireside.engine.sharing.local_endpoint import LocalEndpoint

PATIENCE_S = 20.0


def endpoint_path() -> Path:
    """Return the path of the endpoint of a test."""
    return Path(os.environ["XDG_RUNTIME_DIR"]) / "engine"


class Echo:
    """Sends back the first message, unless it is silent."""

    def __init__(self) -> None:
        self.is_silent = False
        self.heard: list[bytes] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.called = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        self.called.set()
        try:
            self.heard.append(await reader.read(100))
            if self.is_silent:
                await reader.read()
            else:
                writer.write(self.heard[-1])
        finally:
            await closed(writer)


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def listening(endpoint: LocalEndpoint) -> AsyncIterator[tuple[asyncio.Server, Echo]]:
    echo = Echo()
    server = await endpoint.listen(echo)
    try:
        yield server, echo
    finally:
        server.close()
        await asyncio.gather(*echo.tasks)
        endpoint.remove()


async def ended(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Return whether the other end has closed the connection without a reply."""
    try:
        reply = await reader.read()
    except ConnectionError:
        reply = b""
    await closed(writer)
    return reply == b""


async def exchange(endpoint: LocalEndpoint, content: bytes) -> bytes | None:
    """Return the reply from ``endpoint`` to ``content``; ``None`` if nothing listens there."""
    connection = await endpoint.connect()
    if connection is None:
        return None
    reader, writer = connection
    writer.write(content)
    reply = await reader.read(100)
    await closed(writer)
    return reply
