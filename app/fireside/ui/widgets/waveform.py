"""The loudness of a sound over time, as bars."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fireside.ui.theme import theme

_BAR: Final = 2.0
_GAP: Final = 1.5
_HEIGHT: Final = 20
_WIDTH: Final = 80
_MIN_BAR: Final = 2.0
_QUIET: Final = 24
"""A sound whose loudest sample is below this, of 255, is not drawn as if it were loud."""


class Waveform(QWidget):
    """Draws what was measured when the sound was attached; nothing is decoded here."""

    def __init__(self, peaks: bytes, *, height: int = _HEIGHT, parent: QWidget | None = None) -> None:
        """``peaks`` are those of ``AudioPart``."""
        super().__init__(parent)
        self._natural_height = height
        self._peaks = peaks or bytes(1)
        self._loudest: int = max(_QUIET, *self._peaks)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        return QSize(theme().scaled(_WIDTH), theme().scaled_up(self._natural_height))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("dim"))
        n_bars = max(1, int((self.width() + _GAP) // (_BAR + _GAP)))
        for index in range(n_bars):
            height = max(_MIN_BAR, self.height() * self._loudness(index / n_bars, (index + 1) / n_bars))
            x = index * (_BAR + _GAP)
            painter.drawRoundedRect(QRectF(x, (self.height() - height) / 2, _BAR, height), 1, 1)
        painter.end()

    def _loudness(self, begin: float, end: float) -> float:
        """Return the loudest of a part of the sound, of its loudest."""
        first = int(begin * len(self._peaks))
        loudest = max(self._peaks[first : max(first + 1, int(end * len(self._peaks)))])
        return loudest / self._loudest
