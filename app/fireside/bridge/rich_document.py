"""Fill Qt's documents with the HTML of ``markup.rich_text``, for the window and for paper."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextTable

from fireside.bridge.list_markers import fit_ends, fit_numbers
from fireside.markup.direction import has_rtl, is_rtl, is_rtl_html, isolated, mirrored_rows

_LTR: Final = Qt.LayoutDirection.LeftToRight
_RTL: Final = Qt.LayoutDirection.RightToLeft
_ENDS_WITH_INNER_LIST: Final = re.compile(r"</[ou]l>\s*</li>\s*</[ou]l>")


def fill(
    document: QTextDocument, html: str, *, widest: Mapping[int, int] = {}, from_left: bool = False
) -> None:
    """Show ``html``: code isolated in text from right to left, list items as far right as their numbers need.

    ``widest`` is of ``ListNumbers``. ``from_left`` is for code, all of which runs from left to right.
    """
    set_direction(document, from_left=from_left)
    document.setHtml(html if from_left else isolated(html))
    if not from_left and has_rtl(html):
        _set_directions(document)
    if _ENDS_WITH_INNER_LIST.search(html):
        fit_ends(document)
    if "<ol" in html:
        fit_numbers(document, widest=widest)


def set_direction(document: QTextDocument, *, from_left: bool) -> None:
    """Have all text of ``document`` run from left to right, or each paragraph as its first letter does."""
    option = document.defaultTextOption()
    option.setTextDirection(_LTR if from_left else Qt.LayoutDirection.LayoutDirectionAuto)
    document.setDefaultTextOption(option)


def table_html(rows: str, *, is_mirrored: bool) -> str:
    """Return a table with these rows, as ``fill`` takes it."""
    direction = " dir='rtl'" if is_mirrored else ""
    cells = mirrored_rows(rows) if is_mirrored else rows
    return f"<table{direction} width='100%' cellspacing='0' style='border-collapse: collapse'>{cells}</table>"


def is_mirrored(table: QTextTable) -> bool:
    """Return whether the first column is the one at the right; its cells are in reverse order then."""
    return table.format().layoutDirection() is _RTL


def reads_from_right(rows: str) -> bool:
    """Return whether the first letter of a table is written from right to left."""
    return bool(has_rtl(rows) and is_rtl_html(rows))


def _set_directions(document: QTextDocument) -> None:
    """Set the direction of each paragraph: Qt's own ignores isolates, and cells take their table's."""
    cursor = QTextCursor(document)
    block = document.begin()
    while block.isValid():
        direction = _direction(block)
        if block.textDirection() is not direction:
            block_format = block.blockFormat()
            block_format.setLayoutDirection(direction)
            cursor.setPosition(block.position())
            cursor.setBlockFormat(block_format)
        block = block.next()


def _direction(block: QTextBlock) -> Qt.LayoutDirection:
    return _RTL if is_rtl(block.text()) else _LTR
