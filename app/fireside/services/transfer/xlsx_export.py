"""Tables of chats and answers as Excel workbooks and as CSV.

No text becomes a formula: it is in cells of text, marked as such where it looks like one.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Final

from xlsxwriter import Workbook

from fireside.core.i18n import tr
from fireside.markup.rich_text import clean
from fireside.markup.tables import csv_table, looks_like_formula
from fireside.services.transfer.office_blocks import OfficeBlock, ProseBlock, TableBlock, text_of

_MAX_NAME: Final = 31
_MAX_CELL: Final = 32_767
_UNUSABLE: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f]+")
_NUMBER: Final = re.compile(r"[-−]?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,14})?(?:[eE][+-]?[0-9]{1,2})?")
_MAX_DIGITS: Final = 15
"""That a spreadsheet keeps of a number; one with more stays text."""
_ISO_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?")
_FIRST_DAY: Final = date(1900, 3, 1)
"""Before it Excel counts a day that never was."""


def tables_of(blocks: Iterable[OfficeBlock]) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the tables, each with the heading above it, or else the number of the table as its name."""
    heading, number = "", 0
    for block in blocks:
        if isinstance(block, ProseBlock) and block.level:
            heading = block.text
        elif isinstance(block, TableBlock):
            number += 1
            name = heading or tr("Table {number}").format(number=number)
            yield name, [[text_of(cell).strip() for cell in row] for row in block.rows]


def csv_content(blocks: Iterable[OfficeBlock]) -> bytes:
    """Return the tables, one after the other, in UTF-8 with its mark for Excel; empty if there are none."""
    tables = [csv_table(rows[0], rows[1:]) for _, rows in tables_of(blocks)]
    return "\r\n".join(tables).encode("utf-8-sig") if tables else b""


def xlsx_content(blocks: Iterable[OfficeBlock]) -> bytes:
    """Return a workbook with a sheet for each table; empty if there are none."""
    return workbook_content(tables_of(blocks))


def workbook_content(tables: Iterable[tuple[str, list[list[str]]]]) -> bytes:
    """Return a workbook with a sheet for each named table, whose rows are of equal length; empty if there are
    none."""
    tables = list(tables)
    if not tables:
        return b""
    output = io.BytesIO()
    # Nothing is guessed: what a text becomes is decided here.
    with Workbook(
        output, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    ) as book:
        used: set[str] = set()
        for name, rows in tables:
            _Sheet(book, _sheet_name(name, used)).write(rows)
    return output.getvalue()


def _sheet_name(name: str, used: set[str]) -> str:
    """Return a name that Excel accepts and that is not in ``used``, and add it there."""
    name = " ".join(_UNUSABLE.sub(" ", name).split()).strip("'") or "–"
    candidate, number = _shortened(name, _MAX_NAME), 1
    while candidate.casefold() in used or candidate.casefold() == "history":
        number += 1
        ending = f" ({number})"
        candidate = _shortened(name, _MAX_NAME - len(ending)) + ending
    used.add(candidate.casefold())
    return candidate


def _shortened(name: str, n_units: int) -> str:
    """Return the beginning of a name, which Excel measures in units of UTF-16."""
    return name.encode("utf-16-le", "replace")[: 2 * n_units].decode("utf-16-le", "ignore").strip(" '")


class _Sheet:
    def __init__(self, book: Workbook, name: str) -> None:
        self._sheet = book.add_worksheet(name)
        self._head = book.add_format({"bold": True})
        self._literal = book.add_format({"num_format": "@", "quote_prefix": True})
        self._date = book.add_format({"num_format": "yyyy-mm-dd"})
        self._time = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})

    def write(self, rows: list[list[str]]) -> None:
        sample = rows[:200]
        for column in range(len(rows[0])):
            self._sheet.set_column(column, column, max(8, *(min(60, len(row[column]) + 2) for row in sample)))
        self._sheet.freeze_panes(1, 0)
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                self._write(number, column, text, is_head=number == 0)

    def _write(self, row: int, column: int, text: str, *, is_head: bool) -> None:
        if not text:
            return
        if not is_head:
            if _NUMBER.fullmatch(text) and sum(map(str.isdigit, text)) <= _MAX_DIGITS:
                self._sheet.write_number(row, column, float(text.replace("−", "-")))
                return
            if (then := _as_date(text)) is not None:
                self._sheet.write_datetime(row, column, then, self._time if ":" in text else self._date)
                return
        style = self._head if is_head else self._literal if looks_like_formula(text) else None
        shown = text if len(text) <= _MAX_CELL else f"{text[: _MAX_CELL - 1]}…"
        self._sheet.write_string(row, column, clean(shown), style)


def _as_date(text: str) -> datetime | None:
    """Return a date of ISO 8601 that a spreadsheet can count."""
    if not _ISO_DATE.fullmatch(text):
        return None
    try:
        then = datetime.fromisoformat(text)
    except ValueError:
        return None
    return then if then.date() >= _FIRST_DAY else None
