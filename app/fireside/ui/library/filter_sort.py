"""Filtering and sorting the list of models. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.options import Purpose
from fireside.core.quants import bits_of
from fireside.core.status import LoadingModel, Ready
from fireside.ui.library.columns import Column
from fireside.ui.library.rows import (
    Integrity,
    ModelRow,
    integrity,
    name_of,
    problem_of,
    quant_meaning,
)
from fireside.ui.model_text import AUDIO, VIDEO, VISION, media_of


class QuickFilter(StrEnum):
    """Filters toggled by one click; several together narrow the list further."""

    FAVOURITES = "favourites"
    LOADED = "loaded"
    PROBLEMS = "problems"
    UPDATES = "updates"
    PICTURES = "pictures"
    AUDIO = "audio"
    VIDEO = "video"
    EMBEDDINGS = "embeddings"


QUICK_LABELS: Final = {
    QuickFilter.FAVOURITES: tr_noop("Favourites"),
    QuickFilter.LOADED: tr_noop("Loaded"),
    QuickFilter.PROBLEMS: tr_noop("With problems"),
    QuickFilter.UPDATES: tr_noop("Update available"),
    QuickFilter.PICTURES: VISION,
    QuickFilter.AUDIO: AUDIO,
    QuickFilter.VIDEO: VIDEO,
    QuickFilter.EMBEDDINGS: tr_noop("Embeddings"),
}


class LibraryQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The filter of the list. Empty fields match all."""

    text: str = ""
    quick: frozenset[QuickFilter] = frozenset()
    source: str = ""
    tag: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.text.strip() or self.quick or self.source or self.tag)


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """Sort column and direction."""

    column: Column = Column.NAME
    descending: bool = False


def _takes(row: ModelRow, media: str) -> bool:
    return row.entry.spec is not None and media in media_of(row.entry.spec)


_QUICK_TESTS: Final[dict[QuickFilter, Callable[[ModelRow], bool]]] = {
    QuickFilter.FAVOURITES: lambda row: row.entry.user_metadata.favourite,
    QuickFilter.LOADED: lambda row: isinstance(row.state, Ready | LoadingModel),
    QuickFilter.PROBLEMS: lambda row: bool(problem_of(row)) and not row.entry.is_disconnected,
    QuickFilter.UPDATES: lambda row: row.update is not None,
    QuickFilter.PICTURES: lambda row: _takes(row, VISION),
    QuickFilter.AUDIO: lambda row: _takes(row, AUDIO),
    QuickFilter.VIDEO: lambda row: _takes(row, VIDEO),
    QuickFilter.EMBEDDINGS: lambda row: (
        row.entry.spec is not None and row.entry.spec.purpose is not Purpose.GENERATE
    ),
}


def matches(row: ModelRow, query: LibraryQuery) -> bool:
    """Return whether a row matches every part of ``query``."""
    if any(not _QUICK_TESTS[quick](row) for quick in query.quick):
        return False
    if query.source and row.entry.source != query.source:
        return False
    if query.tag and query.tag not in row.entry.user_metadata.tags:
        return False
    terms = query.text.casefold().split()
    if not terms:
        return True
    text = _search_text(row)
    return all(term in text for term in terms)


def _search_text(row: ModelRow) -> str:
    entry, spec = row.entry, row.entry.spec
    facts = (spec.name, spec.architecture, spec.quantization, spec.id) if spec is not None else ()
    return " ".join(
        (name_of(row), entry.file_name, entry.own_name, *facts, *entry.user_metadata.tags)
    ).casefold()


def arrange(rows: Iterable[ModelRow], *, query: LibraryQuery, order: Order) -> list[ModelRow]:
    """Return the matching rows, sorted: rows without a value after those with one, unusable files last."""
    matching = [row for row in rows if matches(row, query)]
    matching.sort(key=lambda row: (_name_key(row), row.entry.path))
    key = _KEYS[order.column]
    with_value: list[tuple[float | str, ModelRow]] = []
    without: list[ModelRow] = []
    unusable: list[ModelRow] = []
    for row in matching:
        if row.entry.spec is None:
            unusable.append(row)
        elif (value := key(row)) is None:
            without.append(row)
        else:
            with_value.append((value, row))
    with_value.sort(key=lambda pair: pair[0], reverse=order.descending)
    return [*(row for _, row in with_value), *without, *unusable]


def _name_key(row: ModelRow) -> str:
    return name_of(row).casefold()


_INTEGRITY_RANK: Final = {sound: rank for rank, sound in enumerate(Integrity)}


def _quant_key(row: ModelRow) -> float | None:
    bits = bits_of(row.entry.spec.quantization) if row.entry.spec is not None else None
    return None if bits is None and not quant_meaning(row) else float(bits or 0)


_KEYS: Final[dict[Column, Callable[[ModelRow], float | str | None]]] = {
    Column.NAME: _name_key,
    Column.QUANT: _quant_key,
    Column.SIZE: lambda row: float(row.entry.size_bytes),
    Column.PARAMS: lambda row: _positive(row.entry.spec.n_params if row.entry.spec is not None else 0),
    Column.CONTEXT: lambda row: _positive(row.entry.spec.n_ctx_train if row.entry.spec is not None else 0),
    Column.USED: lambda row: row.entry.user_metadata.last_used_s,
    Column.CHECKED: lambda row: float(_INTEGRITY_RANK[integrity(row)]),
    Column.WHERE: lambda row: row.entry.source.casefold(),
    Column.ADDED: lambda row: row.entry.added_s,
    Column.ACTIONS: _name_key,
}
BIGGEST_FIRST: Final = frozenset(
    {Column.SIZE, Column.PARAMS, Column.CONTEXT, Column.USED, Column.QUANT, Column.ADDED}
)
"""Columns of which the first click sorts the largest or latest to the top."""


def _positive(value: int) -> float | None:
    return float(value) if value > 0 else None


class FilterChoices(msgspec.Struct, frozen=True, kw_only=True):
    """The filters on offer for a list of rows."""

    quick: dict[QuickFilter, int]
    """Number of matching rows; filters that match none are missing."""
    sources: tuple[str, ...]
    tags: tuple[str, ...]


def filter_choices(rows: Sequence[ModelRow]) -> FilterChoices:
    """Return the filters that match any of these rows."""
    quick = {name: n for name, passes in _QUICK_TESTS.items() if (n := sum(map(passes, rows)))}
    sources = Counter(row.entry.source for row in rows)
    tags = {tag for row in rows for tag in row.entry.user_metadata.tags}
    return FilterChoices(
        quick=quick,
        sources=tuple(source for source, _ in sources.most_common()),
        tags=tuple(sorted(tags, key=str.casefold)),
    )
