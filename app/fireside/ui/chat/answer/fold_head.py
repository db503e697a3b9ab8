"""The heading that folds and unfolds a part of an answer: reasoning, a tool call."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QWidget

from fireside.ui.theme import theme


class FoldHead(QPushButton):
    """A checkable button, checked while unfolded. Its text is elided to its width."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("thoughtHead")
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_open(self, *, is_open: bool) -> None:
        """Show whether the part below is unfolded."""
        self.setChecked(is_open)
        theme().set_icon(self, "chevron-down" if is_open else "chevron-right", size=14)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        option = QStyleOptionButton()
        self.initStyleOption(option)
        text, metrics = self.text(), self.fontMetrics()
        around_px = self.sizeHint().width() - metrics.horizontalAdvance(text)
        option.text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width() - around_px + 1)
        painter = QPainter(self)
        self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)
