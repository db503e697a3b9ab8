"""Turn mouse and keys into a selection across messages, and mark it on those that are on the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, QTimer
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QTextEdit

from fireside.ui.chat.message import MessageView
from fireside.ui.chat.message_item import FOLDED, Entry
from fireside.ui.chat.plain_copy import plain_words
from fireside.ui.chat.selected_text import last_position, text_between
from fireside.ui.chat.selection import END, Point, Selection, everything
from fireside.ui.chat.transcript_style import Look

_AUTO_SCROLL_MS = 30
Marks = Callable[[int, int, QTextEdit], list[QTextEdit.ExtraSelection]]
"""Message, number of the text in it, the text."""
_DRAG_PIXELS = 4


class Page(Protocol):
    """What selecting needs of the transcript."""

    @property
    def entries(self) -> Sequence[Entry]: ...

    @property
    def live(self) -> Mapping[int, MessageView]:
        """Messages that have a widget, by index."""

    def view_of(self, index: int) -> MessageView:
        """The widget of a message, made for the purpose if it is not on the screen."""

    def point_at(self, position: QPoint) -> Point | None:
        """The place in the text nearest to a global position."""

    def overshoot(self, position: QPoint) -> int:
        """Pixels by which a global position lies above (negative) or below the page."""

    def scroll_by(self, pixels: int) -> None: ...


class Selecting(QObject):
    """The selection of one transcript. GUI thread only."""

    def __init__(self, page: Page, *, parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self.below: Marks = lambda _message, _block, _edit: []
        """What else is marked in a text, below the selection."""
        self._selection: Selection | None = None
        self._marked: set[QTextEdit] = set()
        self._pressed_at: QPoint | None = None
        self._drag_at = QPoint()
        self._since_double = QElapsedTimer()
        self._scroll = QTimer(self, interval=_AUTO_SCROLL_MS)
        self._scroll.timeout.connect(self._on_auto_scroll)

    @property
    def selection(self) -> Selection | None:
        return self._selection

    @property
    def is_empty(self) -> bool:
        return self._selection is None or self._selection.is_empty

    def clear(self) -> None:
        self._selection = None
        self._scroll.stop()
        self._pressed_at = None

    def leave(self, message: int) -> None:
        """Forget a selection that reaches into a message whose blocks are not what they were."""
        selection = self._selection
        if selection is not None and selection.start.message <= message <= selection.end.message:
            self.clear()

    # Mouse; positions are global

    def press(self, position: QPoint, *, extend: bool) -> None:
        """Begin at ``position``, or move the end there."""
        point = self._page.point_at(position)
        if point is None:
            return
        self._pressed_at = position
        if self._since_double.isValid() and not self._since_double.hasExpired(_double_click_ms()):
            self._since_double.invalidate()
            self._select_unit(point, QTextCursor.SelectionType.BlockUnderCursor)
            return
        if extend and self._selection is not None:
            self._selection = self._selection.moved_to(point)
        else:
            self._selection = Selection(anchor=point, caret=point)

    def drag(self, position: QPoint) -> None:
        """Move the end to ``position``; beyond an edge the page scrolls along."""
        if self._pressed_at is None or self._selection is None:
            return
        if (position - self._pressed_at).manhattanLength() < _DRAG_PIXELS:
            return
        self._drag_at = position
        point = self._page.point_at(position)
        if point is not None:
            self._selection = self._selection.moved_to(point)
        if self._page.overshoot(position):
            self._scroll.start()
        else:
            self._scroll.stop()

    def release(self, position: QPoint) -> bool:
        """End a drag. Returns whether it was a click that moved nowhere."""
        pressed_at, self._pressed_at = self._pressed_at, None
        self._scroll.stop()
        if pressed_at is None or not self.is_empty:
            return False
        return (position - pressed_at).manhattanLength() < _DRAG_PIXELS

    def double_click(self, position: QPoint) -> None:
        """Select the word at ``position``; a third click soon after selects the paragraph."""
        point = self._page.point_at(position)
        if point is not None:
            self._pressed_at = position
            self._select_unit(point, QTextCursor.SelectionType.WordUnderCursor)
            self._since_double.start()

    def _select_unit(self, point: Point, unit: QTextCursor.SelectionType) -> None:
        view = self._page.view_of(point.message)
        cursor = QTextCursor(view.edits[point.block].document())
        cursor.setPosition(point.position)
        if unit is QTextCursor.SelectionType.BlockUnderCursor:
            cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        else:
            cursor.select(unit)
        self._selection = Selection(
            anchor=Point(message=point.message, block=point.block, position=cursor.selectionStart()),
            caret=Point(message=point.message, block=point.block, position=cursor.selectionEnd()),
        )

    def _on_auto_scroll(self) -> None:
        overshoot = self._page.overshoot(self._drag_at)
        self._page.scroll_by(max(-60, min(60, overshoot)))
        self.drag(self._drag_at)

    # Keys

    def select_all(self) -> None:
        if self._page.entries:
            self._selection = everything(n_messages=len(self._page.entries))

    def move_caret(self, operation: QTextCursor.MoveOperation, *, forward: bool) -> None:
        """Move the end of the selection; past the end of a block it goes on in the next one."""
        if self._selection is None:
            return
        caret = self._located(self._selection.caret)
        cursor = QTextCursor(self._page.view_of(caret.message).edits[caret.block].document())
        cursor.setPosition(caret.position)
        if cursor.movePosition(operation):
            moved: Point | None = Point(message=caret.message, block=caret.block, position=cursor.position())
        else:
            moved = self._neighbour(caret, forward=forward)
        if moved is not None:
            self._selection = self._selection.moved_to(moved)

    def _located(self, point: Point) -> Point:
        """Return ``point`` with ``END`` made a number."""
        edits = self._page.view_of(point.message).edits
        block = min(point.block, len(edits) - 1)
        last = last_position(edits[block].document())
        return Point(message=point.message, block=block, position=min(point.position, last))

    def _neighbour(self, point: Point, *, forward: bool) -> Point | None:
        message, block = point.message, point.block + (1 if forward else -1)
        while not 0 <= block < len(self._page.view_of(message).edits):
            message += 1 if forward else -1
            if not 0 <= message < len(self._page.entries):
                return None
            block = 0 if forward else len(self._page.view_of(message).edits) - 1
        place = Point(message=message, block=block, position=0 if forward else END)
        return self._located(place)

    # Text

    def text(self) -> str:
        """What is selected, as it looks."""
        return "\n\n".join(self._parts(as_markdown=False))

    def markdown(self) -> str:
        """What is selected, messages and blocks that are selected whole as they were written.

        A block by itself is copied as it looks: who selects a line of code wants no fences around it.
        """
        parts = self._parts(as_markdown=True)
        return "\n\n".join(parts) if len(parts) > 1 or self._holds_message else self.text()

    @property
    def _holds_message(self) -> bool:
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
            entry = self._page.entries[index]
            if selection.covers_whole(index):
                out.append(entry.text if as_markdown else plain_words(entry))
                continue
            view = self._page.view_of(index)
            for block, edit in enumerate(view.edits):
                span = selection.span(index, block=block)
                if span is None:
                    continue
                whole = span[0] == 0 and span[1] >= last_position(edit.document())
                source = view.source_of(block) if whole and as_markdown else None
                text = source if source is not None else text_between(edit.document(), *span).strip("\n")
                if span[0] == 0 and out and view.continues(block):
                    out[-1] += f"\n{text}"
                else:
                    out.append(text)
            if out and entry.n_hidden and selection.end.message > index:
                out[-1] = _unfolded(out[-1], entry)  # nobody sees how much the fold keeps back
        return [part for part in out if part]

    # Marks

    def mark(self, look: Look) -> None:
        """Show the selection on the messages that have widgets."""
        tr_noop: set[QTextEdit] = set()
        selection = None if self.is_empty else self._selection
        for index, view in self._page.live.items():
            for block, edit in enumerate(view.edits):
                marks = self.below(index, block, edit)
                if selection is not None and (span := selection.span(index, block=block)) is not None:
                    marks.append(_mark(edit, span, look))
                if marks:
                    edit.setExtraSelections(marks)
                    tr_noop.add(edit)
        live = {edit for view in self._page.live.values() for edit in view.edits}
        for edit in (self._marked & live) - tr_noop:
            edit.setExtraSelections([])
        self._marked = tr_noop


def _mark(edit: QTextEdit, span: tuple[int, int], look: Look) -> QTextEdit.ExtraSelection:
    cursor = QTextCursor(edit.document())
    cursor.setPosition(span[0])
    cursor.setPosition(min(span[1], last_position(edit.document())), QTextCursor.MoveMode.KeepAnchor)
    extra = QTextEdit.ExtraSelection()
    extra.cursor = cursor
    extra.format = look.selection
    return extra


def _unfolded(shown: str, entry: Entry) -> str:
    """Return ``shown``, the end of what is laid out of a message, with what is folded away after it."""
    if entry.is_user:
        return shown.removesuffix(FOLDED) + entry.hidden_text
    return f"{shown}\n\n{entry.hidden_text}".strip()


def _double_click_ms() -> int:
    return QGuiApplication.styleHints().mouseDoubleClickInterval()
