"""Find chunks by their words: BM25 over the names of files, headings and text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.ids import CollectionId
from fireside.core.text_folding import fold, spaced
from fireside.retrieval.languages import STOP_WORDS, words_of
from fireside.retrieval.word_index import TABLES, indexed_words
from fireside.storage.database import Database
from fireside.storage.rows import read_text

MOST_WORDS: Final = 24
"""Of one question; more only cost time."""
_COMMON_FROM: Final = 100_000
"""In an index of so many chunks, words that many of them have are left out while others remain; of a word
that more have only so many are compared."""
_MOST_ROWS: Final = 50_000
"""Chunks that are compared by BM25: more take longer than one wants to wait."""
_WEIGHTS: Final = "3.0, 1.5, 1.0"
"""Of the name of the file, the headings, the text."""


def terms_of(question: str) -> tuple[str, ...]:
    """Return the words of a question that say what it is about, folded; all where none does."""
    words = list(dict.fromkeys(words_of(spaced(fold(question.replace("_", " "))))))
    telling = [word for word in words if word not in STOP_WORDS]
    return tuple((telling or words)[:MOST_WORDS])


def search_words(
    db: Database, question: str, *, collection_ids: Sequence[CollectionId], limit: int
) -> list[tuple[int, float]]:
    """Return chunks that have words of a question, with their BM25, the best first."""
    terms = terms_of(question)
    if not terms or not collection_ids:
        return []
    found: list[tuple[int, float]] = []
    for language, table in TABLES.items():
        written = tuple(dict.fromkeys(indexed_words(term, language) for term in terms))
        found += _search_table(db, table, written, collection_ids=frozenset(collection_ids), limit=limit)
    return sorted(found, key=lambda each: -each[1])[:limit]


def _search_table(
    db: Database, table: str, terms: Sequence[str], *, collection_ids: frozenset[str], limit: int
) -> list[tuple[int, float]]:
    match = " OR ".join(f'"{term}"' for term in _rare(db, table, terms))
    # Read one by one in their order, and no further than needed: a join would not keep the order.
    rows = db.connection.execute(
        f"SELECT rowid, score FROM (SELECT rowid, -bm25({table}, {_WEIGHTS}) AS score "  # noqa: S608
        f"FROM {table} WHERE {table} MATCH ? LIMIT ?) ORDER BY score DESC",
        (match, _COMMON_FROM),
    )
    found: list[tuple[int, float]] = []
    for id_, score in rows:
        row = db.row(
            "SELECT CAST(collection_id AS BLOB) FROM chunk JOIN source ON source.id = source_id "
            "WHERE chunk.id = ?",
            id_,
        )
        if row is not None and read_text(row[0]) in collection_ids:
            assert isinstance(id_, int)
            assert isinstance(score, float)
            found.append((id_, score))
            if len(found) == limit:
                break
    return found


def _rare(db: Database, table: str, terms: Sequence[str]) -> Sequence[str]:
    """Leave out, in a large index, the most frequent words: ``_MOST_ROWS`` chunks have one of the others."""
    (n_chunks,) = db.row("SELECT coalesce(max(id), 0) FROM chunk") or (0,)
    if not isinstance(n_chunks, int) or n_chunks < _COMMON_FROM:
        return terms
    # Counting stops as soon as it is known that a word is frequent.
    counts = {term: _count(db, table, term, most=_MOST_ROWS) for term in terms}
    n_rows = 0
    kept: list[str] = []
    for term in sorted(terms, key=lambda term: counts[term]):
        n_rows += counts[term]
        if kept and n_rows > _MOST_ROWS:
            break
        if counts[term]:
            kept.append(term)
    return kept or terms[:1]


def _count(db: Database, table: str, term: str, *, most: int) -> int:
    (n,) = db.row(
        f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)",  # noqa: S608
        f'"{term}"',
        most,
    ) or (0,)
    assert isinstance(n, int)
    return n
