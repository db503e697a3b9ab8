"""What the rest of the program asks of the engine: answers, loads, counts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Self

from fireside.core.context import PromptMeasure, PromptQuestion
from fireside.core.generation import Failed, Finished, GenerationEvent
from fireside.core.ids import ModelId, RequestId
from fireside.core.message import ChatMessage
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

    Iterate to the end or call ``aclose``, which cancels; ``contextlib.aclosing`` does it for you. A cancelled
    reader cancels the request too.
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
            event = await self._events.take()
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
    """Answers requests with models that it loads, keeps and unloads by itself.

    Lives on one asyncio loop, in whatever thread that runs; every method is called there, and so is
    ``on_status``, which must not call back into the engine.

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
        self._scheduler = Scheduler(context, on_status=on_status, options=options or EngineOptions())

    def generate(self, request: GenerationRequest) -> GenerationStream:
        """Accept ``request`` now and return its events.

        Never raises for what can go wrong with a request: a full queue, a model that cannot be loaded, a
        crash are the ``Failed`` that ends the stream. A cancelled request ends with ``Finished``.

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
        """Ask for the end of a request, which then comes as ``Finished`` with what was made so far.

        Unknown and ended ones are ignored.
        """
        self._scheduler.cancel(request_id)

    def set_priority_owner(self, owner: str) -> None:
        """The user looks at this owner's answers now: they come before those of other owners."""
        self._scheduler.set_priority_owner(owner)

    def configure(self, options: EngineOptions) -> None:
        """Take over other limits. What is loaded and waits is kept."""
        self._scheduler.configure(options)

    async def load(
        self,
        spec: ModelSpec,
        options: LoadOptions,
        *,
        keep_alive_s: float | None,
        override_options: LoadOptions | None = None,
        lasts: bool = False,
    ) -> LoadedModel:
        """Have a model loaded with these options, reloading it if they changed; forgets earlier crashes.

        Args:
            override_options: how to load it this time, while requests go on asking for ``options``. Once it
                has been unloaded, or is loaded without this, it is loaded with ``options`` again.
            lasts: load it by ``override_options`` from now on whenever it is to be loaded with ``options``.

        Raises:
            FiresideError: why it cannot be loaded.
        """
        if lasts and override_options is not None:
            self._planner.agree(spec, options, override_options=override_options)
            override_options = None
        target = LoadTarget(spec=spec, options=options)
        return await self._scheduler.load(
            target, keep_alive_s=keep_alive_s, override_options=override_options
        )

    async def unload(self, model_id: ModelId) -> None:
        """Stop a model and wait until its process has gone. What it was answering ends as cancelled."""
        await self._scheduler.unload(model_id)

    async def count_tokens(
        self, model_id: ModelId, *, messages: Sequence[ChatMessage], draft: str
    ) -> tuple[int, int] | None:
        """Return exact counts of the model's own tokenizer.

        First the rendered messages, then what ``draft`` adds as a next user message. ``None`` while the
        model is not loaded.

        Raises:
            RequestError: the text cannot be counted.
        """
        said = tuple(messages)
        return await self._scheduler.ask(
            model_id, lambda session: session.count_tokens(messages=said, draft=draft)
        )

    async def show_prompt(self, model_id: ModelId, task: GenerationTask) -> PromptPreview | None:
        """Return the tokens that ``task`` would be answered from, as its runner words and cuts them.

        ``None`` while the model is not loaded. Nothing is computed.

        Raises:
            RequestError: the prompt cannot be made.
        """
        return await self._scheduler.ask(model_id, lambda session: session.show_prompt(task))

    async def measure(self, model_id: ModelId, question: PromptQuestion) -> PromptMeasure | None:
        """Return how a prompt would be fitted, message by message, by the model's own tokenizer.

        ``None`` while the model is not loaded.

        Raises:
            RequestError: the prompt cannot be counted.
        """
        return await self._scheduler.ask(model_id, lambda session: session.measure(question))

    def measuring(self, name: str) -> AbstractAsyncContextManager[None]:
        """Load nothing while the block runs, since a model called ``name`` is measured in it.

        Models that are loaded go on answering; requests for other ones wait. A load that runs ends first.
        """
        return self._scheduler.measuring(name)

    def statuses(self) -> tuple[ModelStatus, ...]:
        """Return the state of every model that was used in this run."""
        return self._scheduler.statuses()

    def running(self) -> tuple[RunningModel, ...]:
        """Return what is in memory now, or on its way in or out."""
        return self._scheduler.running()

    async def close(self) -> None:
        """Refuse new requests, end the running ones as cancelled, stop all runners. Within 5 s."""
        await self._scheduler.close()
