"""Tables of chats and answers as Excel workbooks (SpreadsheetML, ECMA-376 Part 1, 18) and as CSV.

No text becomes a formula: it is in cells of text, marked as such where it looks like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Final

from fireside.core.i18n import tr
from fireside.markup.tables import csv_table, looks_like_formula
from fireside.services.transfer.office_blocks import OfficeBlock, ProseBlock, TableBlock, text_of
from fireside.services.transfer.office_package import OfficePackage, xml

_MAIN: Final = "xl/workbook.xml"
_NAMESPACE: Final = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATIONS: Final = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_MAX_NAME: Final = 31
_MAX_CELL: Final = 32_767
_UNUSABLE: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f]+")
_NUMBER: Final = re.compile(r"[-−]?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,14})?(?:[eE][+-]?[0-9]{1,2})?")
_MAX_DIGITS: Final = 15
"""That a spreadsheet keeps of a number; one with more stays text."""
_ISO_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?")
_FIRST_DAY: Final = date(1900, 3, 1)
"""Before it Excel counts a day that never was."""
_EPOCH: Final = datetime(1899, 12, 30)
_PLAIN, _HEAD, _LITERAL, _DATE, _TIME = range(5)
"""Indexes of ``_STYLES``."""


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
    package = OfficePackage()
    sheets: list[str] = []
    used: set[str] = set()
    for number, (name, rows) in enumerate(tables_of(blocks), start=1):
        path = f"xl/worksheets/sheet{number}.xml"
        package.add(path, _sheet(rows), kind="spreadsheetml.worksheet")
        link = package.relate(_MAIN, path, kind="worksheet")
        sheets.append(f'<sheet name="{xml(_sheet_name(name, used))}" sheetId="{number}" r:id="{link}"/>')
    if not sheets:
        return b""
    package.add("xl/styles.xml", _STYLES, kind="spreadsheetml.styles")
    package.relate(_MAIN, "xl/styles.xml", kind="styles")
    workbook = f"<workbook {_NAMESPACE} {_RELATIONS}><sheets>{''.join(sheets)}</sheets></workbook>"
    package.add(_MAIN, workbook, kind="spreadsheetml.sheet.main")
    return package.content(_MAIN)


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


def _sheet(rows: list[list[str]]) -> str:
    sample = rows[:200]
    widths = [max(8, *(min(60, len(row[column]) + 2) for row in sample)) for column in range(len(rows[0]))]
    columns = "".join(
        f'<col min="{n}" max="{n}" width="{width}" customWidth="1"/>'
        for n, width in enumerate(widths, start=1)
    )
    letters = [_letters(column) for column in range(len(rows[0]))]
    body = ""
    for n, row in enumerate(rows, start=1):
        cells = (_cell(text, f"{at}{n}", is_head=n == 1) for at, text in zip(letters, row, strict=True))
        body += f'<row r="{n}">{"".join(cells)}</row>'
    view = (
        '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" '
        'state="frozen"/></sheetView></sheetViews>'
    )
    return f"<worksheet {_NAMESPACE}>{view}<cols>{columns}</cols><sheetData>{body}</sheetData></worksheet>"


def _cell(text: str, place: str, *, is_head: bool) -> str:
    if not text:
        return ""
    if not is_head:
        if _NUMBER.fullmatch(text) and sum(map(str.isdigit, text)) <= _MAX_DIGITS:
            return f'<c r="{place}" s="{_PLAIN}"><v>{text.replace("−", "-")}</v></c>'
        if (day := _serial(text)) is not None:
            return f'<c r="{place}" s="{_TIME if ":" in text else _DATE}"><v>{day!r}</v></c>'
    style = _HEAD if is_head else _LITERAL if looks_like_formula(text) else _PLAIN
    if len(text) > _MAX_CELL:
        text = f"{text[: _MAX_CELL - 1]}…"
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{xml(text)}</t></is></c>'


def _serial(text: str) -> float | None:
    """Return a date of ISO 8601 as the days that a spreadsheet counts."""
    if not _ISO_DATE.fullmatch(text):
        return None
    try:
        then = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (then - _EPOCH).total_seconds() / 86_400 if then.date() >= _FIRST_DAY else None


def _letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _format(number: int, font: int = 0, extra: str = "") -> str:
    return f'<xf numFmtId="{number}" fontId="{font}" fillId="0" borderId="0" xfId="0"{extra}/>'


_ISO, _ISO_TIME = 164, 165
_BOLD, _QUOTED = ' applyFont="1"', ' quotePrefix="1"'
_STYLES: Final = (
    f'<styleSheet {_NAMESPACE}><numFmts count="2"><numFmt numFmtId="{_ISO}" formatCode="yyyy\\-mm\\-dd"/>'
    f'<numFmt numFmtId="{_ISO_TIME}" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/>'
    '<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/>'
    "<right/><top/><bottom/><diagonal/></border></borders>"
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="5">{_format(0)}{_format(0, 1, _BOLD)}{_format(49, 0, _QUOTED)}{_format(_ISO)}'
    f"{_format(_ISO_TIME)}</cellXfs>"
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
