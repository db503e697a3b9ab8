"""The exact prompt of an answer: the template's marks to be seen, token boundaries on demand."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.core.inspection import SeenPrompt
from fireside.ui.answer_inspection.inspection_text import count_words, prompt_text, stretches
from fireside.ui.chat.answer_text import truncation_note
from fireside.ui.chat.code_parts import Saving
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import Label, WrappedLabel


class PromptSheet(QDialog):
    """Open it with ``open()``; then tell it what there is to show."""

    load_wanted = Signal()
    """The model is to be loaded, so that its prompt can be seen."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("What the model saw"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._seen: SeenPrompt | None = None
        self.counts = WrappedLabel(tr("Asking the model…"), role="mute")
        self.notes = WrappedLabel(role="warning")
        self.problem = WrappedLabel(role="error")
        self.load = Button(tr("Load the model"), theme=theme, kind="primary")
        self.load.clicked.connect(self._on_load)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("The prompt"))
        self.text.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.boundaries = Switch(name=tr("Show where tokens end"), theme=theme)
        self.boundaries.toggled.connect(self._draw)
        self.copy = Button(tr("Copy"), theme=theme, icon="copy")
        self.copy.clicked.connect(self._on_copy)
        self.save = Button(tr("Save as…"), theme=theme)
        self.save.clicked.connect(self._on_save)
        self._saving = Saving(self, on_done=self._on_saved)
        self._lay_out()
        self._show_parts()
        theme.changed.connect(self._draw)
        self.resize(min(760, parent.width() - 40), min(680, parent.height() - 40))

    def _lay_out(self) -> None:
        close = Button(tr("Close"), theme=self._theme)
        close.clicked.connect(self.reject)
        options = QHBoxLayout()
        options.setSpacing(SPACE_S)
        options.addWidget(self.boundaries)
        options.addWidget(Label(tr("Show where tokens end"), role="body"))
        options.addStretch()
        options.addWidget(self.copy)
        options.addWidget(self.save)
        options.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(Label(tr("What the model saw"), role="title"))
        for widget in (self.counts, self.notes, self.problem):
            column.addWidget(widget)
        column.addWidget(self.load, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.text, 1)
        column.addStretch()
        column.addLayout(options)

    # What is told

    def show_prompt(self, seen: SeenPrompt) -> None:
        """Show the tokens that the model is given."""
        self._seen = seen
        self.counts.setText(count_words(seen))
        notes = list(seen.notes)
        if seen.truncation is not None and (note := truncation_note(seen.truncation)):
            notes.insert(0, note)
        self.notes.setText("\n".join(notes))
        self.problem.setText("")
        self.load.hide()
        self._show_parts()
        self._draw()
        self.text.setFocus()

    def show_not_loaded(self, model: str) -> None:
        """Say that the model must be loaded first, and offer it."""
        self.counts.setText(
            tr("{model} is not loaded. It words the prompt itself and must be loaded for that.").format(
                model=model
            )
            if model
            else tr("The model is not loaded. It words the prompt itself and must be loaded for that.")
        )
        self.load.set_words(tr("Load the model"))
        self.load.setEnabled(True)
        self._show_parts()
        self.load.show()
        self.load.setFocus()

    def show_error(self, error: ErrorInfo) -> None:
        """Say why there is nothing to show."""
        self.problem.setText(error.sentence)
        if self._seen is None:
            self.counts.setText("")
        self.load.setEnabled(True)
        self._show_parts()

    # Inside

    def _show_parts(self) -> None:
        has_text = self._seen is not None
        for widget in (self.text, self.copy, self.save, self.boundaries):
            widget.setEnabled(has_text)
        self.text.setVisible(has_text)
        for label in (self.notes, self.problem):
            label.setVisible(bool(label.text()))
        self.load.setVisible(False)

    def _draw(self) -> None:
        if self._seen is None:
            return
        font = self._theme.mono_font(13)
        font.setFeature(QFont.Tag("calt"), 0)  # a ligature would show “<|” as another character
        self.text.setFont(font)
        plain, special, boundary = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        plain.setForeground(self._theme.colour("text"))
        special.setForeground(self._theme.colour("accent"))
        special.setBackground(self._theme.colour("accent_soft"))
        special.setFontWeight(600)
        boundary.setForeground(self._theme.colour("dim"))
        place = self.text.verticalScrollBar().value()
        self.text.setUpdatesEnabled(False)
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        cursor.beginEditBlock()
        for stretch in stretches(self._seen.tokens, with_boundaries=self.boundaries.isChecked()):
            look = boundary if stretch.is_boundary else special if stretch.is_special else plain
            cursor.insertText(stretch.text, look)
        cursor.endEditBlock()
        self.text.setUpdatesEnabled(True)
        self.text.verticalScrollBar().setValue(place)

    def _on_load(self) -> None:
        self.load.set_words(tr("Loading…"))
        self.load.setEnabled(False)
        self.problem.setText("")
        self.problem.hide()
        self.load_wanted.emit()

    def _on_copy(self) -> None:
        if self._seen is not None:
            QApplication.clipboard().setText(prompt_text(self._seen))
            self.copy.set_words(tr("Copied"))

    def _on_save(self) -> None:
        if self._seen is not None:
            dialog = self._saving.ask(prompt_text(self._seen), name="prompt.txt", window=self)
            dialog.setWindowTitle(tr("Save the prompt as"))

    def _on_saved(self, problem: str) -> None:
        self.save.set_words(tr("Save as…") if problem else tr("Saved"))
        words = tr("The prompt could not be saved: {problem}").format(problem=problem)
        self.problem.setText(words if problem else "")
        self.problem.setVisible(bool(problem))
