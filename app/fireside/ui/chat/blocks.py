"""Widgets of an answer's blocks: prose, quotes, formulas, rules. Code and tables have their own modules."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Protocol

from PySide6.QtCore import QByteArray, QEvent, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextDocument,
    QTextFormat,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QTextBrowser, QTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.markup.block_stream import Block
from fireside.ui.chat.formulas import FormulaPainter
from fireside.ui.chat.transcript_style import TranscriptStyle

LIST_INDENT = 22
"""Pixels that a list moves its text to the right."""
_QUOTE_INDENT = 16
QUOTE_STEP = 14
"""Pixels that a quotation within another moves its text to the right."""
_BAR = 3
SCROLL_BAR = 10
"""Height of the bar below what is wider than the column."""


class BlockView(Protocol):
    """What a message asks of each of its blocks. All are also ``QWidget``."""

    @property
    def edit(self) -> QTextEdit | None:
        """Where text can be selected."""

    def show_block(self, block: Block) -> None:
        """Show ``block``; a longer version of the same one while it streams."""

    def settle(self) -> None:
        """The block will not change any more."""

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""

    def restyle(self, style: TranscriptStyle) -> None:
        """The theme changed."""


def scrolls_sideways(event: QEvent) -> bool:
    """Say whether a wheel or touchpad movement is for a horizontal scroll bar."""
    if not isinstance(event, QWheelEvent):
        return False
    turned = event.angleDelta()
    return abs(turned.x()) > abs(turned.y()) or bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


def no_resource(kind: int) -> QImage | QByteArray:
    """What a document gets for anything it asks for: one clear pixel, or nothing at all.

    It must be a value that Qt can use. For ``None``, and for a picture even for empty bytes, Qt goes on and
    opens the file of that name itself.
    """
    if kind != QTextDocument.ResourceType.ImageResource.value:
        return QByteArray(b"")
    pixel = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    pixel.fill(Qt.GlobalColor.transparent)
    return pixel


class RichText(QTextBrowser):
    """Text as tall as it is, which loads nothing and leaves mouse and keys to the transcript."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Text"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.viewport().setAutoFillBackground(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(LIST_INDENT)
        self._html = ""
        self._filled = ""
        """The same with its formulas."""
        self._style = style
        self._painter = FormulaPainter(self, image=self._formula_image)
        self.document().documentLayout().registerHandler(
            QTextFormat.ObjectTypes.ImageObject.value, self._painter
        )
        self.set_look(style)

    @property
    def has_links(self) -> bool:
        return "<a href" in self._html

    def set_look(self, style: TranscriptStyle) -> None:
        """Draw with another scheme."""
        self._style = style
        self._painter.forget()
        self.setFont(style.text_font)
        self.document().setDefaultStyleSheet(style.css)
        if self._html:
            self._filled = style.with_formulas(self._html)
            self.setHtml(self._filled)

    def set_html(self, html: str) -> None:
        """Show HTML that was written by ``rich_text``."""
        if html != self._html:
            self._html = html
            self._filled = self._style.with_formulas(html)
            self.setHtml(self._filled)

    def update_formulas(self) -> bool:
        """Show formulas that have been drawn since. Returns whether that changed anything."""
        filled = self._style.with_formulas(self._html)
        if filled == self._filled:
            return False
        self._filled = filled
        self.setHtml(filled)
        return True

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        if self.lineWrapColumnOrWidth() != width:
            self.setLineWrapColumnOrWidth(width)
        return ceil(self.document().size().height())

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002 - Qt's signature
        """Load nothing: no picture, style or page, from no file and no network."""
        return no_resource(kind)

    def _formula_image(self, name: str) -> QImage | None:
        return self._style.formula_image(name, ratio=self.devicePixelRatioF())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: ARG002 - Qt's signature
        """Take back what Qt worked out for the old size, and lay nothing out: ``height_for`` already did."""
        self.horizontalScrollBar().setRange(0, 0)
        self.verticalScrollBar().setRange(0, 0)


class ProseView(RichText):
    """Paragraphs, headings and list items."""

    @property
    def edit(self) -> QTextEdit | None:
        return self

    def show_block(self, block: Block) -> None:
        self.set_html(block.body)

    def settle(self) -> None:
        pass

    def restyle(self, style: TranscriptStyle) -> None:
        self.set_look(style)


class QuoteView(QWidget):
    """A quotation, with a bar at its left, and one for each quotation within it."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self._style = style
        self._text = RichText(style, self)
        self._text.setAutoFillBackground(False)

    @property
    def edit(self) -> QTextEdit | None:
        return self._text

    def show_block(self, block: Block) -> None:
        self._text.set_html(f"<blockquote style='margin:0'>{block.body}</blockquote>")

    def settle(self) -> None:
        pass

    def restyle(self, style: TranscriptStyle) -> None:
        self._style = style
        self._text.set_look(style)

    def height_for(self, width: int) -> int:
        height = self._text.height_for(max(40, width - _QUOTE_INDENT))
        self._text.setGeometry(_QUOTE_INDENT, 0, width - _QUOTE_INDENT, height)
        return height

    @property
    def bars(self) -> Sequence[QRectF]:
        """Where the bars stand, the outermost first."""
        document = self._text.document()
        layout = document.documentLayout()
        bars = [QRectF(0, 2, _BAR, max(8, self._text.height() - 4))]
        open_bars: list[QRectF] = []
        block = document.begin()
        while block.isValid():
            depth = round(block.blockFormat().leftMargin() / QUOTE_STEP)
            box = layout.blockBoundingRect(block)
            del open_bars[depth:]
            for bar in open_bars:
                bar.setBottom(box.bottom())
            while len(open_bars) < depth:
                x = _QUOTE_INDENT + QUOTE_STEP * len(open_bars)
                open_bars.append(QRectF(x, box.top(), _BAR, box.height()))
                bars.append(open_bars[-1])
            block = block.next()
        return bars

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._style.theme.colour("edge"))
        for bar in self.bars:
            painter.drawRoundedRect(bar, 1, 1)
        painter.end()


class RuleView(QFrame):
    """A line across."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:  # noqa: ARG002 - built as the others are
        super().__init__(parent)
        self._line = QFrame(self)
        self._line.setObjectName("ruleLine")

    @property
    def edit(self) -> QTextEdit | None:
        return None

    def show_block(self, block: Block) -> None:
        pass

    def settle(self) -> None:
        pass

    def restyle(self, style: TranscriptStyle) -> None:
        pass

    def height_for(self, width: int) -> int:
        self._line.setGeometry(0, 7, width, 1)
        return 18


class SidewaysArea(QScrollArea):
    """Scrolls sideways, with a bar below, what is wider than the column."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.viewport().setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def event(self, event: QEvent) -> bool:
        """Leave the wheel to the conversation unless it turns sideways."""
        if event.type() is QEvent.Type.Wheel and not scrolls_sideways(event):
            event.ignore()
            return False
        return super().event(event)


class MathView(QWidget):
    """A formula by itself, in the middle of the column, and in a ``SidewaysArea`` once it is wider.

    Most are not, and six widgets fewer for each make a text with many formulas lighter by half.
    """

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self._area: SidewaysArea | None = None
        self._text = RichText(style, self)
        self._text.setWordWrapMode(QTextOption.WrapMode.WordWrap)

    @property
    def edit(self) -> QTextEdit | None:
        return self._text

    def show_block(self, block: Block) -> None:
        self._text.set_html(f'<p class="formula" align="center">{block.body}</p>')

    def settle(self) -> None:
        pass

    def restyle(self, style: TranscriptStyle) -> None:
        self._text.set_look(style)

    def height_for(self, width: int) -> int:
        height = self._text.height_for(width)
        needed = ceil(self._text.document().size().width())
        if needed > width and self._area is None:
            self._area = SidewaysArea(self)
            self._area.setWidget(self._text)
            self._area.show()
        self._text.resize(max(needed, width), height)
        whole = height + SCROLL_BAR if needed > width else height
        if self._area is not None:
            self._area.setGeometry(0, 0, width, whole)
        return whole
