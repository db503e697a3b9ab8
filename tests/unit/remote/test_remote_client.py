"""Connections to remote engines are closed as soon as nothing uses them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, cast

import anyio
import pytest

from fakes.engines_harness import EnginesHarness, finished, said
from fakes.model_server import CHAT, chunk, listed
from fireside.core.generation import TextDelta
from fireside.core.remote import RemoteEngine
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.remote.remote_client import RemoteClient


class KeepingServer:
    """Keeps connections open between requests; an answer goes on when it is told to."""

    def __init__(self) -> None:
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.closed = asyncio.Event()
        """The client closed a connection over which an answer went."""
        self.address = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take requests until the client closes the connection."""
        answered = False
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    (
                        int(line.split(b":")[1])
                        for line in head.split(b"\r\n")
                        if line.lower().startswith(b"content-length")
                    ),
                    0,
                )
                await reader.readexactly(length)
                if CHAT.encode() in head:
                    answered = True
                    await self._answer(writer)
                else:
                    said = json.dumps(listed(owned_by="vllm")).encode()
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(said), said))
        except asyncio.IncompleteReadError:
            if answered:
                self.closed.set()
        finally:
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for event in (chunk({"content": "Blue"}), None, chunk({}, finish="stop"), "[DONE]"):
            if event is None:
                await writer.drain()
                await self.goes_on.wait()
                continue
            words = event if isinstance(event, str) else json.dumps(event)
            piece = f"data: {words}\n\n".encode()
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        writer.write(b"0\r\n\r\n")
        await writer.drain()


@pytest.fixture
async def server() -> AsyncIterator[KeepingServer]:
    remote = KeepingServer()
    server = await asyncio.start_server(remote.serve, "127.0.0.1", 0)
    remote.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield remote


@pytest.fixture
async def remote(remote: EnginesHarness, server: KeepingServer) -> EnginesHarness:
    await remote.add(server.address, key="sk-old")
    return remote


async def test_the_connections_of_a_removed_engine_are_closed(
    remote: EnginesHarness, server: KeepingServer
) -> None:
    finished(await remote.ask())
    assert not server.closed.is_set()
    (engine,) = await remote.service.engines()
    await remote.service.remove(engine.id)
    await server.closed.wait()


async def test_an_answer_keeps_the_connection_of_an_earlier_key_until_its_end(
    remote: EnginesHarness, server: KeepingServer
) -> None:
    server.goes_on.clear()
    (engine,) = await remote.service.engines()
    began = asyncio.Event()
    asking = asyncio.create_task(
        remote.ask(on_event=lambda _, event: began.set() if isinstance(event, TextDelta) else None)
    )
    await began.wait()
    await remote.service.store_key(engine.id, "sk-new")
    assert not server.closed.is_set()
    server.goes_on.set()
    events = await asking
    finished(events)
    assert said(events) == "Blue"
    await server.closed.wait()


async def test_the_reading_task_ends_with_the_response() -> None:
    class Endless:
        """A response that is read faster than it is used."""

        async def aiter_raw(self) -> AsyncIterator[bytes]:
            while True:
                yield b"x"

    engine = RemoteEngine(id="e1", name="", address="http://127.0.0.1:1")
    client = RemoteClient(engine, key=None, route=Route, log=ConnectionLog())
    chunks = client.chunks(cast("Any", Endless()))
    assert await anext(chunks) == b"x"
    await chunks.aclose()
    assert [task for task in asyncio.all_tasks() if task.get_name() == "remote chunks"] == []


async def test_a_response_is_closed_even_if_closing_is_cancelled() -> None:
    closed: list[bool] = []

    class Closing:
        """A response that closes its connection, as the library does, in several steps."""

        async def aiter_raw(self) -> AsyncIterator[bytes]:
            yield b"x"
            with anyio.CancelScope(shield=True):
                for _ in range(10):
                    await asyncio.sleep(0)
                closed.append(True)

    engine = RemoteEngine(id="e1", name="", address="http://127.0.0.1:1")
    client = RemoteClient(engine, key=None, route=Route, log=ConnectionLog())
    chunks = client.chunks(cast("Any", Closing()))
    assert await anext(chunks) == b"x"
    await asyncio.sleep(0)
    await chunks.aclose()
    assert closed
