"""Ask for the values of the variables in a preset or text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.preset import VALUE_CHARACTERS
from fireside.ui.kit.layout import column
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_XS, theme
from fireside.ui.widgets.text import Label, one_line

_FIELD_HEIGHT: Final = 64
_ENTER_KEYS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ValuesSheet(Sheet):
    """Enter moves to the next field, and accepts in the last; Shift+Enter inserts a new line."""

    submitted = Signal(object)
    """Carries the values by the names of their variables."""

    def __init__(
        self, names: Sequence[str], *, title: str, values: Mapping[str, str], parent: QWidget
    ) -> None:
        """``values`` are the initial values of the fields."""
        super().__init__(title, parent=parent)
        self.fields: dict[str, QPlainTextEdit] = {}
        self.use = self.make_button(tr("Apply"), self._on_use, kind="primary", is_default=True)
        rows = [self._row(name, value=values.get(name, "")) for name in names]
        self.set_content(
            *rows,
            heading=one_line(title),
            buttons=(self.make_cancel(), self.use),
        )
        first = next(iter(self.fields.values()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)
            first.selectAll()

    def _row(self, name: str, *, value: str) -> QVBoxLayout:
        field = QPlainTextEdit()
        field.setPlainText(value)
        field.setAccessibleName(name)
        field.setTabChangesFocus(True)
        field.setFixedHeight(theme().scaled(_FIELD_HEIGHT))
        field.installEventFilter(self)
        self.fields[name] = field
        return column(Label(name[:1].upper() + name[1:], role="strong"), field, spacing=SPACE_XS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_enter = (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and Qt.Key(event.key()) in _ENTER_KEYS
            and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        )
        if not is_enter:
            return super().eventFilter(watched, event)
        fields = list(self.fields.values())
        index = next(index for index, field in enumerate(fields) if field is watched)
        if index + 1 < len(fields):
            fields[index + 1].setFocus(Qt.FocusReason.TabFocusReason)
            fields[index + 1].selectAll()
        else:
            self._on_use()
        return True

    def _on_use(self) -> None:
        values = {name: field.toPlainText().strip() for name, field in self.fields.items()}
        too_long = next((name for name, value in values.items() if len(value) > VALUE_CHARACTERS), None)
        if too_long is not None:
            self.show_status(
                tr(
                    "“{name}”: limit %n character|“{name}”: limit %n characters",
                    "",
                    VALUE_CHARACTERS,
                ).format(name=too_long)
            )
            self.fields[too_long].setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.submitted.emit(values)
        self.accept()
