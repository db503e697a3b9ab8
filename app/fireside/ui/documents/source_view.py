"""The text of a document with its marked sentences: Markdown as it reads, any other text as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from fireside.bridge.list_markers import LIST_CSS
from fireside.bridge.rich_document import set_direction
from fireside.core.text_folding import letter_positions
from fireside.ui.chat.answer.text_view import no_resource
from fireside.ui.chat.style import document_css
from fireside.ui.chat.transcript.plain_copy import markdown_to_html, markdown_to_text
from fireside.ui.theme import MESSAGE_PX, SPACE_XS, theme
from fireside.ui.theme.stylesheet import fill
from fireside.ui.utf16 import utf16_length

Span = tuple[int, int]
"""A range of characters; the end is exclusive."""

_INDENT: Final = 24
"""Pixels by which lists are moved to the right."""
_LEAD: Final = re.compile(r"\s*(?:(?:[-*+•>]|#{1,6}|\d{1,4}[.)])\s+)*")
"""What stands before the text of a line of Markdown and is drawn, or not shown at all."""
_HEADING: Final = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
_CSS: Final = """
table { border-collapse: collapse; margin: 4px 0 10px 0; }
td, th { border: 1px solid $line; padding: 4px 7px; }
pre { margin: 4px 0 10px 0; }
"""
"""Beyond the transcript's, which has widgets for tables and code."""


class SourceView(QTextBrowser):
    """Loads nothing, follows no link, and keeps the first mark in view until the user scrolls."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._is_markdown = False
        self._spans: tuple[Span, ...] = ()
        self._follows_mark = True
        self.setObjectName("sourceText")
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(SPACE_XS)
        self.document().setIndentWidth(_INDENT)
        self.verticalScrollBar().actionTriggered.connect(self._on_scrolled)
        theme().changed.connect(self._fill)

    def show_text(self, text: str, spans: Iterable[Span], *, is_markdown: bool) -> None:
        """Show a text with these ranges of it marked, at the first of them."""
        self._text, self._is_markdown = text, is_markdown
        self._spans = tuple(spans)
        self._follows_mark = True
        self._fill()

    @property
    def marked(self) -> tuple[str, ...]:
        """The texts that are marked, as they are shown."""
        return tuple(each.cursor.selectedText() for each in self.extraSelections())

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002 - Qt's signature
        """Return nothing: pictures of a document are not loaded."""
        return no_resource(kind)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_to_mark()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._scroll_to_mark)

    def _fill(self) -> None:
        document = self.document()
        document.setDefaultFont(theme().ui_font(MESSAGE_PX))
        if self._is_markdown:
            # Qt draws the marks of these lists, which the transcript draws itself.
            css = document_css().replace(LIST_CSS, "") + fill(_CSS, theme().tokens, scaled=theme().scaled)
            document.setDefaultStyleSheet(css)
            set_direction(document, from_left=False)
            # Qt enlarges headings whatever their style says.
            self.setHtml(_HEADING.sub(r'<p class="h\1">\2</p>', markdown_to_html(self._text)))
            spans: Iterable[Span] = rendered_spans(self.toPlainText(), self._text, self._spans)
        else:
            self.setPlainText(self._text)
            spans = self._spans
        shown = self.toPlainText()
        self.setExtraSelections([self._mark(shown, *span) for span in spans])
        self._scroll_to_mark()

    def _mark(self, shown: str, start: int, end: int) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        text_format = QTextCharFormat()
        text_format.setBackground(theme().colour("found"))
        text_format.setForeground(theme().colour("text"))
        cursor = QTextCursor(self.document())
        cursor.setPosition(utf16_length(shown[:start]))
        cursor.setPosition(utf16_length(shown[:end]), QTextCursor.MoveMode.KeepAnchor)
        mark.cursor, mark.format = cursor, text_format
        return mark

    def _scroll_to_mark(self) -> None:
        """Scroll to the first mark, a third below the top."""
        if not self._follows_mark:
            return
        first = next((QTextCursor(each.cursor) for each in self.extraSelections()), None)
        if first is not None:
            first.setPosition(first.selectionStart())
            self.setTextCursor(first)
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.cursorRect(first).top() - self.viewport().height() // 3)

    def _on_scrolled(self) -> None:
        self._follows_mark = False


def rendered_spans(shown: str, source: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Return where ranges of Markdown are in the text that is shown of it, line by line, by their letters.

    A line that is not found is left out. GUI thread only.
    """
    letters, positions = letter_positions(shown)
    for start, end in spans:
        # Addresses of links are letters that are not shown, so the place is only near this one.
        near = len(letter_positions(source[:start])[0])
        for line in source[start:end].splitlines():
            needle, _ = letter_positions(markdown_to_text(_LEAD.sub("", line, count=1)))
            found = _nearest(letters, needle, near)
            if found is not None:
                near = found + len(needle)
                yield positions[found], _with_punctuation(shown, positions[near - 1])


def _nearest(letters: str, needle: str, near: int) -> int | None:
    """Return the start of the occurrence of ``needle`` that is nearest to ``near``."""
    if not needle:
        return None
    before, after = letters.rfind(needle, 0, near + len(needle)), letters.find(needle, near)
    return min((each for each in (before, after) if each >= 0), key=lambda at: abs(at - near), default=None)


def _with_punctuation(shown: str, last: int) -> int:
    """Return the end of the punctuation that directly follows a letter."""
    end = last + 1
    while end < len(shown) and not (shown[end].isspace() or shown[end].isalnum()):
        end += 1
    return end
