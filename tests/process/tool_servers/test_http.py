"""MCP servers behind an address: reached with the values that were kept for them, and nowhere else."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes import mcp_http_server
from fakes.tool_servers_place import open_servers
from fireside.core.errors import ToolServerFailed
from fireside.core.tool_servers import NewServer, Sandbox
from fireside.core.tools import Taint


@contextlib.contextmanager
def served(*words: str) -> Iterator[str]:
    """Start the server of the library; gives its address."""
    with subprocess.Popen(
        [sys.executable, "-P", mcp_http_server.__file__, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp"
        process.stdin.close()


def test_a_server_behind_an_address_is_called_with_its_headers(tmp_path: Path) -> None:
    async def scenario(address: str) -> None:
        async with open_servers(tmp_path) as place:
            await place.servers.add(
                NewServer(name="far", url=address, headers={"Authorization": "Bearer sesame"})
            )
            assert "sesame" not in (tmp_path / "mcp.json").read_text()
            info = await place.servers.test("far")
            assert info.sandbox is Sandbox.REMOTE
            assert info.server.taints == {Taint.UNTRUSTED, Taint.OUTBOUND}
            (tool,) = await place.servers.tools(["far"])
            assert await tool.run('{"name": "authorization"}') == "Bearer sesame"

    with served() as address:
        asyncio.run(scenario(address))


def test_an_address_that_sends_elsewhere_is_not_followed(tmp_path: Path) -> None:
    async def scenario(address: str) -> None:
        async with open_servers(tmp_path) as place:
            await place.servers.add(
                NewServer(name="far", url=address, headers={"Authorization": "Bearer sesame"})
            )
            with pytest.raises(ToolServerFailed, match="not followed"):
                await place.servers.test("far")

    with served() as target, served(target) as address:
        asyncio.run(scenario(address))
