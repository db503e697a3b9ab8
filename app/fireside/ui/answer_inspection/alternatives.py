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
from fireside.ui.theme import theme

_ROW: Final = 34
_BAR: Final = 3
_CANDIDATE: Final = Qt.ItemDataRole.UserRole
_IS_CHOSEN: Final = Qt.ItemDataRole.UserRole + 1


class _Delegate(RowDelegate):
    def row_height(self, index: Index) -> float:  # noqa: ARG002 - every row has one height
        return _ROW

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        probability = index.data(_CANDIDATE)
        assert isinstance(probability, TokenProbability)
        is_chosen = bool(index.data(_IS_CHOSEN))
        option.state &= ~QStyle.StateFlag.State_HasFocus
        row.draw_background(box, option, marked="accent_soft", radius=7, inset=(1, 1))
        inner = box.adjusted(10, 3, -10, -3)
        width = max(2, round(inner.width() * math.exp(min(0.0, probability.logprob))))
        bar = QRectF(inner.left(), inner.bottom() - _BAR, width, _BAR)
        row.fill(bar, "accent" if is_chosen else "dim", radius=1.5)
        text_rect = inner.adjusted(0, 0, 0, -_BAR - 2)
        share = percent(probability.logprob)
        if is_chosen:
            share = tr("chosen  {percent}").format(percent=share)
        text_rect.setRight(row.draw_text(share, within=text_rect, px=12, tint="mute", at_right=True) - 8)
        name = token_name(probability.piece, token=probability.token)
        row.draw_text(name, within=text_rect, px=13, is_code=True)


class Alternatives(QListWidget):
    """Up and Down select; Return or a click emits ``token_selected`` for a token other than the answer's."""

    token_selected = Signal(int)
    """Id of the token with which a new answer is to continue."""
    left_pressed = Signal()
    """The Left key: the focus goes back to the text."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Alternatives"))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Delegate(view=self))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.itemClicked.connect(self._on_chosen)
        theme().changed.connect(self.viewport().update)

    def show_token(self, token: ScoredToken) -> None:
        """Show the candidates at the position of ``token``, the most likely first."""
        self.clear()
        candidates = list(token.top)
        if all(other.token != token.token for other in candidates):
            candidates.append(TokenProbability(token.token, token.piece, token.logprob))
        for candidate in candidates:
            is_chosen = candidate.token == token.token
            name = piece_text(candidate.piece).strip() or token_name(candidate.piece, token=candidate.token)
            label = f"{name}, {percent(candidate.logprob)}"
            if is_chosen:
                label = tr("{token}, chosen").format(token=label)
            item = QListWidgetItem(label)
            item.setData(_CANDIDATE, candidate)
            item.setData(_IS_CHOSEN, is_chosen)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, label)
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
        candidate = item.data(_CANDIDATE)
        if isinstance(candidate, TokenProbability) and not item.data(_IS_CHOSEN):
            self.token_selected.emit(candidate.token)
