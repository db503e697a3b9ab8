"""The sheet with the exact prompt of an answer: special tokens highlighted, token boundaries on demand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.core.inspection import SeenPrompt
from fireside.ui.answer_inspection.inspection_text import prompt_runs, prompt_summary, prompt_text
from fireside.ui.chat.answer.answer_text import truncation_note
from fireside.ui.chat.answer.code_parts import TextFileSaver
from fireside.ui.kit.layout import at_left, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import theme
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import Label, WrappedLabel


class PromptSheet(Sheet):
    """Open it with ``open()``; then call ``show_prompt``, ``show_not_loaded`` or ``show_error``."""

    def __init__(self, on_load: Callable[[], object], *, parent: QWidget) -> None:
        """Call ``on_load`` to load the model, which building the prompt needs."""
        super().__init__(tr("View prompt"), parent=parent, size=SheetSize.LARGE, fills=True)
        self._request_load = on_load
        self._seen: SeenPrompt | None = None
        self.counts = WrappedLabel(tr("Loading prompt…"), role="mute")
        self.notes = WrappedLabel(role="warning")
        self.load = self.make_button(tr("Load model"), self._on_load, kind="primary", is_default=True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Prompt"))
        self.text.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.boundaries = Switch(name=tr("Show token boundaries"))
        self.boundaries.toggled.connect(self._draw)
        self.copy = self.make_button(tr("Copy"), self._on_copy, icon="copy")
        self.save = self.make_button(tr("Save as…"), self._on_save)
        self._saver = TextFileSaver(self, on_done=self._on_saved)
        boundaries = Label(tr("Show token boundaries"), role="body")
        self.set_content(
            self.counts,
            self.notes,
            at_left(self.load),
            stretch(self.text),
            stretch(),
            buttons=(self.boundaries, boundaries, stretch(), self.copy, self.save, self.make_close()),
        )
        self._show_parts()
        theme().changed.connect(self._draw)

    # Results

    def show_prompt(self, seen: SeenPrompt) -> None:
        """Show the tokens of the prompt."""
        self._seen = seen
        about = ""
        if seen.project:
            about = tr(
                "The instructions of the project “{name}” follow the system prompt, in the same message."
            ).format(name=seen.project)
        self.counts.setText("\n".join(filter(None, (prompt_summary(seen), about))))
        notes = list(seen.notes)
        if seen.truncation is not None and (note := truncation_note(seen.truncation)):
            notes.insert(0, note)
        self.notes.setText("\n".join(notes))
        self.show_status("")
        self._show_parts()
        self._draw()
        self.text.setFocus()

    def show_not_loaded(self, model: str) -> None:
        """Show that the model must be loaded first, with a button to do so."""
        self.counts.setText(
            tr("Load {model} to view the prompt: its template and tokenizer build it.").format(model=model)
            if model
            else tr("Load the model to view the prompt: its template and tokenizer build it.")
        )
        self.load.set_label(tr("Load model"))
        self.load.setEnabled(True)
        self._show_parts()
        self.load.show()
        self.load.setFocus()

    def show_error(self, error: ErrorInfo) -> None:
        """Show why there is no prompt."""
        self.show_status(error.sentence)
        if self._seen is None:
            self.counts.setText("")
        self.load.setEnabled(True)
        self._show_parts()

    # Display and buttons

    def _show_parts(self) -> None:
        has_text = self._seen is not None
        for widget in (self.text, self.copy, self.save, self.boundaries):
            widget.setEnabled(has_text)
        self.text.setVisible(has_text)
        self.notes.setVisible(bool(self.notes.text()))
        self.load.setVisible(False)

    def _draw(self) -> None:
        if self._seen is None:
            return
        self.text.setFont(theme().mono_font(13))
        plain, special, boundary = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        plain.setForeground(theme().colour("text"))
        special.setForeground(theme().colour("accent"))
        special.setBackground(theme().colour("accent_soft"))
        special.setFontWeight(600)
        boundary.setForeground(theme().colour("dim"))
        scroll_value = self.text.verticalScrollBar().value()
        self.text.setUpdatesEnabled(False)
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        cursor.beginEditBlock()
        for part in prompt_runs(self._seen.tokens, with_boundaries=self.boundaries.isChecked()):
            char_format = boundary if part.is_boundary else special if part.is_special else plain
            cursor.insertText(part.text, char_format)
        cursor.endEditBlock()
        self.text.setUpdatesEnabled(True)
        self.text.verticalScrollBar().setValue(scroll_value)

    def _on_load(self) -> None:
        self.load.set_label(tr("Loading…"))
        self.load.setEnabled(False)
        self.show_status("")
        self._request_load()

    def _on_copy(self) -> None:
        if self._seen is not None:
            QApplication.clipboard().setText(prompt_text(self._seen))
            self.copy.set_label(tr("Copied"))

    def _on_save(self) -> None:
        if self._seen is not None:
            dialog = self._saver.open_dialog(prompt_text(self._seen), name="prompt.txt", window=self)
            dialog.setWindowTitle(tr("Save prompt as"))

    def _on_saved(self, problem: str) -> None:
        self.save.set_label(tr("Save as…") if problem else tr("Saved"))
        error = tr("Prompt not saved: {problem}").format(problem=problem)
        self.show_status(error if problem else "")
