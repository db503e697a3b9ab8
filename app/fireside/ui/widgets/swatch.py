"""A button that shows a colour to choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import show_tip
from fireside.ui.widgets.text import plain_tooltip

_SIDE_PX: Final = 30
_DOT_PX: Final = 18


class Swatch(QAbstractButton):
    """A disc in the colour; a ring around it marks the chosen one."""

    def __init__(self, name: str, *, colour: Callable[[], QColor], parent: QWidget | None = None) -> None:
        """``colour`` is asked at each paint, since the scheme may change."""
        super().__init__(parent)
        self._colour = colour
        self.setToolTip(plain_tooltip(name))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme().changed.connect(self._fit)
        self._fit()

    def sizeHint(self) -> QSize:
        side = theme().scaled_up(_SIDE_PX)
        return QSize(side, side)

    def event(self, event: QEvent) -> bool:
        return show_tip(self, event) or super().event(event)

    def _fit(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        px = theme().scaled_up(_DOT_PX)
        disc = QRectF(0, 0, px, px)
        disc.moveCenter(QRectF(self.rect()).center())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour())
        painter.drawEllipse(disc)
        if self.isChecked() or self.property("ring"):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme().colour("accent" if self.property("ring") else "text"), 2))
            painter.drawEllipse(disc.adjusted(-4, -4, 4, 4))
        painter.end()
