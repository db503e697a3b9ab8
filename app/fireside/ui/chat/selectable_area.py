"""Mouse and keyboard over a column of messages: selection, links, focus, scrolling, the context menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QMenu, QTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.ui.chat.conversation_find import Finding
from fireside.ui.chat.inline_notices import copy_to_clipboard
from fireside.ui.chat.links import LinkDialog, OpenUrl, ask_to_open
from fireside.ui.chat.message import MessageView
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.plain_copy import plain_words
from fireside.ui.chat.selection import Point
from fireside.ui.chat.selection_controller import Selecting
from fireside.ui.chat.transcript_style import Look

_LINE_STEP = 48

_Move = QTextCursor.MoveOperation
_CARET_MOVES: dict[tuple[Qt.Key, bool], tuple[QTextCursor.MoveOperation, bool]] = {
    (Qt.Key.Key_Left, False): (_Move.PreviousCharacter, False),
    (Qt.Key.Key_Right, False): (_Move.NextCharacter, True),
    (Qt.Key.Key_Up, False): (_Move.Up, False),
    (Qt.Key.Key_Down, False): (_Move.Down, True),
    (Qt.Key.Key_Left, True): (_Move.PreviousWord, False),
    (Qt.Key.Key_Right, True): (_Move.NextWord, True),
    (Qt.Key.Key_Home, False): (_Move.StartOfLine, False),
    (Qt.Key.Key_End, False): (_Move.EndOfLine, True),
}
"""Key and Control, with Shift held: how the selection's end moves, and whether that is forward."""


class ReadingArea(QAbstractScrollArea):
    """Reads like one page though it is made of many widgets. A subclass says what lies where."""

    finding: Finding
    typed = Signal(str)
    """A person began to write while the conversation had the keyboard."""

    def __init__(self, *, open_url: OpenUrl, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._open_url = open_url
        self._dialog: LinkDialog | None = None
        self.selecting = Selecting(self, parent=self)
        self.setObjectName("transcript")
        self.viewport().setObjectName("transcriptView")
        self.setAccessibleName(tr("Conversation"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(_LINE_STEP)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)

    @property
    def entries(self) -> Sequence[Entry]:
        raise NotImplementedError

    @property
    def live(self) -> Mapping[int, MessageView]:
        raise NotImplementedError

    @property
    def look(self) -> Look:
        raise NotImplementedError

    def view_of(self, index: int) -> MessageView:
        raise NotImplementedError

    def index_at(self, y: int) -> int:
        raise NotImplementedError

    def show_message(self, index: int) -> None:
        raise NotImplementedError

    # Where things are; positions are global

    def point_at(self, position: QPoint) -> Point | None:
        """The place in the text nearest to ``position``."""
        if not self.entries:
            return None
        index = self.index_at(self.viewport().mapFromGlobal(position).y())
        edits = self.view_of(index).edits
        if not edits:
            return Point(message=index, block=0, position=0)
        block = 0
        for number, edit in enumerate(edits):
            if edit.mapFromGlobal(position).y() >= 0:
                block = number
        edit = edits[block]
        place = edit.cursorForPosition(edit.viewport().mapFromGlobal(position)).position()
        return Point(message=index, block=block, position=place)

    def overshoot(self, position: QPoint) -> int:
        """Pixels by which ``position`` lies above (negative) or below the visible part."""
        y = self.viewport().mapFromGlobal(position).y()
        return min(0, y) or max(0, y - self.viewport().height() + 1)

    def scroll_by(self, pixels: int) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + pixels)

    def _edit_under(self, position: QPoint) -> QTextEdit | None:
        for view in self.live.values():
            if not view.rect().contains(view.mapFromGlobal(position)):
                continue
            for edit in view.edits:
                if edit.viewport().rect().contains(edit.viewport().mapFromGlobal(position)):
                    return edit
        return None

    def _link_under(self, position: QPoint) -> str:
        edit = self._edit_under(position)
        return edit.anchorAt(edit.viewport().mapFromGlobal(position)) if edit is not None else ""

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection, wherever on the page."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.selecting.press(event.globalPosition().toPoint(), extend=extend)
        self.selecting.mark(self.look)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry the selection along, or show what a click would do."""
        position = event.globalPosition().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.selecting.drag(position)
            self.selecting.mark(self.look)
            return
        if self._link_under(position):
            shape = Qt.CursorShape.PointingHandCursor
        elif self._edit_under(position) is not None:
            shape = Qt.CursorShape.IBeamCursor
        else:
            shape = Qt.CursorShape.ArrowCursor
        if self.viewport().cursor().shape() is not shape:
            self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a selection; a click that moved nowhere follows the link under it."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        position = event.globalPosition().toPoint()
        if self.selecting.release(position) and (url := self._link_under(position)):
            self._dialog = ask_to_open(url, open_url=self._open_url, parent=self.window())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.selecting.double_click(event.globalPosition().toPoint())
            self.selecting.mark(self.look)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the text."""
        menu = self.make_menu(event.globalPos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def make_menu(self, position: QPoint) -> QMenu:
        """Return the menu for a right click at a global position."""
        menu = QMenu(self)
        has_text = not self.selecting.is_empty
        for text, act, enabled in (
            (tr("Copy"), self.copy, has_text),
            (tr("Copy as plain text"), self.copy_plain, has_text),
            (tr("Select all"), self.select_all, bool(self.entries)),
        ):
            action = QAction(text, menu)
            action.setEnabled(enabled)
            action.triggered.connect(act)
            menu.addAction(action)
        if url := self._link_under(position):
            menu.addSeparator()
            link = QAction(tr("Copy link address"), menu)
            link.triggered.connect(lambda: copy_to_clipboard(url))
            menu.addAction(link)
        return menu

    # Commands

    def copy(self) -> None:
        """Copy what is selected, as Markdown."""
        if not self.selecting.is_empty:
            copy_to_clipboard(self.selecting.markdown())

    def copy_plain(self) -> bool:
        """Copy without markup: what is selected, else the message with the focus, else the last answer.

        Returns whether there was anything.
        """
        words = self._plain_words()
        if words:
            copy_to_clipboard(words)
        return bool(words)

    def _plain_words(self) -> str:
        if not self.selecting.is_empty:
            return self.selecting.text()
        if (index := self.focused_index()) is not None:
            return plain_words(self.entries[index])
        return next((plain_words(entry) for entry in reversed(self.entries) if not entry.is_user), "")

    def select_all(self) -> None:
        """Select the whole conversation."""
        self.selecting.select_all()
        self.selecting.mark(self.look)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, select, copy, or go from message to message (J and K, or Control with Down and Up).

        Other letters are the beginning of a message.
        """
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif shift and (move := _CARET_MOVES.get((key, control))) is not None:
            self.selecting.move_caret(move[0], forward=move[1])
            self.selecting.mark(self.look)
        elif control and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.focus_message(1 if key is Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_J, Qt.Key.Key_K) and modifiers == Qt.KeyboardModifier.NoModifier:
            self.focus_message(1 if key is Qt.Key.Key_J else -1)
        elif key is Qt.Key.Key_F3:
            self.finding.step(-1 if shift else 1)
        elif self._scroll_key(key):
            return
        elif _is_writing(event):
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def _scroll_key(self, key: Qt.Key) -> bool:
        bar = self.verticalScrollBar()
        page = max(_LINE_STEP, bar.pageStep() - _LINE_STEP)
        match key:
            case Qt.Key.Key_Up:
                self.scroll_by(-_LINE_STEP)
            case Qt.Key.Key_Down:
                self.scroll_by(_LINE_STEP)
            case Qt.Key.Key_PageUp:
                self.scroll_by(-page)
            case Qt.Key.Key_PageDown:
                self.scroll_by(page)
            case Qt.Key.Key_Home:
                bar.setValue(0)
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case _:
                return False
        return True

    def focus_message(self, step: int) -> None:
        """Move the keyboard focus to the next (1) or previous (-1) message, starting at the last visible."""
        if not self.entries:
            return
        focused = self.focused_index()
        if focused is None:
            wanted = self.index_at(self.viewport().height() - 1 if step < 0 else 0)
        else:
            wanted = max(0, min(len(self.entries) - 1, focused + step))
        self.show_message(wanted)
        self.view_of(wanted).setFocus(Qt.FocusReason.TabFocusReason)

    def focused_index(self) -> int | None:
        """Message that has the keyboard focus, itself or one of its buttons."""
        focus = QApplication.focusWidget()
        for index, view in self.live.items():
            if focus is not None and (focus is view or view.isAncestorOf(focus)):
                return index
        return None


def _is_writing(event: QKeyEvent) -> bool:
    """Whether a key writes something; the space bar presses buttons, and a shortcut writes nothing."""
    held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    if held not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.GroupSwitchModifier):
        return False
    return event.text().isprintable() and bool(event.text().strip())
