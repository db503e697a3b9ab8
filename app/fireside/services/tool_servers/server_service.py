"""Manage MCP servers: add, confirm, test, remove them, and offer their tools to chats."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from fireside.core.attachment import attachment_limit_problem
from fireside.core.elicitation import NO_OBSERVER, CallObserver, Elicitation, ElicitationReply, progress_text
from fireside.core.errors import RecordNotFound, ToolServerError, ToolServerInvalid
from fireside.core.events import AppEvent, ToolCallProgressed, ToolServersChanged
from fireside.core.for_window import for_window
from fireside.core.graphemes import without_invisible
from fireside.core.i18n import render, tr_noop
from fireside.core.message import ImagePart
from fireside.core.secret_location import SecretLocation
from fireside.core.tool_servers import (
    SERVER_NAME,
    FilledPrompt,
    Grants,
    NewServer,
    ResourceContent,
    ServerBundle,
    ServerPrompt,
    ServerResource,
    ServerState,
    ServerTool,
    ToolOutput,
    ToolServer,
    ToolServerInfo,
)
from fireside.documents.messages import ReadRequest
from fireside.services.collections.file_reading import ReadFiles
from fireside.services.tool_servers.server_launches import ServerLaunches
from fireside.services.tool_servers.server_launches import ToolServerParts as ToolServerParts
from fireside.settings.secrets import KeepIn

if TYPE_CHECKING:
    from fireside.services.tool_servers.running_servers import RunningServers
    from fireside.tools.server_tool import McpTool


class ToolServerService:
    """MCP servers, on the engine's loop. Imports, reads and starts nothing before it is needed.

    All methods raise ``ToolServerError``.
    """

    def __init__(
        self, parts: ToolServerParts | None, *, read: ReadFiles, emit: Callable[[AppEvent], None]
    ) -> None:
        """``read`` reads the images of results in a process of their own."""
        self._optional_parts = parts
        self._read = read
        self._emit = emit
        self._running: RunningServers | None = None
        self._writing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    @for_window
    async def servers(self) -> tuple[ToolServerInfo, ...]:
        """Return all servers in the order in which they were added. Starts none."""
        return tuple([await self._info(server) for server in (await self._stored_servers()).values()])

    async def tools(self, selected: Sequence[str] | None = None) -> tuple[McpTool, ...]:
        """Return tools as their servers listed them last; starts no server.

        ``selected`` has names of servers, and of single tools as ``server__tool``; ``None`` selects all.
        """
        if selected is not None and not selected:
            return ()
        from fireside.tools.server_tool import mcp_tools, select_tools

        available = [
            tool
            for server in (await self._stored_servers()).values()
            for tool in mcp_tools(server, calls=self)[0]
        ]
        return tuple(available) if selected is None else select_tools(available, selected)

    @for_window
    async def prepare(self, new: NewServer) -> ToolServer:
        """Return a server as it would be stored, with the exact command, for the user to confirm.

        Starts nothing. Raises ``ToolServerInvalid`` or ``tool_server_folder_missing``.
        """
        from fireside.services.tool_servers.program_files import executable_of

        if SERVER_NAME.fullmatch(new.name) is None:
            raise ToolServerInvalid(
                reason=tr_noop("its name may have lower-case letters, digits and single hyphens, 24 at most.")
            )
        if new.name in await self._stored_servers():
            raise ToolServerInvalid(reason=tr_noop("there is one of this name already."))
        if new.url and not new.url.startswith(("https://", "http://")):
            raise ToolServerInvalid(reason=tr_noop("its address does not begin with https:// or http://."))
        await _check_folders(new.grants)
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

    @for_window
    async def open_bundle(self, path: str) -> ServerBundle:
        """Unpack a server from a file and return what it says about itself. Starts nothing.

        Raises ``ToolServerInvalid``.
        """
        from fireside.services.tool_servers.bundle_files import (
            manifest_of,
            remove_unused_bundles,
            unpack_bundle,
        )
        from fireside.settings.server_bundles import read_manifest

        def unpack() -> ServerBundle:
            bundles = self._parts.bundles
            folder = unpack_bundle(Path(path), below=bundles)
            remove_unused_bundles(
                bundles, used=(str(folder), *(server.cwd for server in self._parts.file.read()))
            )
            return read_manifest(manifest_of(folder), folder=str(folder), system=sys.platform)

        return await asyncio.to_thread(unpack)

    @for_window
    async def add(self, new: NewServer, *, location: KeepIn = SecretLocation.KEYRING) -> None:
        """Store a server that the user has confirmed after ``prepare``. Starts nothing.

        Raises ``ToolServerInvalid``, ``SettingsUnwritable``, or ``SecretsError`` if a value cannot be stored
        in ``place``: nothing is added then.
        """
        server = await self.prepare(new)
        await self._launches.store_values(server, new, location=location)
        facts = await self._launches.facts(server)
        await self._change(
            lambda known: {**known, server.name: msgspec.structs.replace(server, confirmed=facts)}
        )

    @for_window
    async def confirm(self, name: str) -> None:
        """Record that the user confirmed a server as it is now.

        Raises ``tool_server_not_found`` or ``SettingsUnwritable``.
        """
        facts = await self._launches.facts(await self._server(name))
        await self._replace(name, confirmed=facts)

    @for_window
    async def grant(self, name: str, grants: Grants) -> None:
        """Change the access of a server, and stop it: it starts again once the change is confirmed.

        Raises ``tool_server_not_found``, ``tool_server_folder_missing`` or ``SettingsUnwritable``.
        """
        if grants != (await self._server(name)).grants:
            await _check_folders(grants)
            # Before it is stopped, so that no call starts it with the old grants.
            await self._replace(name, grants=grants)
            await self.stop(name)

    @for_window
    async def remove(self, name: str) -> None:
        """Stop a server and delete it, with its secrets and its unpacked bundle.

        Raises ``tool_server_not_found`` or ``SettingsUnwritable``.
        """
        server = await self._server(name)
        await self.stop(name)
        await self._change(lambda known: {key: value for key, value in known.items() if key != name})
        if Path(server.cwd).parent == self._parts.bundles:
            from fireside.services.tool_servers.bundle_files import remove_unused_bundles

            used = [other.cwd for other in (await self._stored_servers()).values()]
            await asyncio.to_thread(remove_unused_bundles, self._parts.bundles, used=used)
        await self._launches.delete_values(server)

    @for_window
    async def test(self, name: str) -> ToolServerInfo:
        """Restart a server and return it with its tools; it keeps running.

        Raises ``ToolServerError`` if it cannot be started. When cancelled, it stops what it started.
        """
        return await self._restart(name)

    @for_window
    async def sign_in(self, name: str) -> ToolServerInfo:
        """Reconnect to a remote server and sign in; meanwhile its info has the URL for the browser.

        Raises ``ToolServerError``. When cancelled, it stops what it started.
        """
        return await self._restart(name, may_sign_in=True)

    @for_window
    async def sign_out(self, name: str) -> None:
        """Stop a server and delete its sign-in."""
        await self.stop(name)
        await self._launches.sign_out(name)
        self._emit(ToolServersChanged())

    @for_window
    async def stop(self, name: str) -> None:
        """Stop a server; the next call starts it."""
        if self._running is not None:
            await self._running.stop(name)

    @for_window
    async def prompts(self, names: Sequence[str]) -> Mapping[str, tuple[ServerPrompt, ...]]:
        """Return the prompts of these servers as they were listed last, by server. Starts none."""
        known = await self._stored_servers()
        return {name: known[name].prompts for name in names if name in known and known[name].prompts}

    @for_window
    async def resources(self, name: str) -> tuple[ServerResource, ...]:
        """Return the resources of a server; starts it if needed. Raises ``ToolServerError``."""
        return await (await self._start_now(name)).list_resources(name)

    @for_window
    async def read_resource(
        self, name: str, uri: str, arguments: Mapping[str, str]
    ) -> tuple[ResourceContent, ...]:
        """Return the contents of a resource; with ``arguments`` its URI is a template. Starts the server if
        needed. Raises ``ToolServerError``."""
        return await (await self._start_now(name)).read_resource(name, uri, arguments)

    @for_window
    async def fill_prompt(self, name: str, prompt: str, arguments: Mapping[str, str]) -> FilledPrompt:
        """Return a prompt that the server has filled in; starts it if needed. Raises ``ToolServerError``."""
        return await (await self._start_now(name)).fill_prompt(name, prompt, arguments)

    async def call(
        self, server: str, tool: ServerTool, arguments: str, *, watch: CallObserver = NO_OBSERVER
    ) -> ToolOutput:
        """Call a tool, starting its server if needed. Raises ``ToolServerError``."""
        running = await self._start(await self._server(server), now=False)
        if tool not in running.server(server).tools:
            text = f"The server has changed {tool.name}, so it was not called. The user has to allow it anew."
            return ToolOutput(text=text, is_error=True)

        ended = await running.call(server, tool.name, arguments, watch=watch)
        images, notes = await asyncio.to_thread(
            read_images, _named(ended.images, tool.name), read=self._read, server=server
        )
        return ToolOutput(
            text="\n".join((ended.text, *notes)),
            images=images,
            structured=ended.structured,
            is_error=ended.is_error,
        )

    @for_window
    async def call_tool(self, name: str, arguments: str, *, watch: CallObserver | None = None) -> ToolOutput:
        """Call a tool, named as models call it, for the user: no permission is asked for. Starts the server
        if needed. ``arguments`` is the JSON of an object, which is checked against the tool's schema.

        Raises ``RecordNotFound`` or ``ToolServerError``. When cancelled, the server is told.
        """
        tool = next(iter(await self.tools([name])), None)
        if tool is None:
            raise RecordNotFound(what="tool", id=0)
        return await tool.run(tool.read(arguments), watch=watch or _Progress(name, emit=self._emit))

    async def record_review(self, server: str, tool: ServerTool) -> None:
        """Store a tool's definition as the one the user decided about. Raises ``SettingsUnwritable``."""
        known = await self._server(server)
        others = tuple(reviewed_tool for reviewed_tool in known.reviewed if reviewed_tool.name != tool.name)
        if (reviewed := (*others, tool)) != known.reviewed:
            await self._replace(server, reviewed=reviewed)

    async def close(self) -> None:
        """Stop all servers and the tool host."""
        if self._running is not None:
            await self._running.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def host_pid(self) -> int | None:
        return None if self._running is None else self._running.host_pid

    @property
    def _parts(self) -> ToolServerParts:
        if self._optional_parts is None:
            raise ToolServerInvalid(reason=tr_noop("this program has no MCP servers."))
        return self._optional_parts

    @cached_property
    def _launches(self) -> ServerLaunches:
        return ServerLaunches(self._parts)

    async def _restart(self, name: str, *, may_sign_in: bool = False) -> ToolServerInfo:
        server = await self._server(name)
        await self.stop(name)
        await self._start(server, now=True, may_sign_in=may_sign_in)
        return await self._info(await self._server(name))

    async def _start_now(self, name: str) -> RunningServers:
        """Start a server on the user's request, without the back-off after a crash."""
        return await self._start(await self._server(name), now=True)

    async def _start(self, server: ToolServer, *, now: bool, may_sign_in: bool = False) -> RunningServers:
        if self._running is None:
            from fireside.services.tool_servers.running_servers import RunningServers

            self._running = RunningServers(
                self._parts.host(),
                on_change=lambda _: self._emit(ToolServersChanged()),
                on_lists=lambda name: self._run(self._store_lists(name)),
                on_sign_in=lambda name, text: self._run(self._store_sign_in(name, text)),
            )
        if self._running.server(server.name).state is not ServerState.RUNNING:
            if await self._launches.facts(server) != server.confirmed:
                raise ToolServerError.of("tool_server_changed", name=server.name)
            launch = await self._launches.launch(server, may_sign_in=may_sign_in)
            await self._running.start(server.name, launch, now=now)
        await self._store_lists(server.name)
        return self._running

    async def _info(self, server: ToolServer) -> ToolServerInfo:
        from fireside.tools.server_tool import mcp_tools

        excluded = mcp_tools(server, calls=self)[1]
        facts = await self._launches.facts(server)
        changed = None if facts == server.confirmed else facts
        if self._running is None:
            state = ServerState.STOPPED if changed is None else ServerState.CHANGED
            return ToolServerInfo(server=server, state=state, excluded_tools=excluded, current_facts=changed)
        running = self._running.server(server.name)
        is_changed = changed is not None and running.state is not ServerState.RUNNING
        state = ServerState.CHANGED if is_changed else running.state
        return ToolServerInfo(
            server=server,
            state=state,
            sandbox=running.sandbox,
            problem=running.problem,
            needs_sign_in=running.needs_sign_in,
            sign_in_url=running.sign_in_url,
            is_signed_in=self._launches.is_signed_in(server.name),
            log=tuple(running.log),
            calls=tuple(running.calls),
            excluded_tools=excluded,
            task_tools=running.task_tools,
            current_facts=changed,
        )

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _store_lists(self, name: str) -> None:
        """Store what a server lists; chats use it from their next request on."""
        known, running = (await self._stored_servers()).get(name), self._running
        if known is None or running is None or running.server(name).state is not ServerState.RUNNING:
            return
        tools, prompts = running.server(name).tools, running.server(name).prompts
        if (tools, prompts) != (known.tools, known.prompts):
            await self._replace(name, tools=tools, prompts=prompts)

    async def _store_sign_in(self, name: str, text: str) -> None:
        await self._launches.store_sign_in(name, text)
        self._emit(ToolServersChanged())

    async def _server(self, name: str) -> ToolServer:
        server = (await self._stored_servers()).get(name)
        if server is None:
            raise ToolServerError.of("tool_server_not_found", name=name)
        return server

    async def _stored_servers(self) -> dict[str, ToolServer]:
        """Return the servers of the file, by name: another program may have changed it."""
        if self._optional_parts is None:
            return {}
        return {server.name: server for server in await asyncio.to_thread(self._parts.file.read)}

    async def _replace(self, name: str, **changes: Any) -> None:
        def replaced(known: dict[str, ToolServer]) -> dict[str, ToolServer]:
            return {
                key: msgspec.structs.replace(server, **changes) if key == name else server
                for key, server in known.items()
            }

        await self._change(replaced)

    async def _change(self, change: Callable[[dict[str, ToolServer]], dict[str, ToolServer]]) -> None:
        async with self._writing:
            known = change(await self._stored_servers())
            await asyncio.to_thread(self._parts.file.write, tuple(known.values()))
        self._emit(ToolServersChanged())


class _Progress:
    """Reports the progress of a call by hand. What the server asks the user is cancelled."""

    def __init__(self, tool: str, *, emit: Callable[[AppEvent], None]) -> None:
        self._tool = tool
        self._emit = emit

    def on_progress(self, message: str, fraction: float | None) -> None:
        self._emit(ToolCallProgressed(tool=self._tool, text=progress_text(message, fraction)))

    def on_output(self, text: str) -> None:
        """Ignore it: no server returns a result in parts."""

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        return await NO_OBSERVER.on_elicitation(elicitation)


async def _check_folders(grants: Grants) -> None:
    for folder in (*grants.readable, *grants.writable):
        if not await asyncio.to_thread(_exists, folder):
            raise ToolServerError.of("tool_server_folder_missing", path=folder)


def _exists(folder: str) -> bool:
    return Path(folder).is_absolute() and Path(folder).exists()


_NO_IMAGE: Final = tr_noop("it is no image.")


def _named(images: Sequence[bytes], tool: str) -> tuple[tuple[str, bytes], ...]:
    name = without_invisible(tool)
    return tuple((f"{name} {n}", data) for n, data in enumerate(images, 1))


def read_images(
    images: Sequence[tuple[str, bytes]], *, read: ReadFiles, server: str = ""
) -> tuple[tuple[ImagePart, ...], tuple[str, ...]]:
    """Return named images as they are stored, and a line for each that cannot be shown.

    Blocks; any thread. They are within the limits of a message.
    """
    if not images:
        return (), ()
    parts: list[ImagePart] = []
    notes: list[str] = []
    requests = [ReadRequest(name=name, data=data) for name, data in images]
    for n, (request, reply) in enumerate(zip(requests, read(requests), strict=True), 1):
        part = ImagePart(data=reply.picture, media_type=reply.media_type, name=request.name, server=server)
        problem = reply.problem if reply.problem or reply.picture else _NO_IMAGE
        if reason := render(problem) or attachment_limit_problem((*parts, part)):
            notes.append(f"[Image {n} is not shown: {reason}]")
        else:
            parts.append(part)
    return tuple(parts), tuple(notes)
