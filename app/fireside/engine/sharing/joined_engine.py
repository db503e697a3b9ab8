"""A client of an engine that another program of this user hosts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable
from itertools import count
from types import UnionType
from typing import Final, TypeVar, cast

import msgspec

from fireside import __version__
from fireside.core.errors import EngineLost, FiresideError, error_from_info, localized
from fireside.core.generation import Failed, Finished, GenerationEvent
from fireside.core.ids import ModelId, RequestId
from fireside.core.prompt_query import AnyPromptQuery, PromptQuery, ReplyT
from fireside.core.status import LoadedModel, ModelStatus, RunningModel
from fireside.engine.processes.runner_process import sendable
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.engine.request_state import EventBuffer, GenerationStream
from fireside.engine.sharing.engine_messages import (
    MAX_REQUEST_BYTES,
    AskModel,
    CallReply,
    ClientMessage,
    EndCall,
    EngineCall,
    EngineState,
    EventPosted,
    FreezeLoads,
    HostMessage,
    Join,
    LoadModel,
    Query,
    SetPriorityOwner,
    StartGeneration,
    UnloadModel,
    Welcome,
)
from fireside.engine.sharing.local_endpoint import LocalEndpoint
from fireside.wire.frame_channel import FrameChannel
from fireside.wire.messages import Cancel, Pause, Resume

_ANSWER_LIMIT_S: Final = 3.0
"""The host may be importing or short of CPU time; if it takes longer, it hangs or was stopped."""
_CLOSE_LIMIT_S: Final = 2.0

_DECODER: msgspec.msgpack.Decoder[HostMessage] = msgspec.msgpack.Decoder(HostMessage)

Value = TypeVar("Value")


class VersionMismatch(Exception):
    """The host has another version. Its text says so, and what helps."""

    def __init__(self, version: str) -> None:
        super().__init__(
            f"Fireside {version} is running and this is {__version__}, so they share no loaded models. "
            "Quit the other one to use only this version."
        )
        self.version = version


class EngineUnresponsive(Exception):
    """The host does not answer. Its text says so, and what helps."""

    def __init__(self) -> None:
        super().__init__(
            "Fireside is running but does not answer, so its loaded models cannot be used. "
            "Quit it and start it again."
        )


class JoinedEngine:
    """Forwards an engine's methods to the host. On the loop that created it.

    Requests and calls fail with ``EngineLost`` once the connection is lost.
    """

    def __init__(self, channel: FrameChannel[HostMessage], *, state: EngineState) -> None:
        self._channel = channel
        self._state = state
        self._state_at_s = time.monotonic()
        self._answers: dict[RequestId, EventBuffer] = {}
        self._calls: dict[int, asyncio.Future[CallReply]] = {}
        self._numbers = count(1)
        self._all_ended = asyncio.Event()
        self._all_ended.set()
        self.is_lost = False
        """Whether the connection is lost."""
        self.on_status: Callable[[ModelStatus], None] = lambda _: None
        """Called with each change of a model's state."""

    async def run(self) -> None:
        """Handle the host's messages until the connection is lost."""
        try:
            while (message := await self._channel.receive()) is not None:
                self._handle(message)
        finally:
            self.is_lost = True
            for request_id in tuple(self._answers):
                self._post_event(request_id, Failed(error=EngineLost().info()))
            for call in self._calls.values():
                if not call.done():
                    call.set_exception(EngineLost())
            await self._channel.close()

    def generate(self, request: GenerationRequest) -> GenerationStream:
        """See ``Engine.generate``."""
        request_id, events = request.request_id, EventBuffer()
        if request_id < 1 or request_id in self._answers:
            raise ValueError(f"request {request_id} is running already or not a positive number")
        stream = GenerationStream(request_id, events, cancel=lambda: self.cancel(request_id))
        try:
            self._send(StartGeneration(request=request))
        except FiresideError as exc:
            events.post(Failed(error=exc.info()))
            return stream
        events.on_resume = lambda: self._channel.send(Resume(request_id=request_id))
        self._answers[request_id] = events
        self._all_ended.clear()
        return stream

    async def close(self) -> None:
        """Cancel all requests, and return when they have ended or that takes too long."""
        for request_id in tuple(self._answers):
            self.cancel(request_id)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_LIMIT_S):
                await self._all_ended.wait()

    def cancel(self, request_id: RequestId) -> None:
        """See ``Engine.cancel``."""
        if (events := self._answers.get(request_id)) is not None:
            events.resume_writer()
            self._channel.send(Cancel(request_id=request_id))

    def set_priority_owner(self, owner: str) -> None:
        """See ``Engine.set_priority_owner``."""
        self._channel.send(SetPriorityOwner(owner=owner))

    async def load(self, request: LoadRequest) -> LoadedModel:
        """See ``Engine.load``."""
        return await self._query(LoadModel(request=request), reply=LoadedModel)

    async def unload(self, model_id: ModelId) -> None:
        """See ``Engine.unload``."""
        await self._query(UnloadModel(model_id=model_id), reply=type(None))

    async def ask(self, model_id: ModelId, query: PromptQuery[ReplyT]) -> ReplyT | None:
        """See ``Engine.ask``."""
        assert isinstance(query, AnyPromptQuery)
        reply = await self._query(AskModel(model_id=model_id, query=query), reply=query.reply | None)
        return cast("ReplyT | None", reply)

    async def _query(self, query: Query, *, reply: type[Value] | UnionType) -> Value:
        """Return the reply to ``query``. Raises what the engine raises, and ``EngineLost``."""
        number = next(self._numbers)
        try:
            value: Value = msgspec.msgpack.decode((await self._call(number, query)).value, type=reply)
            return value
        finally:
            self._end_call(number)

    @contextlib.asynccontextmanager
    async def freeze_loads(self, name: str) -> AsyncIterator[None]:
        """See ``Engine.freeze_loads``."""
        number = next(self._numbers)
        try:
            await self._call(number, FreezeLoads(name=name))
            yield
        finally:
            self._end_call(number)

    def statuses(self) -> tuple[ModelStatus, ...]:
        """See ``Engine.statuses``."""
        return self._state.statuses

    def running_models(self) -> tuple[RunningModel, ...]:
        """See ``Engine.running_models``."""
        age_s = time.monotonic() - self._state_at_s
        return tuple(
            model
            if model.expires_in_s is None
            else msgspec.structs.replace(model, expires_in_s=max(0.0, model.expires_in_s - age_s))
            for model in self._state.running_models
        )

    async def _call(self, number: int, query: Query) -> CallReply:
        future = self._calls[number] = asyncio.get_running_loop().create_future()
        self._send(EngineCall(number=number, query=query))
        reply: CallReply = await future
        if reply.error is not None:
            raise error_from_info(reply.error)
        return reply

    def _end_call(self, number: int) -> None:
        del self._calls[number]
        self._channel.send(EndCall(number=number))

    def _send(self, message: ClientMessage) -> None:
        """Send a message. Raises ``RequestError`` if it is too large or not Unicode, or ``EngineLost``."""
        if self.is_lost:
            raise EngineLost
        with sendable():
            self._channel.send(message)

    def _handle(self, message: HostMessage) -> None:
        match message:
            case EventPosted(request_id=request_id, event=event):
                self._post_event(request_id, event)
            case CallReply():
                call = self._calls.get(message.number)
                if call is not None and not call.done():
                    call.set_result(message)
            case EngineState():
                before = {status.model_id: status for status in self._state.statuses}
                self._state, self._state_at_s = message, time.monotonic()
                for status in message.statuses:
                    if before.get(status.model_id) != status:
                        self.on_status(status)
            case Welcome():
                pass

    def _post_event(self, request_id: RequestId, event: GenerationEvent) -> None:
        events = self._answers.get(request_id)
        if events is None:
            return
        was_full = events.is_full
        if isinstance(event, Failed):
            event = Failed(error=localized(event.error))
        events.post(event)
        if isinstance(event, Finished | Failed):
            del self._answers[request_id]
            if not self._answers:
                self._all_ended.set()
        elif events.is_full and not was_full:
            self._channel.send(Pause(request_id=request_id))


async def join(endpoint: LocalEndpoint, *, client: str) -> JoinedEngine | None:
    """Connect to the engine that runs; the caller then awaits its ``run``. ``None`` if none runs.

    Args:
        client: name of this program in lists of clients of a model.

    Raises:
        VersionMismatch: the host has another version.
        EngineUnresponsive: the host does not answer within 3 s.
    """
    channel = state = None
    try:
        async with asyncio.timeout(_ANSWER_LIMIT_S):
            connection = await endpoint.connect()
            if connection is None:
                return None
            channel = FrameChannel(connection, decoder=_DECODER, send_limit_bytes=MAX_REQUEST_BYTES)
            channel.send(Join(version=__version__, client=client, pid=os.getpid()))
            welcome = await channel.receive()
            if isinstance(welcome, Welcome) and welcome.version != __version__:
                raise VersionMismatch(welcome.version)
            state = await channel.receive()
    except TimeoutError as exc:
        raise EngineUnresponsive from exc
    finally:
        if channel is not None and not isinstance(state, EngineState):
            await channel.close()
    return JoinedEngine(channel, state=state) if isinstance(state, EngineState) else None
