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

    All raise ``StorageError``, which includes ``RecordNotFound``. Changes arrive as ``CollectionsChanged``
    and ``CollectionProgressed``. The collections of a chat are its setting
    ``core.collection.COLLECTIONS_KEY``.
    """

    async def create(self, *, name: str, roots: Sequence[str] = (), is_of_chat: bool = False) -> Collection:
        """Create a collection and start to read its files. Raises ``InvalidText`` for an empty name.

        ``is_of_chat`` makes it for one chat alone, with which it goes unless it is kept.
        """

    async def keep(self, collection_id: CollectionId) -> None:
        """List a collection that was made for one chat among the others, and keep it without the chat."""

    async def rename(self, collection_id: CollectionId, *, name: str) -> None:
        """Rename a collection; an empty name is ignored."""

    async def remove(self, collection_id: CollectionId) -> None:
        """Delete a collection with its index; the files stay."""

    async def add_roots(self, collection_id: CollectionId, roots: Sequence[str]) -> None:
        """Add files and folders by their absolute paths."""

    async def remove_root(self, collection_id: CollectionId, root: str) -> None:
        """Remove a file or folder from the collection and its index."""

    async def remove_file(self, collection_id: CollectionId, path: str) -> None:
        """Remove one file from the collection and its index; of a folder, it is left out from now on."""

    async def restore_file(self, collection_id: CollectionId, path: str) -> None:
        """Undo ``remove_file``."""

    async def reread_file(self, collection_id: CollectionId, path: str) -> None:
        """Read one file again, whether or not it has changed."""

    async def collections(self) -> tuple[Collection, ...]:
        """Return all collections, sorted by name."""

    async def state(self, collection_id: CollectionId) -> CollectionState: ...

    async def sources(
        self, collection_id: CollectionId, *, only_problems: bool = False
    ) -> tuple[Source, ...]:
        """Return the files of a collection, sorted by path; ``only_problems`` those with errors or
        warnings."""

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

    async def extent(self, collection_ids: Sequence[CollectionId]) -> TextExtent:
        """Return how much text collections contain, which is what reading everything would read."""

    async def text_around(self, passage: Passage, *, n_chars: int = 20_000) -> SourceText:
        """Return the source text around a passage; only the passage if the source has changed since."""

    async def page(
        self, passage: Passage, *, page: int, width: int, sentences: Sequence[tuple[int, int]] = ()
    ) -> DocumentPage:
        """Render a page of a passage's PDF file, ``width`` pixels wide, with the passage marked.

        ``sentences`` are ranges of the text of the passage, in characters, that are marked more strongly.
        Pages count from 1 and are clamped. Raises ``PageUnreadable``, also if the file has changed since.
        """

    async def choose_model(self, collection_id: CollectionId, *, model_id: ModelId | None) -> None:
        """Set the embedding model for search by meaning; ``None`` searches by words only.

        The previous model's vectors are used until the new ones are complete.
        """

    async def choose_vision_model(self, collection_id: CollectionId, *, model_id: ModelId | None) -> None:
        """Set the model that reads pages and images without text; it is loaded for that in the background.

        ``None`` stops that; text already read stays.
        """

    async def rescan(self, collection_id: CollectionId) -> None:
        """Look for changes now, and retry files that could not be read."""

    async def pause(self, collection_id: CollectionId, *, is_paused: bool) -> None:
        """Pause or resume the reading of files."""
