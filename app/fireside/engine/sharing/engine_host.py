"""Serve an engine to other programs of this user."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from itertools import count
from typing import Final, assert_never

import msgspec

from fireside import __version__
from fireside.core.errors import FiresideError, PromptTooLarge
from fireside.core.generation import Failed, Finished
from fireside.core.ids import RequestId
from fireside.engine.engine import Engine
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import GenerationStream
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
    Join,
    LoadModel,
    Query,
    SetPriorityOwner,
    StartGeneration,
    UnloadModel,
    Welcome,
)
from fireside.wire.frame_channel import FrameChannel
from fireside.wire.frames import FrameTooLarge
from fireside.wire.messages import Cancel, Pause, Resume

log = logging.getLogger(__name__)

MAX_CLIENTS: Final = 32
"""Connections at a time."""
_DECODER: Final[msgspec.msgpack.Decoder[ClientMessage]] = msgspec.msgpack.Decoder(ClientMessage)
_JOIN_LIMIT_S: Final = 5.0
_FIRST_ID: Final = 1 << 40
"""Requests of other programs get ids from here on, far from those of this program."""


class EngineHost:
    """Serves one engine to the clients that connect. On the engine's loop.

    Args:
        name: name of this program in lists of clients of a model.
    """

    def __init__(self, engine: Engine, *, name: str) -> None:
        self._engine = engine
        self._name = name
        self._ids = count(_FIRST_ID)
        self._connections: dict[asyncio.Task[None], FrameChannel[ClientMessage]] = {}
        self._clients: set[_Client] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends."""
        task = asyncio.current_task()
        assert task is not None
        channel = self._connections[task] = FrameChannel(
            (reader, writer), decoder=_DECODER, limit_bytes=MAX_REQUEST_BYTES
        )
        try:
            client = await self._handshake(channel) if len(self._connections) <= MAX_CLIENTS else None
            if client is not None:
                self._clients.add(client)
                try:
                    await client.run()
                finally:
                    self._clients.discard(client)
        finally:
            await channel.close()
            del self._connections[task]

    async def _handshake(self, channel: FrameChannel[ClientMessage]) -> _Client | None:
        try:
            async with asyncio.timeout(_JOIN_LIMIT_S):
                join = await channel.receive()
        except TimeoutError:
            return None
        if not isinstance(join, Join):
            return None
        channel.send(Welcome(version=__version__, host=self._name))
        if join.version != __version__:
            return None
        return _Client(
            self._engine,
            channel,
            name=f"{join.client} ({join.pid})",
            state=self._state,
            next_id=lambda: RequestId(next(self._ids)),
        )

    def publish_state(self) -> None:
        """Have the engine's state sent to all clients: it has changed."""
        for client in self._clients:
            client.state_changed.set()

    async def close(self) -> None:
        """Close all connections, which cancels their requests."""
        for channel in self._connections.values():
            channel.abort()
        await asyncio.gather(*self._connections)

    def _state(self) -> EngineState:
        running_models = tuple(
            msgspec.structs.replace(model, clients=tuple(each or self._name for each in model.clients))
            for model in self._engine.running_models()
        )
        return EngineState(statuses=self._engine.statuses(), running_models=running_models)


class _Answer:
    """One request of a client, and whether the client wants more of its events now."""

    def __init__(self, events: GenerationStream) -> None:
        self.events = events
        self.may_send = asyncio.Event()
        self.may_send.set()


class _Client:
    """One connected client."""

    def __init__(
        self,
        engine: Engine,
        channel: FrameChannel[ClientMessage],
        *,
        name: str,
        state: Callable[[], EngineState],
        next_id: Callable[[], RequestId],
    ) -> None:
        self.state_changed = asyncio.Event()
        self._engine = engine
        self._channel = channel
        self._name = name
        self._state = state
        self._next_id = next_id
        self._answers: dict[RequestId, _Answer] = {}
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Handle messages until the client disconnects; then cancel its requests and calls."""
        self._start(self._send_states())
        try:
            while (message := await self._channel.receive()) is not None:
                self._handle(message)
        finally:
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _handle(self, message: ClientMessage) -> None:
        match message:
            case StartGeneration(request=request):
                if request.request_id not in self._answers:
                    self._answer(request)
            case Cancel():
                if (answer := self._answers.get(message.request_id)) is not None:
                    answer.may_send.set()
                    self._engine.cancel(answer.events.request_id)
            case Pause():
                if (answer := self._answers.get(message.request_id)) is not None:
                    answer.may_send.clear()
            case Resume():
                if (answer := self._answers.get(message.request_id)) is not None:
                    answer.may_send.set()
            case SetPriorityOwner():
                self._engine.set_priority_owner(message.owner)
            case EngineCall(number=number):
                if number not in self._calls:
                    self._calls[number] = self._start(self._reply(message))
                    self._calls[number].add_done_callback(lambda _: self._calls.pop(number))
            case EndCall():
                if (call := self._calls.get(message.number)) is not None:
                    call.cancel()
            case Join():
                pass
            case _:
                assert_never(message)

    def _start(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _send_states(self) -> None:
        """Send the engine's state, now and whenever it changes; a slow client gets the latest only."""
        with contextlib.suppress(OSError):
            while True:
                self.state_changed.clear()
                await self._channel.send_and_drain(self._state())
                await self.state_changed.wait()

    def _answer(self, request: GenerationRequest) -> None:
        # Started before the next message is read, which may cancel it.
        events = self._engine.generate(
            msgspec.structs.replace(request, request_id=self._next_id(), client=self._name)
        )
        answer = self._answers[request.request_id] = _Answer(events)
        self._start(self._send_events(answer, request_id=request.request_id))

    async def _send_events(self, answer: _Answer, *, request_id: RequestId) -> None:
        try:
            async with aclosing(answer.events):
                async for event in answer.events:
                    if isinstance(event, Finished | Failed):
                        del self._answers[request_id]  # the client may use the id again
                    else:
                        await answer.may_send.wait()
                    await self._channel.send_and_drain(EventPosted(request_id=request_id, event=event))
        except OSError:
            log.debug("%s disconnected before its answer ended", self._name)

    async def _reply(self, call: EngineCall) -> None:
        try:
            if isinstance(call.query, FreezeLoads):
                async with self._engine.freeze_loads(call.query.name):
                    self._channel.send(CallReply(number=call.number))
                    await asyncio.get_running_loop().create_future()  # until the call is ended
            value = msgspec.msgpack.encode(await self._value(call.query))
            self._channel.send(self._state())  # so that the client knows the new state before the reply
            self._channel.send(CallReply(number=call.number, value=msgspec.Raw(value)))
        except FiresideError as exc:
            self._channel.send(CallReply(number=call.number, error=exc.info()))
        except FrameTooLarge as exc:
            error = PromptTooLarge(n_bytes=exc.n_bytes, limit_bytes=exc.limit_bytes)
            self._channel.send(CallReply(number=call.number, error=error.info()))

    async def _value(self, query: Query) -> object:
        match query:
            case LoadModel(request=request):
                return await self._engine.load(request)
            case UnloadModel():
                await self._engine.unload(query.model_id)
                return None
            case AskModel(model_id=model_id, query=asked):
                return await self._engine.ask(model_id, asked)
            case FreezeLoads():
                return None
            case _:
                assert_never(query)
