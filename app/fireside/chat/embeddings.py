"""Embed texts and rerank documents with models of the library."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence

from fireside.core.errors import EngineStopped, RequestError, error_from_info
from fireside.core.generation import Embedded, Failed, Finished, FinishReason, Priority
from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId
from fireside.core.options import PURPOSE_TEXTS, Pooling, Purpose
from fireside.core.prompt_input import EmbeddingInput, PromptInput, RerankInput
from fireside.core.task import GenerationTask
from fireside.engine.request import GenerationRequest
from fireside.services.request_builder import vector_options
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import keep_alive_s, load_options


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
