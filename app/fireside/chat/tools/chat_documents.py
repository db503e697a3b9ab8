"""The collections of a chat as its tools look into them; what they return is cited like what was sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from fireside.core.collection import Citation, Passage, Source, SourceState
from fireside.core.events import AppEvent, MessageReplaced
from fireside.core.ids import CollectionId, MessageId
from fireside.core.message import PassagesPart, citation_heading
from fireside.services.collections.collection_service import CollectionService
from fireside.storage.store import Store
from fireside.tools.tool import ToolFailed

_FOUND: Final = 4
_READ: Final = 4
"""Passages of a document that are read at once: a result takes a quarter of the context at most."""
_MOST_NAMES: Final = 500


class ChatDocuments:
    """Keeps ``tools.documents.Documents`` for the answers to one question. On the engine's loop.

    Passages are stored with the question under numbers of their own, so that the answer can cite them.
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
        self._turn = asyncio.Lock()

    async def search(self, words: str) -> str:
        """Return the passages that fit best, numbered."""
        found = await self._collections.search(words, collection_ids=self._ids, limit=_FOUND)
        return await self._numbered(words, found.passages)

    async def read(self, file: str, *, offset: int) -> str:
        """Return the passages of a file behind a character, numbered."""
        path = next((each.path for each in await self._files() if file in (each.name, each.path)), None)
        if path is None:
            raise ToolFailed(f"file: there is no document “{file}”. list_documents names them.")
        behind = await self._collections.read_on(self._ids, path=path, char_to=offset, limit=_READ)
        passages = [passage for passage in behind if passage.path == path]
        if not passages:
            raise ToolFailed("offset: the document ends before it.")
        text = await self._numbered(file, passages)
        goes_on = len(passages) == _READ
        return f"{text}\n\n[More follows from offset {passages[-1].char_to}.]" if goes_on else text

    async def names(self) -> str:
        """Return the names of all files that can be read."""
        files = [each.name for each in await self._files()]
        more = len(files) - _MOST_NAMES
        return "\n".join(files[:_MOST_NAMES]) + (f"\n… and {more} more" if more > 0 else "")

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
        """Return passages as the model is shown them, under numbers that they keep in this answer."""
        async with self._turn:
            message = (await self._store.messages.get(self._question_id)).message
            part = message.passages or PassagesPart(question=question, is_called=True)
            known = {_place(citation.passage): citation for citation in part.citations}
            fresh = [passage for passage in passages if _place(passage) not in known]
            for number, passage in enumerate(fresh, start=len(part.citations) + 1):
                known[_place(passage)] = Citation(number=number, passage=passage)
            if fresh:
                part = replace(part, citations=tuple(known.values()))
                stored = await self._store.messages.set_passages(self._question_id, part)
                self._emit(MessageReplaced(message=stored))
        shown = (known[_place(passage)] for passage in passages)
        return "\n\n".join(
            f"[{each.number}] {citation_heading(each)}\n{each.passage.text.strip()}" for each in shown
        )


def _place(passage: Passage) -> tuple[str, str, int, int]:
    return passage.path, passage.content_hash, passage.char_from, passage.char_to
