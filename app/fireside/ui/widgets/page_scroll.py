"""A page's scroll area whose content does not move when the scroll bar appears or disappears."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QWidget

SCROLL_BAR_PX: Final = 10
"""Width of a scroll bar in the style sheet; pages reserve it beside their content."""


class _ScrollBar(QScrollBar):
    """Takes its place always, and is seen only where there is something to scroll."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)


class PageScroll(QScrollArea):
    """Scrolls vertically only, and never takes the focus.

    The width of the content never depends on whether it scrolls. If it did, content that is too high only
    beside the scroll bar would show and hide the bar for ever.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(_ScrollBar())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def apply_layout(self) -> None:
        """Lay the content out now, rather than in the event loop."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def top_of(self, part: QWidget) -> int:
        """Return the top of a widget within the content, in pixels."""
        content = self.widget()
        return 0 if content is None else part.mapTo(content, part.rect().topLeft()).y()
