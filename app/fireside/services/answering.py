"""Who writes an answer: the engine of this computer, or another one that the user chose a model of."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fireside.core.generation import GenerationEvent
from fireside.core.ids import RequestId
from fireside.engine.engine import Engine
from fireside.engine.request import GenerationRequest
from fireside.services.engines import EngineService


class Answering:
    """Answers of chats alone go this way. What works behind a chat, and programs that ask over the local API,
    have the local engine only, so nothing of theirs can leave."""

    def __init__(self, *, local: Engine, engines: EngineService) -> None:
        self._local = local
        self._engines = engines

    def generate(self, request: GenerationRequest) -> AsyncIterator[GenerationEvent]:
        """Return the events of an answer; where it is written, the model says."""
        place = request.spec.remote
        if place is None:
            return self._local.generate(request)
        return self._engines.answers.generate(request.request_id, place, request.task)

    def cancel(self, request_id: RequestId) -> None:
        """Ask for the end of a request, wherever it runs."""
        self._local.cancel(request_id)
        self._engines.answers.cancel(request_id)
