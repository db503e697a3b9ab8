"""An on/off switch."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from fireside.ui.theme import Theme

_WIDTH, _HEIGHT, _MARGIN = 36, 20, 3


class Switch(QAbstractButton):
    """A check box drawn as a switch; Space toggles it. ``toggled`` and ``isChecked`` as with any button."""

    def __init__(self, *, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self._fit)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(
            self._theme.scaled_up(_WIDTH) + 2 * _MARGIN, self._theme.scaled_up(_HEIGHT) + 2 * _MARGIN
        )

    def _fit(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        track = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        radius = track.height() / 2
        if self.property("ring"):
            painter.setPen(QPen(self._theme.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), radius + 2, radius + 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent" if self.isChecked() else "dim"))
        painter.drawRoundedRect(track, radius, radius)
        knob = track.height() - 6
        left = track.right() - knob - 3 if self.isChecked() else track.left() + 3
        painter.setBrush(self._theme.colour("on_accent" if self.isChecked() else "bg"))
        painter.drawEllipse(QRectF(left, track.top() + 3, knob, knob))
        painter.end()
