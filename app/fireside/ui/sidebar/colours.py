"""The shades and names of the colours that chats and folders can be marked with."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from fireside.core.chat import Colour
from fireside.core.i18n import tr, tr_noop
from fireside.ui.theme import Scheme

_SHADES: Final = {
    Scheme.LIGHT: {
        Colour.RED: "#d4443c",
        Colour.ORANGE: "#d9730d",
        Colour.YELLOW: "#b58a00",
        Colour.GREEN: "#2f8f4e",
        Colour.BLUE: "#2f7fd6",
        Colour.PURPLE: "#8b54c9",
    },
    Scheme.DARK: {
        Colour.RED: "#f2746c",
        Colour.ORANGE: "#f2994a",
        Colour.YELLOW: "#e3bd45",
        Colour.GREEN: "#5cc27c",
        Colour.BLUE: "#66a9f0",
        Colour.PURPLE: "#b58ae6",
    },
}
_NAMES: Final = {
    Colour.RED: tr_noop("Red"),
    Colour.ORANGE: tr_noop("Orange"),
    Colour.YELLOW: tr_noop("Yellow"),
    Colour.GREEN: tr_noop("Green"),
    Colour.BLUE: tr_noop("Blue"),
    Colour.PURPLE: tr_noop("Purple"),
}
_RATIO: Final = 2.0


def shade(colour: Colour, *, scheme: Scheme) -> QColor:
    """Return the shade of a colour for the surfaces of a colour scheme."""
    return QColor(_SHADES[scheme][colour])


def colour_name(colour: Colour | None) -> str:
    """Return the translated name of a colour; ``None`` is no colour."""
    return tr("No colour") if colour is None else tr(_NAMES[colour])


def dot_icon(colour: Colour | None, *, scheme: Scheme, ring: QColor) -> QIcon:
    """Return a coloured dot as a menu icon; for no colour, an empty circle drawn with ``ring``."""
    side = 16
    pixmap = QPixmap(round(side * _RATIO), round(side * _RATIO))
    pixmap.fill(Qt.GlobalColor.transparent)
    pixmap.setDevicePixelRatio(_RATIO)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if colour is None:
        painter.setPen(ring)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade(colour, scheme=scheme))
    painter.drawEllipse(QRectF(3, 3, 10, 10))
    painter.end()
    return QIcon(pixmap)
