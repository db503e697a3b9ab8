"""Text widgets that draw their document themselves: one widget each, where Qt's text browser takes six."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from PySide6.QtCore import QByteArray, QPoint, QPointF, QRect, QRectF, Qt, QUrl, Slot
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from fireside.bridge.list_markers import draw_markers, fit_numbers
from fireside.bridge.rich_document import fill
from fireside.core.i18n import tr
from fireside.ui.chat.answer.formulas import FormulaPainter
from fireside.ui.chat.answer.transcript_style import TranscriptStyle


def no_resource(kind: int) -> QImage | QByteArray:
    """Return a substitute for any resource that a document requests: a transparent pixel, or empty bytes.

    It must be a value that Qt can use. For ``None``, and for an image even for empty bytes, Qt opens the file
    of that name itself.
    """
    if kind != QTextDocument.ResourceType.ImageResource.value:
        return QByteArray(b"")
    pixel = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    pixel.fill(Qt.GlobalColor.transparent)
    return pixel


class _Document(QTextDocument):
    """A document that loads no image, style or page from files or network."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002 - Qt's signature
        return no_resource(kind)


class TextView(QWidget):
    """Draws a document at its full height; loads nothing and leaves mouse and keys to the transcript.

    Methods named as those of ``QTextEdit`` do the same.
    """

    def __init__(self, parent: QWidget, *, name: str) -> None:
        """``name`` is the accessible name of the text."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._name = name
        self._document = _Document(self)
        self._document.setUndoRedoEnabled(False)
        self._document.setDocumentMargin(0)
        self._document.documentLayout().update.connect(self._on_layout_update)
        self._browser: _Browser | None = None
        self._highlights: list[QTextEdit.ExtraSelection] = []

    @property
    def browser(self) -> QTextBrowser:
        """Qt's text browser for this document, made on demand: it then covers this widget and draws instead.

        For screen readers, and where text is selected and links are followed without the transcript.
        """
        if self._browser is None:
            self._browser = _Browser(self._document, self)
            self._browser.setAccessibleName(self._name)
            self._browser.setExtraSelections(self._highlights)
            self._browser.setGeometry(self.rect())
            self._browser.show()
        return self._browser

    def set_text_font(self, font: QFont) -> None:
        """Set the document's default font."""
        self._document.setDefaultFont(font)
        if self._browser is not None:
            self._browser.setFont(font)

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels, -1 for no wrapping, and return the height."""
        if self._document.textWidth() != width:
            self._document.setTextWidth(width)
            if self._browser is not None:
                self._browser.setLineWrapColumnOrWidth(width)
        return ceil(self._document.size().height())

    # As in QTextEdit

    def document(self) -> QTextDocument:
        return self._document

    def viewport(self) -> QWidget:
        return self

    def toPlainText(self) -> str:
        return self._document.toPlainText()

    def wordWrapMode(self) -> QTextOption.WrapMode:
        return self._document.defaultTextOption().wrapMode()

    def setWordWrapMode(self, mode: QTextOption.WrapMode) -> None:
        option = self._document.defaultTextOption()
        option.setWrapMode(mode)
        self._document.setDefaultTextOption(option)
        if self._browser is not None:
            self._browser.setWordWrapMode(mode)

    def cursorForPosition(self, at: QPoint) -> QTextCursor:
        position = self._document.documentLayout().hitTest(QPointF(at), Qt.HitTestAccuracy.FuzzyHit)
        cursor = QTextCursor(self._document)
        cursor.setPosition(max(0, position))
        return cursor

    def cursorRect(self, cursor: QTextCursor) -> QRect:
        block, at = cursor.block(), cursor.positionInBlock()
        origin = self._document.documentLayout().blockBoundingRect(block).topLeft()
        line = block.layout().lineForTextPosition(at)  # which that has laid out
        if not line.isValid():
            return QRectF(origin.x(), origin.y(), 1, 1).toAlignedRect()
        origin += QPointF(line.cursorToX(at)[0], line.y())  # type: ignore[index]  # a pair; the stubs say a number
        return QRectF(origin.x(), origin.y(), 1, line.height()).toAlignedRect()

    def anchorAt(self, at: QPoint) -> str:
        return self._document.documentLayout().anchorAt(QPointF(at))

    def extraSelections(self) -> list[QTextEdit.ExtraSelection]:
        return self._highlights

    def setExtraSelections(self, selections: Sequence[QTextEdit.ExtraSelection]) -> None:
        self._highlights = list(selections)
        if self._browser is not None:
            self._browser.setExtraSelections(self._highlights)
        self.update()

    @Slot()
    def _on_layout_update(self) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._browser is not None:
            return
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = QRectF(event.rect())
        context.palette = self.palette()
        context.selections = [_selection(each) for each in self._highlights if each.cursor.hasSelection()]
        painter = QPainter(self)
        self._document.documentLayout().draw(painter, context)
        self.draw_extra(painter, context.clip)
        painter.end()

    def draw_extra(self, painter: QPainter, area: QRectF) -> None:
        """Draw what the document does not, within ``area``."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._browser is not None:
            self._browser.resize(event.size())


class RichText(TextView):
    """Formatted text, with formulas."""

    def __init__(self, style: TranscriptStyle, parent: QWidget) -> None:
        super().__init__(parent, name=tr("Text"))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._painter: FormulaPainter | None = None
        self._html = ""
        self._html_with_formulas = ""
        """``_html`` with images or sources of its formulas."""
        self._widest_numbers: Mapping[int, int] = {}
        self._style = style
        self.restyle(style)

    @property
    def has_links(self) -> bool:
        return "<a href" in self._html

    def restyle(self, style: TranscriptStyle) -> None:
        """Apply another style."""
        self._style = style
        if self._painter is not None:
            self._painter.clear_cache()
        self.set_text_font(style.text_font)
        self._document.setIndentWidth(style.list_indent)
        self._document.setDefaultStyleSheet(style.css)
        if self._html:
            self._fill(style.with_formulas(self._html))

    def set_html(self, html: str) -> None:
        """Show HTML that was written by ``markup.rich_text``."""
        if html != self._html:
            self._html = html
            self._fill(self._style.with_formulas(html))

    def set_widest_numbers(self, widest: Mapping[int, int]) -> bool:
        """Set the ``ListNumbers.widest`` of this text; return whether that changed its layout."""
        if widest == self._widest_numbers:
            return False
        self._widest_numbers = widest
        return fit_numbers(self._document, widest=widest)

    def update_formulas(self) -> bool:
        """Show formulas that have been drawn since; return whether that changed anything."""
        filled = self._style.with_formulas(self._html)
        if filled == self._html_with_formulas:
            return False
        self._fill(filled)
        return True

    def draw_extra(self, painter: QPainter, area: QRectF) -> None:
        """Draw the numbers, bullets and check boxes of lists."""
        if "<li" in self._html:
            marked = {
                each.cursor.position(): each.format
                for each in self.extraSelections()
                if not each.cursor.hasSelection()
            }
            draw_markers(painter, self._document, area=area, colours=self._style.markers, marked=marked)

    def _fill(self, html: str) -> None:
        self._html_with_formulas = html
        if self._painter is None and "<img" in html:
            self._painter = FormulaPainter(self, image=self._formula_image)
            self._painter.register(self._document)
        fill(self._document, html, widest=self._widest_numbers)

    def _formula_image(self, name: str) -> QImage | None:
        return self._style.formula_image(name, ratio=self.devicePixelRatioF())


def _selection(highlight: QTextEdit.ExtraSelection) -> QAbstractTextDocumentLayout.Selection:
    selection = QAbstractTextDocumentLayout.Selection()
    selection.cursor, selection.format = highlight.cursor, highlight.format
    return selection


class _Browser(QTextBrowser):
    """A text browser for a document that ``TextView`` lays out."""

    def __init__(self, document: QTextDocument, text: TextView) -> None:
        super().__init__(text)
        self._text = text
        self.setFont(document.defaultFont())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setOpenLinks(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self.setWordWrapMode(document.defaultTextOption().wrapMode())
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(round(document.textWidth()))
        self.setDocument(document)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self._text.draw_extra(painter, QRectF(event.rect()))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: ARG002 - Qt's signature
        """Reset the scroll ranges of the old size, without layout: ``TextView`` has done that."""
        self.horizontalScrollBar().setRange(0, 0)
        self.verticalScrollBar().setRange(0, 0)


TextWidget = TextView | QTextEdit
"""A text widget of a message, as selection, highlights and search use it."""
