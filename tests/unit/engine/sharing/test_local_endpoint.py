"""The local endpoint: connecting, authentication, stale endpoints, and the lock."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.endpoints import closed, ended, listening, place, said
from fireside.engine.sharing.local_endpoint import (
    EngineLock,
    LocalEndpoint,
    LoopbackEndpoint,
    local_endpoint,
)

Make = Callable[[Path], LocalEndpoint]


@pytest.fixture(params=[local_endpoint, LoopbackEndpoint])
def make(request: pytest.FixtureRequest, own_home: Path) -> Make:
    kind: Make = request.param
    return kind


def content_of(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def put(path: Path, content: bytes) -> None:
    path.write_bytes(content)


async def test_a_listening_program_is_found_until_it_ends(make: Make) -> None:
    assert await said(make(place()), b"hello") is None
    async with listening(make(place())):
        assert await said(make(place()), b"hello") == b"hello"
    assert await said(make(place()), b"hello") is None
    assert content_of(place()) == b""


async def test_the_port_of_a_killed_program_is_replaced(own_home: Path) -> None:
    async with listening(LoopbackEndpoint(place())):
        left = content_of(place())
    put(place(), left)
    assert await said(LoopbackEndpoint(place()), b"hello") is None
    async with listening(LoopbackEndpoint(place())):
        assert await said(LoopbackEndpoint(place()), b"hello") == b"hello"


async def test_an_invalid_endpoint_file_is_ignored(make: Make) -> None:
    put(place(), b"{nonsense")
    assert await said(make(place()), b"hello") is None


async def test_a_program_without_the_secret_is_not_served(own_home: Path) -> None:
    async with listening(LoopbackEndpoint(place())) as (server, echo):
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"n" * 32 + b"p" * 32)
        assert len(await reader.readexactly(64)) == 64
        assert await ended(reader, writer)
    assert echo.heard == []


async def test_nothing_is_sent_to_a_server_without_the_secret(own_home: Path) -> None:
    heard: list[bytes] = []

    async def impostor(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"n" * 32 + b"p" * 32)
        heard.append(await reader.readexactly(64))
        with contextlib.suppress(ConnectionError):
            heard.append(await reader.read())
        await closed(writer)
        done.set()

    done = asyncio.Event()
    async with listening(LoopbackEndpoint(place())) as (server, _):
        port = server.sockets[0].getsockname()[1]
        known = content_of(place())
    taken = await asyncio.start_server(impostor, "127.0.0.1", 0)
    other = taken.sockets[0].getsockname()[1]
    put(place(), known.replace(str(port).encode(), str(other).encode()))
    assert await LoopbackEndpoint(place()).connect() is None
    await done.wait()
    taken.close()
    assert b"".join(heard[1:]) == b""


def test_one_process_holds_the_lock(own_home: Path) -> None:
    first, second = EngineLock(place()), EngineLock(place())
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()
    second.release()
