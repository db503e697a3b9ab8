"""Tables of documents that may stand within each other, as lines: cells between bars."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from fireside.documents.extracted_text import without_headings


class _Table(msgspec.Struct):
    row: list[list[str]] = []
    """The cells of the current row so far, each with its paragraphs and tables as they stand in the text."""
    cell: list[str] = []


class TableStack:
    """Puts paragraphs into the cell that they are in, and rows where their table stands.

    Outside of tables everything goes to ``out``.
    """

    def __init__(self, out: Callable[[str], None]) -> None:
        self._out = out
        self._tables: list[_Table] = []

    def __len__(self) -> int:
        """Return how many tables enclose what comes next."""
        return len(self._tables)

    def put(self, block: str) -> None:
        """Add a paragraph, with its line ends, or a whole table."""
        if self._tables:
            self._tables[-1].cell.append(block)
        else:
            self._out(block)

    def start_table(self) -> None:
        """Start a table where the next paragraph would stand."""
        self._tables.append(_Table())

    def end_cell(self) -> None:
        """End a cell; the next paragraph is in the next one."""
        if self._tables:
            table = self._tables[-1]
            table.row.append(table.cell)
            table.cell = []

    def end_row(self) -> None:
        """End a row. One that has a single cell is a frame around what is in it."""
        if not self._tables:
            return
        table = self._tables.pop()
        blocks = table.row[0] if len(table.row) == 1 else [" | ".join(map(_flat, table.row)) + "\n"]
        for block in blocks:
            self.put(block)
        if len(table.row) == 1 and blocks and not blocks[-1].endswith("\n"):
            self.put("\n")
        table.row = []
        self._tables.append(table)

    def end_table(self) -> None:
        """End a table."""
        if self._tables:
            self._tables.pop()
            self.put("\n")


def _flat(cell: list[str]) -> str:
    """Return a cell on one line; what is a table within it has its cells between commas."""
    return " ".join(without_headings(" ".join(_blocks(cell))).split()).rstrip(";")


def _blocks(cell: list[str]) -> Iterator[str]:
    for block in cell:
        yield block.replace(" | ", ", ").rstrip("\n") + ";" if " | " in block else block
