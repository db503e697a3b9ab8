"""A progress bar."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy

from fireside.ui.theme import theme

_STEPS: Final = 1000
_HEIGHT: Final = 6


class ProgressBar(QProgressBar):
    """A thin bar without text; screen readers read its name and percentage.

    Cheap to update: it is repainted only if the visible value changes.
    """

    def __init__(self, *, name: str, tint: str = "accent") -> None:
        super().__init__()
        self._tint = tint
        self.setAccessibleName(name)
        self.setRange(0, _STEPS)
        self.setValue(0)
        self.setTextVisible(False)
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    @property
    def tint(self) -> str:
        return self._tint

    def set_fraction(self, fraction: float) -> None:
        """Show ``fraction``, 0 to 1."""
        # Rounded down: a file is complete only with its last byte.
        self.setValue(int(min(max(fraction, 0.0), 1.0) * _STEPS))

    def set_tint(self, tint: str) -> None:
        """Change the colour to that of a token."""
        if tint != self._tint:
            self._tint = tint
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(self.rect())
        radius = groove.height() / 2
        if theme().is_high_contrast:
            # The edge colour is as bright as the bar itself: draw the groove as an outline.
            painter.setPen(theme().colour("edge"))
            painter.setBrush(theme().colour("bg"))
            painter.drawRoundedRect(groove.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
            painter.setPen(Qt.PenStyle.NoPen)
        else:
            painter.setBrush(theme().colour("edge"))
            painter.drawRoundedRect(groove, radius, radius)
        done = (self.value() - self.minimum()) / max(1, self.maximum() - self.minimum())
        if done > 0:
            groove.setWidth(max(groove.height(), groove.width() * done))
            if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
                groove.moveRight(float(self.width()))
            painter.setBrush(theme().colour(self._tint))
            painter.drawRoundedRect(groove, radius, radius)
        painter.end()
