"""The cells of an OpenDocument spreadsheet: a row a line, sheet by sheet, as shown; dates as such."""

from __future__ import annotations

from typing import Final

from fireside.documents.archive import Archive
from fireside.documents.extracted_text import Extracted, mark_hidden
from fireside.documents.odf_paragraphs import Paragraphs
from fireside.documents.odf_styles import Styles
from fireside.documents.sheet_rows import MOST_COLUMNS, SheetRows

_CELLS: Final = ("table-cell", "covered-table-cell")
_UNSEEN: Final = ("collapse", "filter")


def read_sheets(archive: Archive, part: str, *, styles: Styles, media_type: str) -> Extracted:
    """Return the cells of all sheets. Raises ``Refused`` for a damaged file."""
    rows = SheetRows()
    archive.parse(part, _Sheets(rows, styles))
    return Extracted(media_type=media_type, text=rows.text, sections=tuple(rows.sections))


class _Sheets:
    """Writes the rows as they go by."""

    def __init__(self, rows: SheetRows, styles: Styles) -> None:
        self._rows = rows
        self._styles = styles
        self._words: list[str] = []
        # What cannot be seen of a sheet is told by its rows and columns here, not by the colours of cells.
        self._paragraphs = Paragraphs(Styles(), self._words.append)
        self._n_tables = 0
        self._is_hidden = False
        self._is_row_hidden = False
        self._hidden_columns: list[bool] = []
        self._row = 0
        self._n_same_rows = 1
        self._n_same_cells = 1
        self._date = ""
        self._cells: list[str] = []

    @property
    def is_full(self) -> bool:
        return self._rows.is_full

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._paragraphs.start(tag, attributes)
        if tag == "table":
            self._n_tables += 1
            if self._n_tables == 1:
                self._rows.start_sheet(attributes.get("name", ""))
                look = self._styles.style("table", attributes.get("style-name", ""))
                self._is_hidden, self._hidden_columns, self._row = bool(look.is_hidden), [], 1
        elif tag == "table-column":
            n = min(_number(attributes, "number-columns-repeated"), MOST_COLUMNS - len(self._hidden_columns))
            self._hidden_columns += [attributes.get("visibility") in _UNSEEN] * n
        elif tag == "table-row":
            self._cells, self._n_same_rows = [], _number(attributes, "number-rows-repeated")
            self._is_row_hidden = attributes.get("visibility") in _UNSEEN
        elif tag in _CELLS:
            self._n_same_cells = _number(attributes, "number-columns-repeated")
            self._date = attributes.get("date-value", "")
            self._words.clear()

    def end(self, tag: str) -> None:
        self._paragraphs.end(tag)
        if tag == "table":
            self._n_tables -= 1
        elif tag in _CELLS:
            words = _date(self._date) if self._date else " ".join(" ".join(self._words).split())
            for _ in range(min(self._n_same_cells, MOST_COLUMNS - len(self._cells))):
                self._cells.append(mark_hidden(words) if self._is_unseen(len(self._cells)) else words)
        elif tag == "table-row":
            while self._cells and not self._cells[-1]:
                self._cells.pop()
            if self._cells:
                for row in range(self._row, self._row + self._n_same_rows):
                    self._rows.add(row, self._cells)
                    if self.is_full:
                        break
            self._row += self._n_same_rows

    def characters(self, text: str) -> None:
        self._paragraphs.characters(text)

    def _is_unseen(self, column: int) -> bool:
        is_hidden = column < len(self._hidden_columns) and self._hidden_columns[column]
        return self._is_hidden or self._is_row_hidden or is_hidden


def _number(attributes: dict[str, str], name: str) -> int:
    """Return how often something is repeated: once where that is not said."""
    n = attributes.get(name, "1")
    return max(1, int(n)) if n.isascii() and n.isdecimal() and len(n) < 9 else 1


def _date(value: str) -> str:
    """Return a moment as other sheets have it: without seconds, and a day alone as such."""
    day, _, time = value.partition("T")
    return f"{day} {time[:5]}" if time and time[:5] != "00:00" else day
