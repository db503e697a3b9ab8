"""The local endpoint: connecting, authentication, stale endpoints, and the lock."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.endpoints import closed, ended, endpoint_path, exchange, listening
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
    assert await exchange(make(endpoint_path()), b"hello") is None
    async with listening(make(endpoint_path())):
        assert await exchange(make(endpoint_path()), b"hello") == b"hello"
    assert await exchange(make(endpoint_path()), b"hello") is None
    assert content_of(endpoint_path()) == b""


async def test_the_port_of_a_killed_program_is_replaced(own_home: Path) -> None:
    async with listening(LoopbackEndpoint(endpoint_path())):
        left = content_of(endpoint_path())
    put(endpoint_path(), left)
    assert await exchange(LoopbackEndpoint(endpoint_path()), b"hello") is None
    async with listening(LoopbackEndpoint(endpoint_path())):
        assert await exchange(LoopbackEndpoint(endpoint_path()), b"hello") == b"hello"


async def test_an_invalid_endpoint_file_is_ignored(make: Make) -> None:
    put(endpoint_path(), b"{nonsense")
    assert await exchange(make(endpoint_path()), b"hello") is None


async def test_a_program_without_the_secret_is_not_served(own_home: Path) -> None:
    async with listening(LoopbackEndpoint(endpoint_path())) as (server, echo):
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
    async with listening(LoopbackEndpoint(endpoint_path())) as (server, _):
        port = server.sockets[0].getsockname()[1]
        known = content_of(endpoint_path())
    taken = await asyncio.start_server(impostor, "127.0.0.1", 0)
    other = taken.sockets[0].getsockname()[1]
    put(endpoint_path(), known.replace(str(port).encode(), str(other).encode()))
    assert await LoopbackEndpoint(endpoint_path()).connect() is None
    await done.wait()
    taken.close()
    assert b"".join(heard[1:]) == b""


def test_one_process_holds_the_lock(own_home: Path) -> None:
    first, second = EngineLock(endpoint_path()), EngineLock(endpoint_path())
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()
    second.release()
