"""Protocol of the service for collections of documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.collection import (
    Collection,
    CollectionSearchResult,
    CollectionState,
    DocumentPage,
    Passage,
    Source,
    SourceText,
    TextExtent,
)
from fireside.core.ids import CollectionId, ModelId
from fireside.core.message import ChatMessage, PassagesPart


class CollectionClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    All raise ``StorageError``: ``RecordNotFound`` among them for what is gone. Changes arrive as
    ``CollectionsChanged`` and ``CollectionProgressed``. Which collections a chat asks is its setting
    ``core.collection.COLLECTIONS_KEY``.
    """

    async def create(self, *, name: str, roots: Sequence[str] = ()) -> Collection:
        """Make a collection and begin to read its files. Raises ``InvalidText`` for no name."""

    async def rename(self, collection_id: CollectionId, *, name: str) -> None:
        """Give it another name; an empty one is ignored."""

    async def remove(self, collection_id: CollectionId) -> None:
        """Forget it and all that was read; the files stay."""

    async def add_roots(self, collection_id: CollectionId, roots: Sequence[str]) -> None:
        """Add files and folders, by their absolute paths."""

    async def remove_root(self, collection_id: CollectionId, root: str) -> None:
        """Forget a file or folder of the collection, and what was read there."""

    async def collections(self) -> tuple[Collection, ...]:
        """Return all, by name."""

    async def state(self, collection_id: CollectionId) -> CollectionState: ...

    async def sources(
        self, collection_id: CollectionId, *, only_problems: bool = False
    ) -> tuple[Source, ...]:
        """Return the files of a collection by path; of ``only_problems`` those with an error or warnings."""

    async def search(
        self,
        query: str,
        *,
        collection_ids: Sequence[CollectionId],
        limit: int = 20,
        matches_prefix: bool = False,
    ) -> CollectionSearchResult:
        """Return the passages that fit best. Any text may be looked for.

        Of text that ``matches_prefix`` the last word may be a beginning.
        """

    async def passages_for(
        self,
        question: str,
        *,
        collection_ids: Sequence[CollectionId],
        n_tokens: int,
        history: Sequence[ChatMessage] = (),
    ) -> PassagesPart:
        """Return what would be sent along with a question in at most ``n_tokens``, the whole text if it fits.

        ``history`` are the messages before it, so that a question that goes on keeps its subject.
        """

    async def extent(self, collection_ids: Sequence[CollectionId]) -> TextExtent:
        """Return how much text there is in collections: what reading everything would read."""

    async def text_around(self, passage: Passage, *, n_chars: int = 20_000) -> SourceText:
        """Return the text of a passage's source around it; of one that changed since, the passage alone."""

    async def page(self, passage: Passage, *, page: int, width: int) -> DocumentPage:
        """Return a page of the PDF file of a passage, drawn ``width`` pixels wide, with the passage marked.

        Pages count from 1; one that is not there is the nearest one. Raises ``PageUnreadable``, also where
        the file has changed since.
        """

    async def choose_model(self, collection_id: CollectionId, *, model_id: ModelId | None) -> None:
        """Search by meaning with a model of the library; ``None`` searches by words alone.

        What another model made is used until the new one is through.
        """

    async def choose_vision_model(self, collection_id: CollectionId, *, model_id: ModelId | None) -> None:
        """Have a model read pages and images without text in the background, which is loaded for that.

        ``None`` leaves those unread that are.
        """

    async def rescan(self, collection_id: CollectionId) -> None:
        """Look for changes now, and try again what could not be read."""

    async def pause(self, collection_id: CollectionId, *, is_paused: bool) -> None:
        """Stop reading its files, or go on."""
