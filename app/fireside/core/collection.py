"""Document collections as values: their sources, indexing state, passages and citations."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import CollectionId, ModelId, SourceId

COLLECTIONS_KEY: Final = "documents.collections"
"""Key of the setting of a chat or preset with the ids of the collections in which questions are searched."""


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    """Files and folders under a name."""

    id: CollectionId
    name: str
    roots: tuple[str, ...] = ()
    """Absolute paths of its files and folders, oldest first."""
    embedding_model: ModelId | None = None
    """Embedding model for search by meaning; ``None`` searches by words only."""
    vision_model: ModelId | None = None
    """Vision model that reads pages and images without text; ``None`` leaves them unread."""
    is_paused: bool = False
    """Whether indexing is paused until the user resumes it."""
    is_of_chat: bool = False
    """Whether it was made for one chat alone: it is not listed among the others, and goes with the chat."""


class Activity(StrEnum):
    """Current activity of a collection's indexing."""

    IDLE = "idle"
    SCANNING = "scanning"
    """Its folders are scanned for changes."""
    READING = "reading"
    """Files are read and added to the word index."""
    EMBEDDING = "embedding"
    """Its passages are embedded for search by meaning."""
    READING_SCANS = "reading_scans"
    """The vision model reads pages and images without text."""
    WAITING = "waiting"
    """Waits for a chat's answer, which has priority."""
    PAUSED = "paused"


class SkippedFiles(msgspec.Struct, frozen=True, kw_only=True):
    """Files in a collection's folders that were skipped for the same reason."""

    reason: str
    """A short phrase."""
    n_files: int


class CollectionState(msgspec.Struct, frozen=True, kw_only=True):
    """Indexing progress of a collection. Unless named otherwise, counts are of files.

    ``n_files`` is the sum of ``n_searchable``, ``n_unreadable`` and ``n_waiting``.
    """

    n_files: int = 0
    n_searchable: int = 0
    """In the word index."""
    n_embedded: int = 0
    """Part of ``n_searchable`` that is embedded with the current model, for search by meaning."""
    n_unreadable: int = 0
    """The reason is in ``Source.error``."""
    n_textless: int = 0
    """Part of ``n_unreadable``: images and scans whose text no model has read."""
    n_unheard: int = 0
    """Part of ``n_unreadable``: recordings that wait for speech recognition."""
    n_warned: int = 0
    """Part of ``n_searchable`` with ``Source.warnings``."""
    n_waiting: int = 0
    """Not read yet."""
    n_offline: int = 0
    """Part of ``n_searchable`` whose drive is not connected; its index is still used."""
    n_passages: int = 0
    n_scans: int = 0
    """Pages and images without text."""
    n_scans_read: int = 0
    """Part of ``n_scans`` that a vision model read."""
    read_by: str = ""
    """Names of these models."""
    skipped: tuple[SkippedFiles, ...] = ()
    activity: Activity = Activity.IDLE
    working_on: str = ""
    """The current file, and its page if a vision model reads it."""
    problem: str = ""
    """Why indexing has stopped, as a sentence: the model cannot be loaded, the disk is full."""


class SourceState(StrEnum):
    """Indexing state of a file of a collection."""

    WAITING = "waiting"
    SEARCHABLE = "searchable"
    UNREADABLE = "unreadable"
    OFFLINE = "offline"
    """Indexed, but its drive is not connected."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a collection."""

    id: SourceId
    collection_id: CollectionId
    path: str
    name: str
    """The file name."""
    state: SourceState
    size_bytes: int = 0
    content_hash: str = ""
    """SHA-256 of the file when it was read, in hexadecimal; empty before that."""
    error: str = ""
    """Why it is unreadable, as a sentence."""
    warnings: tuple[str, ...] = ()
    """Which parts cannot be searched or were hidden, as sentences."""
    n_passages: int = 0
    n_scans: int = 0
    """Pages and images without text, whether or not a vision model has read them."""
    is_embedded: bool = False
    """Whether all passages are embedded for search by meaning."""


class PageLocation(msgspec.Struct, frozen=True, kw_only=True, tag="page"):
    """Pages of a PDF file or slides of a presentation, counted from 1."""

    page: int
    last: int = 0
    """The last page; 0 if there is only one."""
    is_slide: bool = False


class LineLocation(msgspec.Struct, frozen=True, kw_only=True, tag="lines"):
    """Lines of a text, from 1, both included; for HTML, Word and EPUB files, of the extracted text."""

    first: int
    last: int


class RowLocation(msgspec.Struct, frozen=True, kw_only=True, tag="rows"):
    """Rows of a table, numbered as in a spreadsheet program, both included."""

    sheet: str = ""
    """Name of the sheet; empty if the file is a single table."""
    first: int
    last: int


Location = PageLocation | LineLocation | RowLocation


_LOCATION_TEXTS: Final = {
    "page": (tr_noop("page {first}"), tr_noop("pages {first}–{last}")),
    "slide": (tr_noop("slide {first}"), tr_noop("slides {first}–{last}")),
    "line": (tr_noop("line {first}"), tr_noop("lines {first}–{last}")),
    "row": (tr_noop("row {first}"), tr_noop("rows {first}–{last}")),
}


def location_text(location: Location, *, translate: Callable[[str], str] = tr) -> str:
    """Return a short text for a location in a file: ``page 3``, ``lines 10–24``."""
    match location:
        case PageLocation(page=first):
            kind, last = "slide" if location.is_slide else "page", location.last or first
        case LineLocation(first=first, last=last):
            kind = "line"
        case RowLocation(first=first, last=last):
            kind = "row"
    text = translate(_LOCATION_TEXTS[kind][first != last]).format(first=first, last=last)
    sheet = location.sheet if isinstance(location, RowLocation) else ""
    return f"{sheet}, {text}" if sheet else text


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """Relevance scores of a passage; higher is better in all of them."""

    fused: float
    """The score that results are sorted by: both scores below, each normalized within the search, 0 to 1."""
    words: float | None = None
    """BM25; ``None`` if it contains none of the words."""
    meaning: float | None = None
    """Cosine similarity, −1 to 1; ``None`` if the search was by words only."""


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk of a source, as it is found and cited."""

    collection_id: CollectionId
    source_id: SourceId
    name: str
    """The file name."""
    path: str
    content_hash: str
    """Of the file when it was read; see ``Source``."""
    headings: tuple[str, ...] = ()
    """The headings above it, from the outermost."""
    location: Location
    char_from: int
    char_to: int
    """The range in the text of the file, in characters; the end is exclusive."""
    text: str
    """Exactly as in the text of the file."""
    scores: Scores | None = None
    """``None`` if there was no search, since the whole document was sent."""
    is_hidden: bool = False
    """Whether readers of the file do not see all of it: white, tiny or off the page."""
    read_by: str = ""
    """The vision model that read it from an image; empty for text of the file itself."""
    folder: str = ""
    """The last folders of its path, with slashes, as far as they tell the file from others of its name; empty
    for the only one."""
    warnings: tuple[str, ...] = ()
    """Which parts of the file were not read, as sentences; see ``Source``."""

    @property
    def label(self) -> str:
        """File name, with the folders that tell it from other files of the name: ``de/report.pdf``."""
        return f"{self.folder}/{self.name}" if self.folder else self.name

    @property
    def location_text(self) -> str:
        """Label and location: ``report.pdf, page 3``."""
        return f"{self.label}, {location_text(self.location)}"


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that was sent with a question, with the number by which the answer cites it.

    It is stored with the question, so that it does not depend on the collection and its files.
    """

    number: int
    """From 1 within one question."""
    passage: Passage


class CollectionSearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a search in collections, the best match first."""

    passages: tuple[Passage, ...] = ()
    by_meaning: bool = False
    """Whether the search was also by meaning, not only by words."""
    problem: str = ""
    """Why the search was by words only although there is an embedding model, as a sentence."""


class PageBox(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A rectangle on a page, in fractions of its width and height from the top left, 0 to 1."""

    left: float
    top: float
    right: float
    bottom: float


class DocumentPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a PDF file, or an image, for display."""

    number: int
    """From 1."""
    n_pages: int
    image: bytes
    """PNG, or JPEG for an image file."""
    text: str
    """All text of the page; empty for a scan."""
    boxes: tuple[PageBox, ...] = ()
    """The lines of the passage; none if it is on another page."""
    sentence_boxes: tuple[PageBox, ...] = ()
    """The lines of its sentences that are marked."""


class SourceText(msgspec.Struct, frozen=True, kw_only=True):
    """Text of a source around a passage, for display."""

    text: str
    first_line: int
    """Number of the first line of ``text``, from 1."""
    mark_from: int
    mark_to: int
    """The range of the passage in ``text``, in characters."""
    has_before: bool = False
    has_after: bool = False
    """Whether the source has text before or after ``text``."""
    n_chars: int = 0
    """Characters of the whole source; 0 if unknown."""
    has_changed: bool = False
    """Whether the file was changed or removed; the text is then the cited passage."""
    is_missing: bool = False
    """Whether the file no longer exists."""


class WholeReading(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of reading all documents for one question, with the model's notes.

    Stored with the question after each part, so that no progress is lost.
    """

    n_chars: int = 0
    """Characters of all text, counted at the start; 0 before that."""
    n_read: int = 0
    """Characters read so far."""
    n_passages: int = 0
    """Passages read and numbered so far."""
    path: str = ""
    char_to: int = 0
    """Reading continues after this character of the file ``path``."""
    notes: tuple[str, ...] = ()
    """The model's notes, with the numbers of passages, in the order of the files."""
    is_condensed: bool = False
    """Whether notes were summarized so that they fit the context."""
    is_done: bool = False
    """Whether all text was read."""
    is_enough: bool = False
    """Whether the user wants an answer from the notes taken so far."""

    @property
    def is_unfinished(self) -> bool:
        """Whether more is to be read before the question is answered."""
        return not (self.is_done or self.is_enough)

    @property
    def fraction(self) -> float:
        """The fraction of the text that was read, 0 to 1."""
        return 1.0 if self.is_done else min(1.0, self.n_read / self.n_chars) if self.n_chars else 0.0


class TextExtent(msgspec.Struct, frozen=True, kw_only=True):
    """The amount of text in collections; a file in two of them counts once."""

    n_files: int
    n_chars: int
    n_left_out: int = 0
    """Files that are unreadable or not read yet."""
