"""The list of the most likely tokens at one position of an answer, with their probabilities."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionViewItem,
)

from fireside.core.generation import TokenProbability
from fireside.core.i18n import tr
from fireside.core.inspection import ScoredToken
from fireside.ui.answer_inspection.inspection_text import percent, piece_text, token_name
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.theme import Theme

_ROW: Final = 34
_BAR: Final = 3
_PIECE: Final = Qt.ItemDataRole.UserRole
_TAKEN: Final = Qt.ItemDataRole.UserRole + 1


class _Delegate(RowDelegate):
    def row_height(self, index: Index) -> float:  # noqa: ARG002 - every row has one height
        return _ROW

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        probability = index.data(_PIECE)
        assert isinstance(probability, TokenProbability)
        is_taken = bool(index.data(_TAKEN))
        option.state &= ~QStyle.StateFlag.State_HasFocus
        row.draw_background(box, option, marked="accent_soft", radius=7, inset=(1, 1))
        inner = box.adjusted(10, 3, -10, -3)
        width = max(2, round(inner.width() * math.exp(min(0.0, probability.logprob))))
        bar = QRectF(inner.left(), inner.bottom() - _BAR, width, _BAR)
        row.fill(bar, "accent" if is_taken else "dim", radius=1.5)
        words = inner.adjusted(0, 0, 0, -_BAR - 2)
        told = percent(probability.logprob)
        if is_taken:
            told = tr("chosen  {percent}").format(percent=told)
        words.setRight(row.draw_text(told, within=words, px=12, tint="mute", at_right=True) - 8)
        name = token_name(probability.piece, token=probability.token)
        row.draw_text(name, within=words, px=13, is_code=True)


class Alternatives(QListWidget):
    """Up and Down select; Return or a click emits ``token_selected`` for a token other than the answer's."""

    token_selected = Signal(int)
    """Id of the token with which a new answer shall continue."""
    left_pressed = Signal()
    """The Left key: the focus goes back to the text."""

    def __init__(self, *, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(tr("Alternatives"))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Delegate(theme=theme, view=self))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.itemClicked.connect(self._on_chosen)
        theme.changed.connect(self.viewport().update)

    def show_token(self, token: ScoredToken) -> None:
        """Show the candidates at the position of ``token``, the most likely first."""
        self.clear()
        candidates = list(token.top)
        if all(other.token != token.token for other in candidates):
            candidates.append(TokenProbability(token.token, token.piece, token.logprob))
        for candidate in candidates:
            is_taken = candidate.token == token.token
            name = piece_text(candidate.piece).strip() or token_name(candidate.piece, token=candidate.token)
            words = f"{name}, {percent(candidate.logprob)}"
            if is_taken:
                words = tr("{token}, chosen").format(token=words)
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
            self.left_pressed.emit()
        else:
            super().keyPressEvent(event)

    def _on_chosen(self, item: QListWidgetItem) -> None:
        candidate = item.data(_PIECE)
        if isinstance(candidate, TokenProbability) and not item.data(_TAKEN):
            self.token_selected.emit(candidate.token)
