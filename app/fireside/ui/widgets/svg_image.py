"""Pictures in SVG as images: drawn once, in a thread, from what is safe of them."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from fireside.core.i18n import tr
from fireside.markup.svg import SvgRefused, safe_svg

_MAX_PX = 4_000
"""Longest side of an image, in pixels."""


def svg_image(text: str, *, within: QSize) -> QImage:
    """Return a picture that fills ``within`` as far as its proportions allow, on a transparent ground.

    In any thread. Raises ``SvgRefused``.
    """
    renderer = QSvgRenderer(QByteArray(safe_svg(text).encode()))
    size = renderer.defaultSize()
    if not renderer.isValid() or size.isEmpty():
        raise SvgRefused(tr("It cannot be drawn."))
    size = size.scaled(within.boundedTo(QSize(_MAX_PX, _MAX_PX)), Qt.AspectRatioMode.KeepAspectRatio)
    image = QImage(size.expandedTo(QSize(1, 1)), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(image.rect()))
    painter.end()
    return image
