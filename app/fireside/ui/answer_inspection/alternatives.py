"""The likeliest tokens at one place of an answer, each with its probability; Return takes another one."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from fireside.core.generation import TokenProbability
from fireside.core.i18n import tr
from fireside.core.inspection import ScoredToken
from fireside.ui.answer_inspection.inspection_text import percent, piece_words, token_name
from fireside.ui.theme import Theme

_ROW: Final = 34
_BAR: Final = 3
_PIECE: Final = Qt.ItemDataRole.UserRole
_TAKEN: Final = Qt.ItemDataRole.UserRole + 1


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002 - Qt's signature
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002
    ) -> QSize:
        return QSize(100, self._theme.scaled(_ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        probability = index.data(_PIECE)
        assert isinstance(probability, TokenProbability)
        is_taken = bool(index.data(_TAKEN))
        area = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        state = option.state
        if state & QStyle.StateFlag.State_Selected or state & QStyle.StateFlag.State_MouseOver:
            name = "accent_soft" if state & QStyle.StateFlag.State_Selected else "hover"
            painter.setBrush(self._theme.colour(name))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 7, 7)
        inner = area.adjusted(10, 3, -10, -3)
        share = math.exp(min(0.0, probability.logprob))
        painter.setBrush(self._theme.colour("accent" if is_taken else "dim"))
        width = max(2, round(inner.width() * share))
        painter.drawRoundedRect(QRect(inner.left(), inner.bottom() - _BAR, width, _BAR), 1.5, 1.5)
        words = inner.adjusted(0, 0, 0, -_BAR - 2)
        painter.setFont(self._theme.ui_font(12))
        painter.setPen(self._theme.colour("mute"))
        told = percent(probability.logprob)
        if is_taken:
            told = tr("taken  {percent}").format(percent=told)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, told)
        words.setRight(words.right() - painter.fontMetrics().horizontalAdvance(told) - 8)
        font = self._theme.mono_font(13)
        font.setFeature(QFont.Tag("calt"), 0)  # a ligature would show “->” as another character
        painter.setFont(font)
        painter.setPen(self._theme.colour("text"))
        name = token_name(probability.piece, token=probability.token)
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.restore()


class Alternatives(QListWidget):
    """Up and Down choose, Return or a click continues from what is chosen."""

    taken = Signal(int)
    """Id of a token that the answer is to go on with instead."""
    left = Signal()
    """Left: the keyboard goes back to the text."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What else there might have been"))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Delegate(theme, self))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.itemClicked.connect(self._on_chosen)
        theme.changed.connect(self.viewport().update)

    def show_token(self, token: ScoredToken) -> None:
        """Show the candidates at the place of ``token``, the likeliest first."""
        self.clear()
        candidates = list(token.top)
        if all(other.token != token.token for other in candidates):
            candidates.append(TokenProbability(token.token, token.piece, token.logprob))
        for candidate in candidates:
            is_taken = candidate.token == token.token
            name = piece_words(candidate.piece).strip() or token_name(candidate.piece, token=candidate.token)
            words = f"{name}, {percent(candidate.logprob)}"
            if is_taken:
                words = tr("{token}, taken").format(token=words)
            item = QListWidgetItem(words)
            item.setData(_PIECE, candidate)
            item.setData(_TAKEN, is_taken)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)
            self.addItem(item)
        self.setCurrentRow(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if (item := self.currentItem()) is not None:
                self._on_chosen(item)
        elif key is Qt.Key.Key_Left:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _on_chosen(self, item: QListWidgetItem) -> None:
        candidate = item.data(_PIECE)
        if isinstance(candidate, TokenProbability) and not item.data(_TAKEN):
            self.taken.emit(candidate.token)
