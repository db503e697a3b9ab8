"""The controller of the selection across messages: mouse and keys change it, visible messages show it."""

from __future__ import annotations

from typing import Protocol

import msgspec
from PySide6.QtCore import QElapsedTimer, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QAbstractScrollArea, QTextEdit

from fireside.ui.chat.answer.inline_notices import copy_to_clipboard
from fireside.ui.chat.answer.message_item import ELLIPSIS, Entry
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.chat.transcript.message_column import MessageColumn
from fireside.ui.chat.transcript.plain_copy import copy_formatted, message_plain_text
from fireside.ui.chat.transcript.selected_text import last_position, text_between

_AUTO_SCROLL_MS = 30
_DRAG_PIXELS = 4


class Highlighter(Protocol):
    """Provides highlights that are drawn under the selection."""

    @property
    def is_active(self) -> bool:
        """Whether there may be highlights."""

    def highlights(self, message: int, block: int, text_view: TextWidget) -> list[QTextEdit.ExtraSelection]:
        """Return the highlights of ``text_view``, number ``block`` of a message."""


class SelectionController(QObject):
    """Owns the selection of one transcript, and finds text and links by position. GUI thread only."""

    def __init__(self, column: MessageColumn, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._column = column
        self._area = area
        self.highlighters: list[Highlighter] = []
        self._selection: Selection | None = None
        self._highlighted: set[TextWidget] = set()
        self._pressed_at: QPoint | None = None
        self._drag_at = QPoint()
        self._since_double = QElapsedTimer()
        self._scroll = QTimer(self, interval=_AUTO_SCROLL_MS)
        self._scroll.timeout.connect(self._on_auto_scroll)
        column.arranged.connect(self.show_highlights)
        column.blocks_changed.connect(self.clear_if_in)

    @property
    def selection(self) -> Selection | None:
        return self._selection

    @property
    def is_empty(self) -> bool:
        return self._selection is None or self._selection.is_empty

    def clear(self) -> None:
        """Clear the selection; its highlight vanishes with the next layout."""
        self._selection = None
        self._scroll.stop()
        self._pressed_at = None

    def clear_if_in(self, message: int) -> None:
        """Clear a selection that includes ``message``, whose text widgets have changed."""
        selection = self._selection
        if selection is not None and selection.start.message <= message <= selection.end.message:
            self.clear()

    # Hit testing; positions are global

    def point_at(self, position: QPoint) -> Point | None:
        """Return the point of the transcript nearest to ``position``."""
        if not self._column.entries:
            return None
        index = self._column.index_at(self._area.viewport().mapFromGlobal(position).y())
        text_views = self._column.view_of(index).text_views
        if not text_views:
            return Point(message=index, block=0, position=0)
        block = 0
        for number, text_view in enumerate(text_views):
            if text_view.mapFromGlobal(position).y() >= 0:
                block = number
        text_view = text_views[block]
        offset = text_view.cursorForPosition(text_view.viewport().mapFromGlobal(position)).position()
        return Point(message=index, block=block, position=offset)

    def text_view_at(self, position: QPoint) -> TextWidget | None:
        """Return the text widget under ``position``."""
        for view in self._column.live.values():
            if not view.rect().contains(view.mapFromGlobal(position)):
                continue
            for text_view in view.text_views:
                if text_view.viewport().rect().contains(text_view.viewport().mapFromGlobal(position)):
                    return text_view
        return None

    def link_at(self, position: QPoint) -> str:
        """Return the address of the link under ``position``; empty where there is none."""
        text_view = self.text_view_at(position)
        return (
            text_view.anchorAt(text_view.viewport().mapFromGlobal(position)) if text_view is not None else ""
        )

    def cursor_shape_at(self, position: QPoint) -> Qt.CursorShape:
        """Return the mouse pointer's shape at ``position``: over a link, over text, elsewhere."""
        if self.link_at(position):
            return Qt.CursorShape.PointingHandCursor
        is_text = self.text_view_at(position) is not None
        return Qt.CursorShape.IBeamCursor if is_text else Qt.CursorShape.ArrowCursor

    def _overshoot(self, position: QPoint) -> int:
        """Return the pixels by which ``position`` is above (negative) or below the visible part."""
        y = self._area.viewport().mapFromGlobal(position).y()
        return min(0, y) or max(0, y - self._area.viewport().height() + 1)

    # Mouse; positions are global

    def press(self, position: QPoint, *, extend: bool) -> None:
        """Start a selection at ``position``, or move the caret there."""
        point = self.point_at(position)
        if point is None:
            return
        self._pressed_at = position
        interval_ms = QGuiApplication.styleHints().mouseDoubleClickInterval()
        if self._since_double.isValid() and not self._since_double.hasExpired(interval_ms):
            self._since_double.invalidate()
            self._select_unit(point, QTextCursor.SelectionType.BlockUnderCursor)
            return
        if extend and self._selection is not None:
            self._select(self._selection.moved_to(point))
        else:
            self._select(Selection(anchor=point, caret=point))

    def drag(self, position: QPoint) -> None:
        """Move the caret to ``position``; beyond an edge, scroll."""
        if self._pressed_at is None or self._selection is None:
            return
        if (position - self._pressed_at).manhattanLength() < _DRAG_PIXELS:
            return
        self._drag_at = position
        point = self.point_at(position)
        if point is not None:
            self._select(self._selection.moved_to(point))
        if self._overshoot(position):
            self._scroll.start()
        else:
            self._scroll.stop()

    def release(self, position: QPoint) -> bool:
        """End a drag; return whether it was a click without movement."""
        pressed_at, self._pressed_at = self._pressed_at, None
        self._scroll.stop()
        if pressed_at is None or not self.is_empty:
            return False
        return (position - pressed_at).manhattanLength() < _DRAG_PIXELS

    def double_click(self, position: QPoint) -> None:
        """Select the word at ``position``; a third click soon after selects the paragraph."""
        point = self.point_at(position)
        if point is not None:
            self._pressed_at = position
            self._select_unit(point, QTextCursor.SelectionType.WordUnderCursor)
            self._since_double.start()

    def _select_unit(self, point: Point, unit: QTextCursor.SelectionType) -> None:
        view = self._column.view_of(point.message)
        cursor = QTextCursor(view.text_views[point.block].document())
        cursor.setPosition(point.position)
        if unit is QTextCursor.SelectionType.BlockUnderCursor:
            cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        else:
            cursor.select(unit)
        start = Point(message=point.message, block=point.block, position=cursor.selectionStart())
        end = Point(message=point.message, block=point.block, position=cursor.selectionEnd())
        self._select(Selection(anchor=start, caret=end))

    def _on_auto_scroll(self) -> None:
        overshoot = self._overshoot(self._drag_at)
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.value() + max(-60, min(60, overshoot)))
        self.drag(self._drag_at)

    # Keys

    def select_all(self) -> None:
        """Select the whole conversation."""
        if self._column.entries:
            self._select(everything(n_messages=len(self._column.entries)))

    def move_caret(self, operation: QTextCursor.MoveOperation, *, forward: bool) -> None:
        """Move the caret of the selection; at the end of a block it goes to the next one."""
        if self._selection is None:
            return
        caret = self._resolved(self._selection.caret)
        cursor = QTextCursor(self._column.view_of(caret.message).text_views[caret.block].document())
        cursor.setPosition(caret.position)
        if cursor.movePosition(operation):
            moved: Point | None = Point(message=caret.message, block=caret.block, position=cursor.position())
        else:
            moved = self._neighbour(caret, forward=forward)
        if moved is not None:
            self._select(self._selection.moved_to(moved))

    def _resolved(self, point: Point) -> Point:
        """Return ``point`` with ``END`` resolved to an index."""
        text_views = self._column.view_of(point.message).text_views
        block = min(point.block, len(text_views) - 1)
        last = last_position(text_views[block].document())
        return Point(message=point.message, block=block, position=min(point.position, last))

    def _neighbour(self, point: Point, *, forward: bool) -> Point | None:
        message, block = point.message, point.block + (1 if forward else -1)
        while not 0 <= block < len(self._column.view_of(message).text_views):
            message += 1 if forward else -1
            if not 0 <= message < len(self._column.entries):
                return None
            block = 0 if forward else len(self._column.view_of(message).text_views) - 1
        neighbour = Point(message=message, block=block, position=0 if forward else END)
        return self._resolved(neighbour)

    # Text

    def copy(self) -> None:
        """Copy the selection as Markdown."""
        if not self.is_empty:
            copy_to_clipboard(self.markdown())

    def copy_formatted(self) -> None:
        """Copy the selection as HTML and as plain text."""
        if not self.is_empty:
            copy_formatted(self.markdown())

    def copy_plain(self) -> bool:
        """Copy as plain text: the selection, else the message with the focus, else the last answer.

        Return whether there was anything to copy.
        """
        text = self._plain_text()
        if text:
            copy_to_clipboard(text)
        return bool(text)

    def _plain_text(self) -> str:
        if not self.is_empty:
            return self.text()
        entries = self._column.entries
        if (index := self._column.focused_index()) is not None:
            return message_plain_text(entries[index])
        return next((message_plain_text(entry) for entry in reversed(entries) if not entry.is_user), "")

    def text(self) -> str:
        """Return the selection as displayed text."""
        return "\n\n".join(self._parts(as_markdown=False))

    def markdown(self) -> str:
        """Return the selection as Markdown: the source of messages and blocks that are selected whole.

        A single block is returned as displayed text: a selected line of code needs no fences.
        """
        parts = self._parts(as_markdown=True)
        return "\n\n".join(parts) if len(parts) > 1 or self._covers_a_message else self.text()

    @property
    def _covers_a_message(self) -> bool:
        selection = self._selection
        return selection is not None and any(
            selection.covers_whole(index)
            for index in range(selection.start.message, selection.end.message + 1)
        )

    def _parts(self, *, as_markdown: bool) -> list[str]:
        selection = self._selection
        if selection is None or selection.is_empty:
            return []
        out: list[str] = []
        for index in range(selection.start.message, selection.end.message + 1):
            entry = self._column.entries[index]
            if selection.covers_whole(index):
                out.append(entry.text if as_markdown else message_plain_text(entry))
                continue
            view = self._column.view_of(index)
            for block, text_view in enumerate(view.text_views):
                span = selection.span(index, block=block)
                if span is None:
                    continue
                whole = span[0] == 0 and span[1] >= last_position(text_view.document())
                source = view.source_of(block) if whole and as_markdown else None
                text = source if source is not None else text_between(text_view.document(), *span).strip("\n")
                if span[0] == 0 and out and view.continues(block):
                    out[-1] += f"\n{text}"
                else:
                    out.append(text)
            if out and entry.n_hidden and selection.end.message > index:
                out[-1] = _with_hidden_text(out[-1], entry)  # the folded text is selected too
        return [part for part in out if part]

    # Highlights

    def _select(self, selection: Selection) -> None:
        self._selection = selection
        self.show_highlights()

    def show_highlights(self) -> None:
        """Show the selection and the highlighters' highlights in the texts near the visible part."""
        selection = None if self.is_empty else self._selection
        underlays = [each for each in self.highlighters if each.is_active]
        if selection is None and not underlays and not self._highlighted:
            return
        highlighted: set[TextWidget] = set()
        live: set[TextWidget] = set()
        for index, view in self._column.live.items():
            texts = view.text_views
            live.update(texts)
            for block in self._column.near_texts(view, texts):
                text_view = texts[block]
                highlights = [
                    each for underlay in underlays for each in underlay.highlights(index, block, text_view)
                ]
                if selection is not None and (span := selection.span(index, block=block)) is not None:
                    highlights.append(_selection_highlight(text_view, span, self._column.transcript_style))
                if highlights:
                    text_view.setExtraSelections(highlights)
                    highlighted.add(text_view)
        for text_view in (self._highlighted & live) - highlighted:
            text_view.setExtraSelections([])
        self._highlighted = highlighted


def _selection_highlight(
    text_view: TextWidget, span: tuple[int, int], style: TranscriptStyle
) -> QTextEdit.ExtraSelection:
    cursor = QTextCursor(text_view.document())
    cursor.setPosition(span[0])
    cursor.setPosition(min(span[1], last_position(text_view.document())), QTextCursor.MoveMode.KeepAnchor)
    extra = QTextEdit.ExtraSelection()
    extra.cursor = cursor
    extra.format = style.selection_format
    return extra


def _with_hidden_text(displayed: str, entry: Entry) -> str:
    """Return ``displayed``, the end of a message's laid-out text, with the folded text after it."""
    if entry.is_user:
        return displayed.removesuffix(ELLIPSIS) + entry.hidden_text
    return f"{displayed}\n\n{entry.hidden_text}".strip()


# The value of a selection across messages, as two points. Pure: no Qt.
#
# It may include messages outside the viewport, which have no widget.


class Point(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A position in the transcript: message, text widget of that message, character of that text."""

    message: int
    block: int
    position: int


END = 2**31 - 1
"""As ``block`` or ``position``: the last one."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """From the anchor, where the user started, to the caret; either may come first in the text."""

    anchor: Point
    caret: Point

    @property
    def start(self) -> Point:
        return min(self.anchor, self.caret)

    @property
    def end(self) -> Point:
        return max(self.anchor, self.caret)

    @property
    def is_empty(self) -> bool:
        return self.anchor == self.caret

    def moved_to(self, caret: Point) -> Selection:
        """Return the selection with another caret."""
        return Selection(anchor=self.anchor, caret=caret)

    def covers_whole(self, message: int) -> bool:
        """Return whether ``message`` is selected as a whole."""
        after_start = self.start.message < message or self.start == Point(
            message=message, block=0, position=0
        )
        before_end = self.end.message > message or self.end == Point(message=message, block=END, position=END)
        return after_start and before_end

    def span(self, message: int, *, block: int) -> tuple[int, int] | None:
        """Return the selected characters of one block, first and one past the last; ``None`` for none."""
        key = (message, block)
        if not (self.start.message, self.start.block) <= key <= (self.end.message, self.end.block):
            return None
        first = self.start.position if key == (self.start.message, self.start.block) else 0
        last = self.end.position if key == (self.end.message, self.end.block) else END
        return (first, last) if last > first else None


def everything(*, n_messages: int) -> Selection:
    """Return the selection of the whole conversation."""
    return Selection(
        anchor=Point(message=0, block=0, position=0),
        caret=Point(message=max(0, n_messages - 1), block=END, position=END),
    )
