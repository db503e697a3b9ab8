"""Formulas as inline objects of Qt's text documents, for the window and for paper."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPyTextObject, QTextDocument, QTextFormat, QTextImageFormat


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
