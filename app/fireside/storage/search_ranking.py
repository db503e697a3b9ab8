"""Weigh messages that have the words: how often, in how long a text, how long ago.

As BM25 does it [1], but for the rarity of a word. SQLite's own bm25() finds that out anew for each search, by
reading where each word is in the whole index, which takes most of the time. Every match has all the words;
how often a word is in the matches themselves says as well which one matters.

[1] Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any, Final

import apsw

from fireside.storage.database import Value

COUNTS: Final = "search_counts"
"""The SQL function: length of a text in words, then how often it has each term; separated by spaces."""

_SATURATION: Final = 1.2
_LENGTH_PART: Final = 0.75
_HALF_LIFE_S: Final = 90 * 86_400.0
_LEAST_FRESHNESS: Final = 0.4
"""What an old message counts of its relevance; a new one counts whole."""


def register(connection: apsw.Connection) -> None:
    """Make ``COUNTS`` known; again does no harm."""
    connection.register_fts5_function(COUNTS, _counts)


def read_counts(value: Value) -> tuple[int, ...]:
    """Return what ``COUNTS`` gave."""
    return tuple(map(int, value.split())) if isinstance(value, str) else (1,)


def relevances(counts: Sequence[tuple[int, ...]]) -> list[float]:
    """Return how well each text fits, from what ``COUNTS`` says of each; the more, the better."""
    if not counts:
        return []
    usual_length, *usual = (max(1e-9, fmean(column)) for column in zip(*counts, strict=True))
    return [
        sum(
            _saturated(n / often, length=length / usual_length) for n, often in zip(found, usual, strict=True)
        )
        for length, *found in counts
    ]


def freshness(age_s: float) -> float:
    """Return the part of its relevance that a text of this age counts."""
    newness: float = 0.5 ** (max(0.0, age_s) / _HALF_LIFE_S)
    return _LEAST_FRESHNESS + (1 - _LEAST_FRESHNESS) * newness


def _saturated(n: float, *, length: float) -> float:
    return n * (_SATURATION + 1) / (n + _SATURATION * (1 - _LENGTH_PART + _LENGTH_PART * length))


def _counts(api: apsw.FTS5ExtensionApi, *_arguments: Any) -> str:
    n_found = (sum(map(len, api.phrase_locations(number))) for number in range(api.phrase_count))
    return " ".join(map(str, (api.column_size(0), *n_found)))
