"""What a bundle of an MCP server says about itself, as the server that is started."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fireside.core.errors import ToolServerInvalid
from fireside.core.tool_servers import (
    Grants,
    QuestionKind,
    ServerBundle,
    downloader,
    starts_container,
    unpinned_package,
)
from fireside.settings.server_bundles import bundled_server, read_manifest

FOLDER = "/data/mcp/.bundles/ab"
MANIFEST: dict[str, Any] = {
    "manifest_version": "0.3",
    "name": "My Files",
    "display_name": "Files of mine",
    "version": "1.2.3",
    "description": "Reads files.",
    "author": {"name": "Ada"},
    "server": {
        "type": "node",
        "entry_point": "server/index.js",
        "mcp_config": {
            "command": "node",
            "args": [
                "${__dirname}/server/index.js",
                "--depth=${user_config.depth}",
                "${user_config.folders}",
            ],
            "env": {"KEY": "${user_config.key}"},
            "platform_overrides": {"win32": {"command": "node.exe"}},
        },
    },
    "user_config": {
        "folders": {
            "type": "directory",
            "title": "Folders",
            "multiple": True,
            "required": True,
            "default": ["${HOME}/a"],
        },
        "depth": {"type": "number", "title": "Depth", "default": 3},
        "key": {"type": "string", "title": "API key", "sensitive": True, "default": "leaked"},
    },
}


def bundle(system: str = "linux", **changes: Any) -> ServerBundle:
    return read_manifest(msgspec.json.encode({**MANIFEST, **changes}), folder=FOLDER, system=system)


def test_a_manifest_becomes_a_server_with_what_was_entered() -> None:
    parsed = bundle()
    assert (parsed.name, parsed.title, parsed.author) == ("my-files", "Files of mine", "Ada")
    assert [(one.name, one.kind, one.default) for one in parsed.questions] == [
        ("folders", QuestionKind.FOLDER, ("~/a",)),
        ("depth", QuestionKind.NUMBER, ("3",)),
        ("key", QuestionKind.TEXT, ()),
    ]
    new = bundled_server(parsed, {"folders": ("/a b", "/c"), "depth": ("4",)}, Grants(writable=("/c",)))
    assert new.command == "node"
    assert new.args == (f"{FOLDER}/server/index.js", "--depth=4", "/a b", "/c")
    assert new.env == {"KEY": "${input:key}"}
    assert new.inputs == {"key": "API key"}  # asked for as a secret, and kept as one
    assert new.grants == Grants(readable=("/a b",), writable=("/c",))
    assert new.cwd == FOLDER


def test_a_value_that_is_missing_is_named() -> None:
    with pytest.raises(ToolServerInvalid, match="Folders needs a value"):
        bundled_server(bundle(), {}, Grants())


def test_a_system_has_a_command_of_its_own() -> None:
    assert bundle("win32").command == "node.exe"
    assert bundle("win32").args == bundle().args


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"name": "x"}', b'{"name": 1, "server": {}}', b"\xff"]
)
def test_an_invalid_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(ToolServerInvalid, match="manifest cannot be read"):
        read_manifest(content, folder=FOLDER, system="linux")


@pytest.mark.parametrize(
    ("command", "package"),
    [
        (("/usr/bin/npx", "-y", "@org/server"), "@org/server"),
        (("/usr/bin/npx", "-y", "@org/server@1.2.0"), ""),
        (("npx.cmd", "server@latest"), "server@latest"),
        (("C:\\tools\\uvx.exe", "mcp-server-time"), "mcp-server-time"),
        (("/bin/uvx", "mcp-server-time==2026.1"), ""),
        (("/bin/uvx", "--from", "a-package", "run-it"), "a-package"),
        (("/bin/python", "-m", "server"), ""),
        (("/bin/pnpm", "dlx", "server"), "server"),
        (("pipx", "run", "--spec", "a-package==1.0", "run-it"), ""),
        (("uv", "run", "server.py"), ""),
        ((), ""),
    ],
)
def test_a_command_that_downloads_the_newest_version_is_reported(
    command: tuple[str, ...], package: str
) -> None:
    assert unpinned_package(command) == package


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("/usr/bin/npx", "-y", "a-server"), "npx"),
        (("C:\\Program Files\\nodejs\\npx.cmd", "-y", "a-server"), "npx"),
        (("cmd", "/c", "npx", "-y", "a-server"), "npx"),
        (("C:\\Windows\\System32\\cmd.exe", "/c", "pnpm", "dlx", "a-server"), "pnpm dlx"),
        (("uvx", "a-server"), "uvx"),
        (("bunx", "a-server"), "bunx"),
        (("bun", "x", "a-server"), "bun x"),
        (("bun", "server.ts"), ""),
        (("pnpm", "--silent", "dlx", "a-server"), "pnpm dlx"),
        (("pnpm", "start"), ""),
        (("npm", "exec", "--", "a-server"), "npm exec"),
        (("npm", "start", "x"), ""),
        (("pipx", "run", "a-server"), "pipx run"),
        (("uv", "--directory", "/srv/mine", "run", "server.py"), "uv run"),
        (("uv", "tool", "run", "a-server"), "uv tool"),
        (("docker", "run", "-i", "--rm", "mcp/time"), "docker run"),
        (("docker", "--context", "far", "run", "mcp/time"), "docker run"),
        (("docker", "exec", "-i", "mine", "server"), ""),
        (("/usr/bin/node", "npx.js"), ""),
        (("docker",), ""),
        ((), ""),
    ],
)
def test_what_downloads_a_server_when_it_starts_is_recognised(command: tuple[str, ...], name: str) -> None:
    assert downloader(command) == name
    assert starts_container(command) is (command[:1] == ("docker",))
