"""The cells of an Excel workbook, sheet by sheet: a line per row, as displayed, with comments and charts."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from fireside.documents.archive import Archive, Relation, XmlReader
from fireside.documents.docx_numbering import number
from fireside.documents.drawings import drawing_text
from fireside.documents.extracted_text import comment_text, image_text, mark_hidden, strip_marks
from fireside.documents.messages import ReadReply
from fireside.documents.number_formats import BUILT_IN, GENERAL, format_number, format_text
from fireside.documents.sheet_rows import MAX_COLUMNS, SheetRows

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WORKBOOK: Final = "xl/workbook.xml"

_PARTS: Final = {"sharedStrings": "xl/sharedStrings.xml", "styles": "xl/styles.xml"}
_MAX_STRING_CHARS: Final = 20_000_000
"""Of all strings of a workbook."""
_MAX_CELL_CHARS: Final = 32_767
"""Excel's own limit."""
_MAX_FORMULA: Final = 1_000
_TRUE: Final = ("1", "true")
_PLAIN_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,7})(?:\.\d{0,5}[1-9])?")
"""One that is shown as it is stored; most are."""
_CELL: Final = re.compile(r"([A-Z]{1,3})(\d{0,7})")
_ISO_DATE: Final = re.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?.*)?")


def read_xlsx(archive: Archive, part: str = WORKBOOK) -> ReadReply:
    """Return the cells of all sheets. Raises ``FileRefused`` for a damaged workbook."""
    workbook, strings, styles, persons = _Workbook(), _Strings(), _Styles(), _Comments()
    archive.parse(part, workbook)
    relations = archive.relations(part)
    related = _PARTS | {relation.kind: relation.target for relation in relations.values()}
    archive.parse(related["sharedStrings"], strings)
    archive.parse(related["styles"], styles)
    archive.parse(related.get("person", ""), persons)
    values = _Values(strings=strings.texts, codes=styles.codes, is_1904=workbook.is_1904)
    rows = SheetRows()
    for name, id_, is_hidden in workbook.sheets:
        rows.start_sheet(name)
        sheet_part = relations[id_].target if id_ in relations else ""
        _read_sheet(archive, sheet_part, rows, values, persons.names, is_hidden=is_hidden)
        if rows.is_full:
            break
    return ReadReply(media_type=MEDIA_TYPE, text=rows.text, sections=tuple(rows.sections))


def _read_sheet(
    archive: Archive, part: str, rows: SheetRows, values: _Values, persons: dict[str, str], *, is_hidden: bool
) -> None:
    related = archive.relations(part).values()
    comments, threads = _Comments(), _Comments(persons)
    for relation in related:
        if relation.kind in ("comments", "threadedComment"):
            archive.parse(relation.target, threads if relation.kind == "threadedComment" else comments)
    archive.parse(part, sheet := _Sheet(rows, values, comments.texts | threads.texts, is_hidden=is_hidden))
    sheet.end_comments()
    for relation in related:
        if relation.kind == "drawing":
            drawing = _Drawing(archive, archive.relations(relation.target))
            archive.parse(relation.target, drawing)
            for row, text in sorted(drawing.texts, key=lambda each: each[0]):
                rows.add_text(row, mark_hidden(text) if is_hidden else text)


class _Workbook(XmlReader):
    def __init__(self) -> None:
        self.is_1904 = False
        """Whether dates count from 1904, as on old Macs."""
        self.sheets: list[tuple[str, str, bool]] = []
        """Name, id of the relation to its part, whether it is hidden."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "sheet":
            is_hidden = attributes.get("state", "visible") != "visible"
            self.sheets.append((attributes.get("name", ""), attributes.get("id", ""), is_hidden))
        elif tag == "workbookPr":
            self.is_1904 = attributes.get("date1904") in _TRUE


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
            self.texts.append("".join(self._pieces)[:_MAX_CELL_CHARS])

    def characters(self, text: str) -> None:
        self._n_chars += len(text)
        if self._is_text and self._n_chars <= _MAX_STRING_CHARS:
            self._pieces.append(text)


class _Styles(XmlReader):
    """The format codes of cell styles."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        self._own: dict[str, str] = {}
        self._is_cells = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        id_ = attributes.get("numFmtId", "")
        if tag == "numFmt":
            self._own[id_] = attributes.get("formatCode", GENERAL)
        elif tag == "cellXfs":
            self._is_cells = True
        elif tag == "xf" and self._is_cells:
            self.codes.append(self._own.get(id_) or BUILT_IN.get(number(id_, 0), GENERAL))

    def end(self, tag: str) -> None:
        if tag == "cellXfs":
            self._is_cells = False


class _Comments(XmlReader):
    """The comments of a sheet by row and column, or the names of those who wrote some, by id."""

    def __init__(self, names: dict[str, str] | None = None) -> None:
        self.texts: dict[tuple[int, int], str] = {}
        self.names = names if names is not None else {}
        self._place: tuple[int, int] | None = None
        self._author = ""
        self._pieces: list[str] = []
        self._is_text = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._is_text = tag in ("t", "text", "author")
        if tag in ("comment", "threadedComment"):
            self._place = place_of(attributes.get("ref", ""))
            self._author = self.names.get(attributes.get("authorId") or attributes.get("personId", ""), "")
            self._pieces = []
        elif tag == "author":
            self._pieces = []
        elif tag == "person":
            self.names[attributes.get("id", "")] = attributes.get("displayName", "")

    def end(self, tag: str) -> None:
        self._is_text = False
        if tag == "author":
            self.names[str(len(self.names))] = "".join(self._pieces)
        elif tag in ("comment", "threadedComment") and self._place is not None:
            text = comment_text(strip_marks("".join(self._pieces)), self._author)
            self.texts[self._place] = " ".join(filter(None, (self.texts.get(self._place), text)))

    def characters(self, text: str) -> None:
        if self._is_text:
            self._pieces.append(text)


class _Values(msgspec.Struct, frozen=True, kw_only=True):
    """What the cells of all sheets refer to."""

    strings: list[str]
    codes: list[str]
    is_1904: bool

    def displayed(self, value: str, *, kind: str, style: int) -> str:
        """Return a stored value as a reader sees it."""
        code = self.codes[style] if 0 <= style < len(self.codes) else GENERAL
        match kind:
            case "s":
                index = number(value, -1)
                return format_text(self.strings[index], code) if 0 <= index < len(self.strings) else ""
            case "b":
                return "TRUE" if value == "1" else "FALSE"
            case "d":
                date = _ISO_DATE.fullmatch(value)
                return value if date is None else f"{date[1]} {date[2] or ''}".removesuffix(" 00:00").rstrip()
            case "" | "n" if code == GENERAL and _PLAIN_NUMBER.fullmatch(value):
                return value
            case "" | "n":
                try:
                    return format_number(float(value), code, is_1904=self.is_1904)
                except ValueError:
                    return value
            case _:
                return format_text(value, code)


class _Sheet(XmlReader):
    """Adds each row to ``rows`` when it ends."""

    def __init__(
        self, rows: SheetRows, values: _Values, comments: dict[tuple[int, int], str], *, is_hidden: bool
    ) -> None:
        self._is_hidden = is_hidden
        self._is_row_hidden = False
        self._hidden_columns: list[tuple[int, int]] = []
        self._rows = rows
        self._values = values
        self._comments = comments
        """Those that are still to be written."""
        self._row = 0
        self._cells: list[str] = []
        self._column = 0
        self._kind = ""
        self._style = -1
        self._within = ""
        """``v`` or ``t`` within a value, ``f`` within a formula."""
        self._is_phonetic = False
        self._value: list[str] = []
        self._formula: list[str] = []

    @property
    def is_full(self) -> bool:
        return self._rows.is_full

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "row":
            self._row = number(attributes.get("r", ""), self._row + 1)
            self._cells, self._column = [], -1
            self._is_row_hidden = attributes.get("hidden") in _TRUE
        elif tag == "col" and attributes.get("hidden") in _TRUE and len(self._hidden_columns) < MAX_COLUMNS:
            first = number(attributes.get("min", ""), 0)
            self._hidden_columns.append((first - 1, number(attributes.get("max", ""), first) - 1))
        elif tag == "c":
            place = place_of(attributes.get("r", ""))
            self._column = place[1] if place else self._column + 1
            self._kind = attributes.get("t", "")
            self._style = number(attributes.get("s", ""), -1)
            self._value, self._formula = [], []
        elif tag == "rPh":
            self._is_phonetic = True
        elif tag in ("v", "t", "f"):
            self._within = tag

    def end(self, tag: str) -> None:
        if tag in ("v", "t", "f"):
            self._within = ""
        elif tag == "rPh":
            self._is_phonetic = False
        elif tag == "c":
            self._end_cell()
        elif tag == "row":
            for row, column in sorted(place for place in self._comments if place[0] == self._row):
                self._put(column, self._comments.pop((row, column)))
            self._rows.add(self._row, self._cells)

    def characters(self, text: str) -> None:
        if self._within == "f":
            self._formula.append(text)
        elif self._within and not self._is_phonetic:
            self._value.append(text)

    def end_comments(self) -> None:
        """Add the rows of comments on cells that the sheet does not have."""
        for row, column in sorted(self._comments):
            self._row, self._cells = row, []
            self._put(column, self._comments[row, column])
            self._rows.add(row, self._cells)

    def _end_cell(self) -> None:
        text = (
            self._values.displayed("".join(self._value), kind=self._kind, style=self._style)
            if self._value
            else ""
        )
        if not self._value and self._formula:  # never computed, as in files that a program wrote
            text = "=" + "".join(self._formula)[:_MAX_FORMULA]
        text = strip_marks(text[:_MAX_CELL_CHARS])
        if comment := self._comments.pop((self._row, self._column), ""):
            text = f"{text} {comment}"
        if text:
            self._put(self._column, text)

    def _put(self, column: int, text: str) -> None:
        if not 0 <= column < MAX_COLUMNS:
            return
        text = " ".join(text.split())
        self._cells += [""] * (column - len(self._cells))
        self._cells[column : column + 1] = [mark_hidden(text) if self._is_cell_hidden(column) else text]

    def _is_cell_hidden(self, column: int) -> bool:
        """Return whether the sheet, the row or the column of a cell is hidden."""
        return (
            self._is_hidden
            or self._is_row_hidden
            or any(first <= column <= last for first, last in self._hidden_columns)
        )


class _Drawing(XmlReader):
    """The texts of shapes, descriptions of images, captions of charts, by the rows where they begin."""

    def __init__(self, archive: Archive, relations: dict[str, Relation]) -> None:
        self._archive = archive
        self._relations = relations
        self.texts: list[tuple[int, str]] = []
        self._row = 1
        self._is_start = False
        self._within = ""
        self._pieces: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in ("from", "to"):
            self._is_start = tag == "from"
        elif tag in ("t", "row"):
            self._within = tag
        elif tag == "cNvPr":
            self._add(image_text(attributes.get("descr", "")))
        elif tag in ("chart", "relIds"):
            relation = self._relations.get(attributes.get("id", "") or attributes.get("dm", ""))
            if relation is not None and not relation.is_external:
                self._add(drawing_text(self._archive, relation.target, has_data=False))

    def end(self, tag: str) -> None:
        self._within = ""
        if tag == "p":
            self._pieces.append("\n")
        elif tag == "txBody":
            self._add("".join(self._pieces))
            self._pieces = []

    def characters(self, text: str) -> None:
        if self._within == "t":
            self._pieces.append(strip_marks(text))
        elif self._within == "row" and self._is_start:
            self._row = number(text.strip(), 0) + 1

    def _add(self, text: str) -> None:
        if text.strip():
            self.texts.append((self._row, text.strip("\n") + "\n"))


def place_of(reference: str) -> tuple[int, int] | None:
    """Return row, from 1, and column, from 0, of a reference such as ``B12``."""
    match = _CELL.match(reference)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return number(match[2], 0), column - 1
