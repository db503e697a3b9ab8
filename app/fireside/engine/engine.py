"""The engine's interface to the program: generate, load, unload, count tokens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Self

from fireside.core.context import PromptMeasure, PromptMeasureRequest
from fireside.core.generation import Failed, Finished, GenerationEvent
from fireside.core.ids import ModelId, RequestId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.status import LoadedModel, ModelStatus, RunningModel
from fireside.core.task import GenerationTask
from fireside.engine.engine_context import EngineContext
from fireside.engine.fairness import LoadTarget
from fireside.engine.options import EngineOptions
from fireside.engine.prompt_preview import PromptPreview
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import EventBuffer, RequestState
from fireside.engine.scheduler import Scheduler


class GenerationStream(AsyncIterator[GenerationEvent]):
    """The events of one request. Ends after its one ``Finished`` or ``Failed``.

    Iterate to the end, or call ``aclose``, which cancels the request (``contextlib.aclosing`` does). So does
    the cancellation of the task that iterates.
    """

    def __init__(self, request_id: RequestId, events: EventBuffer, *, cancel: Callable[[], None]) -> None:
        self.request_id = request_id
        self._events = events
        self._cancel = cancel
        self._loop = asyncio.get_running_loop()
        self._is_done = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> GenerationEvent:
        try:
            event = await self._events.get()
        except asyncio.CancelledError:
            self._abandon()
            raise
        if event is None:
            raise StopAsyncIteration
        self._is_done = isinstance(event, Finished | Failed)
        return event

    async def aclose(self) -> None:
        """Cancel the request if it has not ended. Returns at once. Idempotent."""
        self._abandon()

    def __del__(self) -> None:
        # Left by `break`: the garbage collector may run in any thread.
        if not self._is_done and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._cancel)

    def _abandon(self) -> None:
        if not self._is_done:
            self._is_done = True
            self._events.close()
            self._cancel()


class Engine:
    """Serves requests with models that it loads and unloads as needed.

    Bound to one asyncio loop; every method is called on that loop's thread, and so is ``on_status``, which
    must not call back into the engine.

    Args:
        on_status: called with each change of a model's state.
    """

    def __init__(
        self,
        context: EngineContext,
        *,
        on_status: Callable[[ModelStatus], None],
        options: EngineOptions | None = None,
    ) -> None:
        self._clock = context.clock
        self._planner = context.planner
        self._setup = context.setup
        self._scheduler = Scheduler(context, on_status=on_status, options=options or EngineOptions())

    def generate(self, request: GenerationRequest) -> GenerationStream:
        """Queue ``request`` and return its events.

        A full queue, a model that cannot be loaded and a crash are not raised; the stream ends with
        ``Failed``. A cancelled request ends with ``Finished``.

        Raises:
            ValueError: a request of this number is still running, or the number is not positive.
        """
        request_id = request.request_id
        if request_id < 1 or self._scheduler.is_known(request_id):
            raise ValueError(f"request {request_id} is running already or not a positive number")
        generation = RequestState(request, clock=self._clock)
        stream = GenerationStream(request_id, generation.events, cancel=lambda: self.cancel(request_id))
        self._scheduler.submit(generation)
        return stream

    def cancel(self, request_id: RequestId) -> None:
        """Cancel a request; its stream then ends with ``Finished`` and the usage so far.

        Unknown and finished requests are ignored.
        """
        self._scheduler.cancel(request_id)

    def set_priority_owner(self, owner: str) -> None:
        """Serve this owner's interactive requests before those of others: the user has its chat open."""
        self._scheduler.set_priority_owner(owner)

    def configure(self, options: EngineOptions) -> None:
        """Apply other limits. Loaded models and waiting requests stay."""
        self._scheduler.configure(options)

    async def load(
        self,
        spec: ModelSpec,
        options: LoadOptions,
        *,
        keep_alive_s: float | None,
        override_options: LoadOptions | None = None,
        persist: bool = False,
        n_ctx: int = 0,
    ) -> LoadedModel:
        """Load a model with ``options``, or reload it if they changed; clears its crash history.

        Args:
            override_options: load with these in place of ``options``, and serve requests for ``options`` so.
                Holds until the model is unloaded, or loaded without this.
            n_ctx: as ``GenerationRequest.n_ctx``.
            persist: use ``override_options`` from now on for every load that requests ``options``.

        Raises:
            FiresideError: it cannot be loaded.
        """
        if persist and override_options is not None:
            self._planner.set_override(spec, options, override_options=override_options)
            override_options = None
        target = LoadTarget(spec=spec, options=options)
        return await self._scheduler.load(
            target, keep_alive_s=keep_alive_s, override_options=override_options, n_ctx=n_ctx
        )

    async def unload(self, model_id: ModelId) -> None:
        """Unload a model and wait until its process has exited. Its requests end as cancelled."""
        await self._scheduler.unload(model_id)

    async def preview_prompt(self, model_id: ModelId, task: GenerationTask) -> PromptPreview | None:
        """Return the prompt tokens of ``task``, rendered and truncated as its runner would.

        ``None`` while the model is not loaded. Nothing is decoded.

        Raises:
            RequestError: the prompt cannot be rendered.
        """
        return await self._scheduler.query(model_id, lambda session: session.preview_prompt(task))

    async def measure_prompt(self, model_id: ModelId, question: PromptMeasureRequest) -> PromptMeasure | None:
        """Return the token counts of a prompt, message by message, and what truncation would leave out.

        ``None`` while the model is not loaded.

        Raises:
            RequestError: the prompt cannot be rendered or tokenized.
        """
        return await self._scheduler.query(model_id, lambda session: session.measure_prompt(question))

    def freeze_loads(self, name: str) -> AbstractAsyncContextManager[None]:
        """Load nothing while the block runs, in which the model called ``name`` is benchmarked.

        Loaded models go on serving; requests for others wait. A load in progress ends first.
        """
        return self._scheduler.freeze_loads(name)

    def statuses(self) -> tuple[ModelStatus, ...]:
        """Return the state of every model used since the program started."""
        return self._scheduler.statuses()

    def running_models(self) -> tuple[RunningModel, ...]:
        """Return the model instances that are loaded, loading or unloading."""
        return self._scheduler.running_models()

    async def close(self) -> None:
        """Refuse new requests, cancel the running ones, stop all runners. Takes at most 5 s."""
        await self._setup.close()
        await self._scheduler.close()
