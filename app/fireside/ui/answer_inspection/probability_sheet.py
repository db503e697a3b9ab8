"""The sheet with the probability of each token of an answer; selecting another token continues from there."""

from __future__ import annotations

import codecs
import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
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
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionViewItem,
    QTextEdit,
    QToolTip,
    QWidget,
)

from fireside.core.errors import ErrorInfo
from fireside.core.generation import OutputKind, TokenProbability
from fireside.core.i18n import tr
from fireside.core.inspection import AnswerProbabilities, ScoredToken
from fireside.ui.answer_inspection.inspection_text import (
    accessible_token_text,
    alternatives_text,
    escape_invisible,
    level,
    level_labels,
    percent,
    piece_text,
    scores_summary,
    token_name,
)
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import SPACE_L, theme
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel, plain_tooltip

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


# The text of an answer with each token tinted by its probability; arrow keys go from token to token


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
