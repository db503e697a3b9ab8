"""A server from a file: unpacked, confirmed, started confined to what it brings, and gone with its files."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

from fakes.tool_calls import text_of
from fakes.tool_servers_harness import SERVER, ToolServersHarness
from fireside.core.tool_servers import Grants
from fireside.settings.server_bundles import bundled_server


def bundle_in(folder: Path) -> Path:
    """Return a bundle that brings the server that misbehaves as it is told, and a file that it reads."""
    config = {"command": sys.executable, "args": ["${__dirname}/server.py", "attempts"]}
    path = folder / "a.mcpb"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"name": "Fake", "server": {"mcp_config": config}}))
        archive.write(SERVER, "server.py")
        archive.writestr("data/own.txt", "its own")
    return path


async def test_a_bundle_is_added_called_and_removed_with_its_files(
    tmp_path: Path, anew: ToolServersHarness
) -> None:
    bundle = await anew.servers.open_bundle(str(bundle_in(tmp_path)))
    assert anew.servers.host_pid is None  # nothing in it has run
    assert Path(bundle.folder).parent == anew.parts.bundles
    await anew.servers.add(bundled_server(bundle, {}, Grants(without_sandbox=True)))
    info = await anew.servers.test("fake")
    assert info.server.command[1].startswith(bundle.folder)
    (tool,) = await anew.servers.tools(["fake__read"])
    own = json.dumps({"text": f"{bundle.folder}/data/own.txt"})
    assert await text_of(tool, own) == "read: its own"
    await anew.servers.open_bundle(str(tmp_path / "a.mcpb"))  # looked at once more: it stays
    await anew.servers.remove("fake")
    assert list(anew.parts.bundles.iterdir()) == []
