"""Choose a format for answers and write its rule, which is validated at once."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.core.task import Constraint
from fireside.settings.conversions import constraint_of
from fireside.ui.kit.layout import destroy, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.presets.rules import EXAMPLES, FORMATS, NEEDS_RULE, problem_text, valid_text
from fireside.ui.tasks import LatestRequest, TaskRunner
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import WrappedLabel, set_style_property

_FONT_PX: Final = 12.5
_MAX_NUMBERS: Final = 2_000
"""Maximum number of line numbers painted at once; far more than fit on a screen."""


class _LineNumbers(QWidget):
    def __init__(self, field: CodeField) -> None:
        super().__init__(field)
        self._field = field
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._field.paint_numbers(self, event)


class CodeField(QPlainTextEdit):
    """Tab moves the focus out of it, as in any other field."""

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._numbers = _LineNumbers(self)
        self.blockCountChanged.connect(self._fit_numbers)
        self.updateRequest.connect(self._on_update)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def paint_numbers(self, gutter: QWidget, event: QPaintEvent) -> None:
        """Paint the numbers of the visible lines in ``gutter``, the widget at the left of the text."""
        painter = QPainter(gutter)
        painter.setFont(self.font())
        painter.setPen(theme().colour("dim"))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        for _ in range(_MAX_NUMBERS):
            if not block.isValid() or top > event.rect().bottom():
                break
            height = self.blockBoundingRect(block).height()
            rect = QRect(0, round(top), gutter.width() - SPACE_S, round(height))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignRight), str(block.blockNumber() + 1))
            top += height
            block = block.next()
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._position_numbers()

    @Slot()
    def _fit_numbers(self) -> None:
        digits = max(2, len(str(self.blockCount())))
        width = self.fontMetrics().horizontalAdvance("0" * digits) + 2 * SPACE_S
        self._numbers.setFixedWidth(width)
        self.setViewportMargins(width, 0, 0, 0)
        self._position_numbers()

    def _position_numbers(self) -> None:
        text_rect = self.viewport().geometry()
        left = text_rect.left() - self._numbers.width()
        self._numbers.move(left, text_rect.top())
        self._numbers.setFixedHeight(text_rect.height())

    def _on_update(self, area: QRect, dy: int) -> None:
        if dy:
            self._numbers.scroll(0, dy)
        else:
            self._numbers.update(0, area.y(), self._numbers.width(), area.height())

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFont(theme().mono_font(_FONT_PX))
        self._fit_numbers()
        self._numbers.update()


CheckRule = Callable[[Constraint], Coroutine[Any, Any, str]]
_PAUSE_MS: Final = 350
_EMPTY_HINT: Final = tr_noop("Write a schema or grammar, or start from an example.")


class RuleSheet(Sheet):
    """Validates a rule while it is being written."""

    rule_chosen = Signal(str, str)
    """Carries the format and its rule."""

    def __init__(
        self, *, form: str, rule: str, check: CheckRule, tasks: TaskRunner, parent: QWidget, purpose: str = ""
    ) -> None:
        """``purpose`` is the introductory text; by default the one for the chat in front."""
        super().__init__(tr("Response format"), parent=parent)
        self._check = check
        self._latest = LatestRequest(tasks)
        self._rules: dict[str, str] = {form: rule}
        """The rule written for each format, so that switching between formats loses nothing."""
        self._form = form
        self.format = ComboBox(name=tr("Response format"))
        self.format.addItems([tr(name) for _, name, _ in FORMATS])
        self.about = WrappedLabel(role="small")
        self.examples, self._flow = flow_row(spacing=SPACE_S)
        self.example_buttons: list[Button] = []
        self.editor = CodeField(name=tr("Schema or grammar"))
        self.use = self.make_button(tr("Apply"), self._on_use, kind="primary", is_default=True)
        self._spacer = QWidget()
        """Fills the editor's space while the editor is hidden."""
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._validate)
        self.set_content(
            self.format,
            self.about,
            self.examples,
            stretch(self.editor),
            stretch(self._spacer),
            about=purpose or tr("Answers in this chat must match this format."),
            buttons=(self.make_cancel(), self.use),
        )
        self.format.setCurrentIndex(
            next((index for index, entry in enumerate(FORMATS) if entry[0] == form), 0)
        )
        self.format.currentIndexChanged.connect(self._on_format)
        self.editor.textChanged.connect(self._on_edited)
        self._show_format()

    @property
    def form(self) -> str:
        """The format selected."""
        return self._form

    @property
    def rule(self) -> str:
        return self.editor.toPlainText() if self._form in NEEDS_RULE else ""

    @Slot(int)
    def _on_format(self, index: int) -> None:
        self._rules[self._form] = self.editor.toPlainText()
        self._form = FORMATS[index][0]
        self._show_format()

    def _show_format(self) -> None:
        _, _, about = next(entry for entry in FORMATS if entry[0] == self._form)
        needs_rule = self._form in NEEDS_RULE
        self.about.setText(tr(about))
        self.editor.blockSignals(True)
        self.editor.setPlainText(self._rules.get(self._form, ""))
        self.editor.blockSignals(False)
        for part in (self.editor, self.status, self.examples):
            part.setVisible(needs_rule)
        self._spacer.setVisible(not needs_rule)
        self._show_examples()
        self._on_edited()
        if needs_rule:
            self._validate()  # nothing is being typed, so there is no pause to wait for

    def _show_examples(self) -> None:
        for button in self.example_buttons:
            self._flow.removeWidget(button)
            destroy(button)
        self.example_buttons = []
        for name, text in EXAMPLES.get(self._form, ()):
            button = Button(tr(name), kind="key")
            button.setAccessibleName(tr("Example: {name}").format(name=tr(name)))
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._insert_example, text))
            self._flow.addWidget(button)
            self.example_buttons.append(button)
            button.show()

    def _insert_example(self, text: str) -> None:
        # Not setPlainText, which would clear the undo history.
        cursor = self.editor.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(text)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_edited(self) -> None:
        self._latest.cancel()
        self._pause.stop()
        if self._form not in NEEDS_RULE:
            self.use.setEnabled(True)
            return
        self.use.setEnabled(False)
        if self.rule.strip():
            self._show_validation(tr("Checking…"), role="small")
            self._pause.start()
        else:
            self._show_validation(tr(_EMPTY_HINT), role="small")

    @Slot()
    def _validate(self) -> None:
        self._pause.stop()
        constraint = constraint_of(self._form, self.rule)
        if constraint is None:
            return
        form = self._form

        def on_checked(problem: str) -> None:
            self.use.setEnabled(not problem)
            if problem:
                self._show_validation(problem_text(form, problem), role="error")
            else:
                self._show_validation(valid_text(form), role="success")

        def on_error(error: FiresideError) -> None:
            self._show_validation(error.sentence(), role="error")

        self._latest.run(self._check(constraint), on_done=on_checked, on_error=on_error)

    def _show_validation(self, text: str, *, role: str) -> None:
        self.show_status(text, role=role)
        set_style_property(self.editor, "invalid", "true" if role == "error" else "false")

    def _on_use(self) -> None:
        self.rule_chosen.emit(self._form, self.rule)
        self.accept()

    def done(self, result: int) -> None:
        self._pause.stop()
        self._latest.cancel()
        super().done(result)
