"""The rows of spreadsheets as text: one line per row, with a section for each block of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.documents.extracted_text import TextBuffer, tidy
from fireside.documents.messages import Section, SectionKind

MAX_COLUMNS: Final = 200
_SMALL_GAP: Final = 3
"""Empty rows that are written as empty lines; a larger gap starts a section."""


class SheetRows:
    """Collects the rows of one sheet after the other, by their numbers from 1."""

    def __init__(self) -> None:
        self._out = TextBuffer()
        self.sections: list[Section] = []
        self._sheet_number = 0
        self._sheet_name = ""
        self._next_row = 0
        """The row of the next line; 0 before the first row of a sheet."""

    @property
    def is_full(self) -> bool:
        """Whether further rows are dropped."""
        return self._out.is_full

    @property
    def text(self) -> str:
        """All rows so far."""
        return self._out.text

    def start_sheet(self, name: str) -> None:
        """Start the next sheet."""
        self._sheet_number += 1
        self._sheet_name, self._next_row = name, 0

    def add(self, row: int, cells: Sequence[str]) -> None:
        """Add a row; one without text counts as a gap."""
        if not any(cells):
            return
        gap = row - self._next_row
        if not self._next_row or not 0 <= gap <= _SMALL_GAP:
            self._start_section(row)
        else:
            self._out.add("\n" * gap)
        self._out.add(tidy(" | ".join(cells)) + "\n")
        self._next_row = row + 1

    def add_text(self, row: int, text: str) -> None:
        """Add the text, in lines, of what lies over the cells from a row on."""
        self._start_section(row)
        self._out.add(tidy(text))
        self._next_row = 0

    def _start_section(self, row: int) -> None:
        if self._out.n_chars:
            self._out.add("\n")
        self.sections.append(
            Section(
                kind=SectionKind.SHEET,
                number=self._sheet_number,
                name=self._sheet_name,
                start=self._out.n_chars,
                first_row=row,
            )
        )
