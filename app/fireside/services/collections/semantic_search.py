"""Embed the chunks of collections, and find chunks by the meaning of a question."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from fireside.core.collection import Collection
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId, ModelId
from fireside.core.model import ModelSpec
from fireside.files.digest import digest_of
from fireside.retrieval.collection_store import CANDIDATES, CollectionStore

if TYPE_CHECKING:
    from fireside.retrieval.vectors import VectorModel


STEP_S: Final = 0.5
"""Target duration of one embedding request: so much work is lost where a chat interrupts it."""
_MAX_BATCH: Final = 64
"""Texts of one embedding request."""
RETRY_S: Final = 120.0
"""Delay after a model failed to embed before it is tried again."""


Vectors = Sequence[Sequence[float]]


class Embed(Protocol):
    """Returns a vector of length 1 for each text, in order; texts that are too long are truncated.

    Raises ``FiresideError`` where the model cannot embed.
    """

    async def __call__(self, texts: Sequence[str], *, model_id: ModelId) -> Vectors: ...


RunStep = Callable[[Callable[[], Awaitable[Vectors]]], Awaitable[Vectors]]
"""Runs a step of work while no chat is answered, and again where a chat interrupted it."""


class SemanticSearch:
    """Vectors of collections and search by them. Lives on the engine's loop.

    A model is identified by a fingerprint of its file and of how it is used, so that another file under the
    same name is another model. The vectors of the previous model are searched until the new model's are
    complete.
    """

    def __init__(
        self,
        *,
        store: Callable[[], Awaitable[CollectionStore]],
        embed: Embed,
        spec_of: Callable[[ModelId], ModelSpec],
    ) -> None:
        """``spec_of`` raises ``ModelNotFound`` for a model that was removed."""
        self._store = store
        self._embed = embed
        self._spec_of = spec_of
        self._hashes: dict[tuple[str, int, int], str] = {}
        self._failed: dict[ModelId, tuple[float, FiresideError]] = {}

    async def embed_missing(self, collection: Collection, run_step: RunStep) -> bool:
        """Embed the texts without a vector, one batch a step. Returns whether there were any.

        Raises ``FiresideError`` where the model cannot be used; it is not tried again for ``RETRY_S``.
        """
        if collection.embedding_model is None:
            return False
        self._refuse_if_failed(collection.embedding_model)
        try:
            return await self._embed_missing(collection, collection.embedding_model, run_step)
        except FiresideError as exc:
            self._failed[collection.embedding_model] = (time.monotonic(), exc)
            raise

    def clear_failures(self) -> None:
        """Allow models that failed to be tried again at once."""
        self._failed.clear()

    async def nearest_chunks(
        self, question: str, collection_ids: Sequence[CollectionId]
    ) -> tuple[list[tuple[int, float]], str]:
        """Return the chunks nearest to a question with their similarity, best first, and why some are
        missing.

        Collections that have no vectors yet contribute none.
        """
        store = await self._store()
        models = await store.vectors.models_of(collection_ids)
        matches: list[tuple[int, float]] = []
        vectors: dict[int, Sequence[float]] = {}
        try:
            for collection_id, model in models.items():
                if await self._fingerprint(model.model_id) != model.fingerprint:
                    return [], tr(
                        "The embedding model’s file has changed; passages are being embedded again."
                    )
                if model.id not in vectors:
                    vectors[model.id] = await self._question_vector(question, model)
                matches += await store.vectors.nearest(
                    collection_id, model.id, vectors[model.id], limit=CANDIDATES
                )
        except FiresideError as exc:
            return [], exc.info().sentence
        return sorted(matches, key=lambda match: -match[1])[:CANDIDATES], ""

    async def _question_vector(self, question: str, model: VectorModel) -> Sequence[float]:
        prefix = self._prefixes(model.model_id).question
        (vector,) = await self._embed([prefix + question], model_id=model.model_id)
        return vector

    async def _embed_missing(self, collection: Collection, model_id: ModelId, run_step: RunStep) -> bool:
        store = await self._store()
        fingerprint = await self._fingerprint(model_id)
        prefix = self._prefixes(model_id).passage
        model: VectorModel | None = await store.vectors.known_model(fingerprint)
        current = (await store.vectors.models_of([collection.id])).get(collection.id)
        has_worked, from_source, n_texts = False, 0, 1
        while True:
            texts = await store.vectors.missing(
                collection.id, -1 if model is None else model.id, limit=n_texts, from_source=from_source
            )
            if not texts and not from_source:
                break
            from_source = texts[0].source_id if texts else 0
            if not texts:
                continue
            began = time.perf_counter()  # the other clock stands still for 16 ms on Windows
            prompts = [prefix + text.text for text in texts]
            embedded = await run_step(partial(self._embed, prompts, model_id=model_id))
            took_s = time.perf_counter() - began
            n_texts = max(1, min(2 * len(texts), int(len(texts) * STEP_S / took_s), _MAX_BATCH))
            if model is None:
                model = await store.vectors.model(
                    fingerprint=fingerprint, model_id=model_id, n_numbers=len(embedded[0])
                )
            await store.vectors.store(model.id, list(zip(texts, embedded, strict=True)))
            if current is None:  # nothing is lost: so far only the text search had results
                await store.vectors.set_model(collection.id, model.id)
                current = model
            has_worked = True
        if model is not None and (current is None or current.id != model.id):
            await store.vectors.set_model(collection.id, model.id)
            has_worked = True
        return has_worked

    def _refuse_if_failed(self, model_id: ModelId) -> None:
        at_s, error = self._failed.get(model_id, (0.0, None))
        if error is not None and time.monotonic() - at_s < RETRY_S:
            raise error

    def _prefixes(self, model_id: ModelId) -> Prefixes:
        return prefixes_of(self._spec_of(model_id).name, model_id)

    async def _fingerprint(self, model_id: ModelId) -> str:
        """Return what determines the vectors of a model: its file, and the prefixes of texts."""
        spec = self._spec_of(model_id)
        file = await asyncio.to_thread(self._hash_of, spec.path)
        prefixes = self._prefixes(model_id)
        identity = "\n".join((file, "model", prefixes.question, prefixes.passage))
        return hashlib.sha256(identity.encode()).hexdigest()

    def _hash_of(self, path: str) -> str:
        status = Path(path).stat()
        key = (path, status.st_size, status.st_mtime_ns)
        if key not in self._hashes:
            self._hashes[key] = digest_of(Path(path))
        return self._hashes[key]


# The prefixes that embedding models were trained with for questions and passages


class Prefixes(NamedTuple):
    """What precedes a question, and a passage."""

    question: str = ""
    passage: str = ""


_QWEN: Final = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
_E5_INSTRUCT: Final = f"{_QWEN} "
_REPRESENT: Final = "Represent this sentence for searching relevant passages: "
_REPRESENT_ZH: Final = "为这个句子生成表示以用于检索相关文章："
_KNOWN: Final = (
    # By a part of the model's name, as their model cards say; the first match counts.
    ("nomic-embed", Prefixes("search_query: ", "search_document: ")),
    ("embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    ("embedding-gemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    ("qwen3-embedding", Prefixes(_QWEN)),
    ("e5-large-instruct", Prefixes(_E5_INSTRUCT)),
    ("e5-mistral", Prefixes(_E5_INSTRUCT)),
    ("e5-", Prefixes("query: ", "passage: ")),
    ("arctic-embed-l-v2", Prefixes("query: ")),
    ("arctic-embed-m-v2", Prefixes("query: ")),
    ("arctic-embed", Prefixes(_REPRESENT)),
    ("bge-m3", Prefixes()),
    ("bge-small-zh", Prefixes(_REPRESENT_ZH)),
    ("bge-base-zh", Prefixes(_REPRESENT_ZH)),
    ("bge-large-zh", Prefixes(_REPRESENT_ZH)),
    ("bge-", Prefixes(_REPRESENT)),
    ("mxbai-embed", Prefixes(_REPRESENT)),
)


def prefixes_of(*names: str) -> Prefixes:
    """Return the prefixes of a model by its names; empty ones for an unknown model."""
    text = " ".join(names).lower().replace(" ", "-").replace("_", "-")
    return next((prefixes for part, prefixes in _KNOWN if part in text), Prefixes())
