"""Break printed pieces into pages. Pure: no Qt.

A piece consists of rows that are never cut: lines of text, rows of a table. Pages end between rows, but never
after a row that stays with the next: a heading with its text, the first two lines of a paragraph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

_MAX_CHAIN = 24
"""The most rows that stay together; a longer chain is broken like any text."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a piece that is not cut, with its vertical position in the piece."""

    top: float
    bottom: float
    keeps_next: bool = False
    """Whether no page break may follow."""


class PagePiece(Protocol):
    """A unit of layout: a paragraph, a table, an image."""

    @property
    def gap(self) -> float:
        """The space above, except at the top of a page."""

    @property
    def rows(self) -> Sequence[Row]:
        """Its rows from top to bottom, at least one."""

    @property
    def repeated_height(self) -> float:
        """The height of the top part that is repeated on each further page, such as a table's head."""

    @property
    def min_scale(self) -> float:
        """The smallest scale at which it may be drawn to fit onto a page; 1 for no scaling."""


P = TypeVar("P", bound=PagePiece)


class Slice(msgspec.Struct, Generic[P], frozen=True, kw_only=True):
    """The part of a piece on one page: from ``top`` to ``bottom`` of the piece, at ``y`` of the page."""

    piece: P
    y: float
    top: float
    bottom: float
    scale: float = 1.0


def pages(pieces: Iterable[P], *, height: float) -> Iterator[Sequence[Slice[P]]]:
    """Yield the slices of each page; pages are ``height`` high."""
    breaker: _PageBreaker[P] = _PageBreaker(height)
    for chain in _chains(pieces):
        yield from breaker.add_chain(chain)
    if breaker.slices:
        yield breaker.slices


def _chains(pieces: Iterable[P]) -> Iterator[list[tuple[P, Row]]]:
    """Yield groups of rows that stay on one page."""
    chain: list[tuple[P, Row]] = []
    for piece in pieces:
        for row in piece.rows:
            chain.append((piece, row))
            if not row.keeps_next or len(chain) == _MAX_CHAIN:
                yield chain
                chain = []
    if chain:
        yield chain


class _PageBreaker(Generic[P]):
    """Fills one page after the other."""

    def __init__(self, height: float) -> None:
        self._height = height
        self._y = 0.0
        self.slices: list[Slice[P]] = []

    def add_chain(self, chain: Sequence[tuple[P, Row]]) -> Iterator[Sequence[Slice[P]]]:
        """Add rows that stay together; yield the pages that this completes."""
        if not self._fits(self._height_of(chain)) and self.slices:
            piece, row = chain[0]
            available = self._height - self._start(piece, row)
            scale = available / (row.bottom - row.top)
            if len(chain) == len(piece.rows) == 1 and piece.min_scale <= scale:
                self._add(piece, row, scale=scale)
                return
            yield self._finish_page()
        for piece, row in chain:
            if not self._fits(self._start(piece, row) - self._y + row.bottom - row.top) and self.slices:
                yield self._finish_page()
            for part in _parts(row, height=self._height - piece.repeated_height):
                if part.top > row.top:
                    yield self._finish_page()
                self._add(piece, part)

    def _fits(self, height: float) -> bool:
        return self._y + height <= self._height

    def _height_of(self, chain: Sequence[tuple[P, Row]]) -> float:
        """Return how far below the current position the last row of a chain would end."""
        first, row = chain[0]
        height = self._start(first, row) - self._y - row.top
        previous = first
        for piece, _row in chain:
            height += 0.0 if piece is previous else previous.rows[-1].bottom + piece.gap
            previous = piece
        return height + chain[-1][1].bottom

    def _start(self, piece: P, row: Row) -> float:
        """Return the position on the page where a row begins."""
        if not self.slices:
            return piece.repeated_height if row.top > 0 else 0.0
        last = self.slices[-1]
        gap = row.top - last.bottom if last.piece is piece else piece.gap
        return self._y + gap

    def _add(self, piece: P, row: Row, *, scale: float = 1.0) -> None:
        start = self._start(piece, row)
        if not self.slices and row.top > 0 and piece.repeated_height > 0:
            self.slices.append(Slice(piece=piece, y=0.0, top=0.0, bottom=piece.repeated_height))
        last = self.slices[-1] if self.slices else None
        is_continued = last is not None and last.piece is piece and row.top >= last.bottom
        if last is not None and is_continued and abs(start - (last.y + row.top - last.top)) < 0.01:
            self.slices[-1] = msgspec.structs.replace(last, bottom=row.bottom)
        else:
            self.slices.append(Slice(piece=piece, y=start, top=row.top, bottom=row.bottom, scale=scale))
        self._y = start + (row.bottom - row.top) * scale

    def _finish_page(self) -> Sequence[Slice[P]]:
        """Start the next page and return the finished one."""
        full, self.slices, self._y = self.slices, [], 0.0
        return full


def _parts(row: Row, *, height: float) -> Iterator[Row]:
    """Cut a row that is higher than a page into parts."""
    top = row.top
    while row.bottom - top > height:
        yield Row(top=top, bottom=top + height)
        top += height
    yield Row(top=top, bottom=row.bottom, keeps_next=row.keeps_next)
