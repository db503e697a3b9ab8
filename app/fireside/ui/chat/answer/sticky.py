"""What stays in sight of code and tables that are taller than the view: heading and horizontal scroll bar."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QMetaObject, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QAbstractTextDocumentLayout, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from fireside.ui.chat.answer.blocks import SCROLL_BAR, is_horizontal_scroll
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.tables import TableView
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.theme import theme


class Span(msgspec.Struct, kw_only=True):
    """A block of code, or all parts of a table, and where it is in its message."""

    views: list[CodeView | TableView]
    top: int
    bottom: int

    def crossed_at(self, y: int) -> CodeView | TableView:
        """Return the part at ``y`` of the message."""
        return next((view for view in self.views if y <= view.geometry().bottom()), self.views[-1])


class StickyParts:
    """Places what stays in sight over the blocks of one message. GUI thread only."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:
        self._style = style
        self._parent = parent
        self._code: CodeView | None = None
        """The code whose heading is not at its top."""
        self._head: _TableHead | None = None
        self._bar: _FloatingBar | None = None

    def show(self, spans: Sequence[Span], *, top: int, bottom: int) -> None:
        """Keep headings and scroll bars between ``top`` and ``bottom``, in pixels of the message."""
        above, below = _crossing(spans, top), _crossing(spans, bottom)
        first = above.views[0] if above is not None else None
        if self._code is not None and self._code is not first:
            self._code.stick(0)
        self._code = first if isinstance(first, CodeView) else None
        if self._code is not None and above is not None:
            self._code.stick(top - above.top)
        if isinstance(first, TableView) and above is not None:
            self._show_head(first, y=min(top, above.bottom - 2 * first.head_height))
        elif self._head is not None:
            self._head.hide()
        bar = below.crossed_at(bottom).scroll_bar if below is not None else None
        if bar is not None and bar.maximum() > 0 and below is not None:
            box = below.views[0].geometry()
            self._show_bar(bar, QRect(box.x(), bottom - SCROLL_BAR, box.width(), SCROLL_BAR))
        elif self._bar is not None:
            self._bar.hide()

    def release(self) -> None:
        """Let go of all blocks: some are being deleted, or look different."""
        self._code = None
        for part in (self._head, self._bar):
            if part is not None:
                part.follow(None)
                part.hide()

    def restyle(self, style: TranscriptStyle) -> None:
        """Apply another style."""
        self._style = style
        self.release()

    def _show_head(self, table: TableView, *, y: int) -> None:
        if self._head is None:
            self._head = _TableHead(self._parent)
        self._head.follow(table)
        self._head.show_at(QRect(table.x(), y, table.width(), table.head_height), style=self._style)

    def _show_bar(self, bar: QScrollBar, box: QRect) -> None:
        if self._bar is None:
            self._bar = _FloatingBar(self._parent)
        self._bar.follow(bar)
        self._bar.setGeometry(box)
        self._bar.show()
        self._bar.raise_()


def _crossing(spans: Sequence[Span], y: int) -> Span | None:
    index = bisect_right(spans, y, key=lambda span: span.top) - 1
    return spans[index] if index >= 0 and spans[index].top < y < spans[index].bottom else None


class _TableHead(QWidget):
    """The row of column names of a table, drawn once more."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._table: TableView | None = None
        self._style: TranscriptStyle | None = None
        self._connection: QMetaObject.Connection | None = None

    def follow(self, table: TableView | None) -> None:
        """Draw the first row of ``table``, as far as that is scrolled."""
        if table is self._table:
            return
        if self._connection is not None:
            QObject.disconnect(self._connection)
        self._table, self._connection = table, None
        if table is not None:
            self._connection = table.scroll_bar.valueChanged.connect(self.update)

    def show_at(self, box: QRect, *, style: TranscriptStyle) -> None:
        self._style = style
        self.setGeometry(box)
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._table is None or self._style is None or self._table.text_view is None:
            return
        text, x = self._table.text_view, self._table.scroll_bar.value()
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = text.palette()
        context.clip = QRectF(event.rect()).translated(x, 0)
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().colour("bg"))
        painter.translate(-x, 0)
        text.document().documentLayout().draw(painter, context)
        painter.end()


class _FloatingBar(QScrollBar):
    """A scroll bar in the place of another one that is out of sight."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._bar: QScrollBar | None = None
        self._connections: list[QMetaObject.Connection] = []
        self.valueChanged.connect(self._on_moved)

    def follow(self, bar: QScrollBar | None) -> None:
        """Stand for ``bar``."""
        if bar is not self._bar:
            for connection in self._connections:
                QObject.disconnect(connection)
            self._bar, self._connections = bar, []
            if bar is not None:
                self._connections = [
                    bar.valueChanged.connect(self._adopt),
                    bar.rangeChanged.connect(self._adopt),
                ]
        self._adopt()

    def _adopt(self) -> None:
        if self._bar is not None:
            self.blockSignals(True)
            self.setRange(self._bar.minimum(), self._bar.maximum())
            self.setPageStep(self._bar.pageStep())
            self.setSingleStep(self._bar.singleStep())
            self.setValue(self._bar.value())
            self.blockSignals(False)
            self.update()

    def _on_moved(self, value: int) -> None:
        if self._bar is not None:
            self._bar.setValue(value)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave vertical wheel events to the transcript."""
        if is_horizontal_scroll(event):
            super().wheelEvent(event)
        else:
            event.ignore()
