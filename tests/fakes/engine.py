"""An engine that says what a test scripted: events, one at a time or when told to go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import cast

from fireside.core.errors import EngineStopped
from fireside.core.generation import (
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    TextDelta,
    Timings,
    Usage,
)
from fireside.core.ids import ModelId, RequestId
from fireside.core.inspection import PromptToken
from fireside.core.load_sizes import with_larger_context
from fireside.core.message import ChatMessage, Role, texts_of
from fireside.core.options import LoadOptions
from fireside.core.plan import MemoryKind, MemoryUse
from fireside.core.prompt_input import ChatInput, TextInput, TokenInput
from fireside.core.prompt_query import (
    MessageTokens,
    PromptMeasure,
    PromptMeasureRequest,
    PromptPreview,
    PromptPreviewRequest,
    PromptQuery,
    ReplyT,
)
from fireside.core.status import LoadedModel, ModelState, ModelStatus, Ready, RunningModel, Unloaded
from fireside.core.task import GenerationTask
from fireside.engine.options import EngineOptions
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.engine.request_state import GenerationStream
from fireside.engine.sharing.shared_engine import SharedEngine

Script = Callable[[GenerationRequest], Sequence[GenerationEvent | Exception | None]]
"""What a request is answered with. ``None`` waits for ``go_on``; an exception is raised."""


def finished(reason: FinishReason = FinishReason.STOP, *, n_completion: int = 2) -> Finished:
    return Finished(
        reason=reason,
        usage=Usage(n_prompt=10, n_cached=4, n_completion=n_completion),
        timings=Timings(prompt_s=0.1, decode_s=0.2, first_token_s=0.3),
        seed=7,
        n_ctx=2048,
    )


def conversation_of(request: GenerationRequest) -> tuple[ChatMessage, ...]:
    """Return the messages that a chat request shows to the model."""
    assert isinstance(request.task.prompt, ChatInput)
    return request.task.prompt.messages


def says(*pieces: str) -> Script:
    """Answer every request with these pieces of text."""
    return lambda _: [
        *(TextDelta(text=text, n_completion=index + 1) for index, text in enumerate(pieces)),
        finished(n_completion=len(pieces)),
    ]


class FakeStream(GenerationStream):
    """A stream whose events are made when they are read."""

    def __init__(
        self,
        request_id: RequestId,
        made: AsyncGenerator[GenerationEvent, None],
        *,
        cancel: Callable[[], None],
        end: Callable[[], None],
    ) -> None:
        self.request_id = request_id
        self._made = made
        self._cancel = cancel
        self._end = end
        self._loop = asyncio.get_running_loop()
        self._is_done = False

    async def __anext__(self) -> GenerationEvent:
        try:
            event = await anext(self._made)
        except BaseException:
            self._finish()
            raise
        if isinstance(event, Finished | Failed):
            self._finish()
        return event

    async def aclose(self) -> None:
        self._finish()
        await self._made.aclose()

    def _finish(self) -> None:
        self._is_done = True
        self._end()


class FakeEngine(SharedEngine):
    """An engine without runners; ``tests/unit/engine/test_engine_contract.py`` says what it has in common
    with the real one. It loads what it is told to, and nothing for a request."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[GenerationRequest] = []
        self.loaded: dict[ModelId, LoadOptions] = {}
        self.measured: Callable[[PromptMeasureRequest], PromptMeasure] | None = None
        """What ``ask`` for a measure answers, where that is to be something else."""
        self.shown: PromptPreview | None = None
        """What ``ask`` for a preview answers, where that is to be something else."""
        self.is_closed = False
        self.front = ""
        self.options = EngineOptions()
        self._known: dict[ModelId, None] = {}
        self._n_ctx: dict[ModelId, int] = {}
        self._go_on = asyncio.Event()
        self._running: set[RequestId] = set()
        self._cancelled: set[RequestId] = set()

    def go_on(self) -> None:
        """Let an answer go on that waits in its script."""
        self._go_on.set()

    def generate(self, request: GenerationRequest) -> FakeStream:
        number = request.request_id
        if number < 1 or number in self._running:
            raise ValueError(f"request {number} is running already or not a positive number")
        self._running.add(number)
        self.requests.append(request)

        def end() -> None:
            self._running.discard(number)
            self._cancelled.discard(number)

        made = _refused() if self.is_closed else self._events(request)
        return FakeStream(number, made, cancel=lambda: self.cancel(number), end=end)

    async def _events(self, request: GenerationRequest) -> AsyncGenerator[GenerationEvent, None]:
        for step in self.script(request):
            if isinstance(step, Exception):
                raise step
            if step is None:
                await self._go_on.wait()
                self._go_on.clear()
            elif request.request_id not in self._cancelled:
                yield step
            if request.request_id in self._cancelled:
                yield finished(FinishReason.CANCELLED)
                return

    def cancel(self, request_id: RequestId) -> None:
        if request_id in self._running:
            self._cancelled.add(request_id)
            self._go_on.set()

    @asynccontextmanager
    async def freeze_loads(self, _name: str) -> AsyncGenerator[None, None]:
        yield

    def set_priority_owner(self, owner: str) -> None:
        self.front = owner

    def configure(self, options: EngineOptions) -> None:
        self.options = options

    async def load(self, request: LoadRequest) -> LoadedModel:
        model_id = request.spec.id
        self.loaded[model_id] = request.options
        self._n_ctx[model_id] = request.n_ctx
        self._known[model_id] = None
        return self._loaded(model_id)

    def _loaded(self, model_id: ModelId) -> LoadedModel:
        return _loaded(with_larger_context(self.loaded[model_id], self._n_ctx[model_id]))

    async def unload(self, model_id: ModelId) -> None:
        self.loaded.pop(model_id, None)

    def is_loaded(self, model_id: ModelId) -> bool:
        return model_id in self.loaded

    async def ask(self, model_id: ModelId, query: PromptQuery[ReplyT]) -> ReplyT | None:
        if not self.is_loaded(model_id):
            return None
        reply = self._preview(query.task) if isinstance(query, PromptPreviewRequest) else self._measure(query)
        return cast("ReplyT | None", reply)

    def _preview(self, task: GenerationTask) -> PromptPreview | None:
        if not isinstance(task.prompt, ChatInput | TextInput | TokenInput):
            return None
        if self.shown is not None:
            return self.shown
        if isinstance(task.prompt, TokenInput):
            shown = [PromptToken(id_, bytes([id_ % 256]), is_special=False) for id_ in task.prompt.tokens]
            return PromptPreview(tuple(shown), None)
        if isinstance(task.prompt, TextInput):
            text = task.prompt.text
        else:
            told = (tool.name for tool in task.prompt.tools)
            text = "\n".join([*told, *(message.text for message in task.prompt.messages)])
        return PromptPreview(
            tuple(PromptToken(byte, bytes([byte]), is_special=False) for byte in text.encode()), None
        )

    def _measure(self, question: PromptQuery[ReplyT]) -> PromptMeasure:
        """A word is a token, and nothing stands around a message."""
        assert isinstance(question, PromptMeasureRequest)
        if self.measured is not None:
            return self.measured(question)
        counts = [_n_words(message) for message in question.prompt.messages]
        n_system = sum(message.role is Role.SYSTEM for message in question.prompt.messages)
        return PromptMeasure(
            n_prompt=sum(counts),
            n_system=sum(counts[:n_system]),
            messages=tuple(MessageTokens(n, 0) for n in counts[n_system:]),
        )

    def statuses(self) -> tuple[ModelStatus, ...]:
        return tuple(ModelStatus(model_id=model_id, state=self._state(model_id)) for model_id in self._known)

    def _state(self, model_id: ModelId) -> ModelState:
        if (options := self.loaded.get(model_id)) is None:
            return Unloaded()
        return Ready(loaded=self._loaded(model_id), options=options, n_active=0)

    def running_models(self) -> tuple[RunningModel, ...]:
        return tuple(
            RunningModel(
                model_id=model_id, name=model_id, state=self._state(model_id), purpose=options.purpose
            )
            for model_id, options in self.loaded.items()
        )

    async def close(self) -> None:
        self.is_closed = True
        for request_id in tuple(self._running):
            self.cancel(request_id)


async def _refused() -> AsyncGenerator[GenerationEvent, None]:
    yield Failed(error=EngineStopped().info())


def _n_words(message: ChatMessage) -> int:
    return sum(len(text.split()) for part in message.parts for text in texts_of(part))


def _loaded(options: LoadOptions) -> LoadedModel:
    return LoadedModel(
        n_ctx=options.n_ctx,
        n_seq_max=options.n_seq_max,
        n_batch=options.n_batch,
        n_layers=2,
        n_gpu_layers=0,
        n_threads=1,
        devices=("CPU",),
        memory=(),
        uses=(MemoryUse(device="CPU", kind=MemoryKind.WEIGHTS, n_bytes=200_000_000),),
        rss_bytes=0,
        load_s=0.0,
    )
