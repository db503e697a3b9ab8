"""The file of MCP servers."""

from __future__ import annotations

import json
from pathlib import Path

from fireside.core.tool_servers import Grants, ServerFacts, ServerTool, ToolServer
from fireside.settings.servers_file import ServersFile

SERVER = ToolServer(
    name="files",
    command=("/usr/bin/npx", "-y", "server"),
    env={"KEY": "${input:KEY}"},
    grants=Grants(readable=("/home/me/notes",)),
    confirmed=ServerFacts(command=("/usr/bin/npx", "-y", "server"), env=("KEY",), executable="ab"),
    tools=(ServerTool(name="read", description="Reads.", parameters='{"type":"object"}'),),
    reviewed=(ServerTool(name="read"),),
)
FAR = ToolServer(name="far", url="https://mcp.example.com/mcp", headers={"Authorization": "${input:a}"})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = ServersFile(tmp_path / "mcp.json")
    assert file.read() == ()
    file.write((SERVER, FAR))
    assert file.read() == (SERVER, FAR)
    entry = json.loads((tmp_path / "mcp.json").read_bytes())["mcpServers"]["files"]
    assert (entry["command"], entry["args"]) == ("/usr/bin/npx", ["-y", "server"])


def test_a_damaged_server_is_none_and_the_others_stay(tmp_path: Path) -> None:
    file = ServersFile(tmp_path / "mcp.json")
    file.write((SERVER, FAR))
    whole = json.loads((tmp_path / "mcp.json").read_bytes())
    whole["mcpServers"]["files"]["args"] = 7
    whole["mcpServers"]["a__b"] = {"command": "x"}
    (tmp_path / "mcp.json").write_text(json.dumps(whole))
    assert file.read() == (FAR,)
    (tmp_path / "mcp.json").write_bytes(b"{")
    assert file.read() == ()
