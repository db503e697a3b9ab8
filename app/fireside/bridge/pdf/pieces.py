"""Printed pieces, laid out by Qt: text with or without a frame, tables, pictures, rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QImage,
    QPainter,
    QPainterPath,
    QPalette,
    QTextBlock,
    QTextDocument,
    QTextTable,
)

from fireside.bridge.list_markers import LIST_CSS, MarkerColours, draw_markers, left_margin
from fireside.bridge.pdf.paging import Row
from fireside.bridge.rich_document import is_mirrored

_MIN_PARAGRAPH: Final = 3
"""Paragraphs of at least this many lines are never broken after the first or before the last one."""
_MAX_ROW_HEIGHT: Final = 400.0
"""Higher rows of a table are broken between their lines."""


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """The box around a text: colours, corner radius and padding."""

    fill: str
    border: str = ""
    radius: float = 10
    padding_x: float = 15
    padding_top: float = 9
    padding_bottom: float = 9
    label: str = ""
    """A heading above the text with a line below it; its ``LABEL_HEIGHT`` is part of ``padding_top``."""


class ParagraphPiece:
    """A document, with its left edge at ``x``, and its frame if it has one."""

    def __init__(
        self, document: QTextDocument, *, x: float, gap: float, frame: Frame | None = None, scale: float = 1.0
    ) -> None:
        """``document`` is laid out already; it is drawn at ``scale``."""
        self._document = document
        self._x = x
        self._frame = frame
        self._scale = scale
        self.gap = gap
        self.min_scale = 1.0

    def move(self, dx: float) -> None:
        """Move its left edge."""
        self._x += dx

    @property
    def repeated_height(self) -> float:
        return 0.0

    @cached_property
    def height(self) -> float:
        """The total height, with the frame."""
        inner = self._document.size().height() * self._scale
        return inner if self._frame is None else self._frame.padding_top + inner + self._frame.padding_bottom

    @cached_property
    def rows(self) -> Sequence[Row]:
        top = 0.0 if self._frame is None else self._frame.padding_top
        rows = [
            Row(
                top=top + row.top * self._scale,
                bottom=top + row.bottom * self._scale,
                keeps_next=row.keeps_next,
            )
            for row in merged(self._lines())
        ]
        if not rows:
            return (Row(top=0.0, bottom=self.height),)
        rows[0] = msgspec.structs.replace(
            rows[0], top=0.0, keeps_next=rows[0].keeps_next or self._frame is not None
        )
        rows[-1] = msgspec.structs.replace(rows[-1], bottom=max(rows[-1].bottom, self.height))
        return rows

    def paint(self, painter: QPainter, *, top: float, bottom: float) -> None:
        """Draw the part between ``top`` and ``bottom``, in coordinates of the piece."""
        painter.save()
        painter.translate(self._x, 0)
        if self._frame is not None:
            self._paint_frame(painter, self._frame)
            painter.translate(self._frame.padding_x, self._frame.padding_top)
            top, bottom = top - self._frame.padding_top, bottom - self._frame.padding_top
        self._paint_background(painter)
        painter.scale(self._scale, self._scale)
        top, bottom = top / self._scale, bottom / self._scale
        top = self._paint_first_lines(painter, top=top, bottom=bottom)
        if top < bottom:
            self._paint_paragraphs(painter, top=top, bottom=bottom)
        painter.restore()

    def _paint_first_lines(self, painter: QPainter, *, top: float, bottom: float) -> float:
        """Draw the lines of a paragraph that began on the previous page; return where the next one begins.

        Qt itself would also draw the line above the clip area: invisible, but part of the file.
        """
        layout = self._document.documentLayout()
        position = layout.hitTest(QPointF(1, top + 1), Qt.HitTestAccuracy.FuzzyHit)
        block = self._document.findBlock(position)
        box, text = layout.blockBoundingRect(block), block.layout()
        if box.top() > top - 1 or box.bottom() < top + 1:
            return top
        painter.setPen(QColor(INK))
        origin = box.topLeft()
        for number in range(text.lineCount()):
            line = text.lineAt(number)
            if top - 0.5 < origin.y() + line.y() < bottom - 0.5:
                line.draw(painter, origin)
        return box.bottom()

    def _paint_paragraphs(self, painter: QPainter, *, top: float, bottom: float) -> None:
        context = QAbstractTextDocumentLayout.PaintContext()
        # Paper is white, whatever the theme of the window.
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, QColor(INK))
        context.palette = palette
        context.clip = QRectF(-10, top + 0.5, 10_000, bottom - top - 1)
        self._document.documentLayout().draw(painter, context)
        draw_markers(painter, self._document, area=context.clip, colours=MARKERS)

    def _lines(self) -> Iterator[Row]:
        """Yield the lines in coordinates of the document."""
        layout = self._document.documentLayout()
        block = self._document.begin()
        while block.isValid():
            yield from lines_of(block, layout)
            block = block.next()

    def _paint_background(self, painter: QPainter) -> None:
        pass

    def _paint_frame(self, painter: QPainter, frame: Frame) -> None:
        width = self._document.textWidth() + 2 * frame.padding_x
        box = QRectF(0.5, 0.5, width - 1, self.height - 1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(frame.border) if frame.border else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(frame.fill))
        painter.drawRoundedRect(box, frame.radius, frame.radius)
        if frame.label:
            painter.setFont(text_font(LABEL_PX))
            painter.setPen(QColor(MUTE))
            band = box.adjusted(frame.padding_x, 0, -frame.padding_x, 0)
            band.setHeight(LABEL_HEIGHT)
            label = painter.fontMetrics().elidedText(
                frame.label, Qt.TextElideMode.ElideRight, int(band.width())
            )
            painter.drawText(band, Qt.AlignmentFlag.AlignVCenter, label)
            painter.setPen(QColor(frame.border))
            painter.drawLine(QPointF(0.5, LABEL_HEIGHT), QPointF(width - 0.5, LABEL_HEIGHT))


def lines_of(block: QTextBlock, layout: QAbstractTextDocumentLayout) -> Iterator[Row]:
    """Yield the lines of a paragraph. A heading stays with the text after it, and no single line alone."""
    origin = layout.blockBoundingRect(block).topLeft()
    text = block.layout()
    n_lines = text.lineCount()
    for number in range(n_lines):
        box = text.lineAt(number).naturalTextRect()
        is_at_end = n_lines >= _MIN_PARAGRAPH and number in {0, n_lines - 2}
        yield Row(
            top=origin.y() + box.top(),
            bottom=origin.y() + box.bottom(),
            keeps_next=is_at_end or block.blockFormat().headingLevel() > 0,
        )


def merged(rows: Iterable[Row]) -> Sequence[Row]:
    """Join overlapping rows, such as those of adjacent table cells."""
    result: list[Row] = []
    for row in sorted(rows, key=lambda row: row.top):
        if result and row.top < result[-1].bottom - 0.01:
            bottom = max(result[-1].bottom, row.bottom)
            result[-1] = Row(top=result[-1].top, bottom=bottom, keeps_next=row.keeps_next)
        else:
            result.append(row)
    return result


class QuotePiece(ParagraphPiece):
    """A quotation with a bar at its leading edge, and a further bar for each nested quotation."""

    def _paint_background(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(EDGE))
        for bar in self._bars():
            painter.drawRoundedRect(bar, 1, 1)

    def _bars(self) -> Iterator[QRectF]:
        if self._document.begin().textDirection() is Qt.LayoutDirection.RightToLeft:
            # Its document is as wide, and stands at the left. Qt indents a quotation within it at its left.
            yield QRectF(self._document.textWidth() + QUOTE_INDENT - QUOTE_BAR, 0, QUOTE_BAR, self.height)
            return
        yield QRectF(-QUOTE_INDENT, 0, QUOTE_BAR, self.height)
        layout = self._document.documentLayout()
        open_bars: list[QRectF] = []
        block = self._document.begin()
        while block.isValid():
            depth = round(left_margin(block) / QUOTE_STEP)
            box = layout.blockBoundingRect(block)
            yield from open_bars[depth:]
            del open_bars[depth:]
            for bar in open_bars:
                bar.setBottom(box.bottom())
            while len(open_bars) < depth:
                x = QUOTE_STEP * len(open_bars)
                open_bars.append(QRectF(x, box.top(), QUOTE_BAR, box.height()))
            block = block.next()
        yield from open_bars


class TablePiece(ParagraphPiece):
    """A table, whose head is repeated on each page, with the bars of ``quotes`` quotations before it."""

    def __init__(
        self, document: QTextDocument, *, x: float, gap: float, scale: float = 1.0, quotes: int = 0
    ) -> None:
        super().__init__(document, x=x, gap=gap, scale=scale)
        self._quotes = quotes

    def _paint_background(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(EDGE))
        right = self._document.textWidth() * self._scale
        for level in range(self._quotes):
            indent = QUOTE_INDENT + QUOTE_STEP * level
            x = right + indent - QUOTE_BAR if is_mirrored(self._table) else -indent
            painter.drawRoundedRect(QRectF(x, 0, QUOTE_BAR, self.height), 1, 1)

    @cached_property
    def repeated_height(self) -> float:
        return self.rows[0].bottom

    def _lines(self) -> Iterator[Row]:
        table, layout = self._table, self._document.documentLayout()
        tops = [layout.blockBoundingRect(self._block(row, 0)).top() for row in range(table.rows())]
        padding = table.format().cellPadding() + tops[0]
        tops = [top - padding for top in tops]
        for number, (top, bottom) in enumerate(pairwise([*tops, self._document.size().height()])):
            if bottom - top < _MAX_ROW_HEIGHT:
                yield Row(top=top, bottom=bottom, keeps_next=number == 0)
                continue
            for column in range(table.columns()):
                cell = table.cellAt(number, column)
                block = cell.firstCursorPosition().block()
                while block.isValid() and block.position() <= cell.lastPosition():
                    yield from lines_of(block, layout)
                    block = block.next()

    def _paint_first_lines(self, painter: QPainter, *, top: float, bottom: float) -> float:  # noqa: ARG002
        return top

    def _block(self, row: int, column: int) -> QTextBlock:
        return self._table.cellAt(row, column).firstCursorPosition().block()

    @cached_property
    def _table(self) -> QTextTable:
        frames = self._document.rootFrame().childFrames()
        return next(frame for frame in frames if isinstance(frame, QTextTable))


class PicturePiece:
    """A picture at the left edge, or with its right edge at ``right``, scaled down to ``max_size`` (width,
    height)."""

    def __init__(
        self, image: QImage, *, right: float | None, max_size: tuple[float, float], gap: float
    ) -> None:
        self._image = image
        width, height = image.width() or 1, image.height() or 1
        scale = min(1.0, max_size[0] / width, max_size[1] / height)
        left = 0 if right is None else right - width * scale
        self._box = QRectF(left, 0, width * scale, height * scale)
        self.gap = gap
        self.repeated_height = 0.0
        self.min_scale = 0.4
        self.rows = (Row(top=0.0, bottom=self._box.height()),)

    def paint(self, painter: QPainter, *, top: float, bottom: float) -> None:  # noqa: ARG002 - drawn whole
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        shape = QPainterPath()
        shape.addRoundedRect(self._box, 8, 8)
        painter.setClipPath(shape, Qt.ClipOperation.IntersectClip)
        painter.drawImage(self._box, self._image)
        painter.restore()


class RulePiece:
    """A horizontal rule, ``width`` long."""

    def __init__(self, *, width: float, gap: float) -> None:
        self._width = width
        self.gap = gap
        self.repeated_height = 0.0
        self.min_scale = 1.0
        self.rows = (Row(top=0.0, bottom=12.0),)

    def paint(self, painter: QPainter, *, top: float, bottom: float) -> None:  # noqa: ARG002 - drawn whole
        painter.setPen(QColor(LINE))
        painter.drawLine(QPointF(0, 6), QPointF(self._width, 6))


Printed = ParagraphPiece | PicturePiece | RulePiece


# Style of printed pages: the window's light colours and sizes. Lengths are pixels of 1/96 inch


TEXT_PX: Final = 13
CODE_PX: Final = 11
LABEL_PX: Final = 10
LABEL_HEIGHT: Final = 24

INK: Final = "#1f1b16"
MUTE: Final = "#645b52"
LINE: Final = "#e9e3dd"
EDGE: Final = "#d5cac3"
USER: Final = "#f8ebe1"
CODE: Final = "#f9f5f2"
CHIP: Final = "#f5f0eb"
MARK: Final = "#fff0a8"
WARN: Final = "#fcf3dd"
ACCENT: Final = "#af3e09"
MARKERS: Final = MarkerColours(bullet=INK, edge=MUTE, fill=ACCENT, tick="#ffffff")

LIST_INDENT: Final = 22
QUOTE_INDENT: Final = 16
QUOTE_STEP: Final = 14
QUOTE_BAR: Final = 3

# Qt's line height multiplies the font's own.
CSS: Final = f"""
p {{ margin: 0 0 8px 0; line-height: 120%; }}
p.plain {{ margin: 0; line-height: 120%; }}
p.footnote {{ margin: 0 0 4px 0; color: {MUTE}; font-size: 11.5px; }}
p.title {{ font-size: 24px; font-weight: 700; margin: 0; line-height: 100%; }}
p.facts {{ color: {MUTE}; font-size: 11px; margin: 3px 0 0 0; }}
p.mute {{ color: {MUTE}; font-size: 11px; margin: 0; }}
sup.note {{ font-size: 14px; color: {ACCENT}; }}
mark {{ background: {MARK}; }}
p.language {{ margin: 0; color: {MUTE}; font-size: {LABEL_PX}px; }}
p.rule {{ color: {MUTE}; }}
li {{ margin: 0 0 3px 0; line-height: 120%; }}
ul, ol {{ margin: 0 0 5px 0; }}
{LIST_CSS}
h1, h2, h3, h4, h5, h6 {{ font-weight: 700; margin: 6px 0 6px 0; }}
h1 {{ font-size: 20px; }}
h2 {{ font-size: 18px; }}
h3 {{ font-size: 16px; }}
h4, h5, h6 {{ font-size: 13.5px; }}
code, kbd, pre {{ font-family: 'JetBrains Mono'; font-size: {CODE_PX}px; }}
code, kbd {{ background: {CHIP}; }}
h1 code, h2 code, h3 code {{ font-size: 14px; }}
pre {{ white-space: pre-wrap; margin: 0; line-height: 120%; }}
blockquote {{ margin: 0 0 4px {QUOTE_STEP}px; color: {MUTE}; }}
p.alert-note, p.alert-important, p.alert-tip, p.alert-warning, p.alert-caution {{
  margin: 0 0 4px 0; font-weight: 700; color: {ACCENT};
}}
a {{ color: {ACCENT}; text-decoration: none; }}
th {{ color: {MUTE}; font-weight: 600; }}
td, th {{ border-bottom: 1px solid {LINE}; padding: 5px 14px 5px 0; }}
"""


def text_font(px: float = TEXT_PX) -> QFont:
    """Return the text font."""
    font = QFont("Inter")
    font.setPixelSize(round(px))
    return font
