"""Signing in to a server behind an address, at an authorization server that checks what it is told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from fakes import mcp_signed_server
from fakes.children import file_reading
from fakes.tool_calls import text_of
from fakes.tool_servers_harness import ToolServersHarness
from fireside.core.errors import ToolServerFailed
from fireside.core.tool_servers import NewServer, ServerState, ToolServerInfo
from fireside.services.tool_servers.server_service import ToolServerService
from fireside.tool_host.host_messages import HttpLaunch
from fireside.tool_host.sign_in import AddressRefused, SignIn, check_address
from process.tool_servers.conftest import listening


@pytest.fixture
def address() -> Iterator[str]:
    """Where a server listens that nobody has signed in to."""
    with listening(mcp_signed_server) as address:
        yield f"{address}/mcp"


other = address
"""Where another one does."""


async def info_of(harness: ToolServersHarness) -> ToolServerInfo:
    return (await harness.servers.servers())[0]


async def signed_in(harness: ToolServersHarness) -> ToolServerInfo:
    """Sign in as a user with a browser does."""
    work = asyncio.create_task(harness.servers.sign_in("far"))

    async def is_asked() -> bool:
        return work.done() or bool((await info_of(harness)).sign_in_url)

    await harness.until(is_asked)
    if url := (await info_of(harness)).sign_in_url:
        async with httpx2.AsyncClient(follow_redirects=True, trust_env=False) as browser:
            await browser.get(url)
    return await work


async def echoed(harness: ToolServersHarness) -> str:
    (tool,) = await harness.servers.tools(["far"])
    return await text_of(tool, '{"text": "Grüße"}')


async def test_the_user_signs_in_stays_so_and_signs_out(harness: ToolServersHarness, address: str) -> None:
    await harness.servers.add(NewServer(name="far", url=address))
    with pytest.raises(ToolServerFailed, match="sign in"):
        await harness.servers.test("far")
    assert (await info_of(harness)).needs_sign_in
    info = await signed_in(harness)
    assert (info.state, info.needs_sign_in, info.sign_in_url) == (ServerState.RUNNING, False, "")
    assert await echoed(harness) == "Grüße"
    await harness.servers.stop("far")
    assert await echoed(harness) == "Grüße"  # without the user
    (stored,) = harness.keyring.secrets.values()
    assert address in stored
    assert "token" in stored
    await harness.servers.sign_out("far")
    assert (await info_of(harness)).is_signed_in is False
    with pytest.raises(ToolServerFailed, match="sign in"):
        await harness.servers.test("far")


async def test_a_token_that_has_run_out_is_renewed_without_the_user(
    harness: ToolServersHarness, address: str
) -> None:
    await harness.servers.add(NewServer(name="far", url=address))
    await signed_in(harness)
    await harness.servers.stop("far")
    ((name, stored),) = harness.keyring.secrets.items()
    harness.keyring.secrets[name] = re.sub(r'"expires_at":[0-9.]+', '"expires_at":1', stored)
    # As after a restart of the program.
    again = ToolServerService(harness.parts, read=file_reading(), emit=lambda _: None)
    try:
        assert (await again.test("far")).is_signed_in
    finally:
        await again.close()
    renewed = json.loads(harness.keyring.secrets[name])
    assert renewed["tokens"] != json.loads(stored)["tokens"]


async def test_a_sign_in_is_bound_to_the_address(
    tmp_path: Path, anew: ToolServersHarness, address: str, other: str
) -> None:
    await anew.servers.add(NewServer(name="far", url=address))
    await signed_in(anew)
    await anew.servers.close()  # and with it what was still being written
    # The file is changed by something else, and the user confirms the new address.
    path = tmp_path / "mcp.json"
    path.write_text(path.read_text().replace(address, other))
    again = ToolServerService(anew.parts, read=file_reading(), emit=lambda _: None)
    await again.confirm("far")
    try:
        with pytest.raises(ToolServerFailed, match="sign in"):
            await again.test("far")
    finally:
        await again.close()
    (stored,) = anew.keyring.secrets.values()
    for url, is_sent in ((address, True), (other, False)):
        sign_in = SignIn(HttpLaunch(url=url, headers={}, sign_in=stored), on_stored=print, on_url=print)
        assert sign_in.has_tokens is is_sent


@pytest.mark.parametrize(
    ("url", "server", "is_asked"),
    [
        ("http://127.0.0.1:9/other", "http://localhost:8/mcp", True),
        ("https://mcp.example.com/token", "https://mcp.example.com/mcp", True),
        ("http://mcp.example.com/token", "https://mcp.example.com/mcp", False),
        ("https://127.0.0.1/token", "https://mcp.example.com/mcp", False),
        ("https://10.0.0.7/token", "https://mcp.example.com/mcp", False),
        ("https://169.254.169.254/latest/meta-data", "https://mcp.example.com/mcp", False),
        ("https://[::1]/token", "https://mcp.example.com/mcp", False),
        ("https://10.0.0.7/token", "http://localhost:8/mcp", False),
        ("javascript:alert(1)", "https://mcp.example.com/mcp", False),
        ("javascript:alert(1)", "http://localhost:8/mcp", False),
        ("file:///etc/passwd", "http://localhost:8/mcp", False),
    ],
)
async def test_an_address_that_a_server_names_is_judged(url: str, server: str, is_asked: bool) -> None:
    refused = contextlib.nullcontext() if is_asked else pytest.raises(AddressRefused)
    with refused:
        await check_address(url, server=server)
