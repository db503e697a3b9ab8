"""A page with a way back to the one it was opened from."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QStackedWidget, QWidget

from fireside.ui.widgets.buttons import IconButton

# Alt+Left goes back a word in a text on macOS.
_KEY = "Ctrl+[" if sys.platform == "darwin" else "Alt+Left"


def take_titles(page: QWidget, stack: QStackedWidget, *named: QWidget) -> None:
    """Give ``page`` the window title of what its ``stack`` shows, also when one of ``named`` changes it."""

    def take() -> None:
        if (shown := stack.currentWidget()) is not None:
            page.setWindowTitle(shown.windowTitle())

    stack.currentChanged.connect(take)
    for part in named:
        part.windowTitleChanged.connect(take)


class SubPage(QWidget):
    """Its button, Escape, the system's key and the mouse's back button lead back."""

    closed = Signal()

    def __init__(self, *, back: str, parent: QWidget | None = None) -> None:
        """``back`` is the accessible name of the back button."""
        super().__init__(parent)
        self.back = IconButton("arrow-left", name=back)
        self.back.clicked.connect(self.closed)
        # A shortcut, since buttons handle arrow keys themselves.
        shortcut = QShortcut(QKeySequence(_KEY), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.closed)

    def focus_first_field(self) -> None:
        """Focus the back button."""
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Back):
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.BackButton:
            self.closed.emit()
        else:
            super().mousePressEvent(event)
