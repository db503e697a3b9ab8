"""Answers outside of conversations: one or several to one prompt."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence

import msgspec

from fireside.core.errors import EngineStopped, RemoteError, RequestError, error_from_info
from fireside.core.generation import Embedded, Failed, Finished, FinishReason, Priority
from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import PURPOSE_TEXTS, Pooling, Purpose
from fireside.core.prompt_input import ChatInput, EmbeddingInput, PromptInput, RerankInput
from fireside.core.task import GenerationTask
from fireside.engine.request import GenerationRequest
from fireside.services.answer_router import AnswerStream
from fireside.services.request_builder import (
    chat_input,
    load_options_for,
    make_task,
    vector_options,
    with_seed,
)
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import keep_alive_s, load_options, stays_local

MAX_PARALLEL = 16
"""Answers that one model generates in parallel; others wait."""


class Completions:
    """Requests answers with the settings in force. Nothing is stored."""

    def __init__(self, context: ServiceContext) -> None:
        self._router = context.answer_router
        self._preferences = context.preferences
        self._next_id = context.next_id

    async def start(
        self, spec: ModelSpec, prompt: PromptInput, *, n_answers: int = 1
    ) -> tuple[AnswerStream, ...]:
        """Request ``n_answers`` to one prompt, which is processed once, and return the events of each.

        System prompt and reasoning of a ``ChatInput`` follow the settings. Raises ``SettingInvalid`` where
        settings disagree, and ``chat_stays_local`` for a model of another engine where everything must stay
        on this computer.
        """
        resolved = await self._preferences.resolved(model_id=spec.id, conversation_id=None)
        if spec.remote is not None and stays_local(resolved):
            raise RemoteError.of("chat_stays_local", host=spec.remote.host)
        if isinstance(prompt, ChatInput):
            prompt = chat_input(resolved, prompt.messages)
        task = make_task(resolved, prompt, owner=None)
        options = load_options_for(spec, resolved)
        n_seq_max = max(options.n_seq_max, min(n_answers, MAX_PARALLEL))
        requests = [
            GenerationRequest(
                request_id=self._next_id(),
                spec=spec,
                options=msgspec.structs.replace(options, n_seq_max=n_seq_max),
                task=with_seed(task, number=number),
                keep_alive_s=keep_alive_s(resolved),
            )
            for number in range(n_answers)
        ]
        return tuple(self._router.generate(request) for request in requests)

    def cancel(self, stream: AnswerStream) -> None:
        """Cancel an answer, which then finishes with its text so far."""
        self._router.cancel(stream.request_id)


# Embed texts and rerank documents with models of the library


class Embeddings:
    """Requests vectors and scores from the engine.

    A model that is loaded for chats is loaded a second time for this, with the same weights in another
    context.
    """

    def __init__(self, context: ServiceContext) -> None:
        self._engine = context.engine
        self._models = context.models
        self._preferences = context.preferences
        self._next_id = context.next_id

    async def embed(
        self,
        texts: Sequence[str],
        *,
        model_id: ModelId,
        pooling: Pooling = Pooling.MODEL,
        dimensions: int | None = None,
        truncate: bool = False,
    ) -> list[array[float]]:
        """Return one vector of length 1 for each text, in order.

        Args:
            dimensions: return only the first dimensions of each vector.
            truncate: truncate texts that are too long instead of refusing them.

        Raises:
            model_unsuited: the model is a reranker, which has no vectors.
            ModelNotFound, LoadError, RunnerError, RequestError: as for an answer.
        """
        purpose = self._models.spec(model_id).purpose
        if purpose is Purpose.RERANK:
            raise RequestError.of(
                "model_unsuited", wanted=tr_noop("create embeddings"), is_for=PURPOSE_TEXTS[purpose]
            )
        prompt = EmbeddingInput(texts=tuple(texts), dimensions=dimensions, truncate=truncate)
        return await self._compute(prompt, model_id=model_id, purpose=Purpose.EMBED, pooling=pooling)

    async def embed_truncated(self, texts: Sequence[str], *, model_id: ModelId) -> list[array[float]]:
        """Return the result of ``embed``; texts that are too long are truncated."""
        return await self.embed(texts, model_id=model_id, truncate=True)

    async def rerank(self, query: str, documents: Sequence[str], *, model_id: ModelId) -> list[float]:
        """Return a score for each document, in order; higher is more relevant to ``query``.

        Raises:
            model_unsuited: the model is not a reranker; otherwise as ``embed``.
        """
        purpose = self._models.spec(model_id).purpose
        if purpose is not Purpose.RERANK:
            raise RequestError.of(
                "model_unsuited", wanted=tr_noop("rerank texts"), is_for=PURPOSE_TEXTS[purpose]
            )
        prompt = RerankInput(query=query, documents=tuple(documents))
        vectors = await self._compute(
            prompt, model_id=model_id, purpose=Purpose.RERANK, pooling=Pooling.MODEL
        )
        return [vector[0] for vector in vectors]

    async def _compute(
        self, prompt: PromptInput, *, model_id: ModelId, purpose: Purpose, pooling: Pooling
    ) -> list[array[float]]:
        spec = self._models.spec(model_id)
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=None)
        options = vector_options(load_options(resolved), purpose=purpose, pooling=pooling)
        request = GenerationRequest(
            request_id=self._next_id(),
            spec=spec,
            options=options,
            task=GenerationTask(prompt=prompt, priority=Priority.BACKGROUND),
            keep_alive_s=keep_alive_s(resolved),
        )
        vectors: dict[int, array[float]] = {}
        async for event in self._engine.generate(request):
            match event:
                case Embedded():
                    vectors[event.index] = _to_array(event.vector)
                case Failed():
                    raise error_from_info(event.error)
                case Finished() if event.reason is FinishReason.CANCELLED:
                    raise EngineStopped
                case _:
                    continue
        return [vectors[index] for index in sorted(vectors)]


def _to_array(vector: bytes) -> array[float]:
    values = array("f")
    values.frombytes(vector)
    if sys.byteorder == "big":
        values.byteswap()
    return values
