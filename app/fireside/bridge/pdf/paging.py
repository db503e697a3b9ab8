"""Put what is printed onto pages. Pure: no Qt.

A piece is a list of rows that are never cut: lines of text, rows of a table. Pages end between rows, never
where one row is to stay with the next: a heading with its text, the first two lines of a paragraph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

_MOST_KEPT = 24
"""Rows that stay together at most; a longer chain is cut like any text."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a piece that is not cut, by its place in it."""

    top: float
    bottom: float
    keeps_next: bool = False
    """Whether it does not stand at the foot of a page, away from the row after it."""


class Piece(Protocol):
    """What is laid out at once."""

    @property
    def gap(self) -> float:
        """Free space above it, but at the head of a page."""

    @property
    def rows(self) -> Sequence[Row]:
        """Its rows from top to bottom, at least one."""

    @property
    def head(self) -> float:
        """How much of its top is shown again where it goes on on another page."""

    @property
    def least(self) -> float:
        """How small it may be drawn to fit below what is there, as a part of its size; 1 for never."""


P = TypeVar("P", bound=Piece)


class Slice(msgspec.Struct, Generic[P], frozen=True, kw_only=True):
    """What one page shows of a piece: from ``top`` to ``bottom``, at ``y`` of the page."""

    piece: P
    y: float
    top: float
    bottom: float
    scale: float = 1.0


def pages(pieces: Iterable[P], *, height: float) -> Iterator[Sequence[Slice[P]]]:
    """Yield what each page shows, page by page; pages are ``height`` high."""
    paging: _Paging[P] = _Paging(height)
    for chain in _chains(pieces):
        yield from paging.place(chain)
    if paging.slices:
        yield paging.slices


def _chains(pieces: Iterable[P]) -> Iterator[list[tuple[P, Row]]]:
    """Yield the rows that are to stand on one page."""
    chain: list[tuple[P, Row]] = []
    for piece in pieces:
        for row in piece.rows:
            chain.append((piece, row))
            if not row.keeps_next or len(chain) == _MOST_KEPT:
                yield chain
                chain = []
    if chain:
        yield chain


class _Paging(Generic[P]):
    """The page that is being filled."""

    def __init__(self, height: float) -> None:
        self._height = height
        self._y = 0.0
        self.slices: list[Slice[P]] = []

    def place(self, chain: Sequence[tuple[P, Row]]) -> Iterator[Sequence[Slice[P]]]:
        """Place rows that stay together; yields the pages that are full by that."""
        if not self._fits(self._taken(chain)) and self.slices:
            piece, row = chain[0]
            room = self._height - self._start(piece, row)
            scale = room / (row.bottom - row.top)
            if len(chain) == len(piece.rows) == 1 and piece.least <= scale:
                self._add(piece, row, scale=scale)
                return
            yield self._turn()
        for piece, row in chain:
            if not self._fits(self._start(piece, row) - self._y + row.bottom - row.top) and self.slices:
                yield self._turn()
            for part in _parts(row, height=self._height - piece.head):
                if part.top > row.top:
                    yield self._turn()
                self._add(piece, part)

    def _fits(self, taken: float) -> bool:
        return self._y + taken <= self._height

    def _taken(self, chain: Sequence[tuple[P, Row]]) -> float:
        """Return how much further down a page the last row of a chain ends."""
        first, row = chain[0]
        taken = self._start(first, row) - self._y - row.top
        before = first
        for piece, _row in chain:
            taken += 0.0 if piece is before else before.rows[-1].bottom + piece.gap
            before = piece
        return taken + chain[-1][1].bottom

    def _start(self, piece: P, row: Row) -> float:
        """Return where on the page a row begins."""
        if not self.slices:
            return piece.head if row.top > 0 else 0.0
        last = self.slices[-1]
        gap = row.top - last.bottom if last.piece is piece else piece.gap
        return self._y + gap

    def _add(self, piece: P, row: Row, *, scale: float = 1.0) -> None:
        start = self._start(piece, row)
        if not self.slices and row.top > 0 and piece.head > 0:
            self.slices.append(Slice(piece=piece, y=0.0, top=0.0, bottom=piece.head))
        last = self.slices[-1] if self.slices else None
        goes_on = last is not None and last.piece is piece and row.top >= last.bottom
        if last is not None and goes_on and abs(start - (last.y + row.top - last.top)) < 0.01:
            self.slices[-1] = msgspec.structs.replace(last, bottom=row.bottom)
        else:
            self.slices.append(Slice(piece=piece, y=start, top=row.top, bottom=row.bottom, scale=scale))
        self._y = start + (row.bottom - row.top) * scale

    def _turn(self) -> Sequence[Slice[P]]:
        """Begin the next page and return the one that is full."""
        full, self.slices, self._y = self.slices, [], 0.0
        return full


def _parts(row: Row, *, height: float) -> Iterator[Row]:
    """Cut a row that is higher than a page."""
    top = row.top
    while row.bottom - top > height:
        yield Row(top=top, bottom=top + height)
        top += height
    yield Row(top=top, bottom=row.bottom, keeps_next=row.keeps_next)
