"""Use the engine of another program of this user."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable
from itertools import count
from typing import Final, TypeVar

import msgspec

from fireside import __version__
from fireside.core.errors import EngineLost, FiresideError, error_from_info, localized
from fireside.core.generation import Failed, Finished, GenerationEvent
from fireside.core.ids import ModelId, RequestId
from fireside.core.status import ModelStatus, RunningModel
from fireside.engine.engine import GenerationStream
from fireside.engine.processes.link import sendable
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import EventBuffer
from fireside.engine.sharing.engine_messages import (
    Asked,
    Call,
    EndCall,
    EngineState,
    HoldLoads,
    Join,
    LookAt,
    Question,
    Replied,
    Said,
    StartAnswer,
    Told,
    UnloadModel,
    Welcome,
)
from fireside.engine.sharing.frames import FrameChannel
from fireside.engine.sharing.local_endpoint import LocalEndpoint
from fireside.wire.messages import Cancel, Pause, Resume

_ANSWER_LIMIT_S: Final = 3.0
"""The other program may be importing, or short of processor time; if slower, it hangs or was stopped."""
_CLOSE_LIMIT_S: Final = 2.0

_SAID: msgspec.msgpack.Decoder[Said] = msgspec.msgpack.Decoder(Said)
_NOTHING: msgspec.msgpack.Decoder[None] = msgspec.msgpack.Decoder(None)

Value = TypeVar("Value")


class OtherVersion(Exception):
    """The program that has the engine is of another version."""

    def __init__(self, version: str) -> None:
        super().__init__(version)
        self.version = version


class NotAnswering(Exception):
    """The program that has the engine says nothing."""


class JoinedEngine:
    """What an engine does, done by another program. On the loop that made it.

    Its answers end with ``EngineLost`` once the other program has gone, and so do its calls.
    """

    def __init__(self, channel: FrameChannel[Said], *, state: EngineState) -> None:
        self._channel = channel
        self._state = state
        self._told_at_s = time.monotonic()
        self._answers: dict[RequestId, EventBuffer] = {}
        self._calls: dict[int, asyncio.Future[Replied]] = {}
        self._numbers = count(1)
        self._all_ended = asyncio.Event()
        self._all_ended.set()
        self.is_lost = False
        """The other program has gone."""
        self.on_status: Callable[[ModelStatus], None] = lambda _: None
        """Called with each change of a model's state."""

    async def run(self) -> None:
        """Take what the other program says, until it goes."""
        try:
            while (said := await self._channel.receive()) is not None:
                self._take(said)
        finally:
            self.is_lost = True
            for request_id in tuple(self._answers):
                self._take_event(request_id, Failed(error=EngineLost().info()))
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
            self._send(StartAnswer(request=request))
        except FiresideError as exc:
            events.post(Failed(error=exc.info()))
            return stream
        events.on_resume = lambda: self._channel.send(Resume(request_id=request_id))
        self._answers[request_id] = events
        self._all_ended.clear()
        return stream

    async def close(self) -> None:
        """Cancel all answers, and return when they have ended or that takes too long."""
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
        self._channel.send(LookAt(owner=owner))

    async def unload(self, model_id: ModelId) -> None:
        """See ``Engine.unload``."""
        await self.ask(UnloadModel(model_id=model_id), reply=_NOTHING)

    async def ask(self, question: Question, *, reply: msgspec.msgpack.Decoder[Value]) -> Value:
        """Return the reply to ``question``. Raises what the engine raises, and ``EngineLost``."""
        number = next(self._numbers)
        try:
            return reply.decode((await self._call(number, question)).value)
        finally:
            self._end_call(number)

    @contextlib.asynccontextmanager
    async def freeze_loads(self, name: str) -> AsyncIterator[None]:
        """See ``Engine.freeze_loads``."""
        number = next(self._numbers)
        try:
            await self._call(number, HoldLoads(name=name))
            yield
        finally:
            self._end_call(number)

    def statuses(self) -> tuple[ModelStatus, ...]:
        """See ``Engine.statuses``."""
        return self._state.statuses

    def running_models(self) -> tuple[RunningModel, ...]:
        """See ``Engine.running_models``."""
        gone_s = time.monotonic() - self._told_at_s
        return tuple(
            model
            if model.expires_in_s is None
            else msgspec.structs.replace(model, expires_in_s=max(0.0, model.expires_in_s - gone_s))
            for model in self._state.running_models
        )

    async def _call(self, number: int, question: Question) -> Replied:
        reply = self._calls[number] = asyncio.get_running_loop().create_future()
        self._send(Call(number=number, question=question))
        replied: Replied = await reply
        if replied.error is not None:
            raise error_from_info(replied.error)
        return replied

    def _end_call(self, number: int) -> None:
        del self._calls[number]
        self._channel.send(EndCall(number=number))

    def _send(self, asked: Asked) -> None:
        """Send what may be too large to be sent. Raises ``RequestError`` or ``EngineLost``."""
        if self.is_lost:
            raise EngineLost
        with sendable():
            self._channel.send(asked)

    def _take(self, said: Said) -> None:
        match said:
            case Told(request_id=request_id, event=event):
                self._take_event(request_id, event)
            case Replied():
                call = self._calls.get(said.number)
                if call is not None and not call.done():
                    call.set_result(said)
            case EngineState():
                before = {status.model_id: status for status in self._state.statuses}
                self._state, self._told_at_s = said, time.monotonic()
                for status in said.statuses:
                    if before.get(status.model_id) != status:
                        self.on_status(status)
            case Welcome():
                pass

    def _take_event(self, request_id: RequestId, event: GenerationEvent) -> None:
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
    """Return the engine that runs, whose ``run`` is to be awaited then; ``None`` where none does.

    Args:
        client: what this program is called in lists of who uses a model.

    Raises:
        OtherVersion: it is of another version of the program.
        NotAnswering: it says nothing for 3 s.
    """
    channel = state = None
    try:
        async with asyncio.timeout(_ANSWER_LIMIT_S):
            connection = await endpoint.connect()
            if connection is None:
                return None
            channel = FrameChannel(connection, decoder=_SAID)
            channel.send(Join(version=__version__, client=client, pid=os.getpid()))
            welcome = await channel.receive()
            if isinstance(welcome, Welcome) and welcome.version != __version__:
                raise OtherVersion(welcome.version)
            state = await channel.receive()
    except TimeoutError as exc:
        raise NotAnswering from exc
    finally:
        if channel is not None and not isinstance(state, EngineState):
            await channel.close()
    return JoinedEngine(channel, state=state) if isinstance(state, EngineState) else None
