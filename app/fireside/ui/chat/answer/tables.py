"""The widget of a table. A long table is split into parts below each other, which share their columns.

Qt lays out a whole table for each row that is added. In parts, only the last one is laid out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QTextCursor, QTextLength, QTextOption, QTextTable
from PySide6.QtWidgets import QScrollBar, QWidget

from fireside.bridge.rich_document import reads_from_right, table_html
from fireside.markup.block_stream import Block
from fireside.ui.chat.answer.blocks import SCROLL_BAR, HorizontalScrollArea
from fireside.ui.chat.answer.text_view import RichText, TextWidget
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.theme import theme

_PADDING = (8, 4)
"""Pixels above and below the text of a cell; its line height adds to those below."""
_BETWEEN = 16
_MAX_OVERFLOW = 1.3
"""A table up to this many times wider than the space has its words broken instead of being scrolled."""
_MOST_NARROWED = 8
"""How many times later parts may take from the widest column; then the table is scrolled."""
_SHORT = 14
"""Characters of a cell with a number, which is never broken."""
_Widths = tuple[float, ...]


class Columns:
    """The column widths that all parts of one table share.

    They are as Qt computes them for the first part, and wider where a later part has a longer word.
    """

    def __init__(self) -> None:
        self.parts: list[TableView] = []
        self.widths: _Widths = ()
        self.revision = 0
        """Incremented whenever a measured height may have become invalid."""
        self.breaks_words = False
        """Whether words are broken, so that the table needs no scrolling."""
        self.is_mirrored = False
        """Whether the first column is the one at the right."""
        self.x = 0
        """Horizontal scroll position in pixels from the first column's side."""
        self._pane = 0
        self._n_narrowed = 0

    def compute(self, pane: int) -> None:
        """Compute the widths for ``pane`` pixels, unless they are known."""
        if pane != self._pane or not self.widths:
            self._pane, self.widths, self.breaks_words, self._n_narrowed = pane, (), False, 0
            self.widen(self.parts[0].natural_widths(pane))

    def widen(self, needed: _Widths) -> None:
        """Widen the columns to at least ``needed``."""
        wider = tuple(map(max, self.widths, needed)) if self.widths else needed
        if not self.breaks_words and nearly_fits(sum(wider), self._pane):
            self.breaks_words = True
            wider = _narrowed(wider, self._pane) or self.parts[0].natural_widths(self._pane)
        elif self.breaks_words and sum(wider) > self._pane + 1 and self._n_narrowed < _MOST_NARROWED:
            self._n_narrowed += 1
            wider = _narrowed(wider, self._pane) or wider
        if wider != self.widths:
            self.widths = wider
            self.revision += 1

    def invalidate(self) -> None:
        """Discard the widths: the style or the parts have changed."""
        self.widths = ()
        self.revision += 1

    def scroll(self, x: int) -> None:
        """Scroll all parts horizontally together."""
        self.x = x
        for part in self.parts:
            part.show_scroll_position()


def nearly_fits(needed: float, available: int) -> bool:
    """Return whether a table is so little too wide that its words are broken instead of scrolling."""
    return available < ceil(needed) <= available * _MAX_OVERFLOW


def _narrowed(widths: _Widths, available: int) -> _Widths:
    """Return ``widths`` with what is too much taken from the widest; nothing if that were half of it."""
    excess, widest = sum(widths) - available, max(widths)
    if excess > widest / 2:
        return ()
    at = widths.index(widest)
    return (*widths[:at], widest - excess, *widths[at + 1 :])


def _space(needed: float, available: int) -> int:
    """Return the pixels that a table needs: one more than there are comes from rounding its columns."""
    return available if needed <= available + 1 else ceil(needed)


class TableView(HorizontalScrollArea):
    """A table, or one part of it."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._body = ""
        self._text = RichText(style, self)
        self._text.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.set_content(self._text)
        self.columns = Columns()
        self.columns.parts.append(self)
        self.horizontalScrollBar().valueChanged.connect(self._on_scrolled)
        self.horizontalScrollBar().rangeChanged.connect(self.show_scroll_position)

    @property
    def text_view(self) -> TextWidget | None:
        return self._text

    @property
    def is_mirrored(self) -> bool:
        """Whether the first column is the one at the right."""
        return self.columns.is_mirrored

    @property
    def scroll_bar(self) -> QScrollBar:
        """The horizontal scroll bar, shown or not."""
        return self.horizontalScrollBar()

    @property
    def head_height(self) -> int:
        """Height of the row of column names, which the first part has, in pixels."""
        table, layout = self._table, self._text.document().documentLayout()
        if table.rows() == 1:
            return self._text.height()
        below = table.cellAt(1, 0).firstCursorPosition().block()
        return round(layout.blockBoundingRect(below).top()) - _PADDING[0]

    def show_block(self, block: Block) -> None:
        self._body = block.body
        if self.columns.parts[0] is self:
            self.columns.is_mirrored = reads_from_right(self._body)
        self._fill()

    def finish(self) -> None:
        pass

    @property
    def revision(self) -> tuple[int, bool]:
        """What the height depends on beside text and width: columns, and whether the scroll bar is here."""
        return self.columns.revision, self.columns.parts[-1] is self

    def join(self, before: TableView) -> None:
        """Become the next part of the table of ``before``."""
        self.columns = before.columns
        self.columns.parts.append(self)
        if len(self.columns.parts) == 2:
            self.columns.revision += 1  # the first one was laid out alone
        self._fill()

    def detach(self) -> None:
        """Remove this part from its table: the widget is being deleted."""
        self.columns.parts.remove(self)
        self.columns.invalidate()

    def restyle(self, style: TranscriptStyle) -> None:
        self._text.restyle(style)
        self._fill()
        self.columns.invalidate()

    def height_for(self, width: int) -> int:
        columns = self.columns
        if len(columns.parts) == 1:
            return self._height_alone(width)
        columns.compute(width)
        self._constrain(columns.widths)
        self._break_words(columns.breaks_words)
        height = self._text.height_for(width)
        columns.widen(self._widths())
        needed = _space(sum(columns.widths), width)
        self._text.resize(max(width, needed), height)
        is_last = columns.parts[-1] is self
        bar = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(bar.ScrollBarAsNeeded if is_last else bar.ScrollBarAlwaysOff)
        return height + SCROLL_BAR if is_last and needed > width else height

    def _height_alone(self, width: int) -> int:
        self._break_words(False)
        height = self._height_as_wide(width)
        if nearly_fits(self._text.width(), width):
            self._break_words(True)
            height = self._height_as_wide(width)
        return height

    def _height_as_wide(self, width: int) -> int:
        """Lay out the text as wide as it needs to be; return the height with the scroll bar, if any."""
        height = self._text.height_for(width)
        needed = _space(self._text.document().size().width(), width)
        self._text.resize(max(needed, width), height)
        return height + SCROLL_BAR if needed > width else height

    def _break_words(self, breaks: bool) -> None:
        wrap = QTextOption.WrapMode
        mode = wrap.WrapAtWordBoundaryOrAnywhere if breaks else wrap.WordWrap
        if self._text.wordWrapMode() is not mode:
            self._text.setWordWrapMode(mode)

    def natural_widths(self, width: int) -> _Widths:
        """Return the column widths that Qt chooses for these rows alone."""
        self._constrain(())
        self._break_words(self.columns.breaks_words)
        self._text.height_for(width)
        return self._widths()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Apply the scroll position of the other parts."""
        super().resizeEvent(event)
        self.show_scroll_position()

    def show_scroll_position(self) -> None:
        """Scroll to the position that all parts have."""
        bar, x = self.horizontalScrollBar(), self.columns.x
        bar.setValue(bar.maximum() - x if self.columns.is_mirrored else x)

    def _on_scrolled(self, value: int) -> None:
        is_mirrored = self.columns.is_mirrored
        self.columns.scroll(self.horizontalScrollBar().maximum() - value if is_mirrored else value)

    def _fill(self) -> None:
        """Show the rows; a short cell with a number is one line."""
        self._text.set_html(self._framed(self._body))
        document = self._text.document()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        block = document.begin()
        while block.isValid():
            text = block.text()
            if len(text) <= _SHORT and any(map(str.isdigit, text)):
                block_format = block.blockFormat()
                block_format.setNonBreakableLines(True)
                cursor.setPosition(block.position())
                cursor.setBlockFormat(block_format)
            block = block.next()
        cursor.endEditBlock()

    def _framed(self, body: str) -> str:
        line = theme().tokens.line
        is_mirrored = self.columns.is_mirrored
        sides = (0, _BETWEEN) if is_mirrored else (_BETWEEN, 0)
        return (
            f"<style>td, th {{ border-bottom: 1px solid {line}; padding: {_PADDING[0]}px {sides[0]}px"
            f" {_PADDING[1]}px {sides[1]}px; }}</style>{table_html(body, is_mirrored=is_mirrored)}"
        )

    @property
    def _table(self) -> QTextTable:
        frames = self._text.document().rootFrame().childFrames()
        return next(frame for frame in frames if isinstance(frame, QTextTable))

    def _constrain(self, widths: Sequence[float]) -> None:
        """Constrain the columns to these widths; empty for those that Qt chooses."""
        table = self._table
        kind = QTextLength.Type
        constraints = [QTextLength(kind.FixedLength, width) for width in widths]
        constraints = constraints or [QTextLength(kind.VariableLength, 0)] * table.columns()
        table_format = table.format()
        if table_format.columnWidthConstraints() != constraints:
            table_format.setColumnWidthConstraints(constraints)
            table.setFormat(table_format)

    def _widths(self) -> _Widths:
        table, layout = self._table, self._text.document().documentLayout()
        cells = (table.cellAt(0, column) for column in range(table.columns()))
        lefts = [layout.blockBoundingRect(cell.firstCursorPosition().block()).x() for cell in cells]
        right = layout.frameBoundingRect(table).right()
        return tuple(after - before for before, after in pairwise([*lefts, right]))
