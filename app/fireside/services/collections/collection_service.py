"""Manage collections of documents, and search them for chats."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from fireside.core.citations import citation_marks
from fireside.core.collection import (
    Citation,
    Collection,
    CollectionSearchResult,
    CollectionState,
    DocumentPage,
    Passage,
    Source,
    SourceText,
    TextExtent,
)
from fireside.core.errors import InvalidText
from fireside.core.events import AppEvent, CollectionProgressed, CollectionsChanged
from fireside.core.for_window import for_window
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import CollectionId, ModelId
from fireside.core.message import ChatMessage, PassagesPart, Role
from fireside.core.model import ModelSpec
from fireside.core.text_folding import fold
from fireside.core.token_estimate import estimated_tokens
from fireside.retrieval.collection_store import CollectionStore
from fireside.retrieval.languages import STOP_WORDS, words_of
from fireside.retrieval.word_lists import word_list
from fireside.services.collections.file_reading import ReadFiles
from fireside.services.collections.indexer import Indexer
from fireside.services.collections.page_renderer import RenderPage, render_passage_page
from fireside.services.collections.recording_reader import Transcribe, hash_of
from fireside.services.collections.scanned_page_reader import ReadPicture, ScannedPageReader
from fireside.services.collections.semantic_search import Embed, SemanticSearch
from fireside.storage.encryption import DatabaseKey

NAME_CHARACTERS: Final = 80
_BYTES_PER_TOKEN: Final = 4
_MAX_PASSAGES: Final = 20


class CollectionModels(NamedTuple):
    """What models of the library do for collections."""

    embed: Embed
    read_picture: ReadPicture
    transcribe: Transcribe
    spec_of: Callable[[ModelId], ModelSpec]
    """Raises ``ModelNotFound`` for a model that was removed."""


class CollectionService:
    """Collections of documents: their files, their index, searches. Lives on the engine's loop.

    The database is opened when it is first needed: a program without collections never creates one. All
    methods raise ``StorageError``, which includes ``RecordNotFound``. Changes arrive as
    ``CollectionsChanged`` and ``CollectionProgressed``. The collections of a chat are its setting
    ``core.collection.COLLECTIONS_KEY``.
    """

    def __init__(
        self,
        *,
        database_path: Path | str,
        read: ReadFiles,
        is_answering: Callable[[], bool],
        limits: Callable[[], tuple[int, int]],
        models: CollectionModels,
        render: RenderPage,
        emit: Callable[[AppEvent], None],
        key: Callable[[], DatabaseKey | None] = lambda: None,
    ) -> None:
        """``limits`` returns how many passages accompany a question, and up to how many tokens a whole
        text does; ``key`` what the database is encrypted with."""
        self._database_path = database_path
        self._key = key
        self._emit = emit
        self._limits = limits
        self._render = render
        self._opened: CollectionStore | None = None
        self._opening = asyncio.Lock()
        self._semantic_search = SemanticSearch(store=self._store, embed=models.embed, spec_of=models.spec_of)
        self._scans = ScannedPageReader(
            store=self._store, read_picture=models.read_picture, spec_of=models.spec_of, render=render
        )
        self._indexing = Indexer(
            store=self._store,
            read=read,
            embed=self._semantic_search.embed_missing,
            read_scans=self._scans.read_missing,
            transcribe=models.transcribe,
            is_answering=is_answering,
            report=lambda id_, state: emit(CollectionProgressed(collection_id=id_, state=state)),
        )

    def start(self) -> None:
        """Resume indexing where the last run of the program ended, if there are collections."""
        if Path(self._database_path).is_file():
            self._indexing.start()

    async def close(self) -> None:
        """Stop indexing and close the database."""
        await self._indexing.close()
        if self._opened is not None:
            await self._opened.close()

    # Collections

    @for_window
    async def collections(self) -> tuple[Collection, ...]:
        """Return all collections, sorted by name."""
        if self._opened is None and not await asyncio.to_thread(Path(self._database_path).is_file):
            return ()
        return await (await self._store()).collections.all()

    @for_window
    async def create(self, *, name: str, roots: Sequence[str] = (), is_of_chat: bool = False) -> Collection:
        """Create a collection and start to read its files. Raises ``InvalidText`` for an empty name.

        ``is_of_chat`` makes it for one chat alone, with which it goes unless it is kept.
        """
        if not name.strip():
            raise InvalidText(reason=tr_noop("it is empty."))
        store = await self._store()
        collection = await store.collections.create(
            name=_display_name(name), roots=[_absolute(root) for root in roots], is_of_chat=is_of_chat
        )
        await self._changed()
        return collection

    @for_window
    async def rename(self, collection_id: CollectionId, *, name: str) -> None:
        """Rename a collection; an empty name is ignored."""
        if name.strip():
            await (await self._store()).collections.rename(collection_id, name=_display_name(name))
            await self._changed()

    @for_window
    async def remove(self, collection_id: CollectionId) -> None:
        """Delete a collection with its index; the files stay."""
        store = await self._store()
        await store.collections.remove(collection_id)
        await store.sources.remove_unused()
        await self._changed()

    @for_window
    async def add_roots(self, collection_id: CollectionId, roots: Sequence[str]) -> None:
        """Add files and folders by their absolute paths."""
        await (await self._store()).collections.add_roots(collection_id, [_absolute(root) for root in roots])
        await self._changed()

    @for_window
    async def remove_root(self, collection_id: CollectionId, root: str) -> None:
        """Remove a file or folder from the collection and its index."""
        store = await self._store()
        for root_row in await store.collections.roots(collection_id):
            if root_row.path == root:
                await store.sources.remove_root(root_row.id)
        await store.sources.remove_unused()
        await self._changed()

    @for_window
    async def keep(self, collection_id: CollectionId) -> None:
        """List a collection that was made for one chat among the others, and keep it without the chat."""
        await (await self._store()).collections.keep(collection_id)
        await self._changed()

    async def remove_of_chats(self, *, used: Set[str]) -> None:
        """Remove the collections that were made for chats which are gone: those that are not ``used``."""
        for collection in await self.collections():
            if collection.is_of_chat and collection.id not in used:
                await self.remove(collection.id)

    @for_window
    async def remove_file(self, collection_id: CollectionId, path: str) -> None:
        """Remove one file from the collection and its index; of a folder, it is left out from now on."""
        store = await self._store()
        if any(root.path == path for root in await store.collections.roots(collection_id)):
            await self.remove_root(collection_id, path)
            return
        await store.collections.leave_out(collection_id, path)
        await store.sources.remove_unused()
        await self._changed()

    @for_window
    async def restore_file(self, collection_id: CollectionId, path: str) -> None:
        """Undo ``remove_file``."""
        if await (await self._store()).collections.take_back(collection_id, path):
            await self._changed()
        else:
            await self.add_roots(collection_id, [path])

    @for_window
    async def reread_file(self, collection_id: CollectionId, path: str) -> None:
        """Read one file again, whether or not it has changed."""
        await (await self._store()).sources.reread(collection_id, path)
        self._rescan_now()

    @for_window
    async def choose_model(self, collection_id: CollectionId, *, model_id: ModelId | None) -> None:
        """Set the embedding model for search by meaning; ``None`` searches by words only.

        The previous model's vectors are used until the new ones are complete.
        """
        await (await self._store()).collections.choose_model(collection_id, model_id=model_id)
        await self._changed()

    @for_window
    async def choose_vision_model(self, collection_id: CollectionId, *, model_id: ModelId | None) -> None:
        """Set the model that reads pages and images without text; it is loaded for that in the background.

        ``None`` stops that; text already read stays.
        """
        await (await self._store()).collections.choose_vision_model(collection_id, model_id=model_id)
        await self._changed()

    @for_window
    async def pause(self, collection_id: CollectionId, *, is_paused: bool) -> None:
        """Pause or resume the reading of files."""
        await (await self._store()).collections.set_paused(collection_id, is_paused=is_paused)
        await self._changed()

    @for_window
    async def rescan(self, collection_id: CollectionId) -> None:
        """Look for changes now, and retry files that could not be read."""
        await (await self._store()).sources.retry_failed(collection_id)
        self._rescan_now()

    async def catch_up(self, collection_id: CollectionId) -> None:
        """Index what has changed in a collection, and return when that is done. Raises ``FiresideError``."""
        await self._indexing.catch_up(collection_id)

    @for_window
    async def state(self, collection_id: CollectionId) -> CollectionState:
        """Return how far a collection is indexed, and what is being done for it now."""
        stored = await (await self._store()).sources.state(collection_id)
        return self._indexing.state(collection_id, stored)

    @for_window
    async def sources(
        self, collection_id: CollectionId, *, only_problems: bool = False
    ) -> tuple[Source, ...]:
        """Return the files of a collection, sorted by path; ``only_problems`` those with errors or
        warnings."""
        return await (await self._store()).sources.all(collection_id, only_problems=only_problems)

    # Search

    @for_window
    async def search(
        self,
        query: str,
        *,
        collection_ids: Sequence[CollectionId],
        limit: int = 20,
        matches_prefix: bool = False,
    ) -> CollectionSearchResult:
        """Return the passages that match best. Any text is a valid query.

        ``matches_prefix`` treats the last word as the beginning of a word.
        """
        matches, problem = await self._semantic_search.nearest_chunks(query, collection_ids)
        result = await (await self._store()).search(
            query,
            collection_ids=collection_ids,
            limit=limit,
            semantic_matches=matches,
            matches_prefix=matches_prefix,
        )
        return msgspec.structs.replace(result, problem=problem)

    @for_window
    async def passages_for(
        self,
        question: str,
        *,
        collection_ids: Sequence[CollectionId],
        n_tokens: int,
        history: Sequence[ChatMessage] = (),
    ) -> PassagesPart:
        """Return the passages for a question, at most ``n_tokens``; all text of the collections if it fits.

        ``history`` are the earlier messages, which give a follow-up question its subject.
        """
        store = await self._store()
        n_passages, max_whole_tokens = self._limits()
        max_tokens = min(n_tokens, max_whole_tokens)
        whole = await store.passages.all_text(collection_ids, max_chars=max_tokens * _BYTES_PER_TOKEN)
        if whole:
            part = PassagesPart(question=question, citations=_numbered(whole), is_whole=True)
            if estimated_tokens(part.prompt_text) <= max_tokens:
                return part
        query = rewrite_query(question, history)
        limit = min(n_passages, _MAX_PASSAGES)
        result = await self.search(query, collection_ids=collection_ids, limit=limit)
        citations = _numbered(result.passages)
        problems = [result.problem] if result.problem else []
        is_partial = bool(citations) and asks_about_everything(question)
        if is_partial:
            problems.append(
                tr("Only the best passages were sent: a summary, list or count of everything may be wrong.")
            )
        part = PassagesPart(
            question=query,
            citations=citations,
            by_meaning=result.by_meaning,
            problem=" ".join(problems),
            is_about_all=is_partial,
        )
        while part.citations[1:] and estimated_tokens(part.prompt_text) > n_tokens:
            part = msgspec.structs.replace(part, citations=part.citations[:-1])
        return part

    @for_window
    async def extent(self, collection_ids: Sequence[CollectionId]) -> TextExtent:
        """Return how much text collections contain, which is what reading everything would read."""
        return await (await self._store()).passages.extent(collection_ids)

    async def read_on(
        self, collection_ids: Sequence[CollectionId], *, path: str, char_to: int, limit: int
    ) -> tuple[Passage, ...]:
        """Return the next passages of all text after a position; see ``PassageRows.read_on``."""
        return await (await self._store()).passages.read_on(
            collection_ids, path=path, char_to=char_to, limit=limit
        )

    @for_window
    async def text_around(self, passage: Passage, *, n_chars: int = 20_000) -> SourceText:
        """Return the source text around a passage; only the passage if the source has changed since."""
        is_unchanged = await asyncio.to_thread(_is_unchanged, passage)
        is_missing = not is_unchanged and not await asyncio.to_thread(Path(passage.path).is_file)
        excerpt = await (await self._store()).passages.text_around(passage, n_chars=n_chars)
        if excerpt is None:
            return SourceText(
                text=passage.text,
                first_line=1,
                mark_from=0,
                mark_to=len(passage.text),
                has_changed=True,
                is_missing=is_missing,
            )
        return SourceText(
            text=excerpt.text,
            first_line=excerpt.n_lines_before + 1,
            mark_from=excerpt.mark_from,
            mark_to=excerpt.mark_from + len(passage.text),
            has_before=not excerpt.is_start,
            has_after=not excerpt.is_end,
            n_chars=excerpt.n_chars,
            has_changed=not is_unchanged,
            is_missing=is_missing,
        )

    @for_window
    async def page(
        self, passage: Passage, *, page: int, width: int, sentences: Sequence[tuple[int, int]] = ()
    ) -> DocumentPage:
        """Render a page of a passage's PDF file, ``width`` pixels wide, with the passage marked.

        ``sentences`` are ranges of the text of the passage, in characters, that are marked more strongly.
        Pages count from 1 and are clamped. Raises ``page_unreadable``, also if the file has changed since.
        """
        return await render_passage_page(
            passage, page=page, width=width, sentences=sentences, render=self._render
        )

    # Internals

    async def _store(self) -> CollectionStore:
        async with self._opening:
            if self._opened is None:
                self._opened = await CollectionStore.open(self._database_path, key=self._key())
            return self._opened

    async def retry_recordings(self) -> None:
        """Read recordings that waited for speech recognition: what it takes may be here now."""
        if await self.collections() and await (await self._store()).sources.retry_recordings():
            self._rescan_now()

    async def _changed(self) -> None:
        self._emit(CollectionsChanged(collections=await self.collections()))
        self._rescan_now()

    def _rescan_now(self) -> None:
        self._semantic_search.clear_failures()
        self._scans.clear_failures()
        self._indexing.start()
        self._indexing.rescan_now()


def _numbered(passages: Sequence[Passage]) -> tuple[Citation, ...]:
    return tuple(Citation(number=number, passage=passage) for number, passage in enumerate(passages, start=1))


def _display_name(name: str) -> str:
    return " ".join(name.split())[:NAME_CHARACTERS]


def _absolute(root: str) -> str:
    return os.path.abspath(Path(root).expanduser())  # noqa: PTH100  # without following links


def _is_unchanged(passage: Passage) -> bool:
    """Return whether a passage's file still has the content that was indexed."""
    try:
        return hash_of(passage.path) == passage.content_hash
    except OSError:
        return False


# Rewrite a follow-up question into a search query, by rules alone


_MIN_WORDS: Final = 3
"""A question with fewer content words is taken for a follow-up of the one before it."""
_REFERRING: Final = word_list(
    """
    it its they them their this that these those he she his her him same former latter second first last other
    er sie es ihn ihm ihr ihre sein seine dies diese dieser dieses davon dazu dabei damit daraus dort jene
    jener letztere erste zweite
    """
)
_JOINING: Final = word_list("and but so also und aber also dann")
_MAX_TITLES: Final = 3
_ABOUT_ALL: Final = re.compile(
    r"\b(summari[sz]e|summary|overview|how many|list all|list every|list the|all of the|every|count|"
    r"zusammenfass\w*|fass\w*|uberblick|wie viele|wieviele|alle|liste|samtliche)\b"
)


def rewrite_query(question: str, history: Sequence[ChatMessage]) -> str:
    """Return the search query of a question; a follow-up includes the question before it.

    What the last answer cited tells what that question was about.
    """
    words = words_of(fold(question))
    content_words = [word for word in words if word not in STOP_WORDS]
    starts_with_joiner = words[:1] and words[0] in _JOINING
    if len(content_words) >= _MIN_WORDS and not starts_with_joiner and not _REFERRING.intersection(words):
        return question
    last_question = next((m for m in reversed(history) if m.role is Role.USER and m.text.strip()), None)
    if last_question is None:
        return question
    answer = history[-1].text if history[-1].role is Role.ASSISTANT else ""
    titles: dict[str, None] = {}
    if last_question.passages is not None:
        for mark in citation_marks(answer, last_question.passages.citations):
            if mark.citation is not None:
                passage = mark.citation.passage
                titles[passage.headings[-1] if passage.headings else passage.name] = None
    last_text = last_question.passages.question if last_question.passages is not None else last_question.text
    return "\n".join((question, last_text[:500], *list(titles)[:_MAX_TITLES]))


def asks_about_everything(question: str) -> bool:
    """Return whether a question asks for a summary, a list or a count, which a few passages cannot answer."""
    return _ABOUT_ALL.search(fold(question)) is not None
