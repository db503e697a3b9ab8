"""The tool host with a server that has a library of its own, by ``make test-tools`` alone."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from fakes.tool_calls import text_of
from fakes.tool_servers_harness import ToolServersHarness, open_servers
from fireside.core.tool_servers import Grants, NewServer

FOLDER = Path(os.environ.get("FIRESIDE_TOOL_SERVERS") or "/nowhere")
START = "from mcp_server_sqlite import main; main()"
"""As its own command does; it is no module to be started by its name."""
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="needs make test-tools")


async def call(harness: ToolServersHarness, tool: str, **arguments: object) -> str:
    (found,) = await harness.servers.tools([f"s__{tool}"])
    return await text_of(found, found.read(msgspec.json.encode(arguments).decode()))


async def test_a_database_of_a_granted_folder_is_read_and_written(tmp_path: Path) -> None:
    granted = tmp_path / "granted"
    granted.mkdir()
    path = granted / "loan.db"
    async with open_servers(tmp_path) as place:
        await place.servers.add(
            NewServer(
                name="s",
                command=sys.executable,
                args=("-P", "-c", START, "--db-path", str(path)),
                env={"PYTHONPATH": str(FOLDER)},
                grants=Grants(readable=(str(FOLDER),), writable=(str(granted),), without_sandbox=True),
            )
        )
        await place.servers.test("s")
        await call(place, "create_table", query="CREATE TABLE loan (name TEXT, euros INTEGER)")
        await call(place, "write_query", query="INSERT INTO loan VALUES ('Ada', 1200)")
        assert "1200" in await call(place, "read_query", query="SELECT * FROM loan")
        prompts = await place.servers.prompts(["s"])
        assert [prompt.name for prompt in prompts["s"]] == ["mcp-demo"]
        assert "loan" not in (await place.servers.fill_prompt("s", "mcp-demo", {"topic": "boats"})).text
        (memo,) = await place.servers.resources("s")
        assert memo.uri == "memo://insights"
        (content,) = await place.servers.read_resource("s", memo.uri, {})
        assert content.text
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT euros FROM loan").fetchall() == [(1200,)]
