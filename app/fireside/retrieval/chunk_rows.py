"""The chunks of a file in the database and in the full-text index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.retrieval.chunk import Chunk, text_hash
from fireside.retrieval.languages import is_german
from fireside.retrieval.word_index import IndexedChunk, index, indexed_chunks, unindex
from fireside.storage.database import Database, Value
from fireside.storage.rows import read_text
from fireside.storage.text import storable, to_json

_LANGUAGE_CHUNKS: Final = 8
"""Chunks of a file by which its language is detected."""


def replace_chunks(db: Database, source_id: Value, chunks: Sequence[Chunk]) -> None:
    """Replace all chunks of a file, within a transaction."""
    remove_chunks(db, source_id)
    db.rows("UPDATE source SET embedded_by = NULL WHERE id = ?", source_id)
    add_chunks(db, source_id, chunks)


def add_chunks(db: Database, source_id: Value, chunks: Sequence[Chunk], *, read_by: str = "") -> None:
    """Append chunks to a file, within a transaction; ``read_by`` names the vision model that read them.

    The language of the file is that of the first chunks.
    """
    row = db.row("SELECT CAST(name AS BLOB), is_german FROM source WHERE id = ?", source_id)
    if row is None or not chunks:
        return
    name, german = row
    (first,) = db.row("SELECT coalesce(max(ordinal) + 1, 0) FROM chunk WHERE source_id = ?", source_id) or (
        0,
    )
    assert isinstance(first, int)
    if not first:
        german = int(is_german("".join(chunk.text for chunk in chunks[:_LANGUAGE_CHUNKS])))
        db.rows("UPDATE source SET is_german = ? WHERE id = ?", german, source_id)
    for ordinal, chunk in enumerate(chunks, start=first):
        id_ = db.insert(
            "INSERT INTO chunk (source_id, ordinal, text, headings, location, char_from, char_to, is_hidden, "
            "read_by, text_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            source_id,
            ordinal,
            storable(chunk.text),
            to_json(chunk.headings),
            to_json(chunk.location),
            chunk.char_from,
            chunk.char_to,
            int(chunk.is_hidden),
            storable(read_by),
            text_hash(chunk.text, headings=chunk.headings),
        )
        index(
            db,
            IndexedChunk(
                id=id_,
                is_german=bool(german),
                title=read_text(name),
                headings=" ".join(chunk.headings),
                text=chunk.text,
            ),
        )
    db.rows(
        "UPDATE source SET n_chunks = n_chunks + ?, embedded_by = NULL WHERE id = ?", len(chunks), source_id
    )


def remove_chunks(db: Database, source_id: Value, *, only: Sequence[int] | None = None) -> None:
    """Remove the chunks of a file, or ``only`` those with given ids, within a transaction."""
    removed = [chunk for chunk in indexed_chunks(db, source_id) if only is None or chunk.id in only]
    unindex(db, removed)
    for chunk in removed:
        db.rows("DELETE FROM chunk WHERE id = ?", chunk.id)
    db.rows("UPDATE source SET n_chunks = n_chunks - ? WHERE id = ?", len(removed), source_id)
