"""Answers while they are written: their events, or each of them whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

import msgspec

from fireside.api.activity import RunningCall
from fireside.api.refusal import Refusal, refusal_of, refusal_of_info
from fireside.core.errors import EngineStopped
from fireside.core.generation import (
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    OutputKind,
    TextDelta,
    TokenLogprobs,
)
from fireside.core.model import ModelSpec
from fireside.core.options import SamplingParams
from fireside.services.answering import AnswerStream

FIRST_WORD_S: Final = 2.0
"""So long an error is waited for before a stream begins: a prompt that is too long is known by then."""


class Collected:
    """One answer, whole."""

    def __init__(self) -> None:
        self._texts: dict[OutputKind, list[str]] = {kind: [] for kind in OutputKind}
        self.logprobs: list[TokenLogprobs] = []
        self.end: Finished | None = None

    def add(self, event: GenerationEvent) -> None:
        """Take the next event."""
        if isinstance(event, TextDelta):
            self._texts[event.kind].append(event.text)
            self.logprobs += event.logprobs
        elif isinstance(event, Finished):
            self.end = event

    @property
    def text(self) -> str:
        """The answer itself."""
        return "".join(self._texts[OutputKind.ANSWER])

    @property
    def reasoning(self) -> str:
        """What was thought before."""
        return "".join(self._texts[OutputKind.REASONING])

    @property
    def finished(self) -> Finished:
        """How it ended. Only once it has."""
        assert self.end is not None
        return self.end


class Answering:
    """The answers to one ``Ask`` while they are written. Close it, or read it to its end."""

    def __init__(
        self,
        spec: ModelSpec,
        streams: Sequence[AnswerStream],
        *,
        running: RunningCall,
        sampling: SamplingParams | None = None,
        one_call: bool = False,
    ) -> None:
        self.spec = spec
        self.sampling = sampling or SamplingParams()
        """How the tokens of the first are chosen."""
        self._streams = streams
        self._running = running
        self._one_call = one_call
        self._first = asyncio.ensure_future(anext(streams[0]))

    async def begin(self) -> None:
        """Wait for a first event, if it comes soon. Raises ``Refusal`` where that is an error already."""
        done, _ = await asyncio.wait({self._first}, timeout=FIRST_WORD_S)
        if done and isinstance(failed := self._first.result(), Failed):
            raise refusal_of_info(failed.error)

    async def events(self) -> AsyncGenerator[tuple[int, GenerationEvent], None]:
        """Yield what happens to each answer, by its number. Raises ``Refusal`` at the first that fails."""
        try:
            if len(self._streams) == 1:
                async for event in self._events_of(0):
                    yield 0, event
            else:
                async for numbered in self._merged():
                    yield numbered
        finally:
            await self.aclose()

    async def collect(self) -> tuple[Collected, ...]:
        """Return the answers once all are whole. Raises ``Refusal``."""
        found = tuple(Collected() for _ in self._streams)
        async for number, event in self.events():
            found[number].add(event)
        return found

    async def aclose(self) -> None:
        """Cancel what is not done. Returns at once."""
        self._first.cancel()
        for stream in self._streams:
            await stream.aclose()

    async def _events_of(self, number: int) -> AsyncGenerator[GenerationEvent, None]:
        if number == 0:
            yield self._checked(number, await self._first)
            if isinstance(self._first.result(), Finished):
                return
        async for event in self._streams[number]:
            yield self._checked(number, event)

    async def _merged(self) -> AsyncGenerator[tuple[int, GenerationEvent], None]:
        heard: asyncio.Queue[tuple[int, GenerationEvent | Refusal]] = asyncio.Queue(maxsize=64)

        async def listen(number: int) -> None:
            try:
                async for event in self._events_of(number):
                    await heard.put((number, event))
            except Refusal as refusal:
                await heard.put((number, refusal))

        tasks = [asyncio.create_task(listen(number)) for number in range(len(self._streams))]
        n_left = len(tasks)
        try:
            while n_left:
                number, event = await heard.get()
                if isinstance(event, Refusal):
                    raise event
                n_left -= isinstance(event, Finished)
                yield number, event
        finally:
            for task in tasks:
                task.cancel()

    def _checked(self, number: int, event: GenerationEvent) -> GenerationEvent:
        self._running.note(number, event)
        match event:
            case Failed():
                raise refusal_of_info(event.error)
            case Finished(reason=FinishReason.CANCELLED):
                raise refusal_of(EngineStopped())
            case Finished() if self._one_call:
                return msgspec.structs.replace(event, tool_calls=event.tool_calls[:1])
            case _:
                return event
