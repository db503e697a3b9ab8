"""What a selection copies, read from Qt documents."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextListFormat

from fireside.ui.chat.code import CONTINUED

_BULLETS = {
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
}


def last_position(document: QTextDocument) -> int:
    """Position behind the last character."""
    return document.characterCount() - 1


def text_between(document: QTextDocument, first: int, last: int) -> str:
    """Return the text of positions ``first`` to ``last``: bullets and numbers kept, cells parted by tabs."""
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
        out.append(_piece(document, start, end))
        before, block = block, block.next()
    return "".join(out)


def _piece(document: QTextDocument, start: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\u2028", "\n").replace("\u2029", "\n").replace("\xa0", " ")


def _marker(block: QTextBlock) -> str:
    items = block.textList()
    if items is None:
        return ""
    indent = "  " * max(0, items.format().indent() - 1)
    marker = "-" if items.format().style() in _BULLETS else items.itemText(block)
    return f"{indent}{marker} "


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
