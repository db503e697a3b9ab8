"""The loudness of a sound over time, as bars, with the position at which it is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from fireside.ui.theme import theme

_BAR: Final = 2.0
_GAP: Final = 1.5
_HEIGHT: Final = 20
_WIDTH: Final = 80
_QUIET: Final = 24
"""A sound whose loudest sample is below this, of 255, is not drawn as if it were loud."""
_STEP_S: Final = 5
_PAGE_S: Final = 15


def draw_bars(
    painter: QPainter,
    levels: Sequence[float],
    *,
    height: float,
    bar: float,
    gap: float,
    colour_of: Callable[[int], QColor],
) -> None:
    """Draw ``levels``, 0 to 1, as rounded bars from left to right, in the middle of ``height`` pixels."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for index, level in enumerate(levels):
        length = max(bar, height * level)
        painter.setBrush(colour_of(index))
        rect = QRectF(index * (bar + gap), (height - length) / 2, bar, length)
        painter.drawRoundedRect(rect, bar / 2, bar / 2)


class Waveform(QSlider):
    """A slider of whole seconds; it draws what was measured when the sound was attached.

    Nothing is decoded here.
    """

    sought = Signal(float)
    """The user wants to hear the sound from this second on."""
    toggled = Signal()
    """The user pressed Space: play or pause."""

    def __init__(
        self, peaks: bytes, *, seconds: float, height: int = _HEIGHT, parent: QWidget | None = None
    ) -> None:
        """``peaks`` are those of ``AudioPart``."""
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._peaks = peaks or bytes(1)
        self._loudest: int = max(_QUIET, *self._peaks)
        self._seconds = max(0.001, seconds)
        self._position = 0.0
        self._natural_height = height
        self.setRange(0, ceil(seconds))
        self.setSingleStep(_STEP_S)
        self.setPageStep(_PAGE_S)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # time runs so in every language
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.valueChanged.connect(lambda value: self.sought.emit(float(value)))

    def show_position(self, seconds: float) -> None:
        """Show what was played."""
        self._position = seconds
        with QSignalBlocker(self):
            self.setValue(int(seconds))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().scaled(_WIDTH), theme().scaled_up(self._natural_height))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        n_bars = max(1, int((self.width() + _GAP) // (_BAR + _GAP)))
        n_played = self._position / self._seconds * n_bars
        rest = theme().colour("text2" if self.property("ring") else "dim")
        draw_bars(
            painter,
            [self._loudness(index / n_bars, (index + 1) / n_bars) for index in range(n_bars)],
            height=self.height(),
            bar=_BAR,
            gap=_GAP,
            colour_of=lambda index: theme().colour("accent") if index < n_played else rest,
        )
        if self.property("ring"):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(theme().colour("accent"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space plays and pauses; arrows, Page Up and Down, Home and End move, as in every slider."""
        if event.key() == Qt.Key.Key_Space:
            self.toggled.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._seek(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._seek(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _seek(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            share = min(1.0, max(0.0, event.position().x() / max(1, self.width())))
            self.show_position(share * self._seconds)
            self.sought.emit(self._position)
        event.accept()

    def _loudness(self, begin: float, end: float) -> float:
        """Return the loudest of a part of the sound, of its loudest."""
        first = int(begin * len(self._peaks))
        loudest = max(self._peaks[first : max(first + 1, int(end * len(self._peaks)))])
        return loudest / self._loudest
