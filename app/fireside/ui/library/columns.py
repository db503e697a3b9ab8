"""Columns of the table of models: titles, widths, and which are hidden first in a narrow window. Pure."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop


class Column(IntEnum):
    """Values are the positions in the table."""

    NAME = 0
    QUANT = 1
    SIZE = 2
    PARAMS = 3
    CONTEXT = 4
    USED = 5
    CHECKED = 6
    WHERE = 7
    ADDED = 8
    ACTIONS = 9


class ColumnSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One column. Width in pixels at the normal text size; the name column takes the remaining space."""

    title: str
    width: int
    rank: int
    """Columns with the highest rank are hidden first."""
    is_number: bool = False
    explanation: str = ""


SPECS: Final = {
    Column.NAME: ColumnSpec(title=tr_noop("Name"), width=200, rank=0),
    Column.QUANT: ColumnSpec(
        title=tr_noop("Quantization"),
        width=184,
        rank=4,
        explanation=tr_noop("Bits per weight of the model file"),
    ),
    Column.SIZE: ColumnSpec(title=tr_noop("Size"), width=80, rank=1, is_number=True),
    Column.PARAMS: ColumnSpec(
        title=tr_noop("Parameters"),
        width=104,
        rank=6,
        is_number=True,
        explanation=tr_noop("Number of parameters"),
    ),
    Column.CONTEXT: ColumnSpec(
        title=tr_noop("Context"),
        width=80,
        rank=7,
        is_number=True,
        explanation=tr_noop("Context length the model was trained for"),
    ),
    Column.USED: ColumnSpec(title=tr_noop("Last used"), width=128, rank=3),
    Column.CHECKED: ColumnSpec(
        title=tr_noop("File"),
        width=136,
        rank=5,
        explanation=tr_noop("Whether the file matches its checksum"),
    ),
    Column.WHERE: ColumnSpec(
        title=tr_noop("Location"), width=140, rank=8, explanation=tr_noop("Where the file is stored")
    ),
    Column.ADDED: ColumnSpec(
        title=tr_noop("Date added"), width=112, rank=9, explanation=tr_noop("When the file came here")
    ),
    Column.ACTIONS: ColumnSpec(title="", width=74, rank=2),
}
WIDEST_NAME: Final = 380
"""A longer name is cut off rather than that it hides other columns."""
SORTABLE: Final = tuple(column for column in Column if column is not Column.ACTIONS)


def fit_columns(width: int, *, scaled: Callable[[float], int], name_px: int = 0) -> dict[Column, int]:
    """Return the columns that fit ``width`` pixels, each with its width.

    The name gets ``name_px``, within bounds; the others are added in order of rank until one does not fit.
    What remains is shared by all, so that none stands far from the next.
    """
    least, most = scaled(SPECS[Column.NAME].width), scaled(WIDEST_NAME)
    widths = {Column.NAME: max(1, min(max(least, min(name_px, most)), max(least, width)))}
    remaining = width - widths[Column.NAME]
    for column in sorted(Column, key=lambda c: SPECS[c].rank):
        column_width = scaled(SPECS[column].width)
        if column is Column.NAME:
            continue
        if column_width > remaining:
            break
        widths[column] = column_width
        remaining -= column_width
    growing = [column for column in widths if column is not Column.ACTIONS]
    total = sum(widths[column] for column in growing)
    shares = {column: max(0, remaining) * widths[column] // total for column in growing}
    for column, share in shares.items():
        widths[column] += share
    widths[Column.NAME] += max(0, remaining) - sum(shares.values())
    return {column: widths[column] for column in Column if column in widths}
