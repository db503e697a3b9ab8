"""Read the text that a selection copies from Qt documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import msgspec
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextTable,
    QTextTableCell,
)

from fireside.bridge.list_markers import number_of
from fireside.bridge.rich_document import is_mirrored
from fireside.markup.direction import isolating_controls, without_isolation
from fireside.markup.rich_text import NO_TEXT, formula_source
from fireside.ui.chat.answer.code_parts import CONTINUED
from fireside.ui.utf16 import utf16_length

_OBJECT = "\ufffc"
"""Qt's character for an image; the only images are formulas."""
_EMPTY_ITEM = re.compile(f"^{NO_TEXT}$", re.MULTILINE)

_BOXES = {
    QTextBlockFormat.MarkerType.Unchecked: "[ ] ",
    QTextBlockFormat.MarkerType.Checked: "[x] ",
}
"""Markdown of the check boxes of a task list."""


def last_position(document: QTextDocument) -> int:
    """Return the position after the last character."""
    return document.characterCount() - 1


def text_between(document: QTextDocument, first: int, last: int) -> str:
    """Return the text from ``first`` to ``last``, with bullets and numbers, and tabs between cells."""
    last = min(last, last_position(document))
    out: list[str] = []
    before: QTextBlock | None = None
    for block in _in_reading_order(_blocks(document, first, last)):
        if before is not None:
            out.append(_between(before, block))
        start, end = max(first, block.position()), min(last, block.position() + block.length() - 1)
        if start == block.position() and end > start:
            out.append(_marker(block))
        out.append(_text_of_span(document, start, end))
        before = block
    return "".join(out)


def _blocks(document: QTextDocument, first: int, last: int) -> Iterator[QTextBlock]:
    block = document.findBlock(first)
    while block.isValid() and block.position() <= last:
        yield block
        block = block.next()


def _in_reading_order(blocks: Iterator[QTextBlock]) -> Iterator[QTextBlock]:
    """Yield paragraphs with the cells of each row of a mirrored table from its first column on."""
    for row, group in groupby(blocks, key=_mirrored_row):
        cells = list(group)
        yield from cells if row is None else sorted(cells, key=lambda block: -_cell_of(block)[1].column())


def _mirrored_row(block: QTextBlock) -> tuple[int, int] | None:
    """Return the table and row of a paragraph in a mirrored table."""
    table, cell = _cell_of(block)
    return (table.firstPosition(), cell.row()) if table is not None and is_mirrored(table) else None


def _cell_of(block: QTextBlock) -> tuple[QTextTable | None, QTextTableCell]:
    """Return the table of a paragraph, and its cell there; ``None`` outside tables."""
    table = QTextCursor(block).currentTable()
    return table, QTextTableCell() if table is None else table.cellAt(block.position())


def _text_of_span(document: QTextDocument, start: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    text = cursor.selectedText().replace("\u2028", "\n").replace("\u2029", "\n").replace("\xa0", " ")
    text = without_isolation(text) if text != NO_TEXT else ""
    return text if _OBJECT not in text else _with_sources(document, start, text)


def _with_sources(document: QTextDocument, start: int, text: str) -> str:
    """Replace each formula's image character with its source."""
    cursor = QTextCursor(document)
    position = start
    out: list[str] = []
    for char in text:
        position += 1 if ord(char) < 0x10000 else 2  # Qt counts in UTF-16
        if char == _OBJECT:
            cursor.setPosition(position)
            out.append(formula_source(cursor.charFormat().toImageFormat().name()) or "")
        else:
            out.append(char)
    return "".join(out)


class WrittenText(msgspec.Struct, frozen=True, kw_only=True):
    """A document's text with the numbers of its lists, and each formula's source in place of its image."""

    text: str
    replaced: tuple[tuple[int, int, int], ...] = ()
    """Start and length in ``text``, and length in the document, of what differs, in UTF-16 code units."""

    def in_document(self, span: tuple[int, int]) -> tuple[int, int]:
        """Return the document's span of a span of ``text``; a part of a formula becomes the whole, and a part
        of a number, which the document does not contain, an empty span before the item's text."""
        start, end = span
        return self._position(start, is_end=False), self._position(end, is_end=True)

    def _position(self, at: int, *, is_end: bool) -> int:
        shift = 0
        for start, width, own in self.replaced:
            if at <= start:
                break
            if at < start + width:
                return start - shift + (own if is_end else 0)
            shift += width - own
        return at - shift


def written_text(document: QTextDocument) -> WrittenText:
    """Return the text of ``document`` as it was written, with the numbers of its lists."""
    text = document.toPlainText()
    blocks = _blocks(document, 0, last_position(document))
    numbers = {block.position(): f"{number} " for block in blocks if (number := number_of(block))}
    inserted = _inserted(text)
    if not numbers and not inserted and _OBJECT not in text:
        return WrittenText(text=text)
    out: list[str] = []
    replaced: list[tuple[int, int, int]] = []
    position = written = 0
    for index, char in enumerate(text):
        own = 1 if ord(char) < 0x10000 else 2  # Qt counts in UTF-16
        parts = [(char, own)]
        if char == _OBJECT:
            parts = [(_source_at(document, position + 1), own)]
        elif index in inserted:
            parts = [("", own)]
        if position in numbers:
            parts.insert(0, (numbers[position], 0))
        for part, own_width in parts:
            width = utf16_length(part)
            if part != char:
                replaced.append((written, width, own_width))
            out.append(part)
            written += width
        position += own
    return WrittenText(text="".join(out), replaced=tuple(replaced))


def _inserted(text: str) -> set[int]:
    """Return the indexes of characters that were inserted for the layout."""
    spans = (
        [] if text.isascii() else [*isolating_controls(text), *(m.span() for m in _EMPTY_ITEM.finditer(text))]
    )
    return {index for start, end in spans for index in range(start, end)}


def _source_at(document: QTextDocument, position: int) -> str:
    """Return the source of the formula whose image character ends at ``position``."""
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    source = formula_source(cursor.charFormat().toImageFormat().name()) or ""
    return source.replace("\xa0", " ")


def _marker(block: QTextBlock) -> str:
    items = block.textList()
    if items is None:
        return ""
    indent = "  " * max(0, items.format().indent() - 1)
    marker = number_of(block) or "-"
    return f"{indent}{marker} {_BOXES.get(block.blockFormat().marker(), '')}"


def _between(before: QTextBlock, block: QTextBlock) -> str:
    if before.userState() == CONTINUED:
        return ""
    (first, left), (second, right) = _cell_of(before), _cell_of(block)
    if first is None or second is None:
        return "\n"
    return "\t" if left.row() == right.row() and left.column() != right.column() else "\n"
