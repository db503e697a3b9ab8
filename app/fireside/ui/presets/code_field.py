"""A field for a schema, a pattern or a grammar: monospaced, with line numbers."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.ui.theme import SPACE_S, theme

_FONT_PX: Final = 12.5
_MAX_NUMBERS: Final = 2_000
"""Maximum number of line numbers painted at once; far more than fit on a screen."""


class _LineNumbers(QWidget):
    def __init__(self, field: CodeField) -> None:
        super().__init__(field)
        self._field = field
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._field.paint_numbers(self, event)


class CodeField(QPlainTextEdit):
    """Tab moves the focus out of it, as in any other field."""

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._numbers = _LineNumbers(self)
        self.blockCountChanged.connect(self._fit_numbers)
        self.updateRequest.connect(self._on_update)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def paint_numbers(self, gutter: QWidget, event: QPaintEvent) -> None:
        """Paint the numbers of the visible lines in ``gutter``, the widget at the left of the text."""
        painter = QPainter(gutter)
        painter.setFont(self.font())
        painter.setPen(theme().colour("dim"))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        for _ in range(_MAX_NUMBERS):
            if not block.isValid() or top > event.rect().bottom():
                break
            height = self.blockBoundingRect(block).height()
            rect = QRect(0, round(top), gutter.width() - SPACE_S, round(height))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignRight), str(block.blockNumber() + 1))
            top += height
            block = block.next()
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._position_numbers()

    @Slot()
    def _fit_numbers(self) -> None:
        digits = max(2, len(str(self.blockCount())))
        width = self.fontMetrics().horizontalAdvance("0" * digits) + 2 * SPACE_S
        self._numbers.setFixedWidth(width)
        self.setViewportMargins(width, 0, 0, 0)
        self._position_numbers()

    def _position_numbers(self) -> None:
        text_rect = self.viewport().geometry()
        left = text_rect.left() - self._numbers.width()
        self._numbers.move(left, text_rect.top())
        self._numbers.setFixedHeight(text_rect.height())

    def _on_update(self, area: QRect, dy: int) -> None:
        if dy:
            self._numbers.scroll(0, dy)
        else:
            self._numbers.update(0, area.y(), self._numbers.width(), area.height())

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFont(theme().mono_font(_FONT_PX))
        self._fit_numbers()
        self._numbers.update()
