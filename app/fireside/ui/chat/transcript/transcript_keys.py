"""The keys of the transcript: scroll, select, copy, find, go between messages and branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QScrollBar

from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.transcript.conversation_find import FindController
from fireside.ui.chat.transcript.message_column import MessageColumn
from fireside.ui.chat.transcript.selection_controller import SelectionController

if TYPE_CHECKING:
    from fireside.ui.chat.transcript.transcript import Transcript

LINE_STEP = 48
"""Pixels that one line scrolls."""

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
_BRANCH_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_MESSAGE_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_READING_STEPS = {**_MESSAGE_STEPS, Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_MESSAGE_LETTERS = {Qt.Key.Key_K: -1, Qt.Key.Key_J: 1}


class TranscriptKeys:
    """Maps keys to the transcript's column, selection and finder. GUI thread only."""

    def __init__(
        self,
        column: MessageColumn,
        selection: SelectionController,
        finder: FindController,
        *,
        bar: QScrollBar,
        handler: Transcript,
    ) -> None:
        self._column = column
        self._selection = selection
        self._finder = finder
        self._bar = bar
        self._handler = handler

    def handle(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it has a meaning here."""
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        focused = self._column.focused_index()
        if modifiers == Qt.KeyboardModifier.AltModifier and key in _BRANCH_STEPS and focused is not None:
            self._column.view_of(focused).step_branch(_BRANCH_STEPS[key])
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._selection.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.select_all()
        elif shift and (move := _CARET_MOVES.get((key, control))) is not None:
            self._selection.move_caret(move[0], forward=move[1])
        elif control and key in _MESSAGE_STEPS:
            self._focus_message(_MESSAGE_STEPS[key])
        elif key in _MESSAGE_LETTERS and modifiers == Qt.KeyboardModifier.NoModifier:
            self._focus_message(_MESSAGE_LETTERS[key])
        elif key is Qt.Key.Key_Delete and focused is not None and not modifiers:
            self._delete(focused)
        elif key is Qt.Key.Key_F3:
            self._finder.step(-1 if shift else 1)
        else:
            return self._scroll(key) if focused is None or modifiers else self._read(key, focused)
        return True

    def focus_last_visible(self) -> None:
        """Focus the last visible message."""
        if self._column.entries:
            self._focus(self._column.index_at(self._bar.pageStep() - 1))

    @staticmethod
    def writes_text(event: QKeyEvent) -> bool:
        """Return whether a key enters text; Space, which presses buttons, and shortcuts do not."""
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if held not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.GroupSwitchModifier):
            return False
        return event.text().isprintable() and bool(event.text().strip())

    def _read(self, key: Qt.Key, focused: int) -> bool:
        """Scroll through the message that has the focus; past its end, focus the next."""
        step, view = _READING_STEPS.get(key, 0), self._column.view_of(focused)
        if (step < 0 and view.y() >= 0) or (step > 0 and view.geometry().bottom() <= self._bar.pageStep()):
            self._focus_message(step)
            return True
        return self._scroll(key)

    def _scroll(self, key: Qt.Key) -> bool:
        bar = self._bar
        page = max(LINE_STEP, bar.pageStep() - LINE_STEP)
        match key:
            case Qt.Key.Key_Up:
                bar.setValue(bar.value() - LINE_STEP)
            case Qt.Key.Key_Down:
                bar.setValue(bar.value() + LINE_STEP)
            case Qt.Key.Key_PageUp:
                bar.setValue(bar.value() - page)
            case Qt.Key.Key_PageDown:
                bar.setValue(bar.value() + page)
            case Qt.Key.Key_Home:
                bar.setValue(0)
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case _:
                return False
        return True

    def _delete(self, index: int) -> None:
        entry = self._column.entries[index]
        if MessageAction.DELETE_ONLY in self._handler.message_actions.possible(entry):
            self._handler.act(entry.message.id, MessageAction.DELETE_ONLY)

    def _focus_message(self, step: int) -> None:
        """Focus the next (1) or previous (-1) message, starting at the last visible."""
        entries = self._column.entries
        if not entries:
            return
        focused = self._column.focused_index()
        if focused is None:
            target = self._column.index_at(self._bar.pageStep() - 1 if step < 0 else 0)
        else:
            target = max(0, min(len(entries) - 1, focused + step))
        self._focus(target)

    def _focus(self, index: int) -> None:
        self._column.show_message(index)
        self._column.view_of(index).setFocus(Qt.FocusReason.TabFocusReason)
