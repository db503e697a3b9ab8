"""An engine that a test plays: each answer grows and ends when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from fakes.engine import FakeEngine, FakeStream, finished, says
from fakes.model_entries import loaded_state
from fireside.core.errors import FiresideError
from fireside.core.generation import Failed, Finished, FinishReason, GenerationEvent
from fireside.core.ids import ModelId, RequestId
from fireside.core.status import (
    Broken,
    LoadedModel,
    LoadingModel,
    ModelState,
    ModelStatus,
    Ready,
    RunningModel,
    Unloaded,
)
from fireside.engine.request import GenerationRequest, LoadRequest


class ManualEngine(FakeEngine):
    """``states`` holds what each model is at; ``on_status`` is told of each change."""

    def __init__(self, on_status: Callable[[ModelStatus], None]) -> None:
        super().__init__(says())
        self.states: dict[ModelId, ModelState] = {}
        self.load_error: FiresideError | None = None
        """What the next load ends with."""
        self.before_unload: Callable[[], Awaitable[object]] = _at_once
        """Awaited before a model is unloaded."""
        self._on_status = on_status
        self._answers: dict[RequestId, asyncio.Queue[GenerationEvent]] = {}

    def play(self, request_id: RequestId, event: GenerationEvent) -> None:
        """Let an answer go on. Raises ``KeyError`` where it is not asked for."""
        if not self.is_asked(request_id):
            raise KeyError(request_id)
        self._answers[request_id].put_nowait(event)

    def is_loaded(self, model_id: ModelId) -> bool:
        return isinstance(self.states.get(model_id), Ready)

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._running)

    def is_asked(self, request_id: RequestId) -> bool:
        """Say whether an answer is under way."""
        return request_id in self._running

    def set_state(self, model_id: ModelId, state: ModelState) -> None:
        """Put a model into a state and say so."""
        self.states[model_id] = state
        self._on_status(ModelStatus(model_id=model_id, state=state))

    async def _events(self, request: GenerationRequest) -> AsyncGenerator[GenerationEvent, None]:
        while True:
            event = await self._answers[request.request_id].get()
            yield event
            if isinstance(event, Finished | Failed):
                return

    def generate(self, request: GenerationRequest) -> FakeStream:
        stream = super().generate(request)
        self._answers[request.request_id] = asyncio.Queue()
        return stream

    def cancel(self, request_id: RequestId) -> None:
        if request_id in self._running:
            self._answers[request_id].put_nowait(finished(FinishReason.CANCELLED))

    async def load(self, request: LoadRequest) -> LoadedModel:
        spec, options = request.spec, request.override_options or request.options
        self.set_state(spec.id, LoadingModel(fraction=0.0))
        if self.load_error is not None:
            error, self.load_error = self.load_error, None
            self.set_state(spec.id, Broken(error=error.info()))
            raise error
        ready = loaded_state(spec, n_ctx=options.n_ctx)
        self.set_state(spec.id, ready)
        self.loaded[spec.id] = request.options
        return ready.loaded

    async def unload(self, model_id: ModelId) -> None:
        await self.before_unload()
        await super().unload(model_id)
        if model_id in self.states:
            self.set_state(model_id, Unloaded())

    def statuses(self) -> tuple[ModelStatus, ...]:
        return tuple(ModelStatus(model_id=model_id, state=state) for model_id, state in self.states.items())

    def running_models(self) -> tuple[RunningModel, ...]:
        return tuple(
            RunningModel(model_id=model_id, name=model_id, state=state)
            for model_id, state in self.states.items()
            if not isinstance(state, Unloaded | Broken)
        )


async def _at_once() -> None:
    """Nothing is to be waited for."""
