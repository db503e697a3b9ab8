"""How sure the model was of each token of an answer, and a way to go on from another one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.core.inspection import AnswerProbabilities
from fireside.ui.answer_inspection.alternatives import Alternatives
from fireside.ui.answer_inspection.inspection_text import level_words, percent, summary_words, token_name
from fireside.ui.answer_inspection.token_text import TokenText, level_format
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import Label, WrappedLabel

_LIST_WIDTH = 240
_LEGEND_HEIGHT = 26


class ProbabilitySheet(QDialog):
    """Open it with ``open()``; then tell it how far the computation is, and what came of it."""

    cancelled = Signal()
    """It was closed, or cancelled, before there was anything to show."""
    continued = Signal(object)
    """Ids of the tokens that another answer is to begin with: a tuple."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Token probabilities"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._scores: AnswerProbabilities | None = None
        self.summary = WrappedLabel(tr("The model reads its answer once more…"), role="mute")
        self.problem = WrappedLabel(role="error")
        self.problem.hide()
        self.progress = ProgressBar(name=tr("How far the model is"), theme=theme)
        self.legend = _Legend(theme=theme)
        self.text = TokenText(theme=theme)
        self.text.current_changed.connect(self._on_current)
        self.text.list_wanted.connect(self._on_list_wanted)
        self.token = Label(role="strong")
        self.token.setWordWrap(True)
        self.alternatives = Alternatives(theme=theme)
        self.alternatives.taken.connect(self._on_taken)
        self.alternatives.left.connect(self.text.setFocus)
        self.close_button = Button(tr("Cancel"), theme=theme)
        self.close_button.clicked.connect(self.reject)
        self.rejected.connect(self._on_rejected)
        self._lay_out()
        self.resize(min(860, parent.width() - 40), min(640, parent.height() - 40))

    def _lay_out(self) -> None:
        self._side = QWidget()
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(SPACE_S)
        side.addWidget(self.token)
        side.addWidget(self.alternatives, 1)
        hint = tr(
            "Click one, or press Return on it: another answer begins with all up to here and that token."
        )
        side.addWidget(WrappedLabel(hint, role="small"))
        self._side.setFixedWidth(_LIST_WIDTH)
        self._body = QWidget()
        body = QHBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(SPACE_L)
        body.addWidget(self.text, 1)
        body.addWidget(self._side)
        self._body.hide()
        self.legend.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(Label(tr("How sure the model was"), role="title"))
        for widget in (self.summary, self.problem, self.progress, self.legend):
            column.addWidget(widget)
        column.addWidget(self._body, 1)
        column.addStretch()
        column.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignRight)

    # What is told

    def show_progress(self, fraction: float) -> None:
        """Show how far the model is, 0 to 1."""
        self.progress.set_fraction(fraction)

    def show_scores(self, scores: AnswerProbabilities) -> None:
        """Show what there is to know of each token."""
        self._scores = scores
        self.summary.setText(summary_words(scores))
        self.progress.hide()
        self.problem.hide()
        self.close_button.set_words(tr("Close"))
        self._body.setVisible(bool(scores.tokens))
        self.legend.setVisible(bool(scores.tokens))
        self.text.show_tokens(scores.tokens)
        self.text.setFocus()

    def show_error(self, error: ErrorInfo) -> None:
        """Say why there is nothing to show, or why there is no other answer."""
        self.problem.setText(error.sentence)
        self.problem.show()
        self.progress.hide()
        if self._scores is None:
            self.summary.setText("")
        self.close_button.set_words(tr("Close"))

    # Inside

    def _on_current(self, at: int) -> None:
        if self._scores is None:
            return
        token = self._scores.tokens[at]
        name = token_name(token.piece, token=token.token)
        words = tr("“{token}”   {percent}").format(token=name, percent=percent(token.logprob))
        self.token.setText(words)
        self.alternatives.show_token(token)

    def _on_list_wanted(self) -> None:
        self.alternatives.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_taken(self, token: int) -> None:
        if self._scores is None:
            return
        before = tuple(scored.token for scored in self._scores.tokens[: self.text.current])
        self.continued.emit((*before, token))

    def _on_rejected(self) -> None:
        if self._scores is None:
            self.cancelled.emit()


class _Legend(QTextEdit):
    """What the tints and lines mean, drawn as the tokens are."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setAccessibleName(tr("Colours: {levels}").format(levels=", ".join(level_words())))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        theme.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self.setFixedHeight(self._theme.scaled(_LEGEND_HEIGHT))
        self.setFont(self._theme.ui_font(12))
        self.clear()
        cursor = QTextCursor(self.document())
        for number, words in enumerate(level_words()):
            plain = level_format(0, self._theme)
            cursor.insertText(f" {words} ", level_format(number, self._theme))
            cursor.insertText("    ", plain)
