"""An icon, or a coloured dot, as a widget."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from fireside.ui.theme import theme


class SquareMark(QWidget):
    """Base of marks that grow with the text size, and that the pointer does not notice."""

    def __init__(self, *, size: int, parent: QWidget | None = None) -> None:
        """``size`` is the side in pixels at the normal text size."""
        super().__init__(parent)
        self._size = size
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme().changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedSize(theme().scaled_up(self._size), theme().scaled_up(self._size))
        self.update()


class Picture(SquareMark):
    """A Lucide icon without an accessible name: the text beside it has one."""

    def __init__(
        self, icon: str, *, tint: str = "mute", size: int = 18, parent: QWidget | None = None
    ) -> None:
        super().__init__(size=size, parent=parent)
        self._icon = icon
        self._tint = tint

    def set_icon(self, icon: str, *, tint: str) -> None:
        self._icon = icon
        self._tint = tint
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.drawPixmap(
            0, 0, theme().pixmap(self._icon, self._tint, self._size, ratio=self.devicePixelRatio())
        )
        painter.end()


class Dot(SquareMark):
    """A filled circle in the colour of a token."""

    def __init__(self, *, tint: str, size: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(size=size, parent=parent)
        self._tint = tint

    @property
    def tint(self) -> str:
        return self._tint

    def set_tint(self, tint: str) -> None:
        self._tint = tint
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour(self._tint))
        painter.drawEllipse(QRectF(self.rect()))
        painter.end()
