"""The full-text index of chunks: what is written to it and removed from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.text_folding import fold, spaced
from fireside.retrieval.languages import german_stem, words_of
from fireside.storage.database import Database, Value
from fireside.storage.rows import read_text

GERMAN_MARK: Final = "ß"
"""Prefix of each word of a German text, which no word starts with; queries search with and without it."""
_HEADINGS: Final = msgspec.json.Decoder(tuple[str, ...])


class IndexedChunk(msgspec.Struct, frozen=True, kw_only=True):
    """The indexed columns of a chunk."""

    id: int
    is_german: bool
    title: str
    headings: str
    text: str


def indexed_words(text: str, *, is_german: bool) -> str:
    """Return a text as it is indexed: German words stemmed here, English ones by SQLite."""
    folded = spaced(fold(text.replace("_", " ")))
    if not is_german:
        return folded
    return " ".join(f"{GERMAN_MARK}{german_stem(word)}" for word in words_of(folded))


def index(db: Database, chunk: IndexedChunk) -> None:
    """Add a chunk to the index, within a transaction."""
    db.rows(
        "INSERT INTO search_text (rowid, title, headings, text) VALUES (?, ?, ?, ?)",
        chunk.id,
        *_columns(chunk),
    )


def unindex(db: Database, chunks: Iterable[IndexedChunk]) -> None:
    """Remove chunks from the index, which needs the same text as was indexed, within a transaction."""
    for chunk in chunks:
        db.rows(
            "INSERT INTO search_text (search_text, rowid, title, headings, text) "
            "VALUES ('delete', ?, ?, ?, ?)",
            chunk.id,
            *_columns(chunk),
        )


def indexed_chunks(db: Database, source_id: Value) -> list[IndexedChunk]:
    """Return the chunks of a file as they were indexed."""
    return [
        IndexedChunk(
            id=id_,
            is_german=bool(german),
            title=read_text(title),
            headings=" ".join(_HEADINGS.decode(read_text(headings))),
            text=read_text(text),
        )
        for german, id_, title, headings, text in db.rows(
            "SELECT is_german, chunk.id, CAST(name AS BLOB), CAST(headings AS BLOB), CAST(text AS BLOB) "
            "FROM chunk JOIN source ON source.id = source_id WHERE source_id = ?",
            source_id,
        )
        if isinstance(id_, int)
    ]


def _columns(chunk: IndexedChunk) -> tuple[str, ...]:
    return tuple(
        indexed_words(text, is_german=chunk.is_german) for text in (chunk.title, chunk.headings, chunk.text)
    )
