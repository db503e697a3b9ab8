"""Search chunks by words: BM25 over file names, headings and text."""

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
"""Of one query; further words are ignored."""
_LARGE_INDEX: Final = 100_000
"""From this many chunks on, the most frequent words of a query are left out if others remain. Also the number
of matches that are scored at most."""
_MAX_ROWS: Final = 50_000
"""Matches of a query in a large index, which bounds the time of scoring."""
_MIN_PREFIX: Final = 3
"""Letters of a prefix; shorter ones match too many words. One more in a large index."""
_MAX_ENDING: Final = 4
"""Letters that a typed word may have after its stem."""
_WEIGHTS: Final = "3.0, 1.5, 1.0"
"""Of file name, headings, and text."""


def terms_of(question: str) -> tuple[str, ...]:
    """Return the folded words of a question without stop words; all of them if it has no others."""
    words = list(dict.fromkeys(_words(question)))
    terms = [word for word in words if word not in STOP_WORDS]
    return tuple((terms or words)[:MAX_WORDS])


def search_words(
    db: Database,
    question: str,
    *,
    collection_ids: Sequence[CollectionId],
    limit: int,
    matches_prefix: bool = False,
) -> list[tuple[int, float]]:
    """Return ids of chunks that contain words of a question, with their BM25 score, best first.

    With ``matches_prefix`` the last word may be incomplete.
    """
    terms = terms_of(question)
    if not terms or not collection_ids:
        return []
    alternatives = [
        f'"{indexed_words(term, is_german=is_german)}"' for is_german in (False, True) for term in terms
    ]
    if matches_prefix:
        alternatives += _prefixes(db, question)
    match = " OR ".join(_without_frequent(db, list(dict.fromkeys(alternatives))))
    # The collection is looked up row by row up to the limit: a join would not keep the order.
    rows = db.connection.execute(
        f"SELECT rowid, score FROM (SELECT rowid, -bm25(search_text, {_WEIGHTS}) AS score "  # noqa: S608
        "FROM search_text WHERE search_text MATCH ? LIMIT ?) ORDER BY score DESC",
        (match, _LARGE_INDEX),
    )
    matches: list[tuple[int, float]] = []
    for id_, score in rows:
        row = db.row(
            "SELECT CAST(collection_id AS BLOB) FROM chunk JOIN source ON source.id = source_id "
            "WHERE chunk.id = ?",
            id_,
        )
        if row is not None and read_text(row[0]) in collection_ids:
            assert isinstance(id_, int)
            assert isinstance(score, float)
            matches.append((id_, score))
            if len(matches) == limit:
                break
    return matches


def _words(question: str) -> list[str]:
    return words_of(spaced(fold(question.replace("_", " "))))


def _prefixes(db: Database, question: str) -> list[str]:
    """Return FTS terms for the words that start as the last one of a question does.

    The index has stems, so a typed word may be longer than its stem: letters are removed until one matches.
    """
    word = _words(question)[-1]
    if not question[-1].isalnum():
        return []
    shortest = max(_MIN_PREFIX + _is_large(db), len(word) - _MAX_ENDING)
    each_language = (
        (f'"{mark}{word[:n]}"*' for n in range(len(word), shortest - 1, -1)) for mark in ("", GERMAN_MARK)
    )
    matching = (next((term for term in terms if _count(db, term, limit=1)), "") for terms in each_language)
    return [term for term in matching if term]


def _without_frequent(db: Database, terms: Sequence[str]) -> Sequence[str]:
    """Return, in a large index, the rarest terms, which at most ``_MAX_ROWS`` chunks contain together."""
    if not _is_large(db):
        return terms
    # Counting stops once a term is known to be frequent.
    counts = {term: _count(db, term, limit=_MAX_ROWS) for term in terms}
    n_rows = 0
    rare: list[str] = []
    for term in sorted(terms, key=lambda term: counts[term]):
        n_rows += counts[term]
        if rare and n_rows > _MAX_ROWS:
            break
        if counts[term]:
            rare.append(term)
    return rare or terms[:1]


def _is_large(db: Database) -> bool:
    (n_chunks,) = db.row("SELECT coalesce(max(id), 0) FROM chunk") or (0,)
    return isinstance(n_chunks, int) and n_chunks >= _LARGE_INDEX


def _count(db: Database, term: str, *, limit: int) -> int:
    (n,) = db.row(
        "SELECT count(*) FROM (SELECT 1 FROM search_text WHERE search_text MATCH ? LIMIT ?)",
        term,
        limit,
    ) or (0,)
    assert isinstance(n, int)
    return n
