"""Route a request for an answer to the local engine or to a remote one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from typing import Protocol

from fireside.core.generation import GenerationEvent
from fireside.core.ids import RequestId
from fireside.engine.request import GenerationRequest
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.services.engines import EngineService
from fireside.services.remote_entries import location_for_options


class AnswerStream(Protocol):
    """The events of one answer, from any engine; see ``GenerationStream``."""

    @property
    def request_id(self) -> RequestId: ...
    def __aiter__(self) -> AsyncIterator[GenerationEvent]: ...
    def __anext__(self) -> Awaitable[GenerationEvent]: ...
    async def aclose(self) -> None:
        """Cancel the request if it has not ended. Returns at once."""


class AnswerRouter:
    """Starts and cancels answers on the engine of their model.

    Used for answers in chats and the terminal, and for API programs that name a remote model where the user
    offers those. Background work (titles, summaries, embeddings) gets the local engine only, so nothing of it
    can leave this computer.
    """

    def __init__(self, *, local: SharedEngine, engines: EngineService) -> None:
        self._local = local
        self._engines = engines

    def generate(self, request: GenerationRequest) -> AnswerStream:
        """Start an answer on the engine that ``request.spec`` belongs to, and return its events."""
        location = request.spec.remote
        if location is None:
            return self._local.generate(request)
        location = location_for_options(location, request.options)
        return self._engines.answers.generate(request.request_id, location, request.task)

    def cancel(self, request_id: RequestId) -> None:
        """Request the end of an answer, on whichever engine it runs."""
        self._local.cancel(request_id)
        self._engines.cancel(request_id)
