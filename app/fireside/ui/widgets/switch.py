"""An on/off switch."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from fireside.ui.theme import theme

_WIDTH, _HEIGHT = 36, 20
SWITCH_MARGIN: Final = 3
"""Around it, for the ring of the focus."""
_OUTLINE = 1.4
"""Pixels: the outline of a switch that is off."""
_GAP_ON, _GAP_OFF = 0.15, 0.25
"""Between the knob and the track, as shares of the track's height."""


class Switch(QAbstractButton):
    """A check box drawn as a switch; Space toggles it. ``toggled`` and ``isChecked`` as with any button.

    On is filled, off an outline: the two differ in weight, not in colour alone.
    """

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme().changed.connect(self._fit)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(
            theme().scaled_up(_WIDTH) + 2 * SWITCH_MARGIN, theme().scaled_up(_HEIGHT) + 2 * SWITCH_MARGIN
        )

    def _fit(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        track = QRectF(self.rect()).adjusted(SWITCH_MARGIN, SWITCH_MARGIN, -SWITCH_MARGIN, -SWITCH_MARGIN)
        radius = track.height() / 2
        if self.property("ring"):
            painter.setPen(QPen(theme().colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), radius + 2, radius + 2)
        is_on = self.isChecked()
        painter.setPen(Qt.PenStyle.NoPen if is_on else QPen(theme().colour("dim"), _OUTLINE))
        painter.setBrush(theme().colour("accent" if is_on else "bg"))
        edge = 0.0 if is_on else _OUTLINE / 2
        painter.drawRoundedRect(track.adjusted(edge, edge, -edge, -edge), radius - edge, radius - edge)
        gap = track.height() * (_GAP_ON if is_on else _GAP_OFF)
        knob = track.height() - 2 * gap
        at_right = is_on is not (self.layoutDirection() is Qt.LayoutDirection.RightToLeft)
        left = track.right() - knob - gap if at_right else track.left() + gap
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("on_accent" if is_on else "dim"))
        painter.drawEllipse(QRectF(left, track.top() + gap, knob, knob))
        painter.end()
