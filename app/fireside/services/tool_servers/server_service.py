"""MCP servers: add, confirm, test, remove, and the tools that chats have of them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fireside.core.errors import (
    ToolServerChanged,
    ToolServerInvalid,
    ToolServerNotFound,
    ToolServerOffline,
    ToolServerValueMissing,
)
from fireside.core.events import AppEvent, ToolServersChanged
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.tool_servers import (
    SERVER_NAME,
    Facts,
    NewServer,
    ServerState,
    ServerTool,
    ToolServer,
    ToolServerInfo,
)
from fireside.hub.http_client import Route
from fireside.settings.secret import Secret
from fireside.settings.secrets import Asked, KeepIn, SecretPlace, Secrets
from fireside.settings.servers_file import ServersFile, value_name

if TYPE_CHECKING:
    from fireside.services.tool_servers.running import HostParts, RunningServers
    from fireside.tool_host.host_messages import HttpLaunch, StdioLaunch
    from fireside.tools.server_tool import McpTool


class ToolServerParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root knows of MCP servers."""

    file: ServersFile
    secrets: Secrets
    folder: Path
    """Holds a folder for each server, its home."""
    environ: Mapping[str, str]
    host: Callable[[], HostParts]
    """Says how the tool host is started."""
    route: Callable[[], Route]
    """Returns how the settings let the program out now."""


class ToolServers:
    """All methods on the engine's loop. Nothing is imported, read or started before it is asked for."""

    def __init__(self, parts: ToolServerParts | None, *, emit: Callable[[AppEvent], None]) -> None:
        self._optional_parts = parts
        self._emit = emit
        self._servers: dict[str, ToolServer] | None = None
        self._running: RunningServers | None = None
        self._writing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def servers(self) -> tuple[ToolServerInfo, ...]:
        """Return all servers in the order in which they were added. Starts none."""
        return tuple([await self._info(server) for server in (await self._known()).values()])

    async def tools(self, chosen: Sequence[str] | None = None) -> tuple[McpTool, ...]:
        """Return tools as their servers listed them last; starts no server.

        ``chosen`` names servers, and single tools as ``server__tool``; without it they are all there are.
        """
        if chosen is not None and not chosen:
            return ()
        from fireside.tools.server_tool import mcp_tools, wanted_tools

        found = [tool for one in (await self._known()).values() for tool in mcp_tools(one, calls=self)[0]]
        return tuple(found) if chosen is None else wanted_tools(found, chosen)

    async def prepared(self, new: NewServer) -> ToolServer:
        """Return a server as it would be kept, with the exact command, for the user to confirm.

        Starts nothing. Raises ``ToolServerInvalid``.
        """
        from fireside.services.tool_servers.program_files import executable_of

        if SERVER_NAME.fullmatch(new.name) is None:
            raise ToolServerInvalid(
                reason=tr_noop("its name may have lower-case letters, digits and single hyphens, 24 at most.")
            )
        if new.name in await self._known():
            raise ToolServerInvalid(reason=tr_noop("there is one of this name already."))
        if new.url and not new.url.startswith(("https://", "http://")):
            raise ToolServerInvalid(reason=tr_noop("its address does not begin with https:// or http://."))
        for folder in (*new.grants.readable, *new.grants.writable):
            if not await asyncio.to_thread(_is_there, folder):
                raise ToolServerInvalid(
                    reason=Phrase(tr_noop("the folder {path} does not exist."), {"path": folder})
                )
        program = "" if new.url else executable_of(new.command, environ=self._parts.environ, cwd=new.cwd)
        return ToolServer(
            name=new.name,
            command=(program, *new.args) if program else (),
            cwd=new.cwd,
            env={name: f"${{input:{name}}}" for name in new.env},
            url=new.url,
            headers={name: f"${{input:{name}}}" for name in new.headers},
            grants=new.grants,
        )

    async def add(self, new: NewServer, *, place: KeepIn = SecretPlace.KEYRING) -> None:
        """Keep a server that the user has seen as ``prepared`` and confirmed. Starts nothing.

        Raises ``ToolServerInvalid``, ``SettingsUnwritable``, or ``SecretsError`` where a value cannot be kept
        in ``place``: nothing is added then.
        """
        server = await self.prepared(new)
        from fireside.settings.server_shapes import INPUT

        def filled(text: str) -> str:
            return INPUT.sub(lambda found: new.inputs.get(found[1], found[0]), text)

        of_arguments = {name: new.inputs[name] for name in _values_of(server) if name in new.inputs}
        own = {name: filled(value) for name, value in (*new.env.items(), *new.headers.items())}
        for name, value in {**of_arguments, **own}.items():
            await self._parts.secrets.keep(value_name(server.name, name), Secret(value), place=place)
        now = await self._facts(server)
        await self._change(
            lambda known: {**known, server.name: msgspec.structs.replace(server, confirmed=now)}
        )

    async def confirm(self, name: str) -> None:
        """Take a server as it is now for the one that the user confirmed.

        Raises ``ToolServerNotFound`` or ``SettingsUnwritable``.
        """
        now = await self._facts(await self._server(name))
        await self._replace(name, confirmed=now)

    async def remove(self, name: str) -> None:
        """End a server and forget it, with its values.

        Raises ``ToolServerNotFound`` or ``SettingsUnwritable``.
        """
        server = await self._server(name)
        await self.stop(name)
        await self._change(lambda known: {key: value for key, value in known.items() if key != name})
        for value in _values_of(server):
            await self._parts.secrets.forget(value_name(name, value))

    async def test(self, name: str) -> ToolServerInfo:
        """Start a server anew, and return it with its tools; it goes on running.

        Raises ``ToolServerError`` where it cannot be started. Cancelled, it ends what it started.
        """
        server = await self._server(name)
        await self.stop(name)
        await self._start(server, now=True)
        return await self._info(await self._server(name))

    async def stop(self, name: str) -> None:
        """End a server; the next call starts it."""
        if self._running is not None:
            await self._running.stop(name)

    async def call(self, server: str, tool: ServerTool, arguments: str) -> tuple[str, bool]:
        """Return the result of a call, and whether it is an error; starts the server if need be.

        Raises ``ToolServerError``.
        """
        running = await self._start(await self._server(server), now=False)
        if tool not in running.of(server).tools:
            return (
                f"The server has changed {tool.name}, so it was not called. The user has to allow it anew.",
                True,
            )
        return await running.call(server, tool.name, arguments)

    async def note_reviewed(self, server: str, tool: ServerTool) -> None:
        """Remember a tool as the user has decided about it. Raises ``SettingsUnwritable``."""
        known = await self._server(server)
        others = tuple(one for one in known.reviewed if one.name != tool.name)
        if (reviewed := (*others, tool)) != known.reviewed:
            await self._replace(server, reviewed=reviewed)

    async def close(self) -> None:
        """End all servers and the tool host."""
        if self._running is not None:
            await self._running.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def host_pid(self) -> int | None:
        """Of the tool host, where one runs."""
        return None if self._running is None else self._running.host_pid

    @property
    def _parts(self) -> ToolServerParts:
        if self._optional_parts is None:
            raise ToolServerInvalid(reason=tr_noop("this program has no MCP servers."))
        return self._optional_parts

    async def _start(self, server: ToolServer, *, now: bool) -> RunningServers:
        if self._running is None:
            from fireside.services.tool_servers.running import RunningServers

            self._running = RunningServers(
                self._parts.host(),
                on_change=lambda _: self._emit(ToolServersChanged()),
                on_tools=self._take_tools,
            )
        if self._running.of(server.name).state is not ServerState.RUNNING:
            if await self._facts(server) != server.confirmed:
                raise ToolServerChanged(name=server.name)
            await self._running.start(server.name, await self._launch(server), now=now)
        await self._keep_tools(server.name)
        return self._running

    async def _launch(self, server: ToolServer) -> StdioLaunch | HttpLaunch:
        from fireside.settings.server_shapes import INPUT
        from fireside.tool_host.host_messages import HttpLaunch, StdioLaunch

        values = {name: await self._value(server, name) for name in _values_of(server)}

        def filled(text: str) -> str:
            return INPUT.sub(lambda found: values[found[1]], text)

        if server.url:
            route = self._parts.route()
            if route.is_offline:
                raise ToolServerOffline(name=server.name)
            headers = {name: filled(value) for name, value in server.headers.items()}
            return HttpLaunch(url=server.url, headers=headers, proxy=route.proxy, ca_file=route.ca_file)
        from fireside.services.tool_servers.program_files import program_files, server_environment

        # Where nothing holds it to a folder of its own, it finds the user's settings as other programs do.
        is_confined = sys.platform == "linux"
        home = self._parts.folder / server.name
        await asyncio.to_thread((home / "tmp").mkdir, parents=True, exist_ok=True, mode=0o700)
        own = {name: filled(value) for name, value in server.env.items()}
        files = await asyncio.to_thread(program_files, server.command)
        return StdioLaunch(
            command=tuple(map(filled, server.command)),
            cwd=server.cwd or str(home),
            environment=server_environment(self._parts.environ, own=own, home=home if is_confined else None),
            readable=(*files, *server.grants.readable),
            writable=(str(home), *server.grants.writable),
            network=server.grants.network,
            without_sandbox=server.grants.without_sandbox,
        )

    async def _value(self, server: ToolServer, name: str) -> str:
        found = await self._parts.secrets.find(value_name(server.name, name), asked=Asked.CLICK)
        if found is None:
            raise ToolServerValueMissing(name=server.name, value=name)
        return found.secret.reveal()

    async def _facts(self, server: ToolServer) -> Facts:
        from fireside.services.tool_servers.program_files import content_hash

        if server.url:
            return server.facts(executable="")
        return server.facts(executable=await asyncio.to_thread(content_hash, server.command[0]))

    async def _info(self, server: ToolServer) -> ToolServerInfo:
        from fireside.tools.server_tool import mcp_tools

        left_out = mcp_tools(server, calls=self)[1]
        now = await self._facts(server)
        changed = None if now == server.confirmed else now
        if self._running is None:
            state = ServerState.STOPPED if changed is None else ServerState.CHANGED
            return ToolServerInfo(server=server, state=state, left_out=left_out, now=changed)
        running = self._running.of(server.name)
        is_other = changed is not None and running.state is not ServerState.RUNNING
        state = ServerState.CHANGED if is_other else running.state
        return ToolServerInfo(
            server=server,
            state=state,
            sandbox=running.sandbox,
            problem=running.problem,
            log=tuple(running.log),
            left_out=left_out,
            now=changed,
        )

    def _take_tools(self, name: str) -> None:
        task = asyncio.create_task(self._keep_tools(name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep_tools(self, name: str) -> None:
        """Keep what a server lists; chats have it from their next request on."""
        known, running = (await self._known()).get(name), self._running
        if known is None or running is None or running.of(name).state is not ServerState.RUNNING:
            return
        if (tools := running.of(name).tools) != known.tools:
            await self._replace(name, tools=tools)

    async def _server(self, name: str) -> ToolServer:
        found = (await self._known()).get(name)
        if found is None:
            raise ToolServerNotFound(name=name)
        return found

    async def _known(self) -> dict[str, ToolServer]:
        """Return the servers as the file has them: another program may have changed it."""
        if self._optional_parts is None:
            return {}
        return {server.name: server for server in await asyncio.to_thread(self._parts.file.read)}

    async def _replace(self, name: str, **changes: object) -> None:
        def replaced(known: dict[str, ToolServer]) -> dict[str, ToolServer]:
            return {
                key: msgspec.structs.replace(server, **changes) if key == name else server
                for key, server in known.items()
            }

        await self._change(replaced)

    async def _change(self, change: Callable[[dict[str, ToolServer]], dict[str, ToolServer]]) -> None:
        async with self._writing:
            known = change(await self._known())
            await asyncio.to_thread(self._parts.file.write, tuple(known.values()))
        self._emit(ToolServersChanged())


def _is_there(folder: str) -> bool:
    return Path(folder).is_absolute() and Path(folder).exists()


def _values_of(server: ToolServer) -> tuple[str, ...]:
    """Return the names of the values that a server needs at its start."""
    from fireside.settings.server_shapes import INPUT

    texts = (*server.command, *server.env.values(), *server.headers.values())
    return tuple(dict.fromkeys(name for text in texts for name in INPUT.findall(text)))
