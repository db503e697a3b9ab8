"""What Qt asks of formulas in a document, for the window and for paper."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPyTextObject, QTextDocument, QTextFormat, QTextImageFormat


class FormulaObject(QPyTextObject):
    """Draws the places that ``formula_place`` makes, each on the baseline of its line."""

    def register(self, document: QTextDocument) -> None:
        """Let the formulas in a document be drawn by this, which must live as long."""
        document.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, self)

    def draw_at(self, at: QPointF, place: QTextImageFormat, painter: QPainter) -> None:
        """Draw the formula of ``place`` with its upper left corner ``at``."""
        raise NotImplementedError

    def intrinsicSize(self, doc: QTextDocument, pos: int, fmt: QTextFormat) -> QSizeF:  # noqa: ARG002
        """Say how much room a formula takes on its line."""
        place = fmt.toImageFormat()
        return QSizeF(place.width(), place.height())

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,  # noqa: ARG002 - Qt's signature
        pos: int,  # noqa: ARG002 - Qt's signature
        fmt: QTextFormat,
    ) -> None:
        """Draw a formula where Qt says."""
        self.draw_at(QRectF(rect).topLeft(), fmt.toImageFormat(), painter)
