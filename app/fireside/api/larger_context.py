"""Answers to prompts that need a larger context than their model is loaded with."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from typing import Final

import msgspec

from fireside.core.errors import ContextLengthExceeded, PromptTooLarge, error_from_info
from fireside.core.generation import Failed, GenerationEvent, Overflow, PromptProgress
from fireside.core.ids import RequestId
from fireside.core.model import ModelSpec
from fireside.core.options import AutoAdjustable
from fireside.core.status import Ready
from fireside.engine.request import GenerationRequest
from fireside.services.answer_router import AnswerStream
from fireside.services.request_builder import Resolved
from fireside.services.service_context import ServiceContext
from fireside.settings import conversions
from fireside.settings.api_tokens import Client, TokenScope

log = logging.getLogger(__name__)

Generate = Callable[[GenerationRequest], AnswerStream]
"""Starts an answer."""
_GROWTH: Final = 2
"""The context is made so many times as long as the prompt, since the next prompts of an agent are longer."""
_BYTES_PER_TOKEN: Final = 4
"""An estimate, for prompts that are too large to be counted."""
_REPLY_RESERVE: Final = 256


def largest_context(spec: ModelSpec, resolved: Resolved, client: Client) -> int:
    """Return the context length up to which requests of a client may increase it; 0 if they may not."""
    may_increase = (
        spec.remote is None
        and TokenScope.LOAD in client.scopes
        and conversions.clients_choose_context(resolved)
        and AutoAdjustable.CONTEXT in conversions.auto_adjustable(resolved)
    )
    return spec.n_ctx_train if may_increase else 0


def increasing(services: ServiceContext, *, limit: int, ready: Callable[[], Ready | None]) -> Generate:
    """Return what starts an answer, and increases the context up to ``limit`` where the prompt needs it.

    ``ready`` returns the state of the model if it is loaded.
    """
    generate = services.answer_router.generate
    if not limit:
        return generate
    return lambda request: LargerContextAnswer(
        request, generate=generate, limit=limit, ready=ready, next_id=services.next_id
    )


class LargerContextAnswer:
    """The stream of one answer. If the prompt, with room for the answer, does not fit the context, it is
    requested again with a larger one.

    Args:
        generate: starts an answer.
        limit: the largest context length to request.
        ready: returns the state of the model if it is loaded.
        next_id: returns the id of the next request.
    """

    def __init__(
        self,
        request: GenerationRequest,
        *,
        generate: Generate,
        limit: int,
        ready: Callable[[], Ready | None],
        next_id: Callable[[], RequestId],
    ) -> None:
        self._request = request
        self._generate = generate
        self._limit = limit
        self._ready = ready
        self._next_id = next_id
        self._stream = generate(request)

    @property
    def request_id(self) -> RequestId:
        """The id of the request that runs now."""
        return self._stream.request_id

    def __aiter__(self) -> AsyncIterator[GenerationEvent]:
        return self

    async def __anext__(self) -> GenerationEvent:
        while True:
            event = await anext(self._stream)
            n_ctx = min(self._limit, _context_for(self._n_prompt_too_long(event)))
            if n_ctx <= max(self._request.n_ctx, self._n_ctx()):
                return event
            log.info(
                "%s: a prompt needs more than its context of %d tokens; it is loaded with %d once it is "
                "idle, if there is memory",
                self._request.spec.name,
                self._n_ctx(),
                n_ctx,
            )
            await self._stream.aclose()
            self._request = msgspec.structs.replace(self._request, request_id=self._next_id(), n_ctx=n_ctx)
            self._stream = self._generate(self._request)

    async def aclose(self) -> None:
        """Cancel the answer if it has not ended. Returns at once."""
        await self._stream.aclose()

    def _n_ctx(self) -> int:
        ready = self._ready()
        return 0 if ready is None else ready.loaded.n_ctx

    def _n_prompt_too_long(self, event: GenerationEvent) -> int:
        """Return the length of a prompt that does not fit as it should; 0 if it fits, or never will."""
        match event:
            case Failed(error=info):
                match error_from_info(info):
                    case ContextLengthExceeded(n_prompt=n_prompt) if n_prompt < self._limit:
                        return n_prompt
                    case PromptTooLarge(n_bytes=n_bytes):
                        return n_bytes // _BYTES_PER_TOKEN
            case PromptProgress(n_total=n_prompt) if self._request.task.overflow is Overflow.REFUSE:
                n_ctx = self._n_ctx()
                n_reserve = self._request.task.sampling.max_tokens or self._request.task.n_reserve
                n_room = min(n_reserve or _REPLY_RESERVE, n_ctx // 4)
                return n_prompt if n_prompt + n_room > n_ctx else 0
        return 0


def _context_for(n_prompt: int) -> int:
    """Return the context length for a prompt: a power of two, so that it seldom changes."""
    return 1 << (_GROWTH * n_prompt - 1).bit_length() if n_prompt else 0
