"""The sheet with the probability of each token of an answer; selecting another token continues from there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionViewItem,
    QTextEdit,
    QWidget,
)

from fireside.core.errors import ErrorInfo
from fireside.core.generation import TokenProbability
from fireside.core.i18n import tr
from fireside.core.inspection import AnswerProbabilities, ScoredToken
from fireside.ui.answer_inspection.inspection_text import (
    level_labels,
    percent,
    piece_text,
    scores_summary,
    token_name,
)
from fireside.ui.answer_inspection.token_text import TokenText, level_format
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import SPACE_L, theme
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel

if TYPE_CHECKING:
    from fireside.ui.answer_inspection.inspection_controller import InspectionController

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


_LIST_WIDTH = 240
_LEGEND_HEIGHT = 26


class ProbabilitySheet(Sheet):
    """Open it with ``open()``; then call ``show_progress``, and ``show_scores`` or ``show_error``."""

    def __init__(self, actions: InspectionController, *, parent: QWidget) -> None:
        super().__init__(tr("Token probabilities"), parent=parent, size=SheetSize.LARGE, fills=True)
        self._actions = actions
        self._scores: AnswerProbabilities | None = None
        self.summary = WrappedLabel(tr("Computing probabilities…"), role="mute")
        self.progress = ProgressBar(name=tr("Progress"))
        self.legend = _Legend()
        self.text = TokenText()
        self.text.current_changed.connect(self._on_current)
        self.token = WrappedLabel(role="strong")
        self.alternatives = Alternatives()
        self.alternatives.token_selected.connect(self._on_token_selected)
        self.alternatives.left_pressed.connect(self.text.setFocus)
        self.text.alternatives_requested.connect(self.alternatives.setFocus)
        self.close_button = self.make_button(tr("Cancel"), self.reject)
        self.rejected.connect(self._on_rejected)
        hint = tr("Click a token to branch from here.")
        side = boxed(column(self.token, stretch(self.alternatives), WrappedLabel(hint, role="small")))
        side.setFixedWidth(_LIST_WIDTH)
        self._body = boxed(row(stretch(self.text), side, spacing=SPACE_L))
        self._body.hide()
        self.legend.hide()
        self.set_content(
            self.summary,
            self.progress,
            self.legend,
            stretch(self._body),
            stretch(),
            heading=tr("Token probabilities"),
            buttons=(self.close_button,),
        )

    # Results

    def show_progress(self, fraction: float) -> None:
        """Show the progress, 0 to 1."""
        self.progress.set_fraction(fraction)

    def show_scores(self, scores: AnswerProbabilities) -> None:
        """Show the probabilities of all tokens."""
        self._scores = scores
        self.summary.setText(scores_summary(scores))
        self.progress.hide()
        self.show_status("")
        self.close_button.set_label(tr("Close"))
        self._body.setVisible(bool(scores.tokens))
        self.legend.setVisible(bool(scores.tokens))
        self.text.show_tokens(scores.tokens)
        self.text.setFocus()

    def show_error(self, error: ErrorInfo) -> None:
        """Show why there are no probabilities, or why no other answer could be started."""
        self.show_status(error.sentence)
        self.progress.hide()
        if self._scores is None:
            self.summary.setText("")
        self.close_button.set_label(tr("Close"))

    # Handlers

    def _on_current(self, at: int) -> None:
        if self._scores is None:
            return
        token = self._scores.tokens[at]
        name = token_name(token.piece, token=token.token)
        text = tr("“{token}”   {percent}").format(token=name, percent=percent(token.logprob))
        self.token.setText(text)
        self.alternatives.show_token(token)

    def _on_token_selected(self, token: int) -> None:
        if self._scores is None:
            return
        before = tuple(scored.token for scored in self._scores.tokens[: self.text.current])
        self._actions.continue_from((*before, token))

    def _on_rejected(self) -> None:
        if self._scores is None:
            self._actions.cancel_scoring()


class _Legend(QTextEdit):
    """The legend of the probability levels, drawn like the tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setAccessibleName(tr("Colours: {levels}").format(levels=", ".join(level_labels())))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        theme().changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self.setFixedHeight(theme().scaled(_LEGEND_HEIGHT))
        self.setFont(theme().ui_font(12))
        self.clear()
        cursor = QTextCursor(self.document())
        for number, label in enumerate(level_labels()):
            plain = level_format(0)
            cursor.insertText(f" {label} ", level_format(number))
            cursor.insertText("    ", plain)
