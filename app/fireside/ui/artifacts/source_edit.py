"""The source of an artifact: read with its syntax colours, or edited."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.markup.rich_text import MAX_RUN
from fireside.ui.chat.answer.code import insert_wrapped
from fireside.ui.chat.answer.code_colouring import CodeColouring
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.theme import SPACE_M, SPACE_S, theme

_SETTLE_MS: Final = 250
_READ: Final = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class SourceEdit(QPlainTextEdit):
    """Text in the font of code, with line numbers. Tab leaves it. GUI thread only."""

    edited = Signal()
    """The user changed the text."""

    def __init__(self, *, name: str, has_numbers: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("artifactSource")
        self.setAccessibleName(name)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.set_editable(is_editable=False)
        self._language = ""
        self._style = TranscriptStyle(Lexers())
        self._colouring = CodeColouring(self.document(), self._style, parent=self)
        self._colour_timer = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._colour_timer.timeout.connect(self._colour)
        self._gutter = _Gutter(self)
        self._gutter.setVisible(has_numbers)
        self._is_whole = True
        self.updateRequest.connect(lambda *_: self._gutter.update())
        self.blockCountChanged.connect(lambda _n: self._fit_gutter())
        self.textChanged.connect(self._on_changed)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def is_whole(self) -> bool:
        """Whether the text is as it was set: lines that are too long for Qt are broken, and not edited."""
        return self._is_whole

    def show_text(self, text: str, *, language: str) -> None:
        """Show a text; a cursor at the same line stays there."""
        self._language = language
        self._is_whole = max(map(len, text.split("\n"))) <= MAX_RUN
        line, scrolled = self.textCursor().blockNumber(), self.verticalScrollBar().value()
        self.blockSignals(True)
        if self._is_whole:
            self.setPlainText(text)
        else:
            self.clear()
            cursor = QTextCursor(self.document())
            cursor.beginEditBlock()
            for index, each in enumerate(text.split("\n")):
                if index:
                    cursor.insertBlock()
                insert_wrapped(cursor, each)
            cursor.endEditBlock()
        self.blockSignals(False)
        block = self.document().findBlockByNumber(min(line, self.document().blockCount() - 1))
        self.setTextCursor(QTextCursor(block))
        self.verticalScrollBar().setValue(scrolled)
        self._fit_gutter()
        self._colour()

    def set_editable(self, *, is_editable: bool) -> None:
        """Let the user change the text, or not."""
        self.setReadOnly(not is_editable)
        if not is_editable:  # by itself Qt lets only the mouse select
            self.setTextInteractionFlags(_READ)

    def go_to_line(self, line: int) -> None:
        """Put the cursor at the beginning of a line, counted from 1, and show it."""
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(max(0, line - 1))))
        self.centerCursor()

    @property
    def selected(self) -> str:
        """The selected text."""
        return self.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_gutter()

    def _on_changed(self) -> None:
        self._colour_timer.start()
        if not self.isReadOnly():
            self.edited.emit()

    def _colour(self) -> None:
        self._colouring.colour_all(self.toPlainText(), language=self._language, style=self._style)

    def _on_theme_changed(self) -> None:
        self._style = TranscriptStyle(self._style.lexers)
        self.setFont(theme().mono_font(13))
        self._fit_gutter()
        self._colour()

    def _fit_gutter(self) -> None:
        if self._gutter.isHidden():
            self.setViewportMargins(SPACE_S, 0, 0, 0)
            return
        digits = len(str(max(99, self.blockCount())))
        width = self.fontMetrics().horizontalAdvance("0" * digits) + SPACE_M + SPACE_S
        self.setViewportMargins(width, 0, 0, 0)
        box = self.contentsRect()
        self._gutter.setGeometry(box.left(), box.top(), width, box.height())

    def paint_numbers(self, painter: QPainter, width: int, height: int) -> None:
        """Draw the numbers of the lines in sight."""
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        line_height = self.fontMetrics().height()
        painter.setFont(self.font())
        painter.setPen(theme().colour("dim"))
        while block.isValid() and top <= height:
            row = QRectF(0, top, width - SPACE_M, line_height)
            painter.drawText(row, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))
            top += self.blockBoundingRect(block).height()
            block = block.next()


class _Gutter(QWidget):
    def __init__(self, source: SourceEdit) -> None:
        super().__init__(source)
        self._source = source
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        self._source.paint_numbers(painter, self.width(), self.height())
        painter.end()
