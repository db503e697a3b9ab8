"""The reasoning of an answer, as plain text under a heading that folds it."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import (
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.markup.rich_text import clean
from fireside.ui.chat.answer.blocks import is_horizontal_scroll
from fireside.ui.chat.answer.code import insert_wrapped
from fireside.ui.chat.answer.fold_head import FoldHead
from fireside.ui.chat.answer.text_view import no_resource
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.theme import theme

RUNNING_HEIGHT = 150
"""Maximal height of the text while it streams, in pixels at the normal text size; more is scrolled."""
OPEN_HEIGHT = 330
_MIN_LAID_OUT = 100_000
"""Characters that are laid out at least; of a longer text only the end is shown."""
_HEAD_HEIGHT = 28
_INDENT = 16
_SCROLL_BAR = 14
_BOTTOM_MARGIN = 6
_LINE_HEIGHT = 118
_TICK_MS = 1000


class _Text(QTextEdit):
    """The text. Mouse events go to the transcript, and wheel events too where there is nothing to scroll."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("thoughtText")
        self.setAccessibleName(tr("Thinking"))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.document().setDocumentMargin(0)
        self.reset()

    def reset(self) -> None:
        """Show nothing."""
        self.setPlainText("")
        spacing = QTextBlockFormat()
        spacing.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        QTextCursor(self.document()).setBlockFormat(spacing)

    def append_plain(self, text: str) -> None:
        """Append text, in lines no longer than Qt can lay out."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for index, line in enumerate(clean(text).split("\n")):
            if index:
                cursor.insertBlock()
            insert_wrapped(cursor, line)
        cursor.endEditBlock()

    def loadResource(self, kind: int, name: object) -> object:  # noqa: ARG002 - Qt's signature
        """Load nothing."""
        return no_resource(kind)

    def event(self, event: QEvent) -> bool:
        """Scroll here until the end, then leave wheel events to the transcript."""
        if isinstance(event, QWheelEvent):
            bar = self.verticalScrollBar()
            down = event.angleDelta().y() < 0
            if not is_horizontal_scroll(event) and bar.value() != (bar.maximum() if down else bar.minimum()):
                return QApplication.sendEvent(bar, event)
            event.ignore()
            return False
        return super().event(event)


class ReasoningView(QWidget):
    """A heading with the thinking time, and under it, if open, the reasoning. GUI thread only."""

    def __init__(self, style: TranscriptStyle, parent: QWidget, *, label: Callable[[], str]) -> None:
        """``label`` returns the heading; it is called each second while the model thinks."""
        super().__init__(parent)
        self._make_label = label
        self._source = ""
        """The whole reasoning; once unfolded, the text shows it from ``_start`` to ``_end``."""
        self._start = self._end = 0
        self._is_thinking = False
        self._follows = True
        """Keep the end of the text in view while it streams."""
        self.setMouseTracking(True)
        self.head = FoldHead(self)
        self.head.setAccessibleDescription(tr("Shows or hides the model’s thinking"))
        self._bar = QFrame(self)
        self._bar.setObjectName("quoteBar")
        self._text = _Text(self)
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self._show_label)
        self._show_open(is_open=False)
        self.restyle(style)

    @property
    def text_view(self) -> QTextEdit | None:
        """The text widget, where it is unfolded."""
        return self._text if self.is_open else None

    @property
    def is_open(self) -> bool:
        return self.head.isChecked()

    @property
    def tab_stops(self) -> list[QWidget]:
        """The widgets that Tab visits, top down."""
        return [self.head, self._text] if self.is_open else [self.head]

    def show_text(self, source: str, *, is_thinking: bool, is_open: bool) -> None:
        """Show ``source``; a longer version of the same one while the model thinks."""
        if not source.startswith(self._source):
            self._reset()
        self._source = source
        self._is_thinking = is_thinking
        if is_thinking != self._tick.isActive():
            (self._tick.start if is_thinking else self._tick.stop)()
        was_open = not self._text.isHidden()
        self._show_open(is_open=is_open)
        self._show_label()
        if is_open:
            self._append_new_text()
        if is_open and not was_open and not is_thinking:  # start at the top
            self._text.verticalScrollBar().setValue(0)

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        head = theme().scaled(_HEAD_HEIGHT)
        self.head.setGeometry(0, 0, min(width, self.head.sizeHint().width()), head)
        if not self.is_open:
            return head
        inner = width - _INDENT
        if self._text.lineWrapColumnOrWidth() != inner - _SCROLL_BAR:
            self._text.setLineWrapColumnOrWidth(inner - _SCROLL_BAR)
        max_height = theme().scaled(RUNNING_HEIGHT if self._is_thinking else OPEN_HEIGHT)
        height = min(max_height, max(1, ceil(self._text.document().size().height())))
        top = head + 4
        self._text.setGeometry(_INDENT, top, inner, height)
        self._bar.setGeometry(5, top + 1, 3, max(4, height - 2))
        if self._follows and self._is_thinking:
            self._text.verticalScrollBar().setValue(self._text.verticalScrollBar().maximum())
        return top + height + _BOTTOM_MARGIN

    def restyle(self, style: TranscriptStyle) -> None:  # noqa: ARG002 - as every part of a message
        """Apply another font."""
        self._text.setFont(theme().ui_font(13))
        self._text.document().setDefaultFont(theme().ui_font(13))
        self._show_open(is_open=self.is_open)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay nothing out: ``height_for`` already did."""

    def _append_new_text(self) -> None:
        """Append to the text what it does not show yet."""
        self._follows = self._is_at_end()
        if len(self._source) - self._start > 2 * _MIN_LAID_OUT:
            self._text.reset()
            self._start = self._end = len(self._source) - _MIN_LAID_OUT
            self._text.append_plain("…")
        if self._end < len(self._source):
            self._text.append_plain(self._source[self._end :])
            self._end = len(self._source)

    def _is_at_end(self) -> bool:
        bar = self._text.verticalScrollBar()
        return bar.value() >= bar.maximum() - 4

    def _reset(self) -> None:
        self._source = ""
        self._start = self._end = 0
        self._text.reset()

    def _show_open(self, *, is_open: bool) -> None:
        self.head.show_open(is_open=is_open)
        self._text.setVisible(is_open)
        self._bar.setVisible(is_open)

    def _show_label(self) -> None:
        text = self._make_label()
        if text != self.head.text():
            self.head.setText(text)
            self.head.resize(self.head.sizeHint().width(), self.head.height())
        # A new name each second would drown a screen reader.
        accessible_text = tr("Thinking") if self._is_thinking else text
        if accessible_text != self.head.accessibleName():
            self.head.setAccessibleName(accessible_text)
