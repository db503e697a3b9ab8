"""Numbers, bullets and check boxes of lists, for the window and for paper.

Qt draws its own too close to the text, a ticked box as a crossed one, and wide numbers beyond the edge of the
document. Documents disable those by ``LIST_CSS``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Final

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QPolygonF,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLayout,
    QTextList,
    QTextListFormat,
    QTextOption,
)

LIST_CSS: Final = "ul { list-style-type: none; } ol { list-style-type: none; -qt-list-number-suffix: '.'; }"
"""Rules for a document whose markers ``draw_markers`` draws."""
_UNSTYLED: Final = QTextListFormat.Style.ListStyleUndefined
_DECIMAL: Final = QTextListFormat.Style.ListDecimal
_MARKERS: Final = QTextBlockFormat.MarkerType
# In em.
_DOT: Final = 0.36
_DOT_GAP: Final = 0.56
_BOX: Final = 0.92
_BOX_GAP: Final = 0.42
_TICK: Final = ((0.24, 0.53), (0.43, 0.71), (0.77, 0.32))
_NUMBER_GAP: Final = 0.3
_UNBOUNDED: Final = 100_000.0
_GUTTER: Final = QTextFormat.Property.UserProperty.value + 1
"""Property of a block: pixels that the numbers of its lists indent it further than ``indentWidth``."""


class MarkerColours(msgspec.Struct, frozen=True, kw_only=True):
    """Colours as ``#rrggbb``."""

    bullet: str
    edge: str
    fill: str
    tick: str


def number_of(block: QTextBlock) -> str:
    """Return the number of a list item with its dot; empty for any other paragraph."""
    items = block.textList()
    if items is None or not _is_numbered(items):
        return ""
    return f"{items.format().start() + items.itemNumber(block)}."


def gutter_width(number: int, font: QFont) -> int:
    """Return the pixels that an item needs before its text for a number of as many digits as ``number``."""
    return _number_width(f"{'0' * len(str(number))}.", font)


def fit_numbers(document: QTextDocument, *, widest: Mapping[int, int]) -> bool:
    """Indent list items as far as their numbers need it; return whether that changed anything.

    ``widest`` has the widest number of an outermost list that goes on in other documents, by the number at
    which it starts in this one.
    """
    changed = False
    cursor = QTextCursor(document)
    gutters: list[float] = []  # of the lists that are open, the outermost first
    needed: dict[int, float] = {}  # by the first item's position
    block = document.begin()
    while block.isValid():
        items, block_format = block.textList(), block.blockFormat()
        depth = block_format.indent() if items is None else items.format().indent()
        if items is not None:
            first = items.item(0).position()
            if first not in needed:
                needed[first] = _needed(items, widest if depth == 1 else {}) - document.indentWidth()
            del gutters[depth - 1 :]
            gutters += [0.0] * (depth - 1 - len(gutters)) + [max(0.0, needed[first])]
        gutter, before = sum(gutters[:depth]), block_format.doubleProperty(_GUTTER)
        if gutter != before:
            is_mirrored = block.textDirection() is Qt.LayoutDirection.RightToLeft
            if is_mirrored:
                block_format.setRightMargin(block_format.rightMargin() + gutter - before)
            else:
                block_format.setLeftMargin(block_format.leftMargin() + gutter - before)
            block_format.setProperty(_GUTTER, gutter)
            cursor.setPosition(block.position())
            cursor.setBlockFormat(block_format)
            changed = True
        block = block.next()
    return changed


def fit_ends(document: QTextDocument) -> None:
    """Have the space below a list after an inner list that ends it: Qt has it above that inner list."""
    cursor = QTextCursor(document)
    outer: QTextList | None = None
    before = block = document.begin()
    while True:
        items = block.textList()
        depth = block.blockFormat().indent() if items is None else items.format().indent()
        starts = items is not None and depth == 1 and items.itemNumber(block) == 0
        if outer is not None and (not depth or starts):
            _swap_space(cursor, outer.item(outer.count() - 1), before)
            outer = None
        if starts:
            outer = items
        if not block.isValid():
            return
        before, block = block, block.next()


def _swap_space(cursor: QTextCursor, above: QTextBlock, end: QTextBlock) -> None:
    """Exchange what is free below the last item of a list and below the inner item that ends it."""
    inner = end.textList()
    if inner is None or inner.format().indent() == 1:
        return
    spaces = above.blockFormat().bottomMargin(), end.blockFormat().bottomMargin()
    for block, space in zip((end, above), spaces, strict=True):
        block_format = block.blockFormat()
        block_format.setBottomMargin(space)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(block_format)


def left_margin(block: QTextBlock) -> float:
    """Return the left margin of a paragraph without what ``fit_numbers`` has added."""
    block_format = block.blockFormat()
    is_mirrored = block.textDirection() is Qt.LayoutDirection.RightToLeft
    return block_format.leftMargin() - (0 if is_mirrored else block_format.doubleProperty(_GUTTER))


def _needed(items: QTextList, widest: Mapping[int, int]) -> float:
    """Return the pixels that the numbers of a list need."""
    if not _is_numbered(items):
        return 0.0
    first = items.format().start()
    blocks = (items.item(index) for index in range(items.count()))
    own = max(
        _number_width(number_of(block), block.charFormat().font()) + _box_width(block) for block in blocks
    )
    return max(own, gutter_width(widest.get(first, first), items.item(0).charFormat().font()))


def _is_numbered(items: QTextList) -> bool:
    style = items.format().style()
    return style is _DECIMAL or (style is _UNSTYLED and bool(items.format().numberSuffix()))


def _number_width(number: str, font: QFont) -> int:
    # One pixel more, so that smoothed edges are not cut off.
    layout = _laid_out(number, font, Qt.LayoutDirection.RightToLeft)
    return ceil(layout.lineAt(0).naturalTextWidth() + _NUMBER_GAP * _em(font)) + 1


def _laid_out(number: str, font: QFont, direction: Qt.LayoutDirection) -> QTextLayout:
    """Return a number laid out on one line. A painter would round its advances on some devices."""
    layout = QTextLayout(number, font)
    option = QTextOption()
    option.setTextDirection(direction)
    option.setUseDesignMetrics(True)
    layout.setTextOption(option)
    layout.beginLayout()
    layout.createLine().setLineWidth(_UNBOUNDED)
    layout.endLayout()
    return layout


def _box_width(block: QTextBlock) -> float:
    """Return the pixels between an item's number and its text that its check box takes."""
    has_box = block.blockFormat().marker() != _MARKERS.NoMarker
    return (_BOX + _BOX_GAP) * _em(block.charFormat().font()) if has_box else 0.0


def _em(font: QFont) -> float:
    return font.pixelSize() if font.pixelSize() > 0 else QFontMetricsF(font).height() / 1.2


def draw_markers(
    painter: QPainter,
    document: QTextDocument,
    *,
    area: QRectF,
    colours: MarkerColours,
    marked: Mapping[int, QTextCharFormat] = {},
) -> None:
    """Draw the markers of the list items in ``area``, in the document's coordinates.

    ``marked`` has the format of a highlighted number, by its item's position.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for block, origin, depth in _items(document, area):
        has_box = block.blockFormat().marker() != _MARKERS.NoMarker
        if number_of(block):
            _draw_number(painter, block, origin, colours, marked.get(block.position()))
            if not has_box:
                continue
        em = _em(block.charFormat().font())
        size, gap = (_BOX * em, _BOX_GAP * em) if has_box else (_DOT * em, _DOT_GAP * em)
        text = block.layout().lineAt(0).naturalTextRect().translated(origin)
        at_right = block.textDirection() is Qt.LayoutDirection.RightToLeft
        left = text.right() + gap if at_right else text.left() - gap - size
        middle = _baseline(block, origin) - QFontMetricsF(block.charFormat().font()).capHeight() / 2
        rect = QRectF(left, middle - size / 2, size, size)
        if has_box:
            is_ticked = block.blockFormat().marker() == _MARKERS.Checked
            _draw_box(painter, rect, colours, is_ticked=is_ticked)
        else:
            _draw_bullet(painter, rect, colours, depth=depth)
    painter.restore()


def _baseline(block: QTextBlock, origin: QPointF) -> float:
    line = block.layout().lineAt(0)
    return origin.y() + line.y() + line.ascent()


def _items(document: QTextDocument, area: QRectF) -> Iterator[tuple[QTextBlock, QPointF, int]]:
    """Yield the first block of each list item, the origin of its lines, and its nesting depth from 1."""
    layout = document.documentLayout()
    block = document.begin()
    while block.isValid():
        items = block.textList()
        if items is not None and items.format().style() is _UNSTYLED and block.layout().lineCount():
            box = layout.blockBoundingRect(block)
            if box.top() > area.bottom():
                return
            if box.bottom() >= area.top():
                yield block, box.topLeft(), items.format().indent()
        block = block.next()


def _draw_number(
    painter: QPainter,
    block: QTextBlock,
    origin: QPointF,
    colours: MarkerColours,
    mark: QTextCharFormat | None,
) -> None:
    """Draw an item's number in the item's colour and direction, on the baseline of its first line."""
    char_format = block.charFormat()
    font, direction = char_format.font(), block.textDirection()
    text = block.layout().lineAt(0).naturalTextRect().translated(origin)
    gap = _box_width(block) + _NUMBER_GAP * _em(font)
    layout = _laid_out(number_of(block), font, direction)
    line = layout.lineAt(0)
    width = line.naturalTextWidth()
    x = text.right() + gap if direction is Qt.LayoutDirection.RightToLeft else text.left() - gap - width
    top = _baseline(block, origin) - line.ascent()
    if mark is not None:
        painter.fillRect(QRectF(x, top, width, line.height()), mark.background())
        char_format = mark
    has_colour = char_format.hasProperty(QTextFormat.Property.ForegroundBrush.value)
    painter.setPen(char_format.foreground().color() if has_colour else QColor(colours.bullet))
    layout.draw(painter, QPointF(x - line.naturalTextRect().left(), top))


def _draw_bullet(painter: QPainter, rect: QRectF, colours: MarkerColours, *, depth: int) -> None:
    """Draw a dot at depth 1, a ring at depth 2, a square below that."""
    colour = QColor(colours.bullet)
    width = rect.width() / 5
    painter.setPen(QPen(colour, width) if depth == 2 else Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(Qt.BrushStyle.NoBrush) if depth == 2 else colour)
    if depth > 2:
        painter.drawRect(rect.adjusted(width / 2, width / 2, -width / 2, -width / 2))
    else:
        inside = width / 2 if depth == 2 else 0.0
        painter.drawEllipse(rect.adjusted(inside, inside, -inside, -inside))


def _draw_box(painter: QPainter, rect: QRectF, colours: MarkerColours, *, is_ticked: bool) -> None:
    width = rect.width() / 11
    painter.setPen(QPen(QColor(colours.fill if is_ticked else colours.edge), width))
    painter.setBrush(QColor(colours.fill) if is_ticked else QBrush(Qt.BrushStyle.NoBrush))
    inside = rect.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    painter.drawRoundedRect(inside, rect.width() / 4, rect.width() / 4)
    if is_ticked:
        pen = QPen(QColor(colours.tick), rect.width() / 7)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        size = rect.width()
        painter.drawPolyline(QPolygonF([rect.topLeft() + QPointF(x, y) * size for x, y in _TICK]))
