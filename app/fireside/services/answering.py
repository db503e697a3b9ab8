"""Who writes an answer: the engine of this computer, or another one that the user chose a model of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from typing import Protocol

from fireside.core.generation import GenerationEvent
from fireside.core.ids import RequestId
from fireside.engine.engine import Engine
from fireside.engine.request import GenerationRequest
from fireside.services.engines import EngineService
from fireside.services.remote_entries import asked_place


class AnswerStream(Protocol):
    """The events of one answer, wherever it is written; see ``GenerationStream``."""

    def __aiter__(self) -> AsyncIterator[GenerationEvent]: ...
    def __anext__(self) -> Awaitable[GenerationEvent]: ...
    async def aclose(self) -> None:
        """Cancel the request if it has not ended. Returns at once."""


class Answering:
    """Answers alone go this way: of chats, and to programs that name a model of another engine where the user
    offers those. What works behind a chat has the local engine only, so nothing of that can leave."""

    def __init__(self, *, local: Engine, engines: EngineService) -> None:
        self._local = local
        self._engines = engines

    def generate(self, request: GenerationRequest) -> AnswerStream:
        """Return the events of an answer; where it is written, the model says."""
        place = request.spec.remote
        if place is None:
            return self._local.generate(request)
        place = asked_place(place, request.options)
        return self._engines.answers.generate(request.request_id, place, request.task)

    def cancel(self, request_id: RequestId) -> None:
        """Ask for the end of a request, wherever it runs."""
        self._local.cancel(request_id)
        self._engines.cancel(request_id)
