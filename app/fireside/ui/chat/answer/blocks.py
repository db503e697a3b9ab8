"""Widgets of an answer's blocks: prose, quotes, formulas, rules. Code and tables have their own modules.

All have ``text_view``, in which text can be selected, or ``None``; ``show_block``, for a block or a longer
version of it while it streams; ``finish``, once the block will not change; ``height_for``, which lays out for
a width in pixels and returns the height; and ``restyle``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QWidget

from fireside.bridge.list_markers import left_margin
from fireside.markup.block_stream import Block, BlockKind
from fireside.markup.rich_text import STRUT_PX
from fireside.ui.chat.answer.text_view import RichText, TextView, TextWidget
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.theme import theme

_QUOTE_INDENT = 16
QUOTE_STEP = 14
"""Pixels that a quotation within another moves its text to the right."""
_BAR_WIDTH = 3
_BAR_COLOUR = "edge"
_ALERT = re.compile(r'<p class="alert-(\w+)">')
_ALERT_COLOURS = {
    "note": "accent",
    "important": "accent",
    "tip": "ok",
    "warning": "warn",
    "caution": "danger",
}
SCROLL_BAR = 10
"""Height of the scroll bar below what is wider than the column."""


def is_horizontal_scroll(event: QEvent) -> bool:
    """Return whether a wheel or touchpad event scrolls horizontally."""
    if not isinstance(event, QWheelEvent):
        return False
    delta = event.angleDelta()
    return abs(delta.x()) > abs(delta.y()) or bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


class ProseView(RichText):
    """Paragraphs, headings and list items."""

    @property
    def text_view(self) -> TextWidget | None:
        return self

    def show_block(self, block: Block) -> None:
        self.set_html(block.body)

    def finish(self) -> None:
        pass


class QuoteView(QWidget):
    """A quotation with a bar at its leading edge, and one for each nested quotation."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self._text = RichText(style, self)
        self._colour = _BAR_COLOUR

    @property
    def text_view(self) -> TextWidget | None:
        return self._text

    def show_block(self, block: Block) -> None:
        alert = _ALERT.match(block.body)
        self._colour = _ALERT_COLOURS[alert[1]] if alert is not None else _BAR_COLOUR
        self._text.set_html(f"<blockquote style='margin:0'>{block.body}</blockquote>")

    def finish(self) -> None:
        pass

    def restyle(self, style: TranscriptStyle) -> None:
        self._text.restyle(style)

    def height_for(self, width: int) -> int:
        height = self._text.height_for(max(40, width - _QUOTE_INDENT))
        left = 0 if self.is_mirrored else _QUOTE_INDENT
        self._text.setGeometry(left, 0, width - _QUOTE_INDENT, height)
        return height

    @property
    def is_mirrored(self) -> bool:
        """Whether its bar is at the right."""
        return self._text.document().begin().textDirection() is Qt.LayoutDirection.RightToLeft

    @property
    def bars(self) -> Sequence[QRectF]:
        """Geometry of the bars, the outermost first."""
        document = self._text.document()
        layout = document.documentLayout()
        first = self.width() - _BAR_WIDTH if self.is_mirrored else 0
        bars = [QRectF(first, 2, _BAR_WIDTH, max(8, self._text.height() - 4))]
        if self.is_mirrored:
            return bars  # Qt indents a nested quotation at its left, where its lines end
        open_bars: list[QRectF] = []
        block = document.begin()
        while block.isValid():
            depth = round(left_margin(block) / QUOTE_STEP)
            box = layout.blockBoundingRect(block)
            del open_bars[depth:]
            for bar in open_bars:
                bar.setBottom(box.bottom())
            while len(open_bars) < depth:
                x = _QUOTE_INDENT + QUOTE_STEP * len(open_bars)
                open_bars.append(QRectF(x, box.top(), _BAR_WIDTH, box.height()))
                bars.append(open_bars[-1])
            block = block.next()
        return bars

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour(self._colour))
        for bar in self.bars:
            painter.drawRoundedRect(bar, 1, 1)
        painter.end()


def quote_inset(block: Block) -> int:
    """Return the pixels between the edge of the quotations around a table and the table."""
    if block.kind is not BlockKind.TABLE or not block.quotes:
        return 0
    return _QUOTE_INDENT + QUOTE_STEP * (block.quotes - 1)


def quote_bars(placed: Sequence[tuple[Block, QRect, bool]]) -> Sequence[QRect]:
    """Return the bars of quotations that ``QuoteView`` does not draw: around tables, and between parts.

    ``placed`` are blocks with the edges of their outermost quotations, and whether they are mirrored.
    """
    bars: list[QRect] = []
    outer: QRect | None = None
    for index, (block, box, is_mirrored) in enumerate(placed):
        goes_on = index + 1 < len(placed) and placed[index + 1][0].continues_quote
        is_table = block.kind is BlockKind.TABLE and block.quotes > 0
        left = box.right() + 1 - _BAR_WIDTH if is_mirrored else box.left()
        if is_table and not is_mirrored:
            inner = (left + _QUOTE_INDENT + QUOTE_STEP * level for level in range(block.quotes - 1))
            bars += [QRect(x, box.top(), _BAR_WIDTH, box.height()) for x in inner]
        if block.continues_quote and outer is not None:
            outer.setBottom(box.bottom() - 2)
        elif is_table or goes_on:
            outer = QRect(left, box.top() + 2, _BAR_WIDTH, box.height() - 4)
            bars.append(outer)
        else:
            outer = None
    return bars


class RuleView(QFrame):
    """A horizontal rule."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:  # noqa: ARG002 - constructed like the others
        super().__init__(parent)
        self._line = QFrame(self)
        self._line.setObjectName("ruleLine")

    @property
    def text_view(self) -> TextWidget | None:
        return None

    def show_block(self, block: Block) -> None:
        pass

    def finish(self) -> None:
        pass

    def restyle(self, style: TranscriptStyle) -> None:
        pass

    def height_for(self, width: int) -> int:
        self._line.setGeometry(0, 7, width, 1)
        return 18


class HorizontalScrollArea(QScrollArea):
    """Scrolls horizontally what is wider than the column."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.viewport().setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_content(self, widget: QWidget) -> None:
        """Scroll ``widget``, with a transparent background."""
        self.setWidget(widget)
        widget.setAutoFillBackground(False)
        widget.show()

    def event(self, event: QEvent) -> bool:
        """Leave vertical wheel events to the transcript."""
        if event.type() is QEvent.Type.Wheel and not is_horizontal_scroll(event):
            event.ignore()
            return False
        return super().event(event)


class OverflowArea:
    """Places a text in its parent, or in a ``HorizontalScrollArea`` there once it is wider than its box.

    The area is made on demand: few texts are wider, and a scroll area is six widgets.
    """

    def __init__(self, text: TextView, parent: QWidget) -> None:
        self._text = text
        self._parent = parent
        self._area: HorizontalScrollArea | None = None

    @property
    def scroll_bar(self) -> QScrollBar | None:
        """Its scroll bar; ``None`` where the text was never wider than its box."""
        return None if self._area is None else self._area.horizontalScrollBar()

    def set_geometry(self, box: QRect, *, content_width: int) -> int:
        """Show a text ``content_width`` pixels wide in ``box``; return the height with any scroll bar."""
        overflows = content_width > box.width()
        if overflows and self._area is None:
            self._area = HorizontalScrollArea(self._parent)
            # Code and formulas run from left to right in a mirrored window too.
            self._area.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            self._area.set_content(self._text)
            self._area.show()
        total_height = box.height() + SCROLL_BAR if overflows else box.height()
        if self._area is None:
            self._text.setGeometry(box)
        else:
            self._text.resize(max(content_width, box.width()), box.height())
            self._area.setGeometry(box.x(), box.y(), box.width(), total_height)
        return total_height


class MathView(QWidget):
    """A display formula, centred in the column."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self._text = RichText(style, self)
        self._text.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self._overflow = OverflowArea(self._text, self)

    @property
    def text_view(self) -> TextWidget | None:
        return self._text

    def show_block(self, block: Block) -> None:
        self._text.set_html(f'<p class="formula" align="center">{block.body}</p>')

    def finish(self) -> None:
        pass

    def restyle(self, style: TranscriptStyle) -> None:
        self._text.restyle(style)

    def height_for(self, width: int) -> int:
        height = self._text.height_for(width)
        needed = ceil(self._text.document().size().width())
        if needed > width:
            # On one line with the strut that keeps the space below it; else its lower part would be cut off.
            needed += STRUT_PX
            height = self._text.height_for(needed)
        return self._overflow.set_geometry(QRect(0, 0, width, height), content_width=needed)
