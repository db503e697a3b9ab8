"""The answers to one completion request: as a stream of events, or collected."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Final

import msgspec

from fireside.api.activity import RequestActivity
from fireside.api.completion_request import CompletionRequest
from fireside.api.http_error import HttpError, http_error_of, http_error_of_info
from fireside.core.errors import EngineStopped, ErrorInfo
from fireside.core.generation import (
    CallDelta,
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    OutputKind,
    TextDelta,
    TokenLogprobs,
)
from fireside.core.message import ToolCallPart
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
        self._n_sent: list[dict[str, int]] = [{} for _ in streams]
        """How many letters of the arguments of each call were yielded, by its id, for each answer."""
        self._first = asyncio.ensure_future(anext(streams[0]))

    async def wait_for_first_event(self) -> None:
        """Wait briefly for the first event. Raises ``HttpError`` if that is an error."""
        done, _ = await asyncio.wait({self._first}, timeout=FIRST_EVENT_WAIT_S)
        if done and isinstance(failed := self._first.result(), Failed):
            raise self._http_error(failed.error)

    async def events(self) -> AsyncGenerator[tuple[int, GenerationEvent], None]:
        """Yield the events of all answers, each with the index of its answer. Raises ``HttpError``.

        All calls come as ``CallDelta``, what an engine has not told of them just before ``Finished``.
        """
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
            for event in self._passed_on(number, received):
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

    def _passed_on(self, number: int, event: GenerationEvent) -> Iterator[GenerationEvent]:
        event = self._validated(number, event)
        n_sent = self._n_sent[number]
        deltas: Sequence[CallDelta] = ()
        if isinstance(event, CallDelta):
            deltas = () if self._params.single_tool_call and n_sent and event.id not in n_sent else (event,)
        elif isinstance(event, Finished):
            rests = (
                CallDelta(id=call.id, name=call.name, arguments=call.arguments[n_sent.get(call.id, 0) :])
                for call in event.written_calls
            )
            deltas = [rest for rest in rests if rest.arguments or rest.id not in n_sent]
        for delta in deltas:
            n_sent[delta.id] = n_sent.get(delta.id, 0) + len(delta.arguments)
            yield delta
        if not isinstance(event, CallDelta):
            yield event

    def _http_error(self, info: ErrorInfo) -> HttpError:
        error = http_error_of_info(info, names=self._params.names)
        if error.code == "context_length_exceeded" and self.spec.remote is None:
            n_prompt, n_ctx_train = error.facts.get("n_prompt_tokens", 0), self.spec.n_ctx_train
            error.message += (
                f" The model was trained for {n_ctx_train}: shorten it or choose another model."
                if 0 < n_ctx_train <= n_prompt
                else " Shorten it, or increase the context length in the settings (load.n_ctx)."
            )
        return error

    def _validated(self, number: int, event: GenerationEvent) -> GenerationEvent:
        self._running.record_event(number, event)
        match event:
            case Failed():
                raise self._http_error(event.error)
            case Finished(reason=FinishReason.CANCELLED):
                raise http_error_of(EngineStopped())
            case Finished(tool_calls=calls, cut_call=cut_call):
                if self._params.single_tool_call:
                    calls, cut_call = calls[:1], None if calls else cut_call
                return msgspec.structs.replace(event, tool_calls=_with_ids(calls), cut_call=cut_call)
            case _:
                return event


def _with_ids(calls: Sequence[ToolCallPart]) -> tuple[ToolCallPart, ...]:
    """Return calls of another engine, each with an id of its own."""
    ids = [call.id for call in calls]
    return tuple(
        msgspec.structs.replace(call, id=f"call_{uuid.uuid4().hex[:24]}")
        if not call.id or call.id in ids[:n]
        else call
        for n, call in enumerate(calls)
    )
