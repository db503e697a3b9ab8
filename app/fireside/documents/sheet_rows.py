"""The rows of sheets as text: a row a line, and where in it each part of a sheet begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.documents.extracted_text import TextBuffer, tidy
from fireside.documents.messages import Section, SectionKind

MOST_COLUMNS: Final = 200
_SMALL_GAP: Final = 3
"""So many empty rows are written as such; behind more of them a part of its own begins."""


class SheetRows:
    """Takes the rows of one sheet after the other, by their numbers from 1."""

    def __init__(self) -> None:
        self._out = TextBuffer()
        self.sections: list[Section] = []
        self._number = 0
        self._name = ""
        self._next_row = 0
        """The number that the next line has; 0 before the first of a sheet."""

    @property
    def is_full(self) -> bool:
        """Whether there is no room for more rows."""
        return self._out.is_full

    @property
    def text(self) -> str:
        """Return all rows so far."""
        return self._out.text

    def start_sheet(self, name: str) -> None:
        """Go on with the next sheet."""
        self._number += 1
        self._name, self._next_row = name, 0

    def add(self, row: int, cells: Sequence[str]) -> None:
        """Write a row; one without any text is a gap."""
        if not any(cells):
            return
        gap = row - self._next_row
        if not self._next_row or not 0 <= gap <= _SMALL_GAP:
            if self._out.n_chars:
                self._out.add("\n")
            self.sections.append(
                Section(
                    kind=SectionKind.SHEET,
                    number=self._number,
                    name=self._name,
                    start=self._out.n_chars,
                    first_row=row,
                )
            )
        else:
            self._out.add("\n" * gap)
        self._out.add(tidy(" | ".join(cells)) + "\n")
        self._next_row = row + 1
