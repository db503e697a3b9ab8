"""MCP servers of a folder, with a keyring in memory, and the real tool host."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import msgspec

from fakes.children import file_reading
from fakes.keyrings import WorkingKeyring
from fireside.core.events import AppEvent
from fireside.core.tool_servers import Grants, NewServer
from fireside.hub.http_client import Route
from fireside.main.startup_context import base_environment
from fireside.services.tool_servers.running_servers import HostParts
from fireside.services.tool_servers.server_launches import ToolServerParts
from fireside.services.tool_servers.server_service import ToolServerService
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SecretFile, Secrets
from fireside.settings.servers_file import SERVERS_NAME, ServersFile
from fireside.tool_host.host_messages import host_command

SERVER = Path(__file__).with_name("mcp_server.py")


class ToolServersHarness(msgspec.Struct, frozen=True, kw_only=True):
    """Services over MCP servers, and what they reported."""

    servers: ToolServerService
    parts: ToolServerParts
    events: list[AppEvent]
    changed: asyncio.Event
    """Set with each event."""
    keyring: WorkingKeyring

    async def until(self, is_so: Callable[[], Awaitable[bool]]) -> None:
        """Return once something is so, which is looked at after each event."""
        while not await is_so():
            await self.changed.wait()
            self.changed.clear()

    async def add(self, *how: str, name: str = "fake", grants: Grants | None = None) -> None:
        """Add the server that misbehaves as it is told."""
        await self.servers.add(new_server(*how, name=name, grants=grants))


def new_server(*how: str, name: str = "fake", grants: Grants | None = None) -> NewServer:
    """Return the server that misbehaves as it is told."""
    args = (str(SERVER), *how)
    return NewServer(
        name=name, command=sys.executable, args=args, grants=grants or Grants(without_sandbox=True)
    )


def parts_in(folder: Path, keyring: WorkingKeyring, *, is_offline: bool = False) -> ToolServerParts:
    """Return what MCP servers are made of, all of it in ``folder``."""
    environment = base_environment()
    secrets = Secrets(
        file=SecretFile(folder / "secrets.json"),
        environ={},
        redaction=Redaction(),
        find_backend=lambda: keyring,
    )
    return ToolServerParts(
        file=ServersFile(folder / SERVERS_NAME),
        secrets=secrets,
        folder=folder / "mcp",
        environ=environment,
        host=lambda: HostParts(command=host_command(), environment=environment),
        route=lambda: Route(is_offline=is_offline),
    )


@contextlib.asynccontextmanager
async def open_servers(folder: Path, *, is_offline: bool = False) -> AsyncIterator[ToolServersHarness]:
    """Open the services; all servers have gone when they are left."""
    events: list[AppEvent] = []
    changed = asyncio.Event()
    keyring = WorkingKeyring()

    def emit(event: AppEvent) -> None:
        events.append(event)
        changed.set()

    parts = parts_in(folder, keyring, is_offline=is_offline)
    servers = ToolServerService(parts, read=file_reading(), emit=emit)
    try:
        yield ToolServersHarness(
            servers=servers, parts=parts, events=events, changed=changed, keyring=keyring
        )
    finally:
        await servers.close()
