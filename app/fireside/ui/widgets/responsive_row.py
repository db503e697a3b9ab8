"""Two widgets side by side, stacked where the row is too narrow for both."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from fireside.ui.theme import theme

_ANY: Final = 10_000


class ResponsiveRow(QWidget):
    """The first widget takes the remaining width, the second its preferred width."""

    def __init__(
        self,
        first: QWidget,
        second: QWidget,
        *,
        spacing: int,
        min_first_width: int = _ANY,
        parent: QWidget | None = None,
    ) -> None:
        """Stack once ``first`` would be narrower than ``min_first_width``, in pixels at the normal text size;
        by default once it would be narrower than its size hint."""
        super().__init__(parent)
        self._first = first
        self._second = second
        self._min_first_width = min_first_width
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(spacing)
        self._row.addWidget(first, 1)
        self._row.addWidget(second, 0, Qt.AlignmentFlag.AlignVCenter)

    @property
    def is_stacked(self) -> bool:
        return self._row.direction() is QBoxLayout.Direction.TopToBottom

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        parts = (self._first.minimumSizeHint().width(), self._second.minimumSizeHint().width())
        return QSize(max(parts), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def _arrange(self) -> None:
        first = min(theme().scaled(self._min_first_width), self._first.sizeHint().width())
        first = max(first, self._first.minimumWidth())
        second = max(self._second.sizeHint().width(), self._second.minimumWidth())
        fits = self.width() >= first + self._row.spacing() + second
        direction = QBoxLayout.Direction
        target = direction.LeftToRight if fits else direction.TopToBottom
        if target is self._row.direction():
            return
        self._row.setDirection(target)
        self._row.setAlignment(
            self._second, Qt.AlignmentFlag.AlignVCenter if fits else Qt.AlignmentFlag.AlignLeft
        )
        self.updateGeometry()
