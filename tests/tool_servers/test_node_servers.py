"""The tool host with servers of other makers for Node, by ``make test-tools`` alone."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from fakes.tool_servers_place import ServersPlace, open_servers
from fireside.core.tool_servers import Grants, NewServer, Sandbox
from fireside.tools.tool import ToolFailed

FOLDER = Path(os.environ.get("FIRESIDE_NODE_TOOL_SERVERS") or "/nowhere")
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="needs make test-tools, and Node")


def play(folder: Path, scenario: Callable[[ServersPlace], Awaitable[None]]) -> None:
    async def played() -> None:
        async with open_servers(folder) as place:
            await scenario(place)

    asyncio.run(played())


async def started(place: ServersPlace, name: str, *args: str, grants: Grants | None = None) -> Sandbox | None:
    """Add and start a server as ``s``."""
    node = shutil.which("node")
    assert node is not None
    grants = msgspec.structs.replace(grants or Grants(), without_sandbox=True)
    script = FOLDER / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    await place.servers.add(NewServer(name="s", command=node, args=(str(script), *args), grants=grants))
    return (await place.servers.test("s")).sandbox


async def call(place: ServersPlace, tool: str, **arguments: object) -> str:
    (found,) = await place.servers.tools([f"s__{tool}"])
    return await found.run(found.read(msgspec.json.encode(arguments).decode()))


def test_everything(tmp_path: Path) -> None:
    async def scenario(place: ServersPlace) -> None:
        await started(place, "everything")
        assert "hello" in await call(place, "echo", message="hello")
        assert "5" in await call(place, "get-sum", a=2, b=3)

    play(tmp_path, scenario)


def test_files_of_a_granted_folder_alone(tmp_path: Path) -> None:
    granted, secret = tmp_path / "granted", tmp_path / "secret"
    for folder in (granted, secret):
        folder.mkdir()
        (folder / "a.txt").write_text(f"in {folder.name}")

    async def scenario(place: ServersPlace) -> None:
        grants = Grants(readable=(str(granted),))
        # Its own configuration allows both.
        sandbox = await started(place, "filesystem", str(granted), str(secret), grants=grants)
        assert "in granted" in await call(place, "read_text_file", path=str(granted / "a.txt"))
        if sandbox in (Sandbox.FULL, Sandbox.NO_NAMESPACES):
            with pytest.raises(ToolFailed):
                await call(place, "read_text_file", path=str(secret / "a.txt"))
            with pytest.raises(ToolFailed):
                await call(place, "write_file", path=str(granted / "b.txt"), content="x")
            assert not (granted / "b.txt").exists()

    play(tmp_path, scenario)


def test_memory(tmp_path: Path) -> None:
    async def scenario(place: ServersPlace) -> None:
        await started(place, "memory")
        entity = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
        with pytest.raises(ToolFailed):  # it keeps them beside its program, which it may not change
            await call(place, "create_entities", entities=[entity])

    play(tmp_path, scenario)


def test_sequential_thinking(tmp_path: Path) -> None:
    async def scenario(place: ServersPlace) -> None:
        await started(place, "sequential-thinking")
        said = await call(
            place,
            "sequentialthinking",
            thought="One",
            nextThoughtNeeded=False,
            thoughtNumber=1,
            totalThoughts=1,
        )
        assert '"thoughtNumber": 1' in said

    play(tmp_path, scenario)
