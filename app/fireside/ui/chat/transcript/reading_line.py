"""The line at the upper edge of the visible part, by its place in the text, which no width changes."""

from __future__ import annotations

from bisect import bisect_right

from msgspec.structs import replace
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor

from fireside.ui.chat.answer.message import MessageView
from fireside.ui.chat.answer.text_view import TextView, TextWidget
from fireside.ui.chat.transcript.scroll_positions import LinePlace

_STEP = 48
"""Pixels between the points of a row where a line is looked for: each cell of a table has its own."""


class ReadingLine:
    """A line of a message. The text may be laid out anew or grow, and a restored one may still be missing."""

    def __init__(self, place: LinePlace, *, text: TextWidget | None = None) -> None:
        """Without ``text``, the line is in the text ``place.part``, once there is one."""
        self._place = place
        self._text = text

    def place_in(self, view: MessageView) -> LinePlace:
        """Return its place in the texts that the message has now."""
        parts = (part for part, text in enumerate(view.text_views) if text is self._text)
        return replace(self._place, part=next(parts, self._place.part))

    def edge_in(self, view: MessageView) -> float | None:
        """Return how far the edge is below the top of ``view``, in pixels; ``None`` if the line is gone."""
        texts = view.text_views
        if self._text is None and self._place.part < len(texts):
            self._text = texts[self._place.part]
        text = self._text
        if text is None or not any(text is each for each in texts) or not text.isVisibleTo(view):
            return None
        return _top_in(view, text) + _line_top(text, self._place) + self._place.below


def line_at(view: MessageView, y: float) -> ReadingLine | None:
    """Return the line at ``y`` of a message, or the nearest one; ``None`` if no text begins above that."""
    texts = view.text_views
    part = bisect_right(texts, y, key=lambda text: _top_in(view, text)) - 1
    if part < 0 or not texts[part].isVisibleTo(view):
        return None
    text = texts[part]
    inside = y - _top_in(view, text)
    place = LinePlace(part=part, below=inside)
    if isinstance(text, TextView):  # what scrolls by itself is as a whole at the edge
        cursor = _line_start(text, inside)
        place = LinePlace(
            part=part,
            paragraph=cursor.blockNumber(),
            character=cursor.positionInBlock(),
            below=inside - text.cursorRect(cursor).top(),
        )
    return ReadingLine(place, text=text)


def _top_in(view: MessageView, text: TextWidget) -> int:
    return text.mapTo(view, QPoint(0, 0)).y()


def _line_start(text: TextView, y: float) -> QTextCursor:
    """Return a cursor at the beginning of the line at ``y``, or of one beside it."""
    first: QTextCursor | None = None
    for x in range(0, max(1, text.width()), _STEP):
        cursor = text.cursorForPosition(QPoint(x, min(round(y), text.height() - 1)))
        block = cursor.block()
        line = block.layout().lineForTextPosition(cursor.positionInBlock())
        cursor.setPosition(block.position() + max(0, line.textStart()))
        box = text.cursorRect(cursor)
        if box.top() <= y < box.bottom():
            return cursor
        first = first or cursor
    assert first is not None, "a text has a row"
    return first


def _line_top(text: TextWidget, place: LinePlace) -> int:
    if not isinstance(text, TextView):
        return 0
    block = text.document().findBlockByNumber(place.paragraph)
    if not block.isValid():
        block = text.document().lastBlock()
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + min(place.character, block.length() - 1))
    return text.cursorRect(cursor).top()
