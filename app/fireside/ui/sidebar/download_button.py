"""The button that opens the downloads, with a ring for their progress and their number."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QIcon, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionToolButton, QWidget

from fireside.core.i18n import tr
from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import IconButton

_RING_PX: Final = 19
_RING_WIDTH: Final = 2.4
_DOT_PX: Final = 6


class DownloadButton(IconButton):
    """Shows an icon while nothing is being downloaded, otherwise a ring around the number of downloads."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("download", name=tr("Downloads"), theme=theme, parent=parent)
        self._percent = 0
        self._n = 0
        self._is_held_up = False
        self._needs_help = False

    def show_progress(
        self, *, percent: int, n: int, is_held_up: bool, needs_help: bool, description: str
    ) -> None:
        """Show ``n`` downloads that are ``percent`` done; ``description`` is the accessible name."""
        displayed = (self._percent, self._n, self._is_held_up, self._needs_help)
        if description != self.accessibleName():
            self.set_name(description)
        if (percent, n, is_held_up, needs_help) != displayed:
            self._percent, self._n, self._is_held_up, self._needs_help = percent, n, is_held_up, needs_help
            self.update()

    @property
    def percent(self) -> int | None:
        """The percentage that the ring shows; ``None`` without a ring."""
        return self._percent if self._n else None

    @property
    def needs_help(self) -> bool:
        """Whether a dot reports that a download has failed."""
        return self._needs_help

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._n == 0:
            super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._n:
            self._paint_background(painter)
            self._paint_ring(painter)
        if self._needs_help:
            self._paint_dot(painter)
        painter.end()

    def _paint_background(self, painter: QPainter) -> None:
        """Draw the button's background and ring, without its icon."""
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.icon = QIcon()
        self.style().drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option, painter, self)

    def _paint_ring(self, painter: QPainter) -> None:
        ring = QRectF(0, 0, self._theme.scaled_up(_RING_PX), self._theme.scaled_up(_RING_PX))
        ring.moveCenter(QRectF(self.rect()).center())
        tint = "warn" if self._is_held_up else "accent"
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.colour("edge"), _RING_WIDTH))
        painter.drawEllipse(ring)
        pen = QPen(self._theme.colour(tint), _RING_WIDTH)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        # Clockwise from the top; Qt counts sixteenths of a degree anticlockwise.
        painter.drawArc(ring, 90 * 16, -round(self._percent * 3.6 * 16))
        font = QFont(self.font())
        font.setPixelSize(self._theme.scaled_up(10))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._theme.colour("text"))
        number = str(self._n) if self._n < 10 else "9+"
        painter.drawText(ring, int(Qt.AlignmentFlag.AlignCenter), number)

    def _paint_dot(self, painter: QPainter) -> None:
        painter.setPen(QPen(self._theme.colour("side"), 1.5))
        painter.setBrush(self._theme.colour("danger"))
        painter.drawEllipse(QPointF(self.width() - _DOT_PX + 1, _DOT_PX - 1), _DOT_PX / 2, _DOT_PX / 2)
