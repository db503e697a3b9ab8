"""Draw how much of each device's free memory a model would take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from fireside.core.errors import format_bytes
from fireside.core.fit import DeviceShare
from fireside.ui.theme import Theme
from fireside.ui.widgets.text import one_line

_WIDTH: Final = 44
_HEIGHT: Final = 6


def share_words(share: DeviceShare) -> str:
    """Return one device's share as words: what is taken of what is free."""
    return f"{one_line(share.name)}: {format_bytes(share.n_bytes)} of {format_bytes(share.free_bytes)} free"


def shares_words(shares: Sequence[DeviceShare]) -> str:
    return "; ".join(share_words(share) for share in shares)


class MemoryBar(QWidget):
    """A track for one device. Full and striped where the model takes more than is free."""

    def __init__(self, share: DeviceShare, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.share = share
        self.setFixedSize(_WIDTH, _HEIGHT + 4)
        self.setAccessibleName(share_words(share))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        share = self.share
        is_over = share.n_bytes > share.free_bytes
        part = 1.0 if is_over else share.n_bytes / max(1, share.free_bytes)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        track = QRectF(0, 2, _WIDTH, _HEIGHT)
        painter.setBrush(self._theme.colour("edge"))
        painter.drawRoundedRect(track, _HEIGHT / 2, _HEIGHT / 2)
        filled = QRectF(0, 2, max(_HEIGHT, _WIDTH * part), _HEIGHT)
        painter.setBrush(self._theme.colour("danger" if is_over else "accent"))
        painter.drawRoundedRect(filled, _HEIGHT / 2, _HEIGHT / 2)
        if is_over:
            painter.setBrush(QBrush(self._theme.colour("bg"), Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(filled, _HEIGHT / 2, _HEIGHT / 2)
        painter.end()
