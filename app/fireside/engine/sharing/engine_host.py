"""Let other programs of this user use an engine."""

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
from fireside.engine.engine import Engine, GenerationStream
from fireside.engine.request import GenerationRequest
from fireside.engine.sharing.engine_messages import (
    Asked,
    Call,
    CountTokens,
    EndCall,
    EngineState,
    HoldLoads,
    Join,
    LoadModel,
    LookAt,
    MeasurePrompt,
    Question,
    Replied,
    ShowPrompt,
    StartAnswer,
    Told,
    UnloadModel,
    Welcome,
)
from fireside.engine.sharing.frames import FrameChannel
from fireside.wire.codec import FrameTooLarge
from fireside.wire.messages import Cancel, Pause, Resume

log = logging.getLogger(__name__)

MAX_USERS: Final = 32
"""Programs at a time."""
_ASKED: Final[msgspec.msgpack.Decoder[Asked]] = msgspec.msgpack.Decoder(Asked)
_JOIN_LIMIT_S: Final = 5.0
_FIRST_ID: Final = 1 << 40
"""Requests of other programs get numbers from here, far from those of this one."""


class EngineHost:
    """Serves one engine to the programs that connect. On the engine's loop.

    Args:
        name: what this program is called in lists of who uses a model.
    """

    def __init__(self, engine: Engine, *, name: str) -> None:
        self._engine = engine
        self._name = name
        self._ids = count(_FIRST_ID)
        self._connections: dict[asyncio.Task[None], FrameChannel[Asked]] = {}
        self._users: set[_User] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends."""
        task = asyncio.current_task()
        assert task is not None
        channel = self._connections[task] = FrameChannel((reader, writer), decoder=_ASKED)
        try:
            user = await self._greeted(channel) if len(self._connections) <= MAX_USERS else None
            if user is not None:
                self._users.add(user)
                try:
                    await user.run()
                finally:
                    self._users.discard(user)
        finally:
            await channel.close()
            del self._connections[task]

    async def _greeted(self, channel: FrameChannel[Asked]) -> _User | None:
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
        return _User(
            self._engine,
            channel,
            name=f"{join.client} ({join.pid})",
            state=self._state,
            next_id=lambda: RequestId(next(self._ids)),
        )

    def changed(self) -> None:
        """The engine stands otherwise than before: tell the users, soon."""
        for user in self._users:
            user.changed.set()

    async def close(self) -> None:
        """End all connections; what was asked over them is cancelled."""
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
    """One answer on its way to another program."""

    def __init__(self, events: GenerationStream) -> None:
        self.events = events
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()


class _User:
    """Another program that uses the engine."""

    def __init__(
        self,
        engine: Engine,
        channel: FrameChannel[Asked],
        *,
        name: str,
        state: Callable[[], EngineState],
        next_id: Callable[[], RequestId],
    ) -> None:
        self.changed = asyncio.Event()
        self._engine = engine
        self._channel = channel
        self._name = name
        self._state = state
        self._next_id = next_id
        self._answers: dict[RequestId, _Answer] = {}
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Do what is asked until the other program goes; then cancel what is left of it."""
        self._start(self._tell_state())
        try:
            while (asked := await self._channel.receive()) is not None:
                self._do(asked)
        finally:
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _do(self, asked: Asked) -> None:
        match asked:
            case StartAnswer(request=request):
                if request.request_id not in self._answers:
                    self._answer(request)
            case Cancel():
                if (answer := self._answers.get(asked.request_id)) is not None:
                    answer.may_go_on.set()
                    self._engine.cancel(answer.events.request_id)
            case Pause():
                if (answer := self._answers.get(asked.request_id)) is not None:
                    answer.may_go_on.clear()
            case Resume():
                if (answer := self._answers.get(asked.request_id)) is not None:
                    answer.may_go_on.set()
            case LookAt():
                self._engine.set_priority_owner(asked.owner)
            case Call(number=number):
                if number not in self._calls:
                    self._calls[number] = self._start(self._reply(asked))
                    self._calls[number].add_done_callback(lambda _: self._calls.pop(number))
            case EndCall():
                if (call := self._calls.get(asked.number)) is not None:
                    call.cancel()
            case Join():
                pass
            case _:
                assert_never(asked)

    def _start(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _tell_state(self) -> None:
        """Tell how the engine stands, now and whenever that changes; a slow reader hears the latest alone."""
        with contextlib.suppress(OSError):
            while True:
                self.changed.clear()
                await self._channel.send_slowly(self._state())
                await self.changed.wait()

    def _answer(self, request: GenerationRequest) -> None:
        # Asked at once: what comes behind it may be its cancellation.
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
                        del self._answers[request_id]  # the number may come again
                    else:
                        await answer.may_go_on.wait()
                    await self._channel.send_slowly(Told(request_id=request_id, event=event))
        except OSError:
            log.debug("%s has gone before its answer ended", self._name)

    async def _reply(self, call: Call) -> None:
        try:
            if isinstance(call.question, HoldLoads):
                async with self._engine.freeze_loads(call.question.name):
                    self._channel.send(Replied(number=call.number))
                    await asyncio.get_running_loop().create_future()  # until the call is ended
            value = msgspec.msgpack.encode(await self._value(call.question))
            self._channel.send(self._state())  # what the reply is about is known before it
            self._channel.send(Replied(number=call.number, value=msgspec.Raw(value)))
        except FiresideError as exc:
            self._channel.send(Replied(number=call.number, error=exc.info()))
        except FrameTooLarge as exc:
            error = PromptTooLarge(n_bytes=exc.n_bytes, limit_bytes=exc.limit_bytes)
            self._channel.send(Replied(number=call.number, error=error.info()))

    async def _value(self, question: Question) -> object:
        match question:
            case LoadModel():
                return await self._engine.load(
                    question.spec,
                    question.options,
                    keep_alive_s=question.keep_alive_s,
                    override_options=question.override_options,
                    persist=question.persist,
                )
            case UnloadModel():
                await self._engine.unload(question.model_id)
                return None
            case CountTokens():
                return await self._engine.count_tokens(
                    question.model_id, messages=question.messages, draft=question.draft
                )
            case ShowPrompt():
                return await self._engine.preview_prompt(question.model_id, question.task)
            case MeasurePrompt():
                return await self._engine.measure_prompt(question.model_id, question.question)
            case HoldLoads():
                return None
            case _:
                assert_never(question)
