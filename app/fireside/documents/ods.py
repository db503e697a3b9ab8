"""The cells of an OpenDocument spreadsheet, sheet by sheet: one line per row, dates in ISO format."""

from __future__ import annotations

from typing import Final

from fireside.documents.archive import Archive, XmlReader
from fireside.documents.extracted_text import mark_hidden
from fireside.documents.messages import ReadReply
from fireside.documents.odf_paragraphs import Paragraphs
from fireside.documents.odf_styles import OdfStyles
from fireside.documents.sheet_rows import MAX_COLUMNS, SheetRows

_CELLS: Final = ("table-cell", "covered-table-cell")
_COMMENT: Final = "[Comment"
_HIDDEN: Final = ("collapse", "filter")


def read_sheets(archive: Archive, part: str, *, styles: OdfStyles, media_type: str) -> ReadReply:
    """Return the cells of all sheets. Raises ``FileRefused`` for a damaged file."""
    rows = SheetRows()
    archive.parse(part, _Sheets(rows, styles))
    return ReadReply(media_type=media_type, text=rows.text, sections=tuple(rows.sections))


class _Sheets(XmlReader):
    """Adds each row to ``rows`` when it ends."""

    def __init__(self, rows: SheetRows, styles: OdfStyles) -> None:
        self._rows = rows
        self._styles = styles
        self._paragraph_texts: list[str] = []
        # Hidden are sheets, rows and columns here; the colours of cells say nothing.
        self._paragraphs = Paragraphs(OdfStyles(), self._paragraph_texts.append)
        self._n_tables = 0
        self._is_hidden = False
        self._is_row_hidden = False
        self._hidden_columns: list[bool] = []
        self._row = 0
        self._n_repeated_rows = 1
        self._n_repeated_cells = 1
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
                style = self._styles.style("table", attributes.get("style-name", ""))
                self._is_hidden, self._hidden_columns, self._row = bool(style.is_hidden), [], 1
        elif tag == "table-column":
            n = min(_number(attributes, "number-columns-repeated"), MAX_COLUMNS - len(self._hidden_columns))
            self._hidden_columns += [attributes.get("visibility") in _HIDDEN] * n
        elif tag == "table-row":
            self._cells, self._n_repeated_rows = [], _number(attributes, "number-rows-repeated")
            self._is_row_hidden = attributes.get("visibility") in _HIDDEN
        elif tag in _CELLS:
            self._n_repeated_cells = _number(attributes, "number-columns-repeated")
            self._date = attributes.get("date-value", "")
            self._paragraph_texts.clear()

    def end(self, tag: str) -> None:
        self._paragraphs.end(tag)
        if tag == "table":
            self._n_tables -= 1
        elif tag in _CELLS:
            comments = [each for each in self._paragraph_texts if each.startswith(_COMMENT)]
            texts = [each for each in self._paragraph_texts if each not in comments]
            shown = [_date(self._date)] if self._date else texts
            text = " ".join(" ".join((*shown, *comments)).split())
            for _ in range(min(self._n_repeated_cells, MAX_COLUMNS - len(self._cells))):
                self._cells.append(mark_hidden(text) if self._is_cell_hidden(len(self._cells)) else text)
        elif tag == "table-row":
            while self._cells and not self._cells[-1]:
                self._cells.pop()
            if self._cells:
                for row in range(self._row, self._row + self._n_repeated_rows):
                    self._rows.add(row, self._cells)
                    if self.is_full:
                        break
            self._row += self._n_repeated_rows

    def characters(self, text: str) -> None:
        self._paragraphs.characters(text)

    def _is_cell_hidden(self, column: int) -> bool:
        is_column_hidden = column < len(self._hidden_columns) and self._hidden_columns[column]
        return self._is_hidden or self._is_row_hidden or is_column_hidden


def _number(attributes: dict[str, str], name: str) -> int:
    """Return a repetition count; 1 where it is missing or invalid."""
    n = attributes.get(name, "1")
    return max(1, int(n)) if n.isascii() and n.isdecimal() and len(n) < 9 else 1


def _date(value: str) -> str:
    """Return a date and time without seconds, as in Excel sheets; midnight as the day alone."""
    day, _, time = value.partition("T")
    return f"{day} {time[:5]}" if time and time[:5] != "00:00" else day
