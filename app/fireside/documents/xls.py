"""The cells of an old Excel workbook (``.xls``), as those of a new one."""

from __future__ import annotations

import io
import struct
from typing import Final

import xlrd
from xlrd.biffh import error_text_from_code
from xlrd.compdoc import CompDocError
from xlrd.formula import FormulaError
from xlrd.sheet import Sheet

from fireside.core.i18n import tr_noop
from fireside.documents.extracted_text import (
    FileRefused,
    comment_text,
    link_text,
    mark_hidden,
    strip_marks,
)
from fireside.documents.messages import ReadReply
from fireside.documents.number_formats import GENERAL, format_number, format_text
from fireside.documents.sheet_rows import MAX_COLUMNS, SheetRows

MEDIA_TYPE: Final = "application/vnd.ms-excel"
BEGINNINGS: Final = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00", b"\x09\x08\x08\x00")
"""Of workbooks from before Office wrote compound files."""
_ERRORS: Final = (
    AssertionError, AttributeError, CompDocError, IndexError, KeyError, LookupError, OverflowError, TypeError,
    FormulaError, ValueError, struct.error, xlrd.XLRDError, ZeroDivisionError,
)  # fmt: skip
"""What xlrd raises for damaged files."""


def read_xls(data: bytes) -> ReadReply | None:
    """Return the cells of all sheets, ``None`` for a compound file that is no workbook.

    Raises ``FileRefused`` for a locked or damaged workbook.
    """
    try:
        # What it prints must not get among the replies of this process.
        book = xlrd.open_workbook(
            file_contents=data,
            logfile=io.StringIO(),
            formatting_info=True,
            ignore_workbook_corruption=True,
        )
        rows = SheetRows()
        for sheet in book.sheets():
            rows.start_sheet(sheet.name)
            _read_sheet(book, sheet, rows)
            if rows.is_full:
                break
    except _ERRORS as exc:
        if isinstance(exc, xlrd.XLRDError) and "Can't find workbook" in str(exc):
            return None
        is_locked = isinstance(exc, xlrd.XLRDError) and "encrypted" in str(exc)
        reason = tr_noop("it is protected by a password.") if is_locked else tr_noop("it is damaged.")
        raise FileRefused(reason) from exc
    return ReadReply(media_type=MEDIA_TYPE, text=rows.text, sections=tuple(rows.sections))


def _read_sheet(book: xlrd.Book, sheet: Sheet, rows: SheetRows) -> None:
    hidden_columns = {column for column, info in sheet.colinfo_map.items() if info.hidden}
    texts: dict[int, dict[int, str]] = {}
    """By row and column."""
    for row in range(sheet.nrows):
        texts[row] = {n: _displayed(book, sheet, row, n) for n in range(min(sheet.row_len(row), MAX_COLUMNS))}
    for (row, column), note in sheet.cell_note_map.items():
        comment = comment_text(strip_marks(note.text), note.author)
        cells = texts.setdefault(row, {})
        cells[column] = f"{cells.get(column, '')} {comment}"
    for row, cells in sorted(texts.items()):
        info = sheet.rowinfo_map.get(row)
        is_hidden = bool(sheet.visibility or (info is not None and info.hidden))
        line = [""] * min(max(cells, default=-1) + 1, MAX_COLUMNS)
        for column in range(len(line)):
            text = " ".join(cells.get(column, "").split())
            line[column] = mark_hidden(text) if is_hidden or column in hidden_columns else text
        while line and not line[-1]:
            line.pop()
        rows.add(row + 1, line)
        if rows.is_full:
            break


def _displayed(book: xlrd.Book, sheet: Sheet, row: int, column: int) -> str:
    """Return a cell as a reader sees it."""
    cell = sheet.cell(row, column)
    code = GENERAL
    if cell.xf_index is not None and cell.xf_index < len(book.xf_list):
        format_ = book.format_map.get(book.xf_list[cell.xf_index].format_key)
        code = format_.format_str if format_ is not None else GENERAL
    match cell.ctype:
        case xlrd.XL_CELL_TEXT:
            text = format_text(strip_marks(cell.value), code)
            link = sheet.hyperlink_map.get((row, column))
            return text + link_text(
                text, (link.url_or_path or "") if link is not None and link.type == "url" else ""
            )
        case xlrd.XL_CELL_NUMBER | xlrd.XL_CELL_DATE:
            return strip_marks(format_number(cell.value, code, is_1904=bool(book.datemode)))
        case xlrd.XL_CELL_BOOLEAN:
            return "TRUE" if cell.value else "FALSE"
        case xlrd.XL_CELL_ERROR:
            return str(error_text_from_code.get(cell.value, "#ERROR"))
        case _:
            return ""
