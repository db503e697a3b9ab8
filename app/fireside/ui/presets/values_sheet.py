"""Ask for what a preset or a text leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.preset import VALUE_CHARACTERS
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import Label, WrappedLabel, one_line

_WIDTH: Final = 480
_MOST_HEIGHT: Final = 620
_FIELD: Final = 64
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ValuesSheet(QDialog):
    """Open it with ``open()``. Enter goes on to the next field, and at last accepts; Shift+Enter is a new
    line."""

    given = Signal(object)
    """What was written: values by the names of their variables."""

    def __init__(
        self, names: Sequence[str], *, title: str, values: Mapping[str, str], theme: Theme, parent: QWidget
    ) -> None:
        """Take ``values`` as what the fields hold at first."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fields: dict[str, QPlainTextEdit] = {}
        self.use = Button(tr("Use it"), theme=theme, kind="primary")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        body = QWidget()
        rows = QVBoxLayout(body)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(SPACE_M)
        for name in names:
            rows.addLayout(self._row(name, value=values.get(name, ""), theme=theme))
        rows.addStretch()
        scroll = PageScroll()
        scroll.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(Label(one_line(title), role="title"))
        column.addWidget(scroll, 1)
        column.addWidget(self.error)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_S)
        buttons.addStretch()
        cancel = Button(tr("Cancel"), theme=theme)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.use.setDefault(True)
        self.use.clicked.connect(self._on_use)
        buttons.addWidget(cancel)
        buttons.addWidget(self.use)
        column.addLayout(buttons)
        height = theme.scaled(160) + len(names) * theme.scaled(_FIELD + 40)
        self.resize(theme.scaled(_WIDTH), min(height, theme.scaled(_MOST_HEIGHT), parent.height() - 40))
        first = next(iter(self.fields.values()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)
            first.selectAll()

    def _row(self, name: str, *, value: str, theme: Theme) -> QVBoxLayout:
        field = QPlainTextEdit()
        field.setPlainText(value)
        field.setAccessibleName(name)
        field.setTabChangesFocus(True)
        field.setFixedHeight(theme.scaled(_FIELD))
        field.installEventFilter(self)
        self.fields[name] = field
        row = QVBoxLayout()
        row.setSpacing(SPACE_XS)
        row.addWidget(Label(name[:1].upper() + name[1:], role="strong"))
        row.addWidget(field)
        return row

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_enter = (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and Qt.Key(event.key()) in _ENTER
            and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        )
        if not is_enter:
            return super().eventFilter(watched, event)
        fields = list(self.fields.values())
        place = next(at for at, field in enumerate(fields) if field is watched)
        if place + 1 < len(fields):
            fields[place + 1].setFocus(Qt.FocusReason.TabFocusReason)
            fields[place + 1].selectAll()
        else:
            self._on_use()
        return True

    def _on_use(self) -> None:
        values = {name: field.toPlainText().strip() for name, field in self.fields.items()}
        long = next((name for name, value in values.items() if len(value) > VALUE_CHARACTERS), None)
        if long is not None:
            self.error.setText(
                tr(
                    "“{name}” has more than %n character.|“{name}” has more than %n characters.",
                    "",
                    VALUE_CHARACTERS,
                ).format(name=long)
            )
            self.error.show()
            self.fields[long].setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.given.emit(values)
        self.accept()
