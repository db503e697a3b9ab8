"""The words of chunks in the index: a table a language, since their endings are cut off differently."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.text_folding import fold, spaced
from fireside.retrieval.languages import Language, german_stem, words_of
from fireside.storage.database import Database, Value
from fireside.storage.rows import read_text

TABLES: Final = {
    Language.OTHER: "search_text_plain",
    Language.ENGLISH: "search_text_english",
    Language.GERMAN: "search_text_german",
}
_HEADINGS: Final = msgspec.json.Decoder(tuple[str, ...])


class IndexedChunk(msgspec.Struct, frozen=True, kw_only=True):
    """What the index knows of a chunk."""

    id: int
    language: Language
    title: str
    headings: str
    text: str


def indexed_words(text: str, language: Language) -> str:
    """Return a text as its words are looked for; SQLite cuts off the endings of English ones."""
    folded = spaced(fold(text.replace("_", " ")))
    return " ".join(map(german_stem, words_of(folded))) if language is Language.GERMAN else folded


def index(db: Database, chunk: IndexedChunk) -> None:
    """Have a chunk found, within a transaction."""
    table = TABLES[chunk.language]
    db.rows(
        f"INSERT INTO {table} (rowid, title, headings, text) VALUES (?, ?, ?, ?)",  # noqa: S608  # literals
        chunk.id,
        *_columns(chunk),
    )


def unindex(db: Database, chunks: Iterable[IndexedChunk]) -> None:
    """Take chunks out of the index; it has to be told the very words that it was given."""
    for chunk in chunks:
        table = TABLES[chunk.language]
        db.rows(
            f"INSERT INTO {table} ({table}, rowid, title, headings, text) VALUES ('delete', ?, ?, ?, ?)",  # noqa: S608  # literals
            chunk.id,
            *_columns(chunk),
        )


def indexed_chunks(db: Database, source_id: Value) -> list[IndexedChunk]:
    """Return the chunks of a file."""
    return [
        IndexedChunk(
            id=id_,
            language=Language(language),
            title=read_text(title),
            headings=" ".join(_HEADINGS.decode(read_text(headings))),
            text=read_text(text),
        )
        for language, id_, title, headings, text in db.rows(
            "SELECT language, chunk.id, CAST(name AS BLOB), CAST(headings AS BLOB), CAST(text AS BLOB) "
            "FROM chunk JOIN source ON source.id = source_id WHERE source_id = ?",
            source_id,
        )
        if isinstance(id_, int) and isinstance(language, int)
    ]


def _columns(chunk: IndexedChunk) -> tuple[str, ...]:
    return tuple(indexed_words(text, chunk.language) for text in (chunk.title, chunk.headings, chunk.text))
