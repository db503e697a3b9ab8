"""The chat template of a model: which one is used, its text, and an example rendered with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.library import ModelDetail
from fireside.markup.code_colours import code_style
from fireside.ui.chat.answer.highlight import Lexers, Run, TokenType, runs
from fireside.ui.kit.layout import boxed, column, row, stacked, stretch
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import WrappedLabel, one_line

_NONE: Final = tr_noop("The file has no template; a common one is used.")
MAX_SHOWN: Final = 200_000
"""Characters; longer text is cut, with a note about it."""
_MAX_LINE: Final = 5_000
"""Characters; Qt takes too long to lay out far longer lines."""
_SLICE_S: Final = 0.008
_LEXER_MS: Final = 40


class TemplateView(QPlainTextEdit):
    """A text to read and copy, in colours if it is code. Hostile input: bounded, never markup.

    Tab leaves it. ``language`` is a name that Pygments knows, or empty.
    """

    def __init__(self, *, name: str, lexers: Lexers, language: str = "") -> None:
        super().__init__()
        self._lexers = lexers
        self._language = language
        self._runs: Iterator[Run] = iter(())
        self._pending: tuple[int, list[QTextLayout.FormatRange]] = (0, [])
        self._formats: dict[TokenType, QTextCharFormat] = {}
        self.setObjectName("sourceView")
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._colour_slice)
        self._lexer_timer = QTimer(self, singleShot=True, interval=_LEXER_MS)
        self._lexer_timer.timeout.connect(self._colour)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_text(self, text: str) -> None:
        """Show ``text``, scrolled to its start."""
        self._slices.stop()
        cut = text[:MAX_SHOWN]
        lines = (line[i : i + _MAX_LINE] for line in cut.split("\n") for i in _starts(line))
        displayed = "\n".join(lines)
        if len(text) > MAX_SHOWN:
            displayed += "\n" + tr(
                "… and %n more character|… and %n more characters", "", len(text) - MAX_SHOWN
            )
        self.setPlainText(displayed)
        self._colour()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _colour(self) -> None:
        if not self._language or not self._lexers.knows(self._language):
            return
        lexer = self._lexers.get(self._language)
        if lexer is None:
            self._lexer_timer.start()
            return
        self._runs = runs(self.toPlainText(), lexer)
        self._pending = (0, [])
        self._slices.start()

    def _colour_slice(self) -> None:
        deadline = time.perf_counter() + _SLICE_S
        line, formats = self._pending
        first = line
        for block, start, length, token_type in self._runs:
            if block != line:
                self._set_formats(line, formats)
                line, formats = block, []
            range_ = QTextLayout.FormatRange()
            range_.start, range_.length, range_.format = start, length, self._format(token_type)
            formats.append(range_)
            if time.perf_counter() > deadline:
                break
        else:
            self._slices.stop()
            self._set_formats(line, formats)
        self._pending = (line, formats)
        document = self.document()
        begin, end = document.findBlockByNumber(first), document.findBlockByNumber(line)
        if begin.isValid() and end.isValid():
            document.markContentsDirty(begin.position(), end.position() + end.length() - begin.position())

    def _set_formats(self, line: int, formats: list[QTextLayout.FormatRange]) -> None:
        block = self.document().findBlockByNumber(line)
        if block.isValid():
            block.layout().setFormats(formats)

    def _format(self, token_type: TokenType) -> QTextCharFormat:
        text_format = self._formats.get(token_type)
        if text_format is None:
            style = code_style(theme().tokens.pygments_style).style_for_token(token_type)
            text_format = QTextCharFormat()
            if style["color"]:
                text_format.setForeground(QColor(f"#{style['color']}"))
            self._formats[token_type] = text_format
        return text_format

    def _on_theme_changed(self) -> None:
        self.setFont(theme().mono_font(12.5))
        self._formats = {}
        self._colour()


def _starts(line: str) -> range:
    return range(0, max(1, len(line)), _MAX_LINE)


UseTemplate = Callable[[str, Callable[[ModelDetail], None], Callable[[str], None]], None]
"""Sets a model's template once it has been checked, and says how that ended; an empty one restores the file's
own."""


class TemplatePart(QWidget):
    """Shows and edits the template in use, with an example rendered by it."""

    def __init__(self, use: UseTemplate, *, lexers: Lexers) -> None:
        super().__init__()
        self._use = use
        self._detail: ModelDetail | None = None
        self._choices: tuple[str, ...] = ()
        """The template of each entry of ``choice``, by index; empty is the file's own."""
        self.segments = SegmentedControl(
            (("example", tr("Example")), ("template", tr("Template"))), name=tr("Show")
        )
        self.segments.key_selected.connect(self._show)
        self.choice = ComboBox(name=tr("Chat template of this model"))
        self.choice.activated.connect(self._on_chosen)
        self.copy = Button(tr("Copy"), icon="copy", kind="quiet", on_click=self._on_copy)
        self.edit = Button(tr("Edit"), icon="pencil", kind="quiet", on_click=self._on_edit)
        self.save = Button(tr("Check and save"), kind="primary", on_click=self._on_save)
        self.cancel = Button(tr("Cancel"), on_click=self._stop_editing)
        self.note = WrappedLabel(role="mute")
        self.example = TemplateView(name=tr("Example chat as sent to the model"), lexers=lexers)
        self.template = TemplateView(name=tr("Chat template"), lexers=lexers, language="jinja")
        self.editor = QPlainTextEdit()
        self.editor.setObjectName("sourceView")
        self.editor.setAccessibleName(tr("Chat template"))
        self.editor.setTabChangesFocus(True)
        self._stack = stacked(self.example, self.template, self.editor)
        theme().changed.connect(self._follow_theme)
        self._follow_theme()
        buttons = (self.edit, self.copy, self.cancel, self.save)
        column(
            ResponsiveRow(
                boxed(row(self.segments, self.choice, stretch())), boxed(row(*buttons)), spacing=SPACE_S
            ),
            self.note,
            stretch(self._stack),
            on=self,
        )
        self._stop_editing()

    @property
    def is_editing(self) -> bool:
        return self._stack.currentWidget() is self.editor

    def show_detail(self, detail: ModelDetail) -> None:
        self._detail = detail
        note = detail.template_problem or ("" if detail.chat_template else tr(_NONE))
        self._show_note(note)
        self.example.show_text(detail.rendered_example)
        self.template.show_text(self._template_in_use)
        self._show_choices(detail)
        self._stop_editing()

    @property
    def _template_in_use(self) -> str:
        detail = self._detail
        return "" if detail is None else detail.own_template or detail.chat_template

    def _show_choices(self, detail: ModelDetail) -> None:
        named = [(name, text) for name, text in detail.named_templates if text != detail.chat_template]
        choices = [(tr("Model default"), ""), *named]
        if detail.own_template not in [text for _, text in choices]:
            choices.append((tr("Custom"), detail.own_template))
        self._choices = tuple(text for _, text in choices)
        self.choice.clear()
        self.choice.addItems([one_line(name) for name, _ in choices])
        self.choice.setCurrentIndex(self._choices.index(detail.own_template))
        self.choice.setVisible(len(choices) > 1)

    def _on_chosen(self, index: int) -> None:
        if self._detail is not None and self._choices[index] != self._detail.own_template:
            self._apply(self._choices[index])

    def _on_edit(self) -> None:
        self.editor.setPlainText(self._template_in_use)
        self._show_editing(is_editing=True)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_editing:
            self._stop_editing()
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    def _on_save(self) -> None:
        self._apply(self.editor.toPlainText())

    def _apply(self, template: str) -> None:
        detail = self._detail
        assert detail is not None
        self._show_note(tr("Checking…"))
        self.save.setEnabled(False)

        def on_done(updated: ModelDetail) -> None:
            if self._detail is detail:
                had_focus = self.isAncestorOf(QApplication.focusWidget() or self)
                self.show_detail(updated)
                if had_focus:
                    self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

        def on_failed(sentence: str) -> None:
            if self._detail is detail:
                self.save.setEnabled(True)
                self._show_choices(detail)
                self._show_note(sentence, role="error")

        self._use(template, on_done, on_failed)

    def _stop_editing(self) -> None:
        self._show_editing(is_editing=False)

    def _show_editing(self, *, is_editing: bool) -> None:
        can_edit = self._detail is not None and len(self._template_in_use) <= MAX_SHOWN
        for button in (self.save, self.cancel):
            button.setVisible(is_editing)
        self.save.setEnabled(True)
        self.edit.setVisible(not is_editing and can_edit)
        self.copy.setVisible(not is_editing)
        self.segments.setVisible(not is_editing)
        self.choice.setEnabled(not is_editing)
        if is_editing:
            self._stack.setCurrentWidget(self.editor)
        else:
            self._show(self.segments.selected_key)

    def _show_note(self, text: str, *, role: str = "mute") -> None:
        self.note.set_role(role)
        self.note.show_text(text)

    def _show(self, key: str) -> None:
        self._stack.setCurrentWidget(self.example if key == "example" else self.template)

    def _follow_theme(self) -> None:
        self.editor.setFont(theme().mono_font(12.5))

    def _on_copy(self) -> None:
        if self._detail is not None:
            is_example = self.segments.selected_key == "example"
            text = self._detail.rendered_example if is_example else self._template_in_use
            QGuiApplication.clipboard().setText(text)
