"""A row of exclusive choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QLayout, QSizePolicy

from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.choice_group import ChoiceGroup
from fireside.ui.widgets.flow import FlowLayout


class SegmentedControl(QFrame):
    """Radio buttons drawn as one bar: Tab reaches the selected one, arrow keys the others."""

    key_selected = Signal(str)
    """The user selected another key."""

    def __init__(
        self,
        options: Sequence[tuple[str, str]],
        *,
        name: str,
        wraps: bool = False,
        make: Callable[[str, str], QAbstractButton] | None = None,
    ) -> None:
        """``options`` are pairs of key and label; the first is selected initially.

        With ``wraps`` they take several lines where one is too narrow. ``make`` returns the button for a key
        and a label, by default one with the label.
        """
        super().__init__()
        self.setObjectName("segments")
        self.setAccessibleName(name)
        row = self._make_layout(wraps=wraps)
        row.setContentsMargins(3, 3, 3, 3)
        group = ChoiceGroup(self)
        self._buttons: dict[str, QAbstractButton] = {}
        for key, label in options:
            button = make(key, label) if make is not None else Button(label, kind="segment")
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {label}")
            button.clicked.connect(lambda _checked=False, key=key: self.key_selected.emit(key))
            button.installEventFilter(self)
            group.add(button)
            self._buttons[key] = button
            row.addWidget(button)
        self.select(options[0][0])

    def _make_layout(self, *, wraps: bool) -> QLayout:
        if wraps:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
            return FlowLayout(self, spacing=2)
        row = QHBoxLayout(self)
        row.setSpacing(2)
        return row

    @property
    def selected_key(self) -> str:
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def select(self, key: str) -> None:
        """Select ``key`` without a signal."""
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> QAbstractButton:
        return self._buttons[key]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
            enabled = [key for key, button in self._buttons.items() if button.isEnabled()]
            if step and self.selected_key in enabled:
                key = enabled[(enabled.index(self.selected_key) + step) % len(enabled)]
                self.select(key)
                self._buttons[key].setFocus(Qt.FocusReason.TabFocusReason)
                self.key_selected.emit(key)
                return True
        return super().eventFilter(watched, event)
