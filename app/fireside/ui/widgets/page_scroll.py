"""A page's scroll area whose content does not move when the scroll bar appears or disappears."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

SCROLL_BAR_PX: Final = 10
"""Width of a scroll bar in the style sheet; pages reserve it beside their content."""


class PageScroll(QScrollArea):
    """Scrolls vertically only, and never takes the focus."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self._on_range_changed(0, 0)

    def apply_layout(self) -> None:
        """Lay the content out now, rather than in the event loop."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def top_of(self, part: QWidget) -> int:
        """Return the top of a widget within the content, in pixels."""
        content = self.widget()
        return 0 if content is None else part.mapTo(content, part.rect().topLeft()).y()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._on_range_changed(0, self.verticalScrollBar().maximum())

    def _on_range_changed(self, _lowest: int, highest: int) -> None:
        margin = 0 if highest > 0 else SCROLL_BAR_PX
        self.setViewportMargins(*((margin, 0, 0, 0) if self.isRightToLeft() else (0, 0, margin, 0)))
