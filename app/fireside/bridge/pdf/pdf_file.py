"""Write a conversation as PDF with numbered pages. Any thread."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Final, assert_never

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound
from PySide6.QtCore import QByteArray, QMarginsF, QPointF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
    QTextImageFormat,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer

from fireside.bridge.formula_object import FormulaObject, outline_text
from fireside.bridge.list_markers import gutter_width
from fireside.bridge.pdf.paging import Slice, pages
from fireside.bridge.pdf.pieces import (
    CHIP,
    CODE,
    CSS,
    INK,
    LABEL_HEIGHT,
    LABEL_PX,
    LINE,
    LIST_INDENT,
    MUTE,
    QUOTE_INDENT,
    QUOTE_STEP,
    TEXT_PX,
    USER,
    WARN,
    Frame,
    ParagraphPiece,
    PicturePiece,
    Printed,
    QuotePiece,
    RulePiece,
    TablePiece,
    text_font,
)
from fireside.bridge.rich_document import fill, reads_from_right, table_html
from fireside.core.attachment import clock_time
from fireside.core.errors import FiresideError, format_bytes
from fireside.core.i18n import number, tr, tr_noop
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
from fireside.core.os_errors import render_os_error
from fireside.core.tool_calls import ShownCall, shown_parts
from fireside.core.transfer import FILE_ENDINGS, ExportFormat, PrintedMessage, PrintedPage
from fireside.files.atomic_replace import rename_over
from fireside.files.private_files import make_private_file
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
from fireside.services.transfer.conversation_export import file_name, is_no_file, name_room, prepare_folder

_DPI: Final = 96
_MARGIN_MM: Final = 18.0
_FOOT_PX: Final = 30.0
_MAX_PAGES: Final = 20_000


class PdfTarget:
    """The destination of an export: one file, or a folder with a file for each conversation."""

    def __init__(self, target: Path, *, n_files: int) -> None:
        """Create the folder if needed. Blocks. Raises ``export_unwritable``."""
        if n_files == 0:
            raise FiresideError.of(
                "export_unwritable", path=str(target), reason=tr_noop("there is no chat to export.")
            )
        self._target = target
        try:
            self._is_folder = n_files > 1 or target.is_dir()
            self._used_names = prepare_folder(target) if self._is_folder else set()
        except OSError as exc:
            raise FiresideError.of(
                "export_unwritable", path=str(target), reason=f"{render_os_error(exc)}."
            ) from exc

    def path_for(self, title: str) -> Path:
        """Return the path of the next conversation."""
        if not self._is_folder:
            return self._target
        ending, room = FILE_ENDINGS[ExportFormat.PDF], name_room(self._target)
        name = file_name(title, suffix=ending, used=self._used_names, room=room)
        return self._target / name


def write_pdf(page: PrintedPage, target: Path) -> None:
    """Write one conversation; the file gets its name once it is complete. A link is followed. Blocks.

    Raises:
        export_unwritable: the disk or its folder does not allow it, it is not a regular file, or it
            has too many pages.
    """
    if is_no_file(target):
        raise FiresideError.of(
            "export_unwritable", path=str(target), reason=tr_noop("it is not a regular file.")
        )
    target = Path(os.path.realpath(target))
    partial = target.with_name(f".{os.urandom(6).hex()}.part")
    try:
        make_private_file(partial)
        _paint(page, partial, target=target)
        rename_over(partial, target)
    except OSError as exc:
        raise FiresideError.of(
            "export_unwritable", path=str(target), reason=f"{render_os_error(exc)}."
        ) from exc
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _paint(page: PrintedPage, path: Path, *, target: Path) -> None:
    writer = QPdfWriter(str(path))
    writer.setResolution(_DPI)
    writer.setTitle(page.title)
    writer.setCreator("Fireside")
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            margins,
            QPageLayout.Unit.Millimeter,
        )
    )
    width, height = float(writer.width()), float(writer.height()) - _FOOT_PX
    layout = PrintLayout(width=width)
    # Laid out twice, first to count the pages, so that a long conversation is never in memory as a whole.
    n_pages = sum(1 for _ in pages(layout.pieces(page), height=height))
    if n_pages > _MAX_PAGES:
        raise FiresideError.of(
            "export_unwritable",
            path=str(target),
            reason=tr("it would have more than {most} pages.").format(most=number(_MAX_PAGES)),
        )
    painter = QPainter()
    if not painter.begin(writer):
        raise FiresideError.of(
            "export_unwritable", path=str(target), reason=tr_noop("the file cannot be written.")
        )
    size = QSizeF(width, height)
    try:
        for page_number, slices in enumerate(pages(layout.pieces(page), height=height), start=1):
            if page_number > 1 and not writer.newPage():
                raise FiresideError.of(
                    "export_unwritable", path=str(target), reason=tr_noop("the file cannot be written.")
                )
            for part in slices:
                paint_slice(painter, part, width=width)
            _paint_foot(painter, page.title, page_label=f"{page_number} / {n_pages}", size=size)
    finally:
        painter.end()


def paint_slice(painter: QPainter, part: Slice[Printed], *, width: float) -> None:
    """Paint a part of a piece at its position on a page ``width`` wide."""
    painter.save()
    painter.translate(0, part.y)
    if part.scale != 1:
        # Scaled down with the right edge in place.
        painter.translate(width * (1 - part.scale), 0)
        painter.scale(part.scale, part.scale)
    painter.translate(0, -part.top)
    painter.setClipRect(QRectF(-1, part.top, width + 2, part.bottom - part.top))
    part.piece.paint(painter, top=part.top, bottom=part.bottom)
    painter.restore()


def _paint_foot(painter: QPainter, title: str, *, page_label: str, size: QSizeF) -> None:
    foot = QRectF(0, size.height() + 8, size.width(), _FOOT_PX - 8)
    painter.save()
    painter.setFont(text_font(LABEL_PX))
    painter.setPen(QColor(MUTE))
    bottom = Qt.AlignmentFlag.AlignBottom
    name = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(size.width() * 0.75))
    painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | bottom | Qt.TextFlag.TextSingleLine, name)
    painter.drawText(foot, Qt.AlignmentFlag.AlignRight | bottom, page_label)
    painter.restore()


# Lay out a conversation for paper, as pieces from top to bottom


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
