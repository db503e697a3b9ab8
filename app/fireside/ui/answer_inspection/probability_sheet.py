"""The sheet with the probability of each token of an answer; selecting another token continues from there."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.core.inspection import AnswerProbabilities
from fireside.ui.answer_inspection.alternatives import Alternatives
from fireside.ui.answer_inspection.inspection_text import level_labels, percent, scores_summary, token_name
from fireside.ui.answer_inspection.token_text import TokenText, level_format
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import SPACE_L, theme
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel

_LIST_WIDTH = 240
_LEGEND_HEIGHT = 26


class ScoreActions(Protocol):
    """What the sheet requests."""

    def cancel_scoring(self) -> None:
        """Cancel the computation: the sheet was closed before it ended."""

    def continue_from(self, tokens: tuple[int, ...]) -> None:
        """Generate another version of the answer that begins with these tokens."""


class ProbabilitySheet(Sheet):
    """Open it with ``open()``; then call ``show_progress``, and ``show_scores`` or ``show_error``."""

    def __init__(self, actions: ScoreActions, *, parent: QWidget) -> None:
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
