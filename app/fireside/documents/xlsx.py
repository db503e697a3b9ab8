"""The cells of an Excel workbook, sheet by sheet: one line per row, dates in ISO format."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from fireside.documents.archive import Archive, XmlReader
from fireside.documents.extracted_text import mark_hidden, strip_marks
from fireside.documents.messages import ReadReply
from fireside.documents.sheet_rows import MAX_COLUMNS, SheetRows

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WORKBOOK: Final = "xl/workbook.xml"

_STRINGS: Final = "xl/sharedStrings.xml"
_STYLES: Final = "xl/styles.xml"
_MAX_STRING_CHARS: Final = 20_000_000
_TRUE: Final = ("1", "true")
_DATE_FORMATS: Final = frozenset((*range(14, 23), *range(45, 48)))
_DATE_LETTERS: Final = re.compile(r"[ymdh]", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_COLUMN: Final = re.compile(r"[A-Z]{1,3}")
_FIRST_DAY: Final = datetime(1899, 12, 30)  # dates of a workbook have no time zone
_LAST_DAY: Final = 2_958_465


def read_xlsx(archive: Archive) -> ReadReply:
    """Return the cells of all sheets. Raises ``FileRefused`` for a damaged workbook."""
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
    return ReadReply(media_type=MEDIA_TYPE, text=rows.text, sections=tuple(rows.sections))


class _Workbook(XmlReader):
    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, bool]] = []
        """Name, id of the relation to its part, whether it is hidden."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "sheet":
            is_hidden = attributes.get("state", "visible") != "visible"
            self.sheets.append((attributes.get("name", ""), attributes.get("id", ""), is_hidden))


class _Strings(XmlReader):
    """The shared strings, which cells refer to by index."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._pieces: list[str] = []
        self._is_text = False
        self._is_phonetic = False
        self._n_chars = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        self._is_text = tag == "t" and not self._is_phonetic
        if tag == "rPh":  # the phonetic reading of a Japanese word
            self._is_phonetic = True
        elif tag == "si":
            self._pieces = []

    def end(self, tag: str) -> None:
        self._is_text = False
        if tag == "rPh":
            self._is_phonetic = False
        elif tag == "si":
            self.texts.append("".join(self._pieces))

    def characters(self, text: str) -> None:
        self._n_chars += len(text)
        if self._is_text and self._n_chars <= _MAX_STRING_CHARS:
            self._pieces.append(text)


class _Styles(XmlReader):
    """Which cell styles format numbers as dates."""

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


class _Sheet(XmlReader):
    """Adds each row to ``rows`` when it ends."""

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
        elif tag == "col" and attributes.get("hidden") in _TRUE and len(self._hidden_columns) < MAX_COLUMNS:
            first = _number(attributes.get("min", ""), 0)
            self._hidden_columns.append((first - 1, _number(attributes.get("max", ""), first) - 1))
        elif tag == "c":
            letters = _COLUMN.match(attributes.get("r", ""))
            self._column = _column(letters[0]) if letters else self._column + 1
            self._kind = attributes.get("t", "")
            style = _number(attributes.get("s", ""), -1)
            self._is_date = 0 <= style < len(self._dates) and self._dates[style]
            self._value = []
        elif tag in ("v", "t"):
            self._is_value = True

    def end(self, tag: str) -> None:
        if tag in ("v", "t"):
            self._is_value = False
        elif tag == "c" and self._value and 0 <= self._column < MAX_COLUMNS:
            self._cells += [""] * (self._column - len(self._cells))
            text = " ".join(strip_marks(self._displayed("".join(self._value))).split())
            self._cells.append(mark_hidden(text) if self._is_cell_hidden else text)
        elif tag == "row":
            self._rows.add(self._row, self._cells)

    def characters(self, text: str) -> None:
        if self._is_value:
            self._value.append(text)

    @property
    def _is_cell_hidden(self) -> bool:
        """Whether the sheet, the row or the column of the cell is hidden."""
        return (
            self._is_hidden
            or self._is_row_hidden
            or any(first <= self._column <= last for first, last in self._hidden_columns)
        )

    def _displayed(self, value: str) -> str:
        """Return a stored value as a reader sees it."""
        if self._kind == "s":
            index = _number(value, -1)
            return self._strings[index] if 0 <= index < len(self._strings) else ""
        if self._kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        return _date(value) if self._is_date and self._kind in ("", "n") else value


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else default


def _column(letters: str) -> int:
    """Return the index of a column: 0 for ``A``, 26 for ``AA``."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _date(value: str) -> str:
    """Return a serial date, in days since 1899-12-30, in ISO format; other values unchanged."""
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
