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
        width=96,
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
SORTABLE: Final = tuple(column for column in Column if column is not Column.ACTIONS)


def fit_columns(width: int, *, scaled: Callable[[float], int]) -> dict[Column, int]:
    """Return the columns that fit ``width`` pixels, each with its width.

    The name keeps its minimum width; the others are added in order of rank until one does not fit.
    """
    remaining = width - scaled(SPECS[Column.NAME].width)
    widths: dict[Column, int] = {}
    for column in sorted(Column, key=lambda c: SPECS[c].rank):
        if column is Column.NAME:
            continue
        column_width = scaled(SPECS[column].width)
        if column_width > remaining:
            break
        widths[column] = column_width
        remaining -= column_width
    name = scaled(SPECS[Column.NAME].width) + remaining
    if Column.WHERE in widths:
        # On a wide screen the location, which is often a path, gets a share of the space the name does not
        # need.
        share = max(0, remaining - scaled(120)) // 3
        widths[Column.WHERE] += share
        name -= share
    widths[Column.NAME] = max(1, name)
    return {column: widths[column] for column in Column if column in widths}
