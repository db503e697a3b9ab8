"""The tool host with servers of other makers for Node, by ``make test-tools`` alone."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from fakes.tool_calls import text_of
from fakes.tool_servers_harness import ToolServersHarness, open_servers
from fireside.core.tool_servers import Grants, NewServer, Sandbox
from fireside.tools.tool import ToolFailed

FOLDER = Path(os.environ.get("FIRESIDE_NODE_TOOL_SERVERS") or "/nowhere")
NODE = os.environ.get("FIRESIDE_NODE", "")
ADA = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="needs make test-tools")


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[ToolServersHarness]:
    async with open_servers(tmp_path) as place:
        yield place


async def started(
    harness: ToolServersHarness,
    name: str,
    *args: str,
    env: dict[str, str] | None = None,
    grants: Grants | None = None,
) -> Sandbox | None:
    """Add and start a server as ``s``."""
    grants = msgspec.structs.replace(grants or Grants(), without_sandbox=True)
    script = FOLDER / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    await harness.servers.add(
        NewServer(name="s", command=NODE, args=(str(script), *args), env=env or {}, grants=grants)
    )
    return (await harness.servers.test("s")).sandbox


async def call(harness: ToolServersHarness, tool: str, **arguments: object) -> str:
    (found,) = await harness.servers.tools([f"s__{tool}"])
    return await text_of(found, found.read(msgspec.json.encode(arguments).decode()))


async def test_everything(harness: ToolServersHarness) -> None:
    await started(harness, "everything")
    assert "hello" in await call(harness, "echo", message="hello")
    assert "5" in await call(harness, "get-sum", a=2, b=3)
    (tool,) = await harness.servers.tools(["s__get-tiny-image"])
    output = await tool.run("{}")
    assert "[image, image/png, " in output.text
    assert [image.media_type for image in output.images] == ["image/png"]


async def test_files_of_a_granted_folder_alone(harness: ToolServersHarness, tmp_path: Path) -> None:
    granted, secret = tmp_path / "granted", tmp_path / "secret"
    for folder in (granted, secret):
        folder.mkdir()
        (folder / "a.txt").write_text(f"in {folder.name}")
    grants = Grants(readable=(str(granted),))
    # Its own configuration allows both.
    sandbox = await started(harness, "filesystem", str(granted), str(secret), grants=grants)
    assert "in granted" in await call(harness, "read_text_file", path=str(granted / "a.txt"))
    if sandbox in (Sandbox.FULL, Sandbox.NO_NAMESPACES):
        with pytest.raises(ToolFailed):
            await call(harness, "read_text_file", path=str(secret / "a.txt"))
        with pytest.raises(ToolFailed):
            await call(harness, "write_file", path=str(granted / "b.txt"), content="x")
        assert not (granted / "b.txt").exists()


async def test_memory_in_a_folder_that_may_be_written(harness: ToolServersHarness, tmp_path: Path) -> None:
    granted = tmp_path / "granted"
    granted.mkdir()
    env = {"MEMORY_FILE_PATH": str(granted / "memory.jsonl")}
    await started(harness, "memory", env=env, grants=Grants(writable=(str(granted),)))
    await call(harness, "create_entities", entities=[ADA])
    assert "writes programs" in await call(harness, "search_nodes", query="Ada")
    assert "Ada" in (granted / "memory.jsonl").read_text()


async def test_memory_beside_a_program_that_may_not_be_changed(harness: ToolServersHarness) -> None:
    sandbox = await started(harness, "memory")
    if sandbox in (Sandbox.FULL, Sandbox.NO_NAMESPACES):
        with pytest.raises(ToolFailed):
            await call(harness, "create_entities", entities=[ADA])


async def test_sequential_thinking(harness: ToolServersHarness) -> None:
    await started(harness, "sequential-thinking")
    said = await call(
        harness,
        "sequentialthinking",
        thought="One",
        nextThoughtNeeded=False,
        thoughtNumber=1,
        totalThoughts=1,
    )
    assert '"thoughtNumber": 1' in said
