"""Read the text that a selection copies from Qt documents."""

from __future__ import annotations

import msgspec
from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument

from fireside.bridge.list_markers import number_of
from fireside.markup.rich_text import NO_TEXT, formula_source
from fireside.ui.chat.code_parts import CONTINUED
from fireside.ui.utf16 import utf16_length

_OBJECT = "\ufffc"
"""Qt's character for an image; the only images are formulas."""

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
    block = document.findBlock(first)
    before: QTextBlock | None = None
    while block.isValid() and block.position() <= last:
        if before is not None:
            out.append(_between(document, before, block))
        start, end = max(first, block.position()), min(last, block.position() + block.length() - 1)
        if start == block.position() and end > start:
            out.append(_marker(block))
        out.append(_text_of_span(document, start, end))
        before, block = block, block.next()
    return "".join(out)


def _text_of_span(document: QTextDocument, start: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    text = cursor.selectedText().replace("\u2028", "\n").replace("\u2029", "\n").replace("\xa0", " ")
    text = text if text != NO_TEXT else ""
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
    """A document's text with each formula's source in place of its image character."""

    text: str
    formulas: tuple[tuple[int, int], ...] = ()
    """Start and length of each formula's source in ``text``, in UTF-16 code units."""

    def in_document(self, span: tuple[int, int]) -> tuple[int, int]:
        """Return the document's span of a span of ``text``; a part of a formula becomes the whole."""
        start, end = span
        return self._position(start, edge=0), self._position(end, edge=1)

    def _position(self, at: int, *, edge: int) -> int:
        shift = 0
        for start, width in self.formulas:
            if at <= start:
                break
            if at < start + width:
                return start - shift + edge
            shift += width - 1
        return at - shift


def written_text(document: QTextDocument) -> WrittenText:
    """Return the text of ``document`` with the sources of its formulas."""
    text = document.toPlainText()
    if _OBJECT not in text:
        return WrittenText(text=text)
    cursor = QTextCursor(document)
    out: list[str] = []
    formulas: list[tuple[int, int]] = []
    position = written = 0
    for char in text:
        position += 1 if ord(char) < 0x10000 else 2  # Qt counts in UTF-16
        piece = char
        if char == _OBJECT:
            cursor.setPosition(position)
            source = formula_source(cursor.charFormat().toImageFormat().name()) or ""
            piece = source.replace("\xa0", " ")
            formulas.append((written, utf16_length(piece)))
        out.append(piece)
        written += utf16_length(piece)
    return WrittenText(text="".join(out), formulas=tuple(formulas))


def _marker(block: QTextBlock) -> str:
    items = block.textList()
    if items is None:
        return ""
    indent = "  " * max(0, items.format().indent() - 1)
    marker = number_of(block) or "-"
    return f"{indent}{marker} {_BOXES.get(block.blockFormat().marker(), '')}"


def _between(document: QTextDocument, before: QTextBlock, block: QTextBlock) -> str:
    if before.userState() == CONTINUED:
        return ""
    first, second = QTextCursor(document), QTextCursor(document)
    first.setPosition(before.position())
    second.setPosition(block.position())
    table = first.currentTable()
    if table is None or second.currentTable() is None:
        return "\n"
    left, right = table.cellAt(first.position()), table.cellAt(second.position())
    return "\t" if left.row() == right.row() and left.column() != right.column() else "\n"
