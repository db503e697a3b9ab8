"""The sheet with the form of an MCP elicitation, opened from the card of the call that waits for it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget

from fireside.core.elicitation import (
    Elicitation,
    ElicitationAction,
    ElicitationField,
    ElicitationReply,
    FieldKind,
)
from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import number, render, tr
from fireside.core.tool_arguments import ArgumentInvalid, argument_value
from fireside.ui.kit.layout import boxed, column, long_form
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.text import WrappedLabel

_MAX_CHARS = 100_000
Value = str | int | float | bool | tuple[str, ...] | None
"""Value of a field; ``None`` where it was left empty."""


class ElicitationSheet(Sheet):
    """Replies only on Send; when it is closed, the call continues to wait."""

    def __init__(
        self, elicitation: Elicitation, on_reply: Callable[[ElicitationReply], None], *, parent: QWidget
    ) -> None:
        super().__init__(tr("{server} asks you").format(server=elicitation.server), parent=parent)
        self._elicitation = elicitation
        self._on_reply = on_reply
        self.fields = {field.name: FieldEditor(field) for field in elicitation.fields}
        self.accept_button = self.make_button(tr("Send"), self._on_accept, kind="primary", is_default=True)
        lines = long_form(*((editor.label, editor.widget) for editor in self.fields.values()))
        self.set_content(
            lines,
            about="\n".join(
                (
                    with_invisible_named(elicitation.message),
                    tr("What you write goes to {server}. Never enter passwords or keys here.").format(
                        server=elicitation.server
                    ),
                )
            ),
            buttons=(self.make_cancel(), self.accept_button),
        )

    def _on_accept(self) -> None:
        content = {}
        for name, editor in self.fields.items():
            value, problem = editor.read()
            if problem:
                self.show_status(problem)
                editor.first.setFocus()
                return
            if value is not None:
                content[name] = value
        self._on_reply(
            ElicitationReply(
                number=self._elicitation.number, action=ElicitationAction.ACCEPT, content=content
            )
        )
        self.accept()


class FieldEditor:
    """The widget of one field of the form, and its value."""

    def __init__(self, field: ElicitationField) -> None:
        self._field = field
        label = with_invisible_named(field.label)
        if field.kind is FieldKind.JSON:
            label = f"{label} (JSON)"
        self.label = f"{label} *" if field.is_required else label
        self._boxes: tuple[tuple[str, CheckBox], ...] = ()
        match field.kind:
            case FieldKind.SWITCH:
                box = CheckBox(self.label)
                self.label = ""  # the box has it
                box.setChecked(field.default is True)
                self.first: QWidget = box
                self.widget: QWidget = box
            case FieldKind.CHOICE:
                self.first = self.widget = self._combo(label)
            case FieldKind.CHOICES:
                chosen = field.default if isinstance(field.default, tuple) else ()
                self._boxes = tuple(
                    (value, CheckBox(with_invisible_named(text))) for value, text in field.options
                )
                for value, box in self._boxes:
                    box.setChecked(value in chosen)
                self.widget = boxed(column(*(box for _, box in self._boxes), spacing=SPACE_S))
                self.first = self._boxes[0][1] if self._boxes else self.widget
            case _:
                line = QLineEdit("" if field.default is None else str(field.default))
                line.setMaxLength(_MAX_CHARS)
                line.setAccessibleName(label)
                self.first = self.widget = line
        self.first.setAccessibleDescription(with_invisible_named(field.description))
        if field.description:
            about = WrappedLabel(with_invisible_named(field.description), role="small")
            self.widget = boxed(column(self.widget, about, spacing=2))

    def read(self) -> tuple[Value, str]:
        """Return the value that was entered, and a sentence with what is wrong with it; empty if nothing."""
        value, problem = self._read()
        if not problem and value is None and self._field.is_required:
            problem = tr("{name}: needs a value.").format(name=self._field.label)
        return value, problem

    def _read(self) -> tuple[Value, str]:
        field = self._field
        match self.first:
            case ComboBox() as combo:
                index = combo.currentIndex() - (0 if field.is_required else 1)
                return (field.options[index][0] if index >= 0 else None), ""
            case QLineEdit() as line if field.kind is FieldKind.TEXT:
                return (line.text() or None), self._range_problem(len(line.text())) if line.text() else ""
            case QLineEdit() as line if field.kind is FieldKind.JSON:
                try:
                    return (argument_value(field, line.text()) if line.text().strip() else None), ""
                except ArgumentInvalid as exc:
                    return None, render(exc.reason)
            case QLineEdit() as line:
                return self._number(line.text().strip())
            case CheckBox() as box if field.kind is FieldKind.SWITCH:
                return box.isChecked(), ""
            case _:
                chosen = tuple(value for value, box in self._boxes if box.isChecked())
                return chosen, self._range_problem(len(chosen))

    def _number(self, text: str) -> tuple[Value, str]:
        if not text:
            return None, ""
        try:
            value = int(text) if self._field.kind is FieldKind.INTEGER else float(text)
        except ValueError:
            return None, tr("{name}: not a number.").format(name=self._field.label)
        return value, self._range_problem(value)

    def _range_problem(self, value: float) -> str:
        """Return an error message where a number, or the length of a text or list, is out of range."""
        low, high = self._field.minimum, self._field.maximum
        if low is not None and value < low:
            return tr("{name}: at least {n}.").format(name=self._field.label, n=number(low))
        if high is not None and value > high:
            return tr("{name}: at most {n}.").format(name=self._field.label, n=number(high))
        return ""

    def _combo(self, label: str) -> ComboBox:
        combo = ComboBox(name=label)
        if not self._field.is_required:
            combo.addItem("")
        combo.addItems([with_invisible_named(text) for _, text in self._field.options])
        values = [value for value, _ in self._field.options]
        if self._field.default in values:
            index = values.index(str(self._field.default))
            combo.setCurrentIndex(index + (0 if self._field.is_required else 1))
        return combo
