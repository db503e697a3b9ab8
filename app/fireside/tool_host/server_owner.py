"""Run one server from start to end in one task, since the protocol library requires that its scopes are
left in the task that entered them."""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import httpx2
import msgspec
from mcp import Client, MCPError, types
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.exceptions import UrlElicitationRequiredError
from pydantic import ValidationError

from fireside import __version__
from fireside.core.attachment import MAX_ATTACHED
from fireside.core.elicitation import ElicitationReply
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.tool_servers import (
    FilledPrompt,
    ResourceContent,
    Sandbox,
    ServerPrompt,
    ServerTool,
    downloader,
)
from fireside.tool_host.call_limit import CallLimit
from fireside.tool_host.elicitation import Elicitations
from fireside.tool_host.host_messages import (
    MAX_LINE_BYTES,
    CallEnded,
    CallProgressed,
    CallReply,
    CallTool,
    ElicitationRequested,
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
)
from fireside.tool_host.server_listing import expand_template, list_prompts, list_resources, list_tools
from fireside.tool_host.server_process import NotStarted
from fireside.tool_host.sign_in import SIGN_IN_S, SignIn
from fireside.tool_host.transports import StdioTransport, http_transport

_CONNECT_S: Final = 60.0
_LIST_S: Final = 30.0
_BAD_REQUEST: Final = 400
_REFUSALS: Final = (
    b"EACCES", b"EPERM", b"EROFS", b"Permission denied", b"Operation not permitted", b"Read-only file system",
    b"ENETUNREACH", b"EAI_AGAIN", b"Network is unreachable", b"name resolution",
)  # fmt: skip
"""How programs write that the sandbox refused them a file or the network."""
_LIBRARY_LIMIT_S: Final = 24 * 3600.0
"""The library's limit of a call; ``CallLimit`` is shorter, and excludes the time of the user."""
_LIST_CHANGES: Final = (
    types.ToolListChangedNotification,
    types.PromptListChangedNotification,
    types.ResourceListChangedNotification,
)


class ServerOwner:
    """Serves one server: ``run`` is its task, the other methods are called by the host."""

    def __init__(self, start: StartServer, *, report: Callable[[Report], None]) -> None:
        self._server = start.server
        self._launch = start.launch
        self._report = report
        self._stop = asyncio.Event()
        self._is_over = asyncio.Event()
        """The server was stopped, or has ended by itself."""
        self._wake = asyncio.Event()
        """The server is over or its lists have changed, which it may report before it is connected."""
        self._end_reason: Translatable = ""
        self._connecting: asyncio.Timeout | None = None
        self._client: Client | None = None
        self._is_sse = False
        self._stdio: StdioTransport | None = None
        self._was_refused = False
        self._sign_in: SignIn | None = None
        self._schemas: dict[str, dict[str, Any]] = {}
        self._task_tools: tuple[str, ...] = ()
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._log = LogLines(lambda lines: report(ServerLogged(server=start.server, lines=lines)))
        self._elicitations = Elicitations(
            start.server,
            ask=lambda call, elicitation: report(ElicitationRequested(call=call, asked=elicitation)),
            log=self._log.feed,
        )

    async def run(self) -> None:
        """Start the server, serve it until it ends or is stopped, and report both."""
        problem: Translatable = ""
        try:
            await self._serve()
        except NotStarted as exc:
            problem = exc.reason
        except TimeoutError:
            text = (
                tr_noop("It did not answer within {n} s.")
                if isinstance(self._launch, HttpLaunch)
                else tr_noop("It did not answer within {n} s and was ended.")
            )
            problem = Phrase(text, {"n": int(_CONNECT_S)})
        except Exception as exc:  # noqa: BLE001  # whatever the library raises, the host keeps running
            problem = _error_text(exc)
        if self._end_reason and not self._stop.is_set():
            problem = self._end_reason
        for call in tuple(self._calls.values()):
            call.cancel()
        await asyncio.gather(*self._calls.values(), return_exceptions=True)
        self._log.flush()
        needs_sign_in = self._sign_in is not None and self._sign_in.is_required
        if needs_sign_in:
            problem = tr_noop("You have to sign in.")
        problem = "" if self._stop.is_set() else problem
        self._report(ServerEnded(server=self._server, problem=problem, needs_sign_in=needs_sign_in))

    def stop(self) -> None:
        """Stop the server."""
        self._stop.set()
        self._is_over.set()
        self._wake.set()

    def call(self, request: CallTool | ServerQuery) -> None:
        """Start a call, concurrently with others; its end is reported."""
        task = asyncio.create_task(self._run_call(request), name=f"call {request.call}")
        self._calls[request.call] = task
        task.add_done_callback(lambda _: self._calls.pop(request.call, None))

    def handle_reply(self, reply: ElicitationReply) -> None:
        """Handle the user's reply to an elicitation."""
        self._elicitations.handle_reply(reply)

    def cancel(self, call: int) -> None:
        """Cancel a call; the server is notified, and keeps running."""
        if (task := self._calls.get(call)) is not None:
            task.cancel()

    async def _serve(self) -> None:
        may_sign_in = isinstance(self._launch, HttpLaunch) and self._launch.may_sign_in
        if isinstance(self._launch, StdioLaunch):
            self._stdio = StdioTransport(self._launch, log=self._on_log, on_end=self._on_end)
        async with contextlib.AsyncExitStack() as stack:
            self._connecting = asyncio.timeout(SIGN_IN_S if may_sign_in else _CONNECT_S)
            async with self._unless_stopped(), self._connecting:
                if isinstance(self._launch, HttpLaunch):
                    client = await self._connect(self._launch, stack)
                else:
                    client = await stack.enter_async_context(self._client_over(self._stdio))
                tools, prompts = await self._list(client)
            self._client = client
            self._report(
                ServerStarted(
                    server=self._server,
                    tools=tools,
                    prompts=prompts,
                    task_tools=self._task_tools,
                    sandbox=self._sandbox,
                    revision=client.protocol_version,
                )
            )
            listening = asyncio.create_task(self._listen(client))
            try:
                await self._follow_lists(client)
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    async def _connect(self, launch: HttpLaunch, stack: contextlib.AsyncExitStack) -> Client:
        """Connect to an address, by the older transport where the server does not take the newer one."""
        self._sign_in = sign_in = SignIn(
            launch,
            on_stored=lambda text: self._report(SignInUpdated(server=self._server, text=text)),
            on_url=lambda url: self._report(SignInRequested(server=self._server, url=url)),
        )
        stack.callback(sign_in.close)
        refusals: list[int] = []

        def client(*, is_sse: bool) -> Client:
            return self._client_over(
                http_transport(launch, sign_in, is_sse=is_sse, on_refused=refusals.append)
            )

        try:
            return await stack.enter_async_context(client(is_sse=False))
        except Exception as exc:
            if not refusals:
                raise
            try:
                connected = await stack.enter_async_context(client(is_sse=True))
            except Exception:  # noqa: BLE001  # of whatever kind, it is no server of ours
                if refusals[0] == _BAD_REQUEST:  # the server's own words say more
                    raise exc from None
                text = tr_noop("No MCP server answers at this address (HTTP status {status}).")
                raise NotStarted(Phrase(text, {"status": refusals[0]})) from exc
        self._is_sse = True
        return connected

    def _client_over(self, transport: Any) -> Client:
        return Client(
            transport,
            mode="auto",
            client_info=types.Implementation(name="fireside", version=__version__),
            message_handler=self._on_message,
            elicitation_callback=self._elicitations.handle_request,
            read_timeout_seconds=_CONNECT_S,
            cache=None,
        )

    @contextlib.asynccontextmanager
    async def _unless_stopped(self) -> AsyncIterator[None]:
        """Interrupt the block when the server is stopped or has ended."""
        task = asyncio.current_task()
        assert task is not None
        watching = asyncio.create_task(self._is_over.wait())
        watching.add_done_callback(lambda done: None if done.cancelled() else task.cancel())
        try:
            yield
        except asyncio.CancelledError:
            if not self._is_over.is_set():
                raise
            task.uncancel()
            raise NotStarted(self._end_reason) from None
        finally:
            watching.cancel()

    async def _follow_lists(self, client: Client) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._is_over.is_set():
                return
            async with asyncio.timeout(_LIST_S):
                tools, prompts = await self._list(client)
            self._report(
                ListsChanged(server=self._server, tools=tools, prompts=prompts, task_tools=self._task_tools)
            )

    async def _list(self, client: Client) -> tuple[tuple[ServerTool, ...], tuple[ServerPrompt, ...]]:
        tools, self._schemas, self._task_tools = await list_tools(client)
        return tools, await list_prompts(client)

    async def _listen(self, client: Client) -> None:
        """Listen for changes of lists where the protocol revision has a stream for them."""
        with contextlib.suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            async with client.listen(
                tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
            ) as changes:
                async for _ in changes:
                    self._wake.set()

    async def _on_message(self, message: object) -> None:
        if isinstance(message, _LIST_CHANGES):
            self._wake.set()
        elif isinstance(message, types.ElicitCompleteNotification):
            self._elicitations.note_completed(message.params.elicitation_id)

    def _on_end(self, is_line_too_long: bool) -> None:
        assert self._connecting is not None
        if self._connecting.expired():
            return  # it was ended since it did not answer
        self._end(
            Phrase(tr_noop("It sent a line of more than {n} MiB and was ended."), {"n": MAX_LINE_BYTES >> 20})
            if is_line_too_long
            else self._why_it_ended()
        )

    def _end(self, reason: Translatable) -> None:
        self._end_reason = reason
        self._is_over.set()
        self._wake.set()

    def _why_it_ended(self) -> Translatable:
        launch = self._launch
        if self._was_refused and self._sandbox in (Sandbox.FULL, Sandbox.NO_NAMESPACES):
            unexpected = tr_noop(
                "It ended unexpectedly, after something was refused to it. Grant what it needs under "
                "“Access…”, or in a terminal add it again with --read, --write or --network."
            )
        else:
            unexpected = tr_noop("It ended unexpectedly.")
        if isinstance(launch, HttpLaunch) or launch.network or self._client is not None:
            return unexpected
        if program := downloader(launch.command):
            text = tr_noop(
                "{program} downloads it, which needs the network. Allow that under “Access…”, or in a "
                "terminal add it again with --network."
            )
            return Phrase(text, {"program": program})
        return unexpected

    @property
    def _sandbox(self) -> Sandbox:
        process = None if self._stdio is None else self._stdio.process
        return Sandbox.REMOTE if process is None else process.sandbox

    def _on_log(self, chunk: bytes) -> None:
        self._was_refused = self._was_refused or any(words in chunk for words in _REFUSALS)
        self._log.feed(chunk)

    async def _run_call(self, request: CallTool | ServerQuery) -> None:
        try:
            reply = await self._reply_to(request)
        except asyncio.CancelledError:
            reply = CallEnded(call=request.call, text="The call was stopped.", is_error=True)
        if not self._end_reason:  # otherwise the end of the server is reported, with its log
            self._report(reply)

    async def _reply_to(self, request: CallTool | ServerQuery) -> CallReply:
        try:
            if self._client is None:
                raise _Failed("The server has ended.")
            if isinstance(request, CallTool):
                return await self._call_tool(self._client, request)
            async with asyncio.timeout(_LIST_S):
                return await _answer_query(self._client, request)
        except _Failed as exc:
            text = str(exc)
        except TimeoutError:
            limit_s = request.limit_s if isinstance(request, CallTool) else _LIST_S
            text = f"The call took longer than {limit_s:.0f} s and was stopped."
        except asyncio.CancelledError:
            raise
        except Exception as exc:  # noqa: BLE001  # reported to the model; the server keeps running
            text = _error_text(exc)
            is_closed = isinstance(exc, MCPError) and exc.error.code == types.CONNECTION_CLOSED
            if self._is_sse and is_closed:  # its one stream, which nothing opens again
                self._end(tr_noop("It closed the connection."))
        text += self._elicitations.declined(request.call)
        return CallEnded(call=request.call, text=text, is_error=True)

    async def _call_tool(self, client: Client, request: CallTool) -> CallEnded:
        arguments = json.loads(request.arguments)
        if error := await validation_error(arguments, self._schemas.get(request.tool, {})):
            raise _Failed(f"Invalid arguments of {request.tool}: {error}")
        async with asyncio.timeout(None) as timeout:
            limit = CallLimit(timeout, limit_s=request.limit_s, cap_s=request.cap_s)

            async def on_progress(progress: float, total: float | None, message: str | None) -> None:
                limit.renew()
                fraction = progress / total if total else None
                text = (message or "")[:200]
                self._report(CallProgressed(call=request.call, message=text, fraction=fraction))

            async def call() -> types.CallToolResult:
                return await client.call_tool(
                    request.tool,
                    arguments,
                    read_timeout_seconds=_LIBRARY_LIMIT_S,
                    progress_callback=on_progress,
                )

            with self._elicitations.during_call(request.call, limit):
                try:
                    result = await call()
                except MCPError as exc:
                    if exc.error.code != types.URL_ELICITATION_REQUIRED:
                        raise
                    pages = UrlElicitationRequiredError.from_error(exc.error).elicitations
                    if not await self._elicitations.open_pages(pages):
                        raise _Failed("The user did not open the page that the server needs.") from exc
                    result = await call()
        ended = ended_call(request.call, result)
        return msgspec.structs.replace(ended, text=ended.text + self._elicitations.declined(request.call))


class _Failed(Exception):
    """A call failed; the message is for the model."""


async def _answer_query(client: Client, query: ServerQuery) -> CallReply:
    match query:
        case ListResources():
            return ResourcesListed(call=query.call, resources=await list_resources(client))
        case ReadResource():
            address = expand_template(query.uri, query.arguments)
            return ResourceRead(call=query.call, contents=contents_of(await client.read_resource(address)))
        case FillPrompt():
            filled = filled_prompt(await client.get_prompt(query.prompt, query.arguments))
            return PromptFilled(call=query.call, filled=filled)


def _error_text(exc: BaseException) -> str:
    """Return the message of an error; for a group, that of its first error."""
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    match exc:
        case MCPError():
            return f"{exc.error.message[:500]} ({exc.error.code})"
        case httpx2.ConnectError():
            return f"Nothing answers at this address ({exc})."
        case ValidationError():
            return "It sent an answer that does not follow the protocol."
        case _:
            return f"{type(exc).__name__}: {exc}"[:500]


_LIMIT_S: Final = 5.0


async def validation_error(arguments: object, schema: dict[str, Any]) -> str:
    """Return what does not match, with the name of the field; empty if all matches or cannot be checked."""
    if not isinstance(arguments, dict):
        return "an object is wanted."
    try:
        async with asyncio.timeout(_LIMIT_S):
            return await asyncio.to_thread(_problem, arguments, schema)
    except TimeoutError:
        return ""


def _problem(arguments: dict[str, Any], schema: dict[str, Any]) -> str:
    # Imported for calls only: the import is slow.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry

    try:
        # An empty registry: the default one would fetch the addresses that a schema refers to.
        error = best_match(Draft202012Validator(schema, registry=Registry()).iter_errors(arguments))
    except Exception:  # noqa: BLE001  # an invalid schema; the server itself has to validate
        return ""
    if error is None:
        return ""
    field = ".".join(map(str, error.absolute_path))
    return f"{field}: {error.message[:300]}" if field else error.message[:300]


_PAUSE_S: Final = 0.2
_MAX_LINES: Final = 200
_MAX_LINE_BYTES: Final = 1000
_COLOURS: Final = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]")


class LogLines:
    """Passes lines on a few times a second, at most the last 200."""

    def __init__(self, write: Callable[[tuple[str, ...]], None]) -> None:
        self._write = write
        self._rest = b""
        self._lines: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def feed(self, chunk: bytes) -> None:
        """Add bytes as they arrive; an overlong line is cut."""
        *whole, rest = (self._rest + chunk).split(b"\n")
        self._rest = rest[-_MAX_LINE_BYTES:]
        self._lines += [_printable(line) for line in whole[-_MAX_LINES:]]
        del self._lines[:-_MAX_LINES]
        if self._timer is None and self._lines:
            self._timer = asyncio.get_running_loop().call_later(_PAUSE_S, self.flush)

    def flush(self) -> None:
        """Pass on what is buffered."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._rest:
            self._lines.append(_printable(self._rest))
            self._rest = b""
        if self._lines:
            self._write(tuple(self._lines))
            self._lines.clear()


def _printable(line: bytes) -> str:
    """Return a line as it stands in a terminal, without control characters, which could rewrite one."""
    text = (
        _COLOURS.sub("", line[:_MAX_LINE_BYTES].decode("utf-8", "replace")).rstrip("\r").rpartition("\r")[2]
    )
    return "".join(char if char.isprintable() or char == "\t" else "�" for char in text)


# Convert results to text and images, and resources and prompts to content of a message


_NO_RESULT: Final = "(no result)"
_MAX_IMAGE_BYTES: Final = 24 << 20
"""Of all images of a result, which are sent to the program in one frame."""


def ended_call(call: int, result: types.CallToolResult) -> CallEnded:
    """Return all text of a result, with a note in place of each image and sound, and its images."""
    texts: list[str] = []
    images: list[bytes] = []
    n_bytes = 0
    for block in result.content:
        image = _image(block)
        n_bytes += 0 if image is None else len(image.data)
        if image is None or len(images) == MAX_ATTACHED or n_bytes > _MAX_IMAGE_BYTES:
            texts.append(_text(block))
        else:
            texts.append(f"[image, {image.media_type}, {len(image.data)} bytes]")
            images.append(image.data)
    data = result.structured_content
    structured = "" if data is None else json.dumps(data, ensure_ascii=False)
    text = "\n".join(texts).strip("\n")
    if not text:
        text, structured = structured or _NO_RESULT, ""
    elif data is not None and _says(text, data):
        structured = ""
    return CallEnded(
        call=call, text=text, is_error=result.is_error, images=tuple(images), structured=structured
    )


def _says(text: str, data: dict[str, Any]) -> bool:
    """Return whether a text is what the JSON says, as servers send it: the same JSON, or its one value."""
    if len(data) == 1 and str(*data.values()).strip("\n") == text:
        return True
    try:
        return bool(json.loads(text) == data)
    except (ValueError, RecursionError):
        return False


def contents_of(result: types.ReadResourceResult) -> tuple[ResourceContent, ...]:
    """Return the contents of a resource."""
    return tuple(map(_content, result.contents))


def filled_prompt(result: types.GetPromptResult) -> FilledPrompt:
    """Return a prompt as text, with its resources and images. Messages of the assistant are marked."""
    texts: list[str] = []
    contents: list[ResourceContent] = []
    for message in result.messages:
        match message.content:
            case types.EmbeddedResource(resource=resource):
                contents.append(_content(resource))
            case block if (image := _image(block)) is not None:
                contents.append(image)
            case block:
                text = _text(block)
                texts.append(text if message.role == "user" else f"Assistant: {text}")
    return FilledPrompt(text="\n\n".join(texts), contents=tuple(contents))


def _content(resource: types.TextResourceContents | types.BlobResourceContents) -> ResourceContent:
    media_type = resource.mime_type or ""
    if isinstance(resource, types.TextResourceContents):
        return ResourceContent(uri=resource.uri, media_type=media_type, text=resource.text)
    return ResourceContent(uri=resource.uri, media_type=media_type, data=_decoded(resource.blob))


def _image(block: types.ContentBlock) -> ResourceContent | None:
    match block:
        case types.ImageContent():
            return ResourceContent(uri="", media_type=block.mime_type, data=_decoded(block.data))
        case types.EmbeddedResource(resource=types.BlobResourceContents() as resource):
            content = _content(resource)
            return content if content.media_type.startswith("image/") else None
        case _:
            return None


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""


def _text(block: types.ContentBlock) -> str:
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent() | types.AudioContent():
            return f"[{block.type}, {block.mime_type}, {len(block.data) * 3 // 4} bytes: not shown]"
        case types.ResourceLink():
            return f"[{block.name}: {block.uri}]"
        case types.EmbeddedResource(resource=types.TextResourceContents() as resource):
            return resource.text
        case _:
            return "[data: not shown]"
