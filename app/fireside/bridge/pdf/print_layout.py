"""Lay out a conversation for paper, as pieces from top to bottom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from html import escape
from typing import Final, assert_never

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound
from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QImage, QPainter, QTextDocument, QTextImageFormat, QTextOption
from PySide6.QtSvg import QSvgRenderer

from fireside.bridge.formula_object import FormulaObject
from fireside.bridge.list_markers import gutter_width
from fireside.bridge.pdf.pieces import (
    Frame,
    ParagraphPiece,
    PicturePiece,
    Printed,
    QuotePiece,
    RulePiece,
    TablePiece,
)
from fireside.bridge.pdf.print_style import (
    CHIP,
    CODE,
    CSS,
    INK,
    LABEL_HEIGHT,
    LINE,
    LIST_INDENT,
    QUOTE_INDENT,
    QUOTE_STEP,
    TEXT_PX,
    USER,
    WARN,
    text_font,
)
from fireside.bridge.rich_document import fill, reads_from_right, table_html
from fireside.bridge.text_outlines import outline_text
from fireside.core.attachment import clock_time
from fireside.core.errors import format_bytes
from fireside.core.i18n import tr
from fireside.core.message import (
    AttachedPart,
    AudioPart,
    ContentPart,
    DocumentPart,
    ImagePart,
    PassagesPart,
    ReasoningPart,
    Role,
    TextPart,
    VideoPart,
)
from fireside.core.tool_calls import ShownCall, shown_parts
from fireside.core.transfer import PrintedMessage, PrintedPage
from fireside.markup.block_stream import Block, BlockKind, split_blocks
from fireside.markup.code_colours import PaperStyle
from fireside.markup.direction import runs_from_left
from fireside.markup.formula import CannotDraw, Drawing, draw
from fireside.markup.formula_delimiters import split_formula
from fireside.markup.list_numbers import ListNumbers, list_numbers
from fireside.markup.rich_text import (
    FORMULA,
    FORMULA_EM,
    clean,
    formula_image,
    formula_source,
    pieces,
    plain_html,
)

_EM = TEXT_PX * FORMULA_EM


class PrintedFormulas(FormulaObject):
    """The formulas of one file, each drawn once."""

    def __init__(self, *, max_width: float) -> None:
        """Wider formulas are scaled down to ``max_width`` pixels."""
        super().__init__()
        self._max_width = max_width
        self._drawings: dict[str, Drawing | None] = {}
        self._renderers: dict[str, QSvgRenderer] = {}

    def fill(self, html: str) -> str:
        """Return ``html`` with a placeholder for each formula, or its source where it cannot be drawn."""
        return FORMULA.sub(lambda match: self._placeholder(match.group(1)), html)

    def draw_at(self, at: QPointF, image_format: QTextImageFormat, painter: QPainter) -> None:
        name = image_format.name()
        drawing = self._drawings.get(name)
        if drawing is None:
            return
        if name not in self._renderers:
            # Without a stroke width, Qt draws outlines into the PDF despite stroke="none".
            attributes = f'<svg fill="{INK}" stroke="none" stroke-width="0.001" '
            svg = drawing.svg.replace("<svg ", attributes, 1).replace('"black"', f'"{INK}"')
            self._renderers[name] = QSvgRenderer(QByteArray(svg.encode()))
        em = self._em(drawing)
        size = QSizeF(drawing.width * em, (drawing.ascent + drawing.descent) * em)
        top = at.y() + image_format.height() - drawing.ascent * em
        self._renderers[name].render(painter, QRectF(QPointF(at.x(), top), size))

    def _placeholder(self, name: str) -> str:
        raw = formula_source(name) or ""
        if name not in self._drawings:
            tex, is_display = split_formula(raw)
            self._drawings[name] = None
            with suppress(CannotDraw):  # its source is shown then
                self._drawings[name] = draw(tex, is_display=is_display, outline=outline_text)
        drawing = self._drawings[name]
        if drawing is None:
            return f"<code>{escape(raw, quote=False).replace(chr(10), '<br>')}</code>"
        return formula_image(name, drawing, em=self._em(drawing))

    def _em(self, drawing: Drawing) -> float:
        return min(_EM, self._max_width / drawing.width)


_MESSAGE_GAP: Final = 18.0
_GAP: Final = 8.0
_NAME_GAP: Final = 4.0
_BUBBLE_WIDTH: Final = 0.72
"""The widest bubble, as a fraction of the page width."""
_MIN_TABLE_SCALE: Final = 0.6
"""The smallest scale of a wide table; below it words are broken."""
_MAX_HIGHLIGHTED: Final = 200_000
"""Characters of code up to which syntax is highlighted."""
_MAX_PICTURE_HEIGHT: Final = 300.0
_BUBBLE: Final = Frame(fill=USER, radius=14, padding_x=13, padding_top=8, padding_bottom=7)
_CHIP: Final = Frame(fill=CHIP, border=LINE, radius=10, padding_x=12, padding_top=6, padding_bottom=6)
_NOTE: Final = Frame(fill=WARN, border=LINE, radius=10, padding_x=12, padding_top=7, padding_bottom=7)
_HEADING: Final = re.compile(r'<p class="(h[1-6])">(.*?)</p>', re.DOTALL)
_FOOTNOTE: Final = re.compile(r'(?<=<sup class="note">).*?(?=</sup>)')


class _Document(QTextDocument):
    """A document that loads no resources."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002 - Qt's signature
        return QByteArray(b"")


class PrintLayout:
    """Lays out conversations for pages ``width`` wide. Belongs to the thread that created it."""

    def __init__(self, *, width: float) -> None:
        self._width = width
        self._formulas = PrintedFormulas(max_width=width - 2 * QUOTE_INDENT)

    def pieces(self, page: PrintedPage) -> Iterator[Printed]:
        """Yield the pieces of a conversation."""
        head = f'<p class="title">{_plain(page.title)}</p><p class="facts">{_plain(page.facts)}</p>'
        yield ParagraphPiece(self._text(head), x=0, gap=0)
        for message in page.messages:
            yield from self._message(message)

    def _message(self, message: PrintedMessage) -> Iterator[Printed]:
        gap = _MESSAGE_GAP
        if message.role is not Role.USER:
            # As a heading, so that it stays with the text after it.
            yield ParagraphPiece(self._text(f"<h5>{_plain(message.name)}</h5>"), x=0, gap=gap)
            gap = _NAME_GAP
        numbers: dict[str, int] = {}
        for part in shown_parts(message.parts):
            for piece in self._part(part, message, numbers=numbers, gap=gap):
                yield piece
                gap = _GAP
        if message.note:
            yield self._framed(_plain(message.note), frame=_NOTE, gap=gap)

    def _part(
        self,
        part: ContentPart | ShownCall,
        message: PrintedMessage,
        *,
        numbers: dict[str, int],
        gap: float,
    ) -> Iterator[Printed]:
        match part:
            case TextPart() if message.role is Role.USER:
                if part.text.strip():
                    yield self._framed(plain_html(clean(part.text)), frame=_BUBBLE, gap=gap, at_right=True)
            case TextPart():
                yield from self._markdown(part.text, numbers=numbers, gap=gap)
            case ReasoningPart():
                yield from self._reasoning(part.text, message, gap=gap)
            case ImagePart() | AudioPart() | VideoPart() | DocumentPart():
                yield self._attached(part, gap=gap)
            case PassagesPart():
                sources = "\n".join(
                    f"[{each.number}] {each.passage.location_text}" for each in part.citations
                )
                yield self._framed(plain_html(clean(sources)), frame=_CHIP, gap=gap, at_right=True)
            case ShownCall():
                yield from self._call(part, gap=gap)
            case _:
                assert_never(part)

    def _reasoning(self, text: str, message: PrintedMessage, *, gap: float) -> Iterator[Printed]:
        html = f'<p class="mute"><b>{_plain(message.thought)}</b></p>{plain_html(clean(text))}'
        yield self._quote(f'<div class="thought">{html}</div>', x=0, gap=gap)

    def _call(self, call: ShownCall, *, gap: float) -> Iterator[Printed]:
        for each in call.sections:
            yield self._code(each.text, language=each.language, label=each.heading, gap=gap)
            gap = _GAP
        for image in call.images:
            yield self._attached(image, gap=_GAP, at_right=False)

    def _attached(self, part: AttachedPart, *, gap: float, at_right: bool = True) -> Printed:
        """Return an attachment: a picture scaled down, a document by its name."""
        if isinstance(part, ImagePart):
            image = QImage.fromData(part.data)
            if not image.isNull():
                max_size = (self._width * _BUBBLE_WIDTH, _MAX_PICTURE_HEIGHT)
                right = self._width if at_right else None
                return PicturePiece(image, right=right, max_size=max_size, gap=gap)
        facts = "" if isinstance(part, ImagePart) else format_bytes(part.size_bytes)
        if isinstance(part, DocumentPart) and part.n_pages is not None:
            facts = tr("%n page|%n pages", "", part.n_pages)
        if isinstance(part, AudioPart | VideoPart):
            facts = f"{clock_time(part.seconds)} · {facts}"
        name = part.name or tr("Image")
        html = f'<p class="plain">{_plain(name)}</p><p class="mute">{_plain(facts)}</p>'
        return self._framed(html, frame=_CHIP, gap=gap, at_right=at_right)

    def _markdown(self, text: str, *, numbers: dict[str, int], gap: float) -> Iterator[Printed]:
        blocks = list(split_blocks(text))
        for index, (block, lists) in enumerate(zip(blocks, list_numbers(blocks), strict=True)):
            if block.continues:
                continue
            body = block.body
            for continuation in blocks[index + 1 :]:
                if not continuation.continues:
                    break
                body += continuation.body
            if block.kind is not BlockKind.CODE:
                body = _FOOTNOTE.sub(lambda match: _number(match.group(), numbers), body)
            yield self._block(block, body, lists=lists, gap=gap)
            gap = _GAP

    def _block(self, block: Block, body: str, *, lists: ListNumbers, gap: float) -> Printed:
        indent = float(max(LIST_INDENT, gutter_width(lists.around, text_font())) * block.indent)
        piece = self._piece(block, body, lists=lists, x=indent, gap=gap)
        if lists.is_mirrored and isinstance(piece, ParagraphPiece):
            piece.move(-indent)  # the indentation is at the right then
        return piece

    def _piece(self, block: Block, body: str, *, lists: ListNumbers, x: float, gap: float) -> Printed:
        match block.kind:
            case BlockKind.PROSE:
                document = self._text(body, width=self._width - x, widest=lists.widest)
                return ParagraphPiece(document, x=x, gap=gap)
            case BlockKind.QUOTE:
                return self._quote(body, x=x, gap=gap)
            case BlockKind.MATH:
                return ParagraphPiece(self._text(f'<p align="center">{body}</p>'), x=0, gap=gap)
            case BlockKind.CODE:
                return self._code(body, language=block.language, label=block.info, x=x, gap=gap)
            case BlockKind.TABLE:
                return self._table(body, quotes=block.quotes, x=x, gap=gap)
            case BlockKind.RULE:
                return RulePiece(width=self._width, gap=gap)

    def _quote(self, body: str, *, x: float, gap: float) -> Printed:
        html = f'<blockquote style="margin:0">{body}</blockquote>'
        document = self._text(html, width=self._width - x - QUOTE_INDENT)
        is_mirrored = document.begin().textDirection() is Qt.LayoutDirection.RightToLeft
        return QuotePiece(document, x=x if is_mirrored else x + QUOTE_INDENT, gap=gap)

    def _code(self, text: str, *, language: str, label: str, gap: float, x: float = 0.0) -> Printed:
        padding_top = 8 + (LABEL_HEIGHT if label else 0)
        frame = Frame(
            fill=CODE,
            border=LINE,
            radius=9,
            padding_x=12,
            padding_top=padding_top,
            padding_bottom=8,
            label=label,
        )
        html = f"<pre>{highlighted(text, language=language)}</pre>"
        width, from_left = self._width - x - 2 * frame.padding_x, runs_from_left(language)
        return ParagraphPiece(self._text(html, width=width, from_left=from_left), x=x, gap=gap, frame=frame)

    def _table(self, body: str, *, quotes: int, x: float, gap: float) -> Printed:
        is_mirrored = reads_from_right(body)
        padding = "<style>td, th { padding: 5px 0 5px 14px; }</style>" if is_mirrored else ""
        inset = quotes and QUOTE_INDENT + QUOTE_STEP * (quotes - 1)
        width = self._width - x - inset
        x += 0 if is_mirrored else inset
        document = self._text(padding + table_html(body, is_mirrored=is_mirrored), width=width)
        scale = min(1.0, width / document.size().width())
        if scale < 1:
            scale = max(scale, _MIN_TABLE_SCALE)
            document.setTextWidth(width / scale)
            if document.size().width() > width / scale + 1:
                _wrap(document, QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
                scale = min(1.0, width / document.size().width())
        return TablePiece(document, x=x, gap=gap, scale=scale, quotes=quotes)

    def _framed(self, html: str, *, frame: Frame, gap: float, at_right: bool = False) -> Printed:
        """Return a framed text, as narrow as its content allows."""
        document = self._text(html, width=self._width * _BUBBLE_WIDTH - 2 * frame.padding_x)
        document.setTextWidth(min(document.textWidth(), document.idealWidth() + 1))
        width = document.textWidth() + 2 * frame.padding_x
        return ParagraphPiece(document, x=self._width - width if at_right else 0, gap=gap, frame=frame)

    def _text(
        self,
        html: str,
        *,
        width: float | None = None,
        widest: Mapping[int, int] = {},
        from_left: bool = False,
    ) -> QTextDocument:
        """Return a document that is filled as by ``fill`` and laid out, by default as wide as the page."""
        document = _Document()
        document.setUndoRedoEnabled(False)
        document.setUseDesignMetrics(True)
        document.setDocumentMargin(0)
        document.setIndentWidth(LIST_INDENT)
        document.setDefaultFont(text_font())
        document.setDefaultStyleSheet(CSS)
        self._formulas.register(document)
        fill(
            document,
            self._formulas.fill(_HEADING.sub(r"<\1>\2</\1>", html)),
            widest=widest,
            from_left=from_left,
        )
        if "<table" in html:
            _wrap(document, QTextOption.WrapMode.WordWrap)
        document.setTextWidth(self._width if width is None else width)
        return document


def _wrap(document: QTextDocument, mode: QTextOption.WrapMode) -> None:
    option = document.defaultTextOption()
    option.setWrapMode(mode)
    document.setDefaultTextOption(option)


def _plain(text: str) -> str:
    return plain_html(clean(text)).removeprefix('<p class="plain">').removesuffix("</p>")


def _number(label: str, numbers: dict[str, int]) -> str:
    """Return a footnote reference, numbered by first occurrence."""
    return str(numbers.setdefault(label, len(numbers) + 1))


def highlighted(text: str, *, language: str) -> str:
    """Return code as HTML, with syntax highlighting if the language is known."""
    code = "\n".join(piece for line in clean(text).rstrip().split("\n") for piece in pieces(line))
    if language and len(code) <= _MAX_HIGHLIGHTED:
        try:
            lexer = find_lexer_class_by_name(language)(stripnl=False)
        except ClassNotFound:
            return escape(code)
        formatter = HtmlFormatter(nowrap=True, noclasses=True, style=PaperStyle)
        return str(highlight(code, lexer, formatter)).rstrip("\n")
    return escape(code)
