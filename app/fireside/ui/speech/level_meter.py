"""How loud it is now and was a moment ago, as bars."""

from __future__ import annotations

from collections import deque
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fireside.ui.theme import theme
from fireside.ui.widgets.waveform import draw_bars

_BAR: Final = 3.0
_GAP: Final = 2.0
_QUIET: Final = 0.35
"""The level of a quiet room, which is shown as nothing."""


class LevelMeter(QWidget):
    """Newest at the end. Screen readers are told of states, not of levels."""

    def __init__(self, *, n_bars: int = 28, height: int = 22) -> None:
        super().__init__()
        self._natural_height = height
        self._levels = deque([0.0] * n_bars, maxlen=n_bars)
        self._tint = "danger"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme().changed.connect(self.updateGeometry)

    @property
    def levels(self) -> tuple[float, ...]:
        """What is shown, 0 to 1, newest last."""
        return tuple(self._levels)

    def show_level(self, level: float) -> None:
        """Add a level, 0 to 1."""
        self._levels.append(min(1.0, max(0.0, (level - _QUIET) / (1.0 - _QUIET))))
        self.update()

    def reset(self, *, tint: str) -> None:
        """Show silence, in the colour of a token from now on."""
        self._levels.extend([0.0] * len(self._levels))
        self._tint = tint
        self.update()

    def sizeHint(self) -> QSize:
        width = len(self._levels) * (_BAR + _GAP) - _GAP
        return QSize(theme().scaled_up(width), theme().scaled_up(self._natural_height))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        step = self.width() / len(self._levels)
        bar = step * _BAR / (_BAR + _GAP)
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        levels = [*reversed(self._levels)] if is_mirrored else [*self._levels]
        draw_bars(
            painter,
            levels,
            height=self.height(),
            bar=bar,
            gap=step - bar,
            colour_of=lambda index: theme().colour(self._tint if levels[index] else "edge"),
        )
        painter.end()
