"""Document collections as values: their sources, indexing state, passages and citations."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import CollectionId, ModelId, SourceId

COLLECTIONS_KEY: Final = "documents.collections"
"""Setting of a chat, and so of a preset: the ids of the collections that its questions are answered from."""


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
    """Indexing is paused until the user resumes it."""


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
    """It waits for a chat's answer, which has priority."""
    PAUSED = "paused"


class SkippedFiles(msgspec.Struct, frozen=True, kw_only=True):
    """Files of one kind that are no part of a collection."""

    reason: str
    """Why, as a short phrase."""
    n_files: int


class CollectionState(msgspec.Struct, frozen=True, kw_only=True):
    """Indexing progress of a collection. Counts are of files.

    ``n_searchable``, ``n_unreadable`` and ``n_waiting`` make up ``n_files``.
    """

    n_files: int = 0
    n_searchable: int = 0
    """Indexed: found by their words."""
    n_embedded: int = 0
    """Of those, the ones that are found by meaning with the chosen model as well."""
    n_unreadable: int = 0
    """Each has a reason; see ``Source.error``."""
    n_warned: int = 0
    """Of ``n_searchable``, those of which something is not found, or was hidden; see ``Source.warnings``."""
    n_waiting: int = 0
    """Found, and not read yet."""
    n_offline: int = 0
    """Of ``n_searchable``, those whose drive is not there now; what was read of them is found."""
    n_passages: int = 0
    n_scans: int = 0
    """Pages and images without text."""
    n_scans_read: int = 0
    """Of those, the ones that a model read."""
    read_by: str = ""
    """Names of the models that did."""
    skipped: tuple[SkippedFiles, ...] = ()
    """What was found in the folders and left alone."""
    activity: Activity = Activity.IDLE
    working_on: str = ""
    """Name of the file that is read now, or of the file and its page."""
    problem: str = ""
    """Why it does not go on, as a sentence: the model cannot be loaded, the disk is full."""


class SourceState(StrEnum):
    """Indexing state of a file of a collection."""

    WAITING = "waiting"
    SEARCHABLE = "searchable"
    UNREADABLE = "unreadable"
    OFFLINE = "offline"
    """Read before, and its drive is not there now."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a collection."""

    id: SourceId
    collection_id: CollectionId
    path: str
    name: str
    """The file's, for showing."""
    state: SourceState
    size_bytes: int = 0
    content_hash: str = ""
    """SHA-256 of the file's bytes in hexadecimal, when it was read; empty before that."""
    error: str = ""
    """Why it is unreadable, as a sentence."""
    warnings: tuple[str, ...] = ()
    """Sentences: what of it is not found, or was hidden in it."""
    n_passages: int = 0
    is_embedded: bool = False
    """All of its passages are found by meaning too."""


class PageLocation(msgspec.Struct, frozen=True, kw_only=True, tag="page"):
    """A page of a PDF file, from 1, or the slide of a presentation."""

    page: int
    last: int = 0
    """The page where it ends, if that is another one."""
    is_slide: bool = False


class LineLocation(msgspec.Struct, frozen=True, kw_only=True, tag="lines"):
    """Lines of a text, from 1; both belong to it. Of an HTML, Word or EPUB file: of the text found in it."""

    first: int
    last: int


class RowLocation(msgspec.Struct, frozen=True, kw_only=True, tag="rows"):
    """Rows of a table, as the program for tables numbers them; both belong to it."""

    sheet: str = ""
    """Name of the sheet; empty where a file is one table."""
    first: int
    last: int


Location = PageLocation | LineLocation | RowLocation


_WORDS: Final = {
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
    words = translate(_WORDS[kind][first != last]).format(first=first, last=last)
    sheet = location.sheet if isinstance(location, RowLocation) else ""
    return f"{sheet}, {words}" if sheet else words


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """Relevance scores of a passage; higher is better in all of them."""

    fused: float
    """What the order follows: both below, each between its worst and best of this search, 0 to 1."""
    words: float | None = None
    """BM25; ``None`` where it has none of the words."""
    meaning: float | None = None
    """Cosine of the two vectors, −1 to 1; ``None`` where meaning was not looked at."""


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a source, as it is found and cited."""

    collection_id: CollectionId
    source_id: SourceId
    name: str
    """Of its file."""
    path: str
    content_hash: str
    """Of the file as it was read; see ``Source``."""
    headings: tuple[str, ...] = ()
    """Those that it stands under, from the top."""
    location: Location
    char_from: int
    char_to: int
    """Its place in the text of the file, in characters; the end does not belong to it."""
    text: str
    """To the letter as in the text of the file."""
    scores: Scores | None = None
    """``None`` where it was not searched for: the whole document was taken."""
    is_hidden: bool = False
    """Readers of the file do not see all of it: white, tiny or off the page."""
    read_by: str = ""
    """Name of the model that read it on an image, and may be wrong; empty for text of the file itself."""

    @property
    def location_text(self) -> str:
        """File name and location: ``report.pdf, page 3``."""
        return f"{self.name}, {location_text(self.location)}"


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that was sent with a question, under the number by which the answer cites it.

    Stored with the question, so that it is there whatever becomes of the collection and its files.
    """

    number: int
    """From 1 within one question."""
    passage: Passage


class CollectionSearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a search in collections, the best match first."""

    passages: tuple[Passage, ...] = ()
    by_meaning: bool = False
    """Meaning was looked at; else words alone."""
    problem: str = ""
    """Why meaning was not looked at though a model is chosen, as a sentence."""


class PageBox(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Part of a page, as shares of its width and height from the left and the top, 0 to 1."""

    left: float
    top: float
    right: float
    bottom: float


class DocumentPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a PDF file, or an image, for a reader."""

    number: int
    """From 1."""
    n_pages: int
    image: bytes
    """PNG, or JPEG for an image file."""
    text: str
    """All that stands on it; empty on a scan."""
    boxes: tuple[PageBox, ...] = ()
    """Where the passage stands, line by line; none where it is on another page."""


class SourceText(msgspec.Struct, frozen=True, kw_only=True):
    """Text of a source around a passage, for a reader."""

    text: str
    first_line: int
    """Number of the first line of ``text``, from 1."""
    mark_from: int
    mark_to: int
    """The passage within ``text``, in characters."""
    has_before: bool = False
    has_after: bool = False
    """Whether the source goes on in front of it, or behind it."""
    n_chars: int = 0
    """Of all text of the source; 0 where that is not known."""
    has_changed: bool = False
    """The file is another one since, or gone; the text is what was cited."""
    is_missing: bool = False
    """There is no file at its place any more."""


class WholeReading(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of reading all documents for one question, with the model's notes.

    Stored with the question after each part, so that what was read is kept whatever happens.
    """

    n_chars: int = 0
    """Of all text, as counted when it began; 0 before that."""
    n_read: int = 0
    n_passages: int = 0
    """So many have been read, and numbered."""
    path: str = ""
    char_to: int = 0
    """It goes on behind this character of the text of the file ``path``."""
    notes: tuple[str, ...] = ()
    """In the model's words, with the numbers of passages; in the order of the files."""
    is_condensed: bool = False
    """Notes were joined into fewer, so that they fit the context."""
    is_done: bool = False
    """There is nothing left to read."""
    is_enough: bool = False
    """The user wants the answer from what was read so far."""

    @property
    def is_unfinished(self) -> bool:
        """Whether more is to be read before the question is answered."""
        return not (self.is_done or self.is_enough)

    @property
    def fraction(self) -> float:
        """How much of all text was read, 0 to 1."""
        return 1.0 if self.is_done else min(1.0, self.n_read / self.n_chars) if self.n_chars else 0.0


class TextExtent(msgspec.Struct, frozen=True, kw_only=True):
    """How much text there is in collections; a file that is in two of them counts once."""

    n_files: int
    n_chars: int
    n_left_out: int = 0
    """Files whose text is not known: unreadable, or not read yet."""
