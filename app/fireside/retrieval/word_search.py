"""Find chunks by their words: BM25 over the names of files, headings and text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.ids import CollectionId
from fireside.core.text_folding import fold, spaced
from fireside.retrieval.languages import STOP_WORDS, words_of
from fireside.retrieval.word_index import GERMAN_MARK, indexed_words
from fireside.storage.database import Database
from fireside.storage.rows import read_text

MAX_WORDS: Final = 24
"""Of one question; more only cost time."""
_COMMON_FROM: Final = 100_000
"""In an index of so many chunks, words that many of them have are left out while others remain; of a word
that more have only so many are compared."""
_MAX_ROWS: Final = 50_000
"""Chunks that are compared by BM25: more take longer than one wants to wait."""
_MIN_BEGUN: Final = 3
"""Letters of a word that is being typed; fewer begin too many words. One more in a large index."""
_MAX_ENDING: Final = 4
"""Letters that a word which is being typed may have behind its stem."""
_WEIGHTS: Final = "3.0, 1.5, 1.0"
"""Of the name of the file, the headings, the text."""


def terms_of(question: str) -> tuple[str, ...]:
    """Return the words of a question that say what it is about, folded; all where none does."""
    words = list(dict.fromkeys(_words(question)))
    telling = [word for word in words if word not in STOP_WORDS]
    return tuple((telling or words)[:MAX_WORDS])


def search_words(
    db: Database,
    question: str,
    *,
    collection_ids: Sequence[CollectionId],
    limit: int,
    matches_prefix: bool = False,
) -> list[tuple[int, float]]:
    """Return chunks that have words of a question, with their BM25, the best first.

    Of one that ``matches_prefix`` the last word may be a beginning.
    """
    terms = terms_of(question)
    if not terms or not collection_ids:
        return []
    written = [
        f'"{indexed_words(term, is_german=is_german)}"' for is_german in (False, True) for term in terms
    ]
    if matches_prefix:
        written += _begun(db, question)
    match = " OR ".join(_rare(db, list(dict.fromkeys(written))))
    # Read one by one in their order, and no further than needed: a join would not keep the order.
    rows = db.connection.execute(
        f"SELECT rowid, score FROM (SELECT rowid, -bm25(search_text, {_WEIGHTS}) AS score "  # noqa: S608
        "FROM search_text WHERE search_text MATCH ? LIMIT ?) ORDER BY score DESC",
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


def _words(question: str) -> list[str]:
    return words_of(spaced(fold(question.replace("_", " "))))


def _begun(db: Database, question: str) -> list[str]:
    """Return what finds words that begin as the last one of a question.

    The index has stems: a word is typed beyond its own, and letters are taken off until one fits.
    """
    word = _words(question)[-1]
    if not question[-1].isalnum():
        return []
    shortest = max(_MIN_BEGUN + _is_large(db), len(word) - _MAX_ENDING)
    each_language = (
        (f'"{mark}{word[:n]}"*' for n in range(len(word), shortest - 1, -1)) for mark in ("", GERMAN_MARK)
    )
    found = (next((term for term in terms if _count(db, term, most=1)), "") for terms in each_language)
    return [term for term in found if term]


def _rare(db: Database, terms: Sequence[str]) -> Sequence[str]:
    """Leave out, in a large index, the most frequent words: ``_MAX_ROWS`` chunks have one of the others."""
    if not _is_large(db):
        return terms
    # Counting stops as soon as it is known that a word is frequent.
    counts = {term: _count(db, term, most=_MAX_ROWS) for term in terms}
    n_rows = 0
    kept: list[str] = []
    for term in sorted(terms, key=lambda term: counts[term]):
        n_rows += counts[term]
        if kept and n_rows > _MAX_ROWS:
            break
        if counts[term]:
            kept.append(term)
    return kept or terms[:1]


def _is_large(db: Database) -> bool:
    (n_chunks,) = db.row("SELECT coalesce(max(id), 0) FROM chunk") or (0,)
    return isinstance(n_chunks, int) and n_chunks >= _COMMON_FROM


def _count(db: Database, term: str, *, most: int) -> int:
    (n,) = db.row(
        "SELECT count(*) FROM (SELECT 1 FROM search_text WHERE search_text MATCH ? LIMIT ?)",
        term,
        most,
    ) or (0,)
    assert isinstance(n, int)
    return n
