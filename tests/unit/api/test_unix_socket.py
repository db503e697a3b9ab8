"""A Unix socket in place of a port: for its owner alone, and gone when the server is."""

from __future__ import annotations

import asyncio
import socket
import stat
import sys
from pathlib import Path

import msgspec
import pytest

from fakes.api_harness import OPEN, ApiHarness, api_harness, parsed
from fakes.raised import refuses
from fireside.api.server import ApiServer

if sys.platform == "win32":
    pytest.skip("has no Unix sockets", allow_module_level=True)

LIST = b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep paths short: a socket's has at most about a hundred characters."""
    monkeypatch.chdir(tmp_path)


def server_at(harness: ApiHarness, path: Path) -> ApiServer:
    options = msgspec.structs.replace(OPEN, socket=str(path))
    app = harness.harness.app
    return ApiServer(
        app.services, options, collections=app.collections, tokens=harness.tokens, forget=lambda _: None
    )


def others_may(path: Path) -> int | None:
    """Return what others than the owner may do with a file; ``None`` where there is none."""
    return stat.S_IMODE(path.stat().st_mode) & 0o077 if path.exists() else None


def file_of_the_user() -> Path:
    path = Path("file")
    path.write_text("mine")
    return path


async def status(path: Path, sent: bytes = LIST) -> int:
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(sent)
    answer = parsed(await reader.read())
    writer.close()
    return answer.status


async def test_it_serves_its_owner_alone_and_is_gone_afterwards(
    tmp_path: Path, starter_model_path: Path
) -> None:
    path = Path("s")
    async with api_harness(tmp_path, starter=starter_model_path) as place:
        server = server_at(place, path)
        await server.start()
        assert server.address == f"unix:{path}"
        assert others_may(path) == 0
        assert await status(path) == 200
        assert await status(path, LIST.replace(b"localhost", b"evil.com")) == 403
        # A second server does not take it away.
        with refuses("api_not_started"):
            await server_at(place, path).start()
        assert await status(path) == 200
        await server.stop()
        assert others_may(path) is None


async def test_what_a_killed_server_left_is_replaced_and_nothing_else_is(
    tmp_path: Path, starter_model_path: Path
) -> None:
    left, file = Path("s"), file_of_the_user()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(left))
    async with api_harness(tmp_path, starter=starter_model_path) as place:
        server = server_at(place, left)
        await server.start()
        assert await status(left) == 200
        await server.stop()
        with refuses("api_not_started"):
            await server_at(place, file).start()
    assert await asyncio.to_thread(file.read_text) == "mine"
