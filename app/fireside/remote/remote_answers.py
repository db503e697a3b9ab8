"""Run requests on remote engines, with the same events as the local engine."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from itertools import count
from typing import Any, Final, Self

import msgspec

from fireside.core.errors import (
    ErrorInfo,
    FiresideError,
    NextStep,
    RemoteAnswerInvalid,
    RemoteError,
    RemoteInterrupted,
    RemoteUnreachable,
)
from fireside.core.generation import (
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    Retrying,
    TextDelta,
    Timings,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import RequestId
from fireside.core.message import Role, ToolCallPart
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.core.remote import RemoteLocation
from fireside.core.task import GenerationTask
from fireside.remote.delta_builder import AnswerTooLong
from fireside.remote.dialect import ServerDialect, dialect_of
from fireside.remote.error_response import BUSY, MAX_WAIT_S, ErrorResponse, excerpt, is_page, page_text
from fireside.remote.remote_client import RemoteClient

log = logging.getLogger(__name__)

_ID_BYTES: Final = 5
_N_ATTEMPTS: Final = 3
_SESSION_CHARACTERS: Final = 32

FindClient = Callable[[RemoteLocation], Awaitable[RemoteClient]]
OnUnsupported = Callable[[RemoteClient, str], None]


class RemoteAnswers:
    """Runs requests on remote engines. All methods on one loop.

    Cancelling closes the connection, which ends the work of the server. Only an answer that has not begun is
    retried.
    """

    def __init__(
        self,
        client_of: FindClient,
        *,
        on_unsupported: OnUnsupported,
        on_reached: Callable[[str, bool], None],
        clock: Callable[[], float],
    ) -> None:
        """``client_of`` returns an engine's client or raises ``RemoteNotFound``; ``on_unsupported`` is called
        with a parameter that an engine rejected, ``on_reached`` with an engine's id and whether it was
        reached; ``clock`` returns monotonic seconds."""
        self._client_of = client_of
        self._on_unsupported = on_unsupported
        self._on_reached = on_reached
        self._clock = clock
        self._running: dict[RequestId, asyncio.Task[None]] = {}

    def generate(self, request_id: RequestId, location: RemoteLocation, task: GenerationTask) -> RemoteStream:
        """Start one answer and return its events."""
        events: asyncio.Queue[GenerationEvent] = asyncio.Queue()
        run = _Run(location, task, emit=events.put_nowait, clock=self._clock, on_reached=self._on_reached)
        work = asyncio.create_task(run.run(self._client_of, self._on_unsupported), name="remote answer")
        self._running[request_id] = work

        def end(_: asyncio.Task[None]) -> None:
            self._running.pop(request_id, None)
            # A task that is cancelled before its first step posts nothing itself.
            events.put_nowait(run.cancelled())

        work.add_done_callback(end)
        return RemoteStream(request_id, events, work)

    def cancel(self, request_id: RequestId) -> None:
        """Cancel a request, which then ends with ``Finished``. Unknown ones are ignored."""
        if (work := self._running.get(request_id)) is not None:
            work.cancel()

    async def close(self) -> None:
        """Cancel all requests and wait until they have ended."""
        running = tuple(self._running.values())
        for work in running:
            work.cancel()
        await asyncio.gather(*running, return_exceptions=True)


class RemoteStream(AsyncIterator[GenerationEvent]):
    """The events of one answer; the last is its one ``Finished`` or ``Failed``. Raises nothing.

    Iterate to the end or call ``aclose``, which cancels. A cancelled reader cancels the request too.
    """

    def __init__(
        self, request_id: RequestId, events: asyncio.Queue[GenerationEvent], work: asyncio.Task[None]
    ) -> None:
        self.request_id = request_id
        self._events = events
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._is_done = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> GenerationEvent:
        if self._is_done:
            raise StopAsyncIteration
        try:
            event = await self._events.get()
        except asyncio.CancelledError:
            await self.aclose()
            raise
        self._is_done = isinstance(event, Finished | Failed)
        return event

    async def aclose(self) -> None:
        """Cancel the request if it has not ended. Returns at once. Idempotent."""
        self._is_done = True
        self._work.cancel()

    def __del__(self) -> None:
        # Left by an error: the garbage collector may run in any thread.
        if not self._is_done and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._work.cancel)


class _NotStarted(Exception):
    """An engine did not start to answer; a later attempt may.

    ``wait_s`` is the server's ``Retry-After``, if it sent one.
    """

    def __init__(self, error: FiresideError, *, wait_s: float | None = None) -> None:
        super().__init__(error)
        self.error, self.wait_s = error, wait_s


class _Run:
    """One request."""

    def __init__(
        self,
        location: RemoteLocation,
        task: GenerationTask,
        *,
        emit: Callable[[GenerationEvent], None],
        clock: Callable[[], float],
        on_reached: Callable[[str, bool], None],
    ) -> None:
        self._location = location
        self._task = task
        self._emit = emit
        self._clock = clock
        self._on_reached = on_reached
        self._started_at = clock()
        self._first_text_at: float | None = None
        self._last_text_at = 0.0
        self._session = session_id(task, location)
        self._reader = dialect_of(location.kind).reader()

    async def run(self, client_of: FindClient, on_unsupported: OnUnsupported) -> None:
        """Run the request and emit its end, whatever it is."""
        try:
            await self._answer(client_of, on_unsupported)
            end: GenerationEvent = self._finished(self._reader.reason)
        except asyncio.CancelledError:
            end = self.cancelled()
        except FiresideError as exc:
            end = Failed(error=exc.info())
        except Exception as exc:
            log.exception("a remote answer ended with a bug")
            end = Failed(error=_internal_error(exc))
        with contextlib.suppress(AnswerTooLong):
            self._report(self._reader.end())  # received text is kept, however the answer ended
        self._emit(end)

    def cancelled(self) -> Finished:
        """Return the last event of a cancelled request, with the usage so far."""
        return self._finished(FinishReason.CANCELLED)

    async def _answer(self, client_of: FindClient, on_unsupported: OnUnsupported) -> None:
        """Ask the engine; if it does not start to answer, wait and ask again."""
        for n_tries in count(1):
            client = await client_of(self._location)  # anew each time: the user may have removed the engine
            try:
                async with client.hold():
                    await self._try(client, on_unsupported)
            except _NotStarted as exc:
                wait_s = float(n_tries) if exc.wait_s is None else exc.wait_s
                if n_tries >= _N_ATTEMPTS or wait_s > MAX_WAIT_S:
                    raise exc.error from exc
            else:
                return
            await self._wait(wait_s)

    async def _try(self, client: RemoteClient, on_unsupported: OnUnsupported) -> None:
        """Run the request once. Raises ``_NotStarted`` if the engine did not start to answer."""
        location, dialect = self._location, dialect_of(self._location.kind)
        while True:
            self._reader = dialect.reader()
            # Whether a model takes tools may change, and is told with each answer.
            unsupported = client.unsupported - {"tools"}
            body = dialect.body(self._task, location, unsupported=unsupported, session=self._session)
            try:
                await self._stream(client, dialect, body)
            except ErrorResponse as exc:
                if self._first_text_at is None and "tools" in body and exc.refuses_tools:
                    raise RemoteError.of(
                        "remote_tools_refused",
                        host=client.host,
                        name=location.model.name,
                        reason=exc.message,
                    ) from exc
                parameter = exc.parameter_of(body.keys() - dialect.required_parameters)
                if self._first_text_at is None and parameter is not None:
                    client.unsupported.add(parameter)
                    on_unsupported(client, parameter)
                    continue
                error = exc.error(host=client.host, has_key=client.has_key, model=location.model.name)
                if self._first_text_at is not None or exc.status not in BUSY:
                    raise error from exc
                raise _NotStarted(error, wait_s=exc.wait_s) from exc
            except RemoteInterrupted as exc:
                exc.has_begun = self._first_text_at is not None
                raise
            except RemoteUnreachable as exc:
                self._on_reached(location.engine_id, False)
                if not exc.retryable:
                    raise
                raise _NotStarted(exc) from exc
            return

    async def _wait(self, seconds: float) -> None:
        """Wait, and emit the remaining time each second."""
        ends_at = self._clock() + seconds
        while (left := ends_at - self._clock()) > 0:
            self._emit(Retrying(host=self._location.host, wait_s=math.ceil(left)))
            await asyncio.sleep(min(1.0, left))

    async def _stream(self, client: RemoteClient, dialect: ServerDialect, body: dict[str, Any]) -> None:
        headers = {"Accept": dialect.media_type, "X-Session-Id": self._session}
        why = tr("answer of {model}").format(model=self._location.model.name)
        try:
            async with (
                client.open(dialect.path, why=why, body=body, headers=headers) as response,
                aclosing(client.chunks(response)) as chunks,
            ):
                answer = AnswerBody(chunks)
                async with aclosing(answer.events()) as events:
                    self._on_reached(self._location.engine_id, True)
                    async for data in events:
                        self._report(self._reader.read(data))
                        if self._reader.is_done:
                            break
        except WebPageSent as exc:
            reason = tr(
                "{page} A sign-in page or a proxy may be in between: open the address in a browser."
            ).format(page=page_text(exc.content))
            raise RemoteAnswerInvalid(host=client.host, reason=reason) from exc
        except (EventTooLong, AnswerTooLong) as exc:
            raise RemoteAnswerInvalid(host=client.host, reason=tr_noop("it is too long.")) from exc
        self._report(self._reader.end())
        self._check_end(client.host, beginning=answer.beginning)

    def _check_end(self, host: str, *, beginning: bytes) -> None:
        """Raise the error of an answer that did not end as one does."""
        if self._reader.is_blocked:
            raise RemoteError.of("remote_blocked", host=host)
        if self._reader.finish or self._reader.is_done:
            return
        if self._first_text_at is None and beginning.strip():
            reason = tr("it holds no answer: “{excerpt}”").format(excerpt=excerpt(beginning))
            raise RemoteAnswerInvalid(host=host, reason=reason)
        raise RemoteInterrupted(host=host, reason=tr_noop("the connection was closed."))

    def _report(self, deltas: tuple[TextDelta, ...]) -> None:
        for delta in deltas:
            self._last_text_at = self._clock()
            if self._first_text_at is None:
                self._first_text_at = self._last_text_at
            self._emit(delta)

    def _finished(self, reason: FinishReason) -> Finished:
        first_at = self._clock() if self._first_text_at is None else self._first_text_at
        waited_s = first_at - self._started_at
        return Finished(
            reason=reason,
            usage=self._reader.usage,
            timings=Timings(
                prompt_s=waited_s, decode_s=max(0.0, self._last_text_at - first_at), first_token_s=waited_s
            ),
            seed=self._task.sampling.seed or 0,
            n_ctx=self._location.model.n_ctx or 0,
            context_full=False,
            tool_calls=_with_unique_ids(self._reader.tool_calls, prompt=self._task.prompt),
            n_not_understood=self._reader.n_not_understood,
        )


def _with_unique_ids(calls: Sequence[ToolCallPart], *, prompt: PromptInput) -> tuple[ToolCallPart, ...]:
    """Return the calls with ids that no other call of the conversation has: some servers send none, or count
    anew in each answer."""
    messages = prompt.messages if isinstance(prompt, ChatInput) else ()
    taken = {call.id for message in messages for call in message.tool_calls}
    unique: list[ToolCallPart] = []
    for call in calls:
        # Nine letters and digits: Mistral's servers refuse any other.
        own_id = secrets.token_hex(_ID_BYTES)[:9] if call.id in taken else call.id
        unique.append(msgspec.structs.replace(call, id=own_id))
        taken.add(own_id)
    return tuple(unique)


def session_id(task: GenerationTask, location: RemoteLocation) -> str:
    """Return a stable, opaque id of a conversation on an engine, for the server's cache, and for a router in
    front of several.

    A request without a conversation is identified by the start of its prompt.
    """
    key = f"{location.engine_id}\0{task.owner or _prompt_start(task.prompt)}"
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:_SESSION_CHARACTERS]


def _prompt_start(prompt: PromptInput) -> str:
    texts: list[str] = []
    for message in prompt.messages if isinstance(prompt, ChatInput) else ():
        texts.append(message.text)
        if message.role is Role.USER:
            break
    return "\0".join(texts)


def _internal_error(exc: Exception) -> ErrorInfo:
    return ErrorInfo(
        code="internal",
        sentence=tr("Internal error ({kind}). Your chat is safe.").format(kind=type(exc).__name__),
        retryable=True,
        next_step=NextStep.RETRY,
    )


# Split the body of an answer into events, by what it is and not by what was asked for


MAX_EVENT_BYTES: Final = 8 * 1024 * 1024
"""Limit of one event; a chunk of an answer has some hundred bytes."""
_NEXT_EVENT: Final = (b"{", b"[DONE]")


class EventTooLong(Exception):
    """An event is longer than any that an inference server sends."""


async def sse_data(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the data of each event as it arrives; comments, names and empty events are skipped.

    A stream without the empty lines between events is read as well: a JSON object that follows another one
    begins an event.

    Raises ``EventTooLong``, and what ``chunks`` raises.
    """
    rest = b""
    data: list[bytes] = []
    n_data = 0
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for raw_line in lines:
            line = raw_line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                value = line[5:].removeprefix(b" ")
                if data and data[-1].endswith(b"}") and value.startswith(_NEXT_EVENT):
                    yield b"\n".join(data)
                    data, n_data = [], 0
                data.append(value)
                n_data += len(line)
            elif not line and data:
                yield b"\n".join(data)
                data, n_data = [], 0
        if n_data + len(rest) > MAX_EVENT_BYTES:
            raise EventTooLong
    if rest.startswith(b"data:"):
        value = rest[5:].removeprefix(b" ")
        if data and data[-1].endswith(b"}") and value.startswith(_NEXT_EVENT):
            yield b"\n".join(data)
            data = []
        data.append(value)
    if data:
        yield b"\n".join(data)


_MAX_PAGE_BYTES: Final = 64 * 1024
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"


class WebPageSent(Exception):
    """A web page was sent in place of an answer; ``content`` is its beginning."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content


class AnswerBody:
    """The body of one response. ``beginning`` is what arrived first, to quote it if it holds no answer."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks
        self.beginning = b""

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Yield each event as it arrives: of server-sent events, of JSON lines, or one JSON document.

        Raises ``WebPageSent``, ``EventTooLong``, and what the chunks raise.
        """
        async for chunk in self._chunks:
            self.beginning += chunk
            if self.beginning.lstrip(_BLANK):
                break
        start = self.beginning.lstrip(_BLANK)
        if is_page(start):
            raise WebPageSent(await self._page())
        split = _documents if start[:1] in (b"{", b"[") else sse_data
        async with aclosing(split(self._rest(start))) as events:
            async for event in events:
                yield event

    async def _rest(self, start: bytes) -> AsyncGenerator[bytes, None]:
        yield start
        async for chunk in self._chunks:
            yield chunk

    async def _page(self) -> bytes:
        page = self.beginning
        async for chunk in self._chunks:
            page += chunk
            if len(page) > _MAX_PAGE_BYTES:
                break
        return page[:_MAX_PAGE_BYTES]


async def _documents(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield JSON documents: one a line, or a single one over many lines; of a list each element."""
    rest = b""
    is_lines = False
    async for chunk in chunks:
        rest += chunk
        # The first line tells: one that is a document by itself is followed by others.
        is_lines = is_lines or (rest.partition(b"\n")[0].rstrip().endswith(b"}") and b"\n" in rest)
        if is_lines:
            *lines, rest = rest.split(b"\n")
            for line in lines:
                if line.strip():
                    yield line
        if len(rest) > MAX_EVENT_BYTES:
            raise EventTooLong
    for document in _elements(rest):
        yield document


def _elements(text: bytes) -> list[bytes]:
    if not text.strip():
        return []
    try:
        if text.lstrip().startswith(b"["):
            return [bytes(each) for each in msgspec.json.decode(text, type=list[msgspec.Raw])]
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return [line for line in text.split(b"\n") if line.strip()]
    return [text]
