"""The text of an answer with each token tinted by its probability; arrow keys go from token to token."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QTextEdit, QToolTip

from fireside.core.generation import OutputKind
from fireside.core.i18n import tr
from fireside.core.inspection import ScoredToken
from fireside.ui.answer_inspection.inspection_text import (
    accessible_token_text,
    alternatives_text,
    escape_invisible,
    level,
)
from fireside.ui.theme import theme
from fireside.ui.widgets.text import plain_tooltip

_TINTS: Final = (("ok", 0.0), ("warn", 0.0), ("warn", 0.22), ("danger", 0.22), ("danger", 0.42))
"""Colour and alpha for each level, from the most likely."""
_UNDERLINES: Final = (
    QTextCharFormat.UnderlineStyle.NoUnderline,
    QTextCharFormat.UnderlineStyle.DotLine,
    QTextCharFormat.UnderlineStyle.DashUnderline,
    QTextCharFormat.UnderlineStyle.SingleUnderline,
    QTextCharFormat.UnderlineStyle.WaveUnderline,
)
"""Underline of each level, for users who cannot distinguish the colours."""
_LINE_PERCENT: Final = 150.0
_MAX_TOKENS: Final = 20_000
"""Tokens that are shown at most: a longer answer would take seconds to lay out."""


def level_format(number: int) -> QTextCharFormat:
    """Return the character format of tokens of level ``number``."""
    name, strength = _TINTS[number]
    char_format = QTextCharFormat()
    char_format.setForeground(theme().colour("text"))
    if strength:
        tint = QColor(theme().colour(name))
        tint.setAlphaF(strength)
        char_format.setBackground(tint)
    char_format.setUnderlineStyle(_UNDERLINES[number])
    char_format.setUnderlineColor(theme().colour(name))
    return char_format


class TokenText(QTextEdit):
    """Shows tokens, one of them current. Arrow keys, Home, End or a click select another."""

    current_changed = Signal(int)
    """Index of the current token."""
    alternatives_requested = Signal()
    """Return was pressed: the focus goes to the list of alternatives."""

    def __init__(self) -> None:
        super().__init__()
        self._tokens: tuple[ScoredToken, ...] = ()
        self._starts: list[int] = []
        self._current = -1
        self.setReadOnly(True)
        self.setAccessibleName(tr("Answer tokens"))
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.document().setDocumentMargin(12)
        theme().changed.connect(self._draw)

    @property
    def current(self) -> int:
        return self._current

    def show_tokens(self, tokens: Sequence[ScoredToken]) -> None:
        """Show these tokens, with the least likely one current."""
        self._tokens = tuple(tokens[:_MAX_TOKENS])
        self._current = -1
        self._draw()
        if self._tokens:
            self.select_token(min(range(len(self._tokens)), key=lambda at: self._tokens[at].logprob))

    def select_token(self, at: int) -> None:
        """Make a token the current one."""
        at = min(max(at, 0), len(self._tokens) - 1)
        if at < 0:
            return
        self._current = at
        self._highlight_current()
        self.setAccessibleDescription(
            accessible_token_text(self._tokens[at], at=at, n_tokens=len(self._tokens))
        )
        self.current_changed.emit(at)

    def token_at(self, position: int) -> int | None:
        """Return the token that the character at ``position`` belongs to."""
        at = bisect_right(self._starts, position) - 1
        return at if 0 <= at < len(self._tokens) else None

    # Drawing

    def _draw(self) -> None:
        self.setFont(theme().ui_font(15))
        formats = [level_format(number) for number in range(len(_TINTS))]
        muted = [QTextCharFormat(char_format) for char_format in formats]
        for char_format in muted:
            char_format.setForeground(theme().colour("mute"))
            char_format.setFontItalic(True)
        self.clear()
        self._starts = []
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        spacing = QTextBlockFormat()
        spacing.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(spacing)
        for token, text in zip(self._tokens, _texts(self._tokens), strict=True):
            self._starts.append(cursor.position())
            kinds = formats if token.kind is OutputKind.ANSWER else muted
            cursor.insertText(text, kinds[level(token.logprob)])
        cursor.endEditBlock()
        if self._current >= 0:
            self._highlight_current()

    def _highlight_current(self) -> None:
        """Highlight the current token and scroll to it."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._starts[self._current])
        end = self._starts[self._current + 1] if self._current + 1 < len(self._starts) else None
        self.setTextCursor(QTextCursor(cursor))
        if end is None:
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        else:
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        frame = QTextEdit.ExtraSelection()
        frame.cursor = cursor
        char_format = QTextCharFormat()
        char_format.setBackground(theme().colour("accent"))
        char_format.setForeground(theme().colour("on_accent"))
        frame.format = char_format
        self.setExtraSelections([frame])
        self.ensureCursorVisible()

    # Keys and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: self._current - 1,
            Qt.Key.Key_Right: self._current + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self._tokens) - 1,
        }
        key = Qt.Key(event.key())
        if key in steps:
            self.select_token(steps[key])
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp):
            self._go_by_line(-1 if key is Qt.Key.Key_Up else -10)
        elif key is Qt.Key.Key_PageDown:
            self._go_by_line(10)
        elif key is Qt.Key.Key_Down:
            self._go_by_line(1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.alternatives_requested.emit()
        else:
            super().keyPressEvent(event)

    def _go_by_line(self, n_lines: int) -> None:
        cursor = self.textCursor()
        move = QTextCursor.MoveOperation.Up if n_lines < 0 else QTextCursor.MoveOperation.Down
        cursor.movePosition(move, QTextCursor.MoveMode.MoveAnchor, abs(n_lines))
        at = self.token_at(cursor.position())
        if at is not None:
            self.select_token(at)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.token_at(self._position(event.position().toPoint()))
        if at is not None and event.button() is Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.select_token(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._current < 0:
            self.select_token(0)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            at = self.token_at(self._position(event.pos()))
            if at is not None:
                QToolTip.showText(event.globalPos(), plain_tooltip(alternatives_text(self._tokens[at])), self)
            return True
        return super().viewportEvent(event)

    def _position(self, point: QPoint) -> int:
        return self.cursorForPosition(point).position()


def _texts(tokens: Sequence[ScoredToken]) -> list[str]:
    """Return the text of each token; a character that spans several tokens is with the last of them."""
    characters = codecs.getincrementaldecoder("utf-8")("replace")
    return [escape_invisible(characters.decode(token.piece)) for token in tokens]
