"""A row of choices of which one is taken."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QWidget

from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import Button


class Segments(QFrame):
    """Radio buttons drawn as one bar: Tab reaches the one taken, arrow keys the others.

    ``chosen`` carries the key that a person took.
    """

    chosen = Signal(str)

    def __init__(
        self,
        options: Sequence[tuple[str, str]],
        *,
        name: str,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Take ``options`` as pairs of key and words; the first is taken at first."""
        super().__init__(parent)
        self.setObjectName("segments")
        self.setAccessibleName(name)
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 3, 3, 3)
        row.setSpacing(2)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, Button] = {}
        for key, words in options:
            button = Button(words, theme=theme, kind="segment")
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {words}")
            button.clicked.connect(lambda _checked=False, key=key: self.chosen.emit(key))
            button.installEventFilter(self)
            self._group.addButton(button)
            self._buttons[key] = button
            row.addWidget(button)
        self.take(options[0][0])

    @property
    def taken(self) -> str:
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def take(self, key: str) -> None:
        """Take ``key`` without a signal."""
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> Button:
        return self._buttons[key]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
            free = [key for key, button in self._buttons.items() if button.isEnabled()]
            if step and self.taken in free:
                key = free[(free.index(self.taken) + step) % len(free)]
                self.take(key)
                self._buttons[key].setFocus(Qt.FocusReason.TabFocusReason)
                self.chosen.emit(key)
                return True
        return super().eventFilter(watched, event)
