"""Unix sockets of other users, and clients of other users."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from fakes.endpoints import Echo, ended, endpoint_path, exchange, listening
from fireside.engine.sharing import local_endpoint

if sys.platform == "win32":
    pytest.skip("Windows has no such sockets", allow_module_level=True)

unix_endpoint = local_endpoint.local_endpoint


def mode() -> int:
    return stat.S_IMODE(endpoint_path().stat().st_mode)


def leave_socket() -> None:
    """Leave the socket of a program that was killed."""
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(endpoint_path()))


async def test_the_socket_is_private_and_replaces_a_stale_one(own_home: Path) -> None:
    leave_socket()
    assert await exchange(unix_endpoint(endpoint_path()), b"hello") is None
    async with listening(unix_endpoint(endpoint_path())):
        assert mode() == 0o600
        assert await exchange(unix_endpoint(endpoint_path()), b"hello") == b"hello"


async def test_a_socket_of_another_user_is_not_connected_to(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    echo = Echo()
    server = await asyncio.start_unix_server(echo, str(endpoint_path()))
    own = os.getuid()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: own + 1)
        assert await unix_endpoint(endpoint_path()).connect() is None
    assert await exchange(unix_endpoint(endpoint_path()), b"hello") == b"hello"
    server.close()
    await asyncio.gather(*echo.tasks)
    assert echo.heard == [b"hello"]


async def test_nothing_is_sent_to_a_server_of_another_user(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    echo = Echo()
    server = await asyncio.start_unix_server(echo, str(endpoint_path()))
    with monkeypatch.context() as patch:
        patch.setattr(local_endpoint, "is_own_user", lambda _: False)
        assert await unix_endpoint(endpoint_path()).connect() is None
    await echo.called.wait()
    await asyncio.gather(*echo.tasks)
    server.close()
    assert echo.heard == [b""]


async def test_a_client_of_another_user_is_not_served(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(unix_endpoint(endpoint_path())) as (_, echo):
        own = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: own + 1)
        reader, writer = await asyncio.open_unix_connection(str(endpoint_path()))
        writer.write(b"hello")
        assert await ended(reader, writer)
    assert echo.heard == []
