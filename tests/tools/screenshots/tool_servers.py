"""MCP servers in every state, as the page of tools shows them."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import Phrase
from fireside.core.tool_servers import (
    CallNote,
    Grants,
    Sandbox,
    ServerFacts,
    ServerState,
    ServerTool,
    ToolServer,
    ToolServerInfo,
)
from fireside.core.tools import Permission, ToolInfo
from fireside.settings.definitions_tools import SERVERS

_FILES: Final = ("/usr/bin/npx", "-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/home/ada/notes")
_DATABASE: Final = ("/home/ada/.local/bin/mcp-server-sqlite", "--db-path", "/home/ada/loan.db")


def _tool(server: str, name: str, description: str, permission: Permission) -> ToolInfo:
    return ToolInfo(
        name=f"{server}__{name}",
        description=description,
        setting=SERVERS,
        server=server,
        n_tokens=140,
        permission=permission,
    )


def tools() -> tuple[ToolInfo, ...]:
    """Return what the servers offer."""
    return (
        _tool("notes", "read_text_file", "Reads a file as text.", Permission.ALWAYS),
        _tool("notes", "write_file", "Creates a file, or overwrites one.", Permission.ASK),
    )


def servers() -> tuple[ToolServerInfo, ...]:
    """Return one that runs, one that failed, one that has changed, and two behind an address."""
    notes = ToolServer(
        name="notes",
        command=_FILES,
        grants=Grants(readable=("/home/ada/notes",)),
        tools=(ServerTool(name="read_text_file"), ServerTool(name="write_file")),
    )
    database = ToolServer(name="loans", command=_DATABASE, grants=Grants(writable=("/home/ada",)))
    before = ServerFacts(command=_DATABASE, executable="3f1d")
    far = ToolServer(name="tickets", url="https://mcp.example.com/v1")
    return (
        ToolServerInfo(
            server=notes,
            state=ServerState.RUNNING,
            sandbox=Sandbox.FULL,
            calls=(
                CallNote(tool="read_text_file", at=1_795_423_384.0, seconds=0.2),
                CallNote(tool="write_file", at=1_795_423_391.0, seconds=1.4, is_error=True),
            ),
            log=("Secure MCP Filesystem Server running on stdio",),
        ),
        ToolServerInfo(
            server=database,
            state=ServerState.FAILED,
            sandbox=Sandbox.NONE,
            problem=Phrase("It did not answer within {n} s.", {"n": 60}),
            log=("Traceback (most recent call last):", "sqlite3.OperationalError: database is locked"),
        ),
        ToolServerInfo(
            server=ToolServer(name="clock", command=_DATABASE, confirmed=before),
            state=ServerState.CHANGED,
            current_facts=ServerFacts(command=_DATABASE, executable="9c07"),
        ),
        ToolServerInfo(
            server=far, state=ServerState.FAILED, problem="You have to sign in.", needs_sign_in=True
        ),
        ToolServerInfo(
            server=ToolServer(name="calendar", url="https://calendar.example.com/mcp"),
            state=ServerState.STARTING,
            sign_in_url="https://login.example.com/authorize?response_type=code&client_id=fireside&state=7f3a",
        ),
    )
