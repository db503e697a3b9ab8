"""The answers to one completion request: as a stream of events, or collected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

import msgspec

from fireside.api.activity import RequestActivity
from fireside.api.completion_request import CompletionRequest
from fireside.api.http_error import HttpError, http_error_of, http_error_of_info
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
from fireside.services.answer_router import AnswerStream

FIRST_EVENT_WAIT_S: Final = 2.0
"""How long to wait for an error before a stream starts: enough to find that a prompt is too long."""


class CollectedAnswer:
    """One answer, put together from its events."""

    def __init__(self) -> None:
        self._texts: dict[OutputKind, list[str]] = {kind: [] for kind in OutputKind}
        self.logprobs: list[TokenLogprobs] = []
        self.end: Finished | None = None

    def add(self, event: GenerationEvent) -> None:
        """Add the next event."""
        if isinstance(event, TextDelta):
            if event.ends_reasoning:
                self._texts[OutputKind.REASONING] += self._texts[OutputKind.ANSWER]
                self._texts[OutputKind.ANSWER] = []
            else:
                self._texts[event.kind].append(event.text)
            self.logprobs += event.logprobs
        elif isinstance(event, Finished):
            self.end = event

    @property
    def text(self) -> str:
        """The text of the answer, without reasoning."""
        return "".join(self._texts[OutputKind.ANSWER])

    @property
    def reasoning(self) -> str:
        """The reasoning before the answer."""
        return "".join(self._texts[OutputKind.REASONING])

    @property
    def finished(self) -> Finished:
        """How it ended. Only after its last event."""
        assert self.end is not None
        return self.end


class Completion:
    """The answers to one ``CompletionRequest``. Must be read to the end or closed."""

    def __init__(
        self,
        spec: ModelSpec,
        streams: Sequence[AnswerStream],
        *,
        running: RequestActivity,
        params: CompletionRequest,
        sampling: SamplingParams | None = None,
    ) -> None:
        self.spec = spec
        self.sampling = sampling or SamplingParams()
        """Sampling parameters of the first answer."""
        self._streams = streams
        self._running = running
        self._params = params
        self._first = asyncio.ensure_future(anext(streams[0]))

    async def wait_for_first_event(self) -> None:
        """Wait briefly for the first event. Raises ``HttpError`` if that is an error."""
        done, _ = await asyncio.wait({self._first}, timeout=FIRST_EVENT_WAIT_S)
        if done and isinstance(failed := self._first.result(), Failed):
            raise http_error_of_info(failed.error, names=self._params.names)

    async def events(self) -> AsyncGenerator[tuple[int, GenerationEvent], None]:
        """Yield the events of all answers, each with the index of its answer. Raises ``HttpError``."""
        try:
            if len(self._streams) == 1:
                async for event in self._events_of(0):
                    yield 0, event
            else:
                async for numbered_event in self._merged():
                    yield numbered_event
        finally:
            await self.aclose()

    async def collect(self) -> tuple[CollectedAnswer, ...]:
        """Wait for all answers and return them. Raises ``HttpError``."""
        collected = tuple(CollectedAnswer() for _ in self._streams)
        async for number, event in self.events():
            collected[number].add(event)
        return collected

    async def aclose(self) -> None:
        """Cancel the answers that have not ended. Returns at once."""
        self._first.cancel()
        for stream in self._streams:
            await stream.aclose()

    async def _events_of(self, number: int) -> AsyncGenerator[GenerationEvent, None]:
        async for received in self._read(number):
            event = self._validated(number, received)
            if self._params.shows_stop and isinstance(event, Finished) and event.stop_string:
                yield TextDelta(text=event.stop_string, n_completion=event.usage.n_completion)
            yield event

    async def _read(self, number: int) -> AsyncGenerator[GenerationEvent, None]:
        if number == 0:
            yield await self._first
            if isinstance(self._first.result(), Finished):
                return
        async for event in self._streams[number]:
            yield event

    async def _merged(self) -> AsyncGenerator[tuple[int, GenerationEvent], None]:
        queue: asyncio.Queue[tuple[int, GenerationEvent | HttpError]] = asyncio.Queue(maxsize=64)

        async def forward(number: int) -> None:
            try:
                async for event in self._events_of(number):
                    await queue.put((number, event))
            except HttpError as http_error:
                await queue.put((number, http_error))

        tasks = [asyncio.create_task(forward(number)) for number in range(len(self._streams))]
        n_remaining = len(tasks)
        try:
            while n_remaining:
                number, event = await queue.get()
                if isinstance(event, HttpError):
                    raise event
                n_remaining -= isinstance(event, Finished)
                yield number, event
        finally:
            for task in tasks:
                task.cancel()

    def _validated(self, number: int, event: GenerationEvent) -> GenerationEvent:
        self._running.record_event(number, event)
        match event:
            case Failed():
                raise http_error_of_info(event.error, names=self._params.names)
            case Finished(reason=FinishReason.CANCELLED):
                raise http_error_of(EngineStopped())
            case Finished() if self._params.single_tool_call:
                cut_call = None if event.tool_calls else event.cut_call
                return msgspec.structs.replace(event, tool_calls=event.tool_calls[:1], cut_call=cut_call)
            case _:
                return event
