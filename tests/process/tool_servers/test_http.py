"""MCP servers behind an address: reached with the values that were kept for them, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakes import mcp_http_server
from fakes.tool_calls import text_of
from fakes.tool_servers_harness import ToolServersHarness
from fireside.core.errors import ToolServerFailed
from fireside.core.tool_servers import NewServer, Sandbox, ServerState
from fireside.core.tools import Taint
from fireside.settings.servers_file import SERVERS_NAME
from process.tool_servers.conftest import listening


@pytest.fixture(scope="module")
def far() -> Iterator[str]:
    """Where the server of the library listens."""
    with listening(mcp_http_server) as address:
        yield address


async def test_a_server_behind_an_address_is_called_with_its_headers(
    harness: ToolServersHarness, far: str
) -> None:
    await harness.servers.add(
        NewServer(name="far", url=f"{far}/mcp", headers={"Authorization": "Bearer sesame"})
    )
    assert "sesame" not in (harness.parts.folder.parent / SERVERS_NAME).read_text()
    info = await harness.servers.test("far")
    assert info.sandbox is Sandbox.REMOTE
    assert info.server.taints == {Taint.UNTRUSTED, Taint.OUTBOUND}
    (tool,) = await harness.servers.tools(["far"])
    assert await text_of(tool, '{"name": "authorization"}') == "Bearer sesame"


async def test_an_address_that_sends_elsewhere_is_not_followed(harness: ToolServersHarness, far: str) -> None:
    await harness.servers.add(
        NewServer(name="far", url=f"{far}/away", headers={"Authorization": "Bearer sesame"})
    )
    with pytest.raises(ToolServerFailed, match="not followed"):
        await harness.servers.test("far")


async def test_a_server_of_the_older_transport_is_called_too(harness: ToolServersHarness, far: str) -> None:
    await harness.servers.add(
        NewServer(name="far", url=f"{far}/sse", headers={"Authorization": "Bearer sesame"})
    )
    await harness.servers.test("far")
    (tool,) = await harness.servers.tools(["far"])
    assert (await tool.run('{"name": "authorization"}')).text == "Bearer sesame"


async def test_an_address_without_a_server_says_so(harness: ToolServersHarness, far: str) -> None:
    await harness.servers.add(NewServer(name="far", url=f"{far}/none"))
    with pytest.raises(ToolServerFailed, match=r"No MCP server answers at this address \(HTTP status 404\)"):
        await harness.servers.test("far")


async def test_a_closed_stream_of_the_older_transport_ends_the_server(harness: ToolServersHarness) -> None:
    with listening(mcp_http_server) as address:
        await harness.servers.add(NewServer(name="far", url=f"{address}/sse"))
        await harness.servers.test("far")
        (tool,) = await harness.servers.tools(["far"])
        result = await tool.run('{"name": "close"}')
    assert result.is_error
    assert "It closed the connection." in result.text
    (info,) = await harness.servers.servers()
    assert info.state is ServerState.FAILED
