"""MCP servers as other applications write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fireside.core.errors import ToolServerInvalid
from fireside.core.tool_servers import NewServer
from fireside.settings.server_shapes import read_servers, server_name

ENTRY = {"command": "npx", "args": ["-y", "server-filesystem", "/home/me"], "env": {"LEVEL": "debug"}}
NEW = NewServer(
    name="files", command="npx", args=("-y", "server-filesystem", "/home/me"), env={"LEVEL": "debug"}
)


@pytest.mark.parametrize(
    "whole",
    [
        {"mcpServers": {"files": ENTRY}},  # Claude Desktop, LM Studio, .mcp.json
        {"mcpServers": {"files": {**ENTRY, "type": "stdio"}}},  # Cursor
        {"mcpServers": {"files": {**ENTRY, "active": True}}},  # Jan
        {"servers": {"files": {**ENTRY, "type": "stdio"}}, "inputs": []},  # VS Code
        {"mcp": {"servers": {"files": ENTRY}}},  # VS Code's settings
        {"context_servers": {"files": ENTRY}, "theme": "One Dark"},  # Zed's settings
        {
            "context_servers": {"files": {"source": "custom", "command": {**ENTRY, "path": "npx"}}}
        },  # its older ones
        {"context_servers": {"docs": {"source": "extension", "settings": {}}, "files": ENTRY}},
        {
            "$schema": "https://opencode.ai/config.json",
            "mcp": {
                "files": {
                    "type": "local",
                    "command": [ENTRY["command"], *ENTRY["args"]],
                    "environment": ENTRY["env"],
                    "enabled": True,
                }
            },
        },
        {"mcp": {"files": {**ENTRY, "type": "stdio"}}},  # Crush
        {"mcpServers": [{"name": "files", **ENTRY}]},  # Continue
        {"mcp_servers": {"files": ENTRY}},  # Codex
        {"files": ENTRY},
        {"name": "files", **ENTRY},
    ],
)
def test_every_known_shape_is_read(whole: dict[str, Any]) -> None:
    assert read_servers(json.dumps(whole)) == (NEW,)


@pytest.mark.parametrize(
    "text",
    [
        """// of this workspace
{
  /* no
     inputs */
  "servers": {
    "files": {
      "command": "npx", // of Node
      "args": ["-y", "server-filesystem", "/home/me",],
      "env": {"LEVEL": "debug"},
    },
  },
}
""",
        f'"files": {json.dumps(ENTRY)}',
        f'"mcpServers": {{"files": {json.dumps(ENTRY)}}},',
    ],
    ids=["comments and commas", "one server", "servers"],
)
def test_handwritten_json_is_accepted(text: str) -> None:
    assert read_servers(text) == (NEW,)


CODEX = """
model = "gpt-5"  # [mcp_servers.none]
[mcp_servers.files]
command = "npx"
args = ["-y", "server-filesystem", "/home/me"]
env_vars = ["MY_TOKEN"]
startup_timeout_sec = 20
[mcp_servers.files.env]
LEVEL = "debug"
[mcp_servers.far]
url = "https://mcp.example.com/mcp"
bearer_token_env_var = "FAR_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Key" = "FAR_KEY" }
"""


def test_codex_is_read_from_toml_and_its_variables_become_inputs() -> None:
    near, far = read_servers(CODEX)
    assert near.args == NEW.args
    assert near.env == {"LEVEL": "debug", "MY_TOKEN": "${input:MY_TOKEN}"}
    assert far.headers == {
        "Authorization": "Bearer ${input:FAR_TOKEN}",
        "X-Key": "${input:FAR_KEY}",
        "X-Region": "eu",
    }
    assert far.inputs == {"FAR_KEY": "FAR_KEY", "FAR_TOKEN": "FAR_TOKEN"}


@pytest.mark.parametrize("written", ["${A_KEY}", "${env:A_KEY}", "${A_KEY:-none}", "{env:A_KEY}"])
def test_a_variable_becomes_an_input_however_it_is_written(written: str) -> None:
    whole = {
        "mcp": {"far": {"type": "remote", "url": "https://a.example", "headers": {"Key": f"k {written}"}}}
    }
    (server,) = read_servers(json.dumps(whole))
    assert server.headers == {"Key": "k ${input:A_KEY}"}
    assert server.inputs == {"A_KEY": "A_KEY"}


@pytest.mark.parametrize(
    "key", ["url", "httpUrl", "serverUrl"]
)  # Gemini CLI and Windsurf have names of their own
def test_an_address_is_read_by_each_of_its_names(key: str) -> None:
    entry = {key: "https://a.example/mcp"}
    for whole in ({"mcpServers": {"far": entry}}, {"far": entry}, {"name": "far", **entry}):
        (server,) = read_servers(json.dumps(whole))
        assert (server.name, server.url) == ("far", "https://a.example/mcp")


def test_a_server_may_be_named_like_the_place_of_servers() -> None:
    assert [server.name for server in read_servers(json.dumps({"mcp": ENTRY, "servers": ENTRY}))] == [
        "mcp",
        "servers",
    ]


@pytest.mark.parametrize("value", ["https://a.example/b", "/* x */", ",]", 'a \\" // b', "a\\\\", ", }"])
def test_texts_keep_what_looks_like_a_comment(value: str) -> None:
    whole = {"files": {**ENTRY, "args": [value], "env": {"A": value}}}
    (server,) = read_servers(json.dumps(whole))
    assert (server.args, server.env) == ((value,), {"A": value})


def test_inputs_of_editors_become_inputs() -> None:
    whole = {
        "inputs": [{"id": "key", "type": "promptString", "description": "API key", "password": True}],
        "servers": {
            "far": {
                "type": "http",
                "url": "https://mcp.example.com/mcp",
                "headers": {"Authorization": "Bearer ${input:key}"},
            },
            "near": {"command": "x", "args": ["--key", "${input:key}"], "env": {"TOKEN": "${env:MY_TOKEN}"}},
        },
    }
    far, near = read_servers(json.dumps(whole))
    assert far.url == "https://mcp.example.com/mcp"
    assert far.headers == {"Authorization": "Bearer ${input:key}"}
    assert far.inputs == {"key": "API key"}
    assert near.env == {"TOKEN": "${input:MY_TOKEN}"}
    assert near.inputs == {"MY_TOKEN": "MY_TOKEN", "key": "API key"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"mcpServers": {}}',
        '{"mcpServers": {"a": 7}}',
        '{"mcpServers": {"a": {}}}',
        '{"mcpServers": {"a": {"command": "x", "url": "https://a.example"}}}',
        '{"mcpServers": {"a": {"command": 7}}}',
        '{"mcpServers": {"a": {"command": "x", "args": [{}]}}}',
        '{"mcpServers": {"a": {"command": "x", "args": ["${HOME}/a"]}}}',
        '{"mcpServers": {"a": {"command": "x\\u0000y"}}}',
        '{"mcpServers": ' + "[" * 100_000,
        '"' * 99_999,
        "/*" * 50_000,
        '{"mcpServers": {"a": {"command": "x", "envFile": "${workspaceFolder}/.env"}}}',
        '{"mcpServers": {"a": {"command": []}}}',
        '{"mcpServers": {"a": {"command": {"path": 7}}}}',
        '{"mcpServers": {"a": {"command": "x", "environment": [7]}}}',
        '{"mcpServers": {"a": {"url": "https://a.example", "http_headers": "x"}}}',
        "[mcp_servers.a]\ncommand = ",
        "[mcp_servers.a]\nargs = []",
        "[mcp_servers.a]\nargs = " + "[" * 10_000,
    ],
)
def test_invalid_servers_are_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ToolServerInvalid):
        read_servers(text)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("files", "files"),
        ("My Server (2)", "my-server-2"),
        ("a__b", "a-b"),
        ("日本", "server"),
        ("x" * 40, "x" * 24),
    ],
)
def test_a_server_has_a_name_that_tools_can_be_called_by(written: str, name: str) -> None:
    assert server_name(written) == name
