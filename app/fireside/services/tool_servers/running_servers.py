"""Run MCP servers: start on the first call, stop when idle, back off after a crash."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Final, TypeVar

import msgspec

from fireside.core.elicitation import NO_OBSERVER, CallObserver
from fireside.core.errors import InvalidText, ToolServerError, ToolServerFailed
from fireside.core.i18n import Translatable, render, tr, tr_noop
from fireside.core.tool_servers import (
    CallNote,
    FilledPrompt,
    ResourceContent,
    Sandbox,
    ServerPrompt,
    ServerResource,
    ServerState,
    ServerTool,
)
from fireside.tool_host.host_messages import (
    REPORTS,
    AnswerElicitation,
    CallEnded,
    CallProgressed,
    CallReply,
    CallTool,
    CancelCall,
    Command,
    ElicitationRequested,
    EndHost,
    FillPrompt,
    HttpLaunch,
    ListResources,
    ListsChanged,
    PromptFilled,
    ReadResource,
    Report,
    ResourceRead,
    ResourcesListed,
    ServerEnded,
    ServerLogged,
    ServerQuery,
    ServerStarted,
    SignInRequested,
    SignInUpdated,
    StartServer,
    StdioLaunch,
    StopServer,
)
from fireside.wire.child_process import ChildProcess
from fireside.wire.frames import FrameError, TextNotUnicode

CALL_S: Final = 60.0
"""Limit of a call that reports no progress."""
CALL_CAP_S: Final = 600.0
_IDLE_S: Final = 600.0
_CANCEL_TIMEOUT_S: Final = 1.0
"""A host that does not confirm a cancellation by then hangs, and is killed."""
_BACK_OFF_S: Final = (0.0, 1.0, 5.0, 30.0, 120.0)
_MAX_LOG_LINES: Final = 200
_MAX_CALLS: Final = 20
"""Latest calls of a server that are displayed."""


class HostParts(msgspec.Struct, frozen=True, kw_only=True):
    """How the tool host is started."""

    command: tuple[str, ...]
    environment: Mapping[str, str]


Reply = TypeVar("Reply", bound=CallReply)


class _Call(msgspec.Struct, frozen=True, kw_only=True):
    server: str
    ended: asyncio.Future[CallReply]
    watch: CallObserver


class RunningServer:
    """The state of one server. Only ``RunningServers`` changes it."""

    def __init__(self) -> None:
        self.state = ServerState.STOPPED
        self.sandbox: Sandbox | None = None
        self.problem: Translatable = ""
        self.log: deque[str] = deque(maxlen=_MAX_LOG_LINES)
        self.tools: tuple[ServerTool, ...] = ()
        self.prompts: tuple[ServerPrompt, ...] = ()
        self.task_tools: tuple[str, ...] = ()
        self.calls: deque[CallNote] = deque(maxlen=_MAX_CALLS)
        self.needs_sign_in = False
        self.sign_in_url = ""
        """What the user has to open while it starts."""
        self.started: asyncio.Future[None] | None = None
        """Done once it runs, or does not."""
        self.n_waiting = 0
        self.exited = asyncio.Event()
        self.n_crashes = 0
        self.retry_at = 0.0
        self.idle: asyncio.TimerHandle | None = None

    def failure(self, name: str) -> ToolServerFailed:
        """Return why it does not run, with the lines of its log that say so."""
        lines = "\n".join(failure_lines(self.log))
        return ToolServerFailed(name=name, reason=self.problem, log=f"\n{lines}" if lines else "")


class RunningServers:
    """Starts, calls and stops servers through the tool host. All methods run on one loop.

    No process exists before the first ``start``.
    """

    def __init__(
        self,
        parts: HostParts,
        *,
        on_change: Callable[[str], None],
        on_lists: Callable[[str], None],
        on_sign_in: Callable[[str, str], None],
    ) -> None:
        """``on_change`` and ``on_lists`` are called with the name of a server whose state, or whose lists
        of tools and prompts, changed; ``on_sign_in`` stores the result of a sign-in."""
        self._parts = parts
        self._on_change = on_change
        self._on_lists = on_lists
        self._on_sign_in = on_sign_in
        self._host: HostLink | None = None
        self._starting_host = asyncio.Lock()
        self._servers: dict[str, RunningServer] = {}
        self._calls: dict[int, _Call] = {}
        self._numbers = count(1)
        self._closing: set[asyncio.Future[None]] = set()
        self._elicitations: set[asyncio.Task[None]] = set()

    def server(self, name: str) -> RunningServer:
        return self._servers.setdefault(name, RunningServer())

    async def start(self, name: str, launch: StdioLaunch | HttpLaunch, *, now: bool = False) -> RunningServer:
        """Return the server once it runs. ``now`` skips the back-off after a crash, on the user's request.

        Raises ``ToolServerFailed``. If cancelled, a start that nothing else waits for is cancelled.
        """
        server = self.server(name)
        loop = asyncio.get_running_loop()
        if server.state is ServerState.RUNNING:
            return server
        if server.started is None:
            if not now and loop.time() < server.retry_at:
                retry_note = tr("It is tried again in {n} s.").format(
                    n=round(server.retry_at - loop.time()) + 1
                )
                failure = server.failure(name)
                raise ToolServerFailed(
                    name=name, reason=f"{render(failure.reason)} {retry_note}", log=failure.log
                )
            server.started = loop.create_future()
            server.exited.clear()
            server.log.clear()
            self._set(name, ServerState.STARTING)
            try:
                await self._send(StartServer(server=name, launch=launch))
            except OSError as exc:
                self._handle_end(name, problem=str(exc))
        if server.started is not None:
            await self._wait_for(name, server.started)
        if self.server(name).state is not ServerState.RUNNING:
            raise server.failure(name)
        return server

    async def call(
        self, name: str, tool: str, arguments: str, *, watch: CallObserver = NO_OBSERVER
    ) -> CallEnded:
        """Call a tool of a running server; return how that ended."""
        command = CallTool(
            call=next(self._numbers),
            server=name,
            tool=tool,
            arguments=arguments,
            limit_s=CALL_S,
            cap_s=CALL_CAP_S,
        )
        at, started_s = time.time(), time.monotonic()
        reply = await self._request(command, watch=watch)
        assert isinstance(reply, CallEnded)
        self.server(name).calls.append(
            CallNote(tool=tool, at=at, seconds=time.monotonic() - started_s, is_error=reply.is_error)
        )
        self._on_change(name)
        return reply

    async def list_resources(self, name: str) -> tuple[ServerResource, ...]:
        """Return the resources of a running server. Raises ``tool_server_refused``."""
        reply = await self._request(ListResources(call=next(self._numbers), server=name))
        return _checked_reply(reply, ResourcesListed, server=name).resources

    async def read_resource(
        self, name: str, uri: str, arguments: Mapping[str, str]
    ) -> tuple[ResourceContent, ...]:
        """Return the contents of a resource of a running server.

        Raises:
            tool_server_refused: the server answered with an error.
            InvalidText: an argument contains a lone surrogate.
        """
        command = ReadResource(call=next(self._numbers), server=name, uri=uri, arguments=dict(arguments))
        return _checked_reply(await self._request(command), ResourceRead, server=name).contents

    async def fill_prompt(self, name: str, prompt: str, arguments: Mapping[str, str]) -> FilledPrompt:
        """Return a prompt of a running server, filled in.

        Raises ``tool_server_refused`` or ``InvalidText``.
        """
        command = FillPrompt(call=next(self._numbers), server=name, prompt=prompt, arguments=dict(arguments))
        return _checked_reply(await self._request(command), PromptFilled, server=name).filled

    async def _request(
        self, command: CallTool | ServerQuery, *, watch: CallObserver = NO_OBSERVER
    ) -> CallReply:
        ended: asyncio.Future[CallReply] = asyncio.get_running_loop().create_future()
        self._calls[command.call] = _Call(server=command.server, ended=ended, watch=watch)
        self._restart_idle_timer(command.server)
        try:
            await self._send(command)
        except BaseException:
            del self._calls[command.call]  # It would keep the server from being stopped when idle.
            raise
        try:
            return await asyncio.shield(ended)
        except asyncio.CancelledError:
            self._cancel_call(command.call, ended)
            raise

    async def stop(self, name: str) -> None:
        """Stop a server; returns when it has exited."""
        server = self.server(name)
        if self._host is None or server.state not in (ServerState.RUNNING, ServerState.STARTING):
            return
        await self._send(StopServer(server=name))
        await server.exited.wait()

    async def close(self) -> None:
        """Stop all servers and the host."""
        if self._host is not None:
            await self._host.close()
        await asyncio.gather(*self._closing)

    @property
    def host_pid(self) -> int | None:
        return None if self._host is None else self._host.pid

    async def _wait_for(self, name: str, started: asyncio.Future[None]) -> None:
        self.server(name).n_waiting += 1
        try:
            await asyncio.shield(started)
        except asyncio.CancelledError:
            if self.server(name).n_waiting == 1 and not started.done() and self._host is not None:
                self._host.send(StopServer(server=name))
            raise
        finally:
            self.server(name).n_waiting -= 1

    async def _send(self, command: Command) -> None:
        async with self._starting_host:
            if self._host is None:
                self._host = await HostLink.start(
                    self._parts.command,
                    environment=self._parts.environment,
                    on_report=self._handle,
                    on_end=self._host_ended,
                )
        try:
            self._host.send(command)
        except TextNotUnicode as exc:
            raise InvalidText(reason=tr_noop("it contains an invalid character (a lone surrogate).")) from exc

    def _handle(self, report: Report) -> None:
        match report:
            case ServerStarted():
                server = self.server(report.server)
                server.sandbox, server.n_crashes = report.sandbox, 0
                server.needs_sign_in, server.sign_in_url = False, ""
                server.tools, server.prompts = report.tools, report.prompts
                server.task_tools = report.task_tools
                self._set(report.server, ServerState.RUNNING)
                self._restart_idle_timer(report.server)
                self._settle(server)
                self._on_lists(report.server)
            case ListsChanged():
                server = self.server(report.server)
                server.tools, server.prompts = report.tools, report.prompts
                server.task_tools = report.task_tools
                self._on_lists(report.server)
            case ServerLogged():
                self.server(report.server).log.extend(report.lines)
            case ServerEnded():
                self.server(report.server).needs_sign_in = report.needs_sign_in
                self._handle_end(report.server, problem=report.problem)
            case SignInRequested():
                self.server(report.server).sign_in_url = report.url
                self._on_change(report.server)
            case SignInUpdated():
                self.server(report.server).sign_in_url = ""
                self._on_sign_in(report.server, report.text)
            case CallProgressed():
                if (call := self._calls.get(report.call)) is not None:
                    call.watch.on_progress(report.message, report.fraction)
            case ElicitationRequested():
                self._forward_elicitation(report)
            case _:
                call = self._calls.pop(report.call, None)
                if call is not None and not call.ended.done():
                    call.ended.set_result(report)

    def _forward_elicitation(self, report: ElicitationRequested) -> None:
        """Ask the user through the caller of the tool."""
        call = self._calls.get(report.call)
        if call is None:
            return

        async def ask() -> None:
            reply = await call.watch.on_elicitation(report.asked)
            await self._send(AnswerElicitation(server=call.server, reply=reply))

        task = asyncio.create_task(ask(), name=f"elicitation of {call.server}")
        self._elicitations.add(task)
        task.add_done_callback(self._elicitations.discard)
        call.ended.add_done_callback(lambda _: task.cancel())

    def _handle_end(self, name: str, *, problem: Translatable) -> None:
        server = self.server(name)
        server.problem, server.sign_in_url = problem, ""
        if problem and not server.needs_sign_in:
            delay_s = _BACK_OFF_S[min(server.n_crashes, len(_BACK_OFF_S) - 1)]
            server.n_crashes += 1
            server.retry_at = asyncio.get_running_loop().time() + delay_s
        for number, call in tuple(self._calls.items()):
            if call.server == name and not call.ended.done():
                call.ended.set_result(CallEnded(call=number, text=str(server.failure(name)), is_error=True))
                del self._calls[number]
        if server.idle is not None:
            server.idle.cancel()
        server.exited.set()
        self._set(name, ServerState.FAILED if problem else ServerState.STOPPED)
        self._settle(server)

    def _settle(self, server: RunningServer) -> None:
        if server.started is not None:
            server.started.set_result(None)
            server.started = None

    def _host_ended(self) -> None:
        """Mark all servers as ended: they exited with the host."""
        host, self._host = self._host, None
        if host is not None:
            self._closing.add(closing := asyncio.ensure_future(host.close()))
            closing.add_done_callback(self._closing.discard)
        for name, server in tuple(self._servers.items()):
            if server.state in (ServerState.RUNNING, ServerState.STARTING):
                self._handle_end(name, problem=tr_noop("The tool host ended."))

    def _cancel_call(self, number: int, ended: asyncio.Future[CallReply]) -> None:
        """Tell the server that the result is not needed; kill a host that does not react."""
        host = self._host
        if host is None:
            return
        with contextlib.suppress(FrameError):
            host.send(CancelCall(call=number))
        timer = asyncio.get_running_loop().call_later(
            _CANCEL_TIMEOUT_S, lambda: None if ended.done() else host.kill()
        )
        ended.add_done_callback(lambda _: timer.cancel())

    def _restart_idle_timer(self, name: str) -> None:
        """Stop the server once it has not been called for a while."""
        server = self.server(name)
        if server.idle is not None:
            server.idle.cancel()

        def stop_if_unused() -> None:
            if any(call.server == name for call in self._calls.values()):
                self._restart_idle_timer(name)
            elif self._host is not None:
                self._host.send(StopServer(server=name))

        server.idle = asyncio.get_running_loop().call_later(_IDLE_S, stop_if_unused)

    def _set(self, name: str, state: ServerState) -> None:
        self.server(name).state = state
        self._on_change(name)


def _checked_reply(reply: CallReply, kind: type[Reply], *, server: str) -> Reply:
    if isinstance(reply, kind):
        return reply
    reason = reply.text if isinstance(reply, CallEnded) else "It sent another answer than was asked for."
    raise ToolServerError.of("tool_server_refused", name=server, reason=reason)


# Find the lines of a server's log that say why it ended. Pure


_MAX_LINES: Final = 5
_MAX_CHARS: Final = 400
_FRAME: Final = "╭╮╰╯┌┐└┘┏┓┗┛─━│┃║═╔╗╚╝"
_ERROR: Final = re.compile(
    r"(?-i:(?:Error|Exception|Timeout)(?: \[\w+\])?(?::\s|$))"  # of Python, Node, Java
    r"|\b(?:error|fatal|panic)\b\s*[:!\]]|^(?:error|fatal)\b"
    r"|(?-i:\b(?:ERROR|FATAL|CRITICAL)\b)",
    re.IGNORECASE,
)
_OF_NPM: Final = re.compile(r"^npm (?:error|ERR!)\s*(?:404)?\s*")
_NPM_NOISE: Final = re.compile(
    r"^(?:code|errno|syscall|path|command)\b|A complete log|Note that you can also|tarball, folder|^$"
)
_NOISE: Final = re.compile(
    r"^(?:[-+=*#_ \d]*|error|traceback \(most recent.*|at .+|\^+|[{}\])]+;?|node\.js v.*|require stack:|- /.*"
    r"|(?:code|url|errno|syscall|path|requirestack): .*|\.\.\. \d+ lines.*|file \".*\", line .*"
    r"|for further information visit .*|(?:\S+\s+){0,3}(?-i:INFO)\b.*)$",
    re.IGNORECASE,
)


def failure_lines(log: Sequence[str]) -> tuple[str, ...]:
    """Return the message of the last error in a log, or if it has none, its last lines; at most five, without
    frames, stack traces and banners."""
    lines = [line.strip(f" \t|+{_FRAME}")[:_MAX_CHARS] for line in log]
    if reason := _npm_reason(lines):
        return reason
    errors = [index for index, line in enumerate(lines) if _ERROR.search(line) and not _OF_NPM.match(line)]
    if errors:
        return _telling(lines[errors[-1] :])[:_MAX_LINES]
    unframed = [line for line, raw in zip(lines, log, strict=True) if raw.lstrip()[:1] not in tuple(_FRAME)]
    return (_telling(unframed) or _telling(lines))[-_MAX_LINES:]


def _npm_reason(lines: Sequence[str]) -> tuple[str, ...]:
    """Return what npm says if that is the end of the log: it names its reason first."""
    last = next((line for line in reversed(lines) if line), "")
    said = [_OF_NPM.sub("", line) for line in lines if _OF_NPM.match(line)] if _OF_NPM.match(last) else []
    return tuple(line for line in said if not _NPM_NOISE.search(line))[:_MAX_LINES]


def _telling(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line for line in lines if not _NOISE.match(line))


# Start the tool host process and exchange messages with it


log = logging.getLogger(__name__)

_END_S: Final = 5.5
"""Stopping a server takes 4 s at most."""


class HostLink:
    """One tool host process. All methods run on one loop."""

    def __init__(
        self,
        child: ChildProcess[Report],
        *,
        on_report: Callable[[Report], None],
        on_end: Callable[[], None],
    ) -> None:
        self._child = child
        self._on_report = on_report
        self._on_end = on_end
        child.log_to(_log_chunk)
        self._listening = asyncio.create_task(self._listen(), name="tool host")

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        on_report: Callable[[Report], None],
        on_end: Callable[[], None],
    ) -> HostLink:
        """Start the process. Raises ``OSError``."""
        child = await ChildProcess.start(command, environment=environment, decoder=REPORTS)
        return cls(child, on_report=on_report, on_end=on_end)

    @property
    def pid(self) -> int:
        return self._child.pid

    def send(self, command: Command) -> None:
        """Send a command, unless the host has exited. Raises ``FrameError`` if it is too large."""
        self._child.channel.send(command)

    def kill(self) -> None:
        """Kill the host, and with it its servers."""
        self._child.kill()

    async def close(self) -> None:
        """Stop the host and its servers gracefully."""
        self.send(EndHost())
        self._child.channel.close_output()
        if not await self._child.exits_within(_END_S):
            self.kill()
            await self._child.exited.wait()
        self._child.close()
        await asyncio.wait({self._listening})

    async def _listen(self) -> None:
        while (report := await self._child.channel.receive()) is not None:
            self._on_report(report)
        if self._child.channel.problem is not None:
            log.error("the tool host sent an invalid frame: %s", self._child.channel.problem)
            self.kill()
        self._on_end()


def _log_chunk(chunk: bytes) -> None:
    log.info("tool host: %s", chunk.decode(errors="replace").rstrip())
