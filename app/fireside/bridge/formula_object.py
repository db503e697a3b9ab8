"""Formulas as inline objects of Qt's text documents, for the window and for paper."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPainterPath,
    QPyTextObject,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
    QTextLayout,
    QTransform,
)

from fireside.markup.formula import Outline
from fireside.markup.rich_text import FORMULA_EM


class FormulaObject(QPyTextObject):
    """Draws the placeholders of ``formula_image``, each on the baseline of its line."""

    def register(self, document: QTextDocument) -> None:
        """Draw the formulas of a document with this object, which must outlive it."""
        document.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, self)

    def draw_at(self, at: QPointF, image_format: QTextImageFormat, painter: QPainter) -> None:
        """Draw the formula of ``image_format`` with its upper left corner ``at``."""
        raise NotImplementedError

    def intrinsicSize(self, doc: QTextDocument, pos: int, fmt: QTextFormat) -> QSizeF:  # noqa: ARG002
        """Return the size of a formula on its line."""
        image_format = fmt.toImageFormat()
        return QSizeF(image_format.width(), image_format.height())

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,  # noqa: ARG002 - Qt's signature
        pos: int,  # noqa: ARG002 - Qt's signature
        fmt: QTextFormat,
    ) -> None:
        """Draw a formula at the position that Qt has laid out."""
        self.draw_at(QRectF(rect).topLeft(), fmt.toImageFormat(), painter)


# Outlines of text in the program's and the system's fonts, for letters that the font of formulas lacks


_PIXELS = 100
_EM = 100 / FORMULA_EM
"""Size of text in hundredths of a formula's em."""


def outline_text(text: str, *, is_bold: bool) -> Outline | None:
    """Return the outlines of ``text`` in any script and direction.

    ``None`` if the fonts lack a character, or have it as a picture only. Any thread.
    """
    font = QFont()
    font.setPixelSize(_PIXELS)
    font.setBold(is_bold)
    layout = QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    path = QPainterPath()
    n_empty = 0
    for run in layout.glyphRuns():
        letters = run.rawFont()
        for glyph, position in zip(run.glyphIndexes(), run.positions(), strict=True):
            if glyph == 0:
                return None
            letter = letters.pathForGlyph(glyph)
            n_empty += letter.isEmpty()
            path.addPath(letter.translated(position.x(), position.y() - line.ascent()))
    if n_empty > sum(unicodedata.category(char)[0] in "CZ" for char in text):
        return None
    scaled = QTransform.fromScale(_EM / _PIXELS, _EM / _PIXELS).map(path)
    box = scaled.boundingRect()
    width = line.horizontalAdvance() * _EM / _PIXELS
    return Outline(path=_path_data(scaled), width=width, ascent=-box.top(), descent=box.bottom())


def _path_data(path: QPainterPath) -> str:
    kinds = {QPainterPath.ElementType.MoveToElement: "M", QPainterPath.ElementType.LineToElement: "L"}
    kinds[QPainterPath.ElementType.CurveToElement] = "C"
    points = (path.elementAt(index) for index in range(path.elementCount()))
    return "".join(f"{kinds.get(point.type, ' ')}{point.x:.1f} {point.y:.1f}" for point in points)
