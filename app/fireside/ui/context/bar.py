"""The parts of a context as one bar. Parts are told apart by colour, by order and by hatching."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from fireside.ui.context.context_text import Part
from fireside.ui.theme import Theme

_HEIGHT: Final = 14
_LEAST: Final = 3.0
"""Pixels of a part that is there at all."""
_HATCHED: Final = {
    "series4": Qt.BrushStyle.FDiagPattern,
    "series3": Qt.BrushStyle.BDiagPattern,
    "series2": Qt.BrushStyle.DiagCrossPattern,
    "dim": Qt.BrushStyle.Dense6Pattern,
}


class ContextBar(QWidget):
    """Shows parts from left to right; what they are stands in the list below it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: tuple[Part, ...] = ()
        self.setFixedHeight(_HEIGHT)
        theme.changed.connect(self.update)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Show these parts."""
        self._parts = tuple(parts)
        self.setAccessibleName(", ".join(f"{part.name} {part.n_tokens:,}" for part in parts))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        clip = QPainterPath()
        clip.addRoundedRect(box, 5, 5)
        painter.setClipPath(clip)
        painter.fillRect(box, self._theme.colour("edge"))
        n_all = sum(part.n_tokens for part in self._parts) or 1
        x = 0.0
        for part in self._parts:
            if part.n_tokens <= 0 or part.colour == "edge":
                continue
            width = max(_LEAST, box.width() * part.n_tokens / n_all)
            stretch = QRectF(x, 0, width, box.height())
            painter.fillRect(stretch, self._theme.colour(part.colour))
            if (pattern := _HATCHED.get(part.colour)) is not None:
                painter.fillRect(stretch, QBrush(self._theme.colour("bg"), pattern))
            x += width
            painter.fillRect(QRectF(x - 1, 0, 1, box.height()), self._theme.colour("bg"))
        painter.end()
