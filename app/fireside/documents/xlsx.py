"""The cells of an Excel workbook: a row a line, sheet by sheet, with dates as dates."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from fireside.documents.archive import Archive
from fireside.documents.extracted_text import Extracted, mark_hidden, strip_marks
from fireside.documents.sheet_rows import MOST_COLUMNS, SheetRows

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WORKBOOK: Final = "xl/workbook.xml"

_STRINGS: Final = "xl/sharedStrings.xml"
_STYLES: Final = "xl/styles.xml"
_MOST_STRING_CHARS: Final = 20_000_000
_TRUE: Final = ("1", "true")
_DATE_FORMATS: Final = frozenset((*range(14, 23), *range(45, 48)))
_DATE_LETTERS: Final = re.compile(r"[ymdh]", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_COLUMN: Final = re.compile(r"[A-Z]{1,3}")
_FIRST_DAY: Final = datetime(1899, 12, 30)  # a day of a calendar, nowhere
_LAST_DAY: Final = 2_958_465


def read_xlsx(archive: Archive) -> Extracted:
    """Return the cells of all sheets. Raises ``Refused`` for a damaged workbook."""
    workbook, strings, styles = _Workbook(), _Strings(), _Styles()
    archive.parse(WORKBOOK, workbook)
    archive.parse(_STRINGS, strings)
    archive.parse(_STYLES, styles)
    parts = archive.relations(WORKBOOK)
    rows = SheetRows()
    for name, id_, is_hidden in workbook.sheets:
        rows.start_sheet(name)
        archive.parse(parts.get(id_, ""), _Sheet(rows, strings.texts, styles.dates, is_hidden=is_hidden))
        if rows.is_full:
            break
    return Extracted(media_type=MEDIA_TYPE, text=rows.text, sections=tuple(rows.sections))


class _Part:
    """Ignores what it does not know."""

    @property
    def is_full(self) -> bool:
        return False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def characters(self, text: str) -> None:
        """Some text comes."""


class _Workbook(_Part):
    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, bool]] = []
        """Name, part and whether it is not shown."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "sheet":
            is_hidden = attributes.get("state", "visible") != "visible"
            self.sheets.append((attributes.get("name", ""), attributes.get("id", ""), is_hidden))


class _Strings(_Part):
    """The texts that cells refer to by number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._pieces: list[str] = []
        self._is_text = False
        self._is_spoken = False
        self._n_chars = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        self._is_text = tag == "t" and not self._is_spoken
        if tag == "rPh":  # how a word is spoken, in Japanese
            self._is_spoken = True
        elif tag == "si":
            self._pieces = []

    def end(self, tag: str) -> None:
        self._is_text = False
        if tag == "rPh":
            self._is_spoken = False
        elif tag == "si":
            self.texts.append("".join(self._pieces))

    def characters(self, text: str) -> None:
        self._n_chars += len(text)
        if self._is_text and self._n_chars <= _MOST_STRING_CHARS:
            self._pieces.append(text)


class _Styles(_Part):
    """Which styles of cells show dates."""

    def __init__(self) -> None:
        self.dates: list[bool] = []
        self._formats: set[str] = set()
        self._is_cells = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        id_ = attributes.get("numFmtId", "")
        if tag == "numFmt":
            if _DATE_LETTERS.search(_QUOTED.sub("", attributes.get("formatCode", ""))):
                self._formats.add(id_)
        elif tag == "cellXfs":
            self._is_cells = True
        elif tag == "xf" and self._is_cells:
            self.dates.append(id_ in self._formats or (id_.isdecimal() and int(id_[:9]) in _DATE_FORMATS))

    def end(self, tag: str) -> None:
        if tag == "cellXfs":
            self._is_cells = False


class _Sheet(_Part):
    """Writes the rows as they go by."""

    def __init__(self, rows: SheetRows, strings: list[str], dates: list[bool], *, is_hidden: bool) -> None:
        self._is_hidden = is_hidden
        self._is_row_hidden = False
        self._hidden_columns: list[tuple[int, int]] = []
        self._rows = rows
        self._strings = strings
        self._dates = dates
        self._row = 0
        self._cells: list[str] = []
        self._column = 0
        self._kind = ""
        self._is_date = False
        self._is_value = False
        self._value: list[str] = []

    @property
    def is_full(self) -> bool:
        return self._rows.is_full

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "row":
            self._row = _number(attributes.get("r", ""), self._row + 1)
            self._cells, self._column = [], -1
            self._is_row_hidden = attributes.get("hidden") in _TRUE
        elif tag == "col" and attributes.get("hidden") in _TRUE and len(self._hidden_columns) < MOST_COLUMNS:
            first = _number(attributes.get("min", ""), 0)
            self._hidden_columns.append((first - 1, _number(attributes.get("max", ""), first) - 1))
        elif tag == "c":
            place = _COLUMN.match(attributes.get("r", ""))
            self._column = _column(place[0]) if place else self._column + 1
            self._kind = attributes.get("t", "")
            style = _number(attributes.get("s", ""), -1)
            self._is_date = 0 <= style < len(self._dates) and self._dates[style]
            self._value = []
        elif tag in ("v", "t"):
            self._is_value = True

    def end(self, tag: str) -> None:
        if tag in ("v", "t"):
            self._is_value = False
        elif tag == "c" and self._value and 0 <= self._column < MOST_COLUMNS:
            self._cells += [""] * (self._column - len(self._cells))
            words = " ".join(strip_marks(self._shown("".join(self._value))).split())
            self._cells.append(mark_hidden(words) if self._is_unseen else words)
        elif tag == "row":
            self._rows.add(self._row, self._cells)

    def characters(self, text: str) -> None:
        if self._is_value:
            self._value.append(text)

    @property
    def _is_unseen(self) -> bool:
        """Whether the cell is not shown, since its sheet, row or column is not."""
        return (
            self._is_hidden
            or self._is_row_hidden
            or any(first <= self._column <= last for first, last in self._hidden_columns)
        )

    def _shown(self, value: str) -> str:
        if self._kind == "s":
            index = _number(value, -1)
            return self._strings[index] if 0 <= index < len(self._strings) else ""
        if self._kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        return _date(value) if self._is_date and self._kind in ("", "n") else value


def _number(text: str, other: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else other


def _column(letters: str) -> int:
    """Return the number of a column from 0: ``A`` is 0, ``AA`` is 26."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _date(value: str) -> str:
    """Return a day counted from the end of 1899 as it is written everywhere; what is none stays."""
    try:
        days = float(value)
    except ValueError:
        return value
    if not 0 <= days <= _LAST_DAY:
        return value
    moment = _FIRST_DAY + timedelta(days=days) + timedelta(milliseconds=500)
    if days < 1:
        return moment.strftime("%H:%M")
    return moment.strftime("%Y-%m-%d" if days == int(days) else "%Y-%m-%d %H:%M")
