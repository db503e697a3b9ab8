"""Search and read the collections of a chat as its tools do, with passages that the answer can cite."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from fireside.core.collection import Citation, Passage, Source, SourceState
from fireside.core.events import AppEvent, MessageReplaced
from fireside.core.ids import CollectionId, MessageId
from fireside.core.message import PassagesPart, citation_text
from fireside.services.collections.collection_service import CollectionService
from fireside.storage.store import Store
from fireside.tools.tool import ToolFailed

_N_PASSAGES: Final = 4
"""Passages of one result, which takes a quarter of the context at most."""
_MAX_NAMES: Final = 500


class ChatDocuments:
    """Implements ``tools.documents.DocumentAccess`` for the answers to one question. On the engine's loop.

    Passages are stored and numbered with the question, so that its answers can cite them.
    """

    def __init__(
        self,
        collections: CollectionService,
        collection_ids: Sequence[CollectionId],
        *,
        store: Store,
        emit: Callable[[AppEvent], None],
        question_id: MessageId,
    ) -> None:
        self._collections = collections
        self._ids = tuple(collection_ids)
        self._store = store
        self._emit = emit
        self._question_id = question_id
        self._lock = asyncio.Lock()

    async def search(self, words: str) -> str:
        """Return the passages that match best, numbered."""
        result = await self._collections.search(words, collection_ids=self._ids, limit=_N_PASSAGES)
        return await self._numbered(words, result.passages)

    async def read(self, file: str, *, offset: int) -> str:
        """Return the passages of a file from a character offset on, numbered."""
        path = next((each.path for each in await self._files() if file in (each.name, each.path)), None)
        if path is None:
            raise ToolFailed(f"file: there is no document “{file}”. list_documents names them.")
        following = await self._collections.read_on(self._ids, path=path, char_to=offset, limit=_N_PASSAGES)
        passages = [passage for passage in following if passage.path == path]
        if not passages:
            raise ToolFailed("offset: the document ends before it.")
        text = await self._numbered(file, passages)
        if len(passages) < _N_PASSAGES:
            return text
        return f"{text}\n\n[More follows from offset {passages[-1].char_to}.]"

    async def names(self) -> str:
        """Return the names of all readable files, one a line."""
        files = [each.name for each in await self._files()]
        n_more = len(files) - _MAX_NAMES
        return "\n".join(files[:_MAX_NAMES]) + (f"\n… and {n_more} more" if n_more > 0 else "")

    async def _files(self) -> list[Source]:
        known = {collection.id for collection in await self._collections.collections()}
        files = [
            source
            for id_ in self._ids
            if id_ in known
            for source in await self._collections.sources(id_)
            if source.state in (SourceState.SEARCHABLE, SourceState.OFFLINE)
        ]
        return list({source.path: source for source in files}.values())

    async def _numbered(self, question: str, passages: Sequence[Passage]) -> str:
        """Return the text of passages under the numbers that they have, or get, with the question."""
        async with self._lock:
            message = (await self._store.messages.get(self._question_id)).message
            part = message.passages or PassagesPart(question=question, is_called=True)
            known = {_location(citation.passage): citation for citation in part.citations}
            new = [passage for passage in passages if _location(passage) not in known]
            for number, passage in enumerate(new, start=len(part.citations) + 1):
                known[_location(passage)] = Citation(number=number, passage=passage)
            if new:
                part = replace(part, citations=tuple(known.values()))
                stored = await self._store.messages.set_passages(self._question_id, part)
                self._emit(MessageReplaced(message=stored))
        citations = (known[_location(passage)] for passage in passages)
        return "\n\n".join(map(citation_text, citations))


def _location(passage: Passage) -> tuple[str, str, int, int]:
    return passage.path, passage.content_hash, passage.char_from, passage.char_to
