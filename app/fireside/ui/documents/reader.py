"""The panel in which a document is read: a page or its text, with what an answer cites of it marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import ClassVar, Final, NamedTuple

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from fireside.bridge.list_markers import LIST_CSS
from fireside.bridge.rich_document import set_direction
from fireside.core.citations import citation_marks, cited_sentences
from fireside.core.collection import DocumentPage, PageLocation, Passage, SourceText, location_text
from fireside.core.errors import FiresideError
from fireside.core.i18n import number, tr
from fireside.core.message import PassagesPart
from fireside.core.text_folding import letter_positions
from fireside.ui.chat.answer.text_view import no_resource
from fireside.ui.chat.style import document_css
from fireside.ui.chat.transcript.plain_copy import markdown_to_html, markdown_to_text
from fireside.ui.documents.documents_text import MARKDOWN, headings_text
from fireside.ui.documents.page_view import PageView
from fireside.ui.kit.layout import boxed, column, row, stacked, stretch
from fireside.ui.kit.side_area import SidePanel
from fireside.ui.tasks import LatestRequest
from fireside.ui.theme import MESSAGE_PX, SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.theme.stylesheet import fill
from fireside.ui.utf16 import utf16_length
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, plain_tooltip
from fireside.ui.window_context import WindowContext

# The text of a document with its marked sentences: Markdown as it reads, any other text as it stands.

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


_FIRST_CHARS: Final = 20_000
_GROWTH_FACTOR: Final = 5
"""Factor by which the displayed text grows when the user asks for more."""


class MarkedPassage(NamedTuple):
    """A passage to read, the ranges of its text that are marked, and the number by which it is cited."""

    passage: Passage
    sentences: tuple[Span, ...] = ()
    """None marks the whole passage."""
    number: int = 0
    """0 for a passage that was searched for."""


def cited_passages(part: PassagesPart, answer: str, *, opened: int) -> tuple[list[MarkedPassage], int]:
    """Return what an answer cites, with the sentences that its statements rest on, and the index of the
    citation ``opened``, which is listed even if the answer does not cite it."""
    cited = {mark.number for mark in citation_marks(answer, part.citations)}
    passages = [
        MarkedPassage(each.passage, cited_sentences(answer, each), each.number)
        for each in part.citations
        if each.number in cited or each.number == opened
    ]
    return passages, next((n for n, each in enumerate(passages) if each.number == opened), 0)


class Reader(SidePanel):
    """Steps through passages, each shown in its document. GUI thread only."""

    USUAL_WIDTH: ClassVar = 520
    MIN_WIDTH: ClassVar = 360
    MAX_WIDTH: ClassVar = 1000
    COVERS: ClassVar = True

    def __init__(self, context: WindowContext, *, parent: QWidget) -> None:
        super().__init__(name=tr("Document"), parent=parent)
        self._context = context
        self._passages: Sequence[MarkedPassage] = ()
        self._index = 0
        self._n_chars = _FIRST_CHARS
        self._seeks_sentence = False
        """Whether the sentences may be on a later page of the passage."""
        self.back = IconButton("arrow-left", name=tr("Back"))
        self.name = ElidedLabel(role="heading", mode=Qt.TextElideMode.ElideMiddle)
        self.close_button = IconButton("x", name=tr("Close document"), size=16)
        self.place = ElidedLabel(role="mute")
        self.previous = IconButton("chevron-left", name=tr("Previous passage"))
        self.position = Label(role="mute")
        self.next = IconButton("chevron-right", name=tr("Next passage"))
        self.as_text = IconButton("text-cursor", name=tr("Show text"))
        self.open_file = IconButton("external-link", name=tr("Open file"))
        self.reveal = IconButton("folder-open", name=tr("Show in folder"))
        self.note = WrappedLabel(role="warning")
        self.text = SourceView()
        self.extent = WrappedLabel(role="small")
        self.more = Button(tr("Show more"), kind="link", on_click=self._on_more)
        self._extent_row = boxed(row(self.extent, self.more, stretch()))
        self.pages = PageView()
        self.status = WrappedLabel(role="mute")
        self._text_page = boxed(column(stretch(self.text), self._extent_row, spacing=SPACE_XS))
        self._stack = stacked(self._text_page, self.pages)
        self._text_request = LatestRequest(context.tasks)
        self._page_request = LatestRequest(context.tasks)
        self._arrange()
        self._connect()

    @property
    def passage(self) -> Passage:
        """The passage that is shown."""
        return self._passages[self._index].passage

    def show_passages(self, passages: Sequence[MarkedPassage], index: int = 0) -> None:
        """Show one of ``passages``; the buttons step through all of them."""
        self._passages = passages
        self._show(index)

    def focus_document(self) -> None:
        """Give the keyboard focus to page or text."""
        shown = self.pages if self._stack.currentWidget() is self.pages else self.text
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_covering(self, *, is_covering: bool) -> None:
        self.back.setVisible(is_covering)
        self.close_button.setVisible(not is_covering)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the document."""
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    # Layout

    def _arrange(self) -> None:
        side = (SPACE_L, 0, SPACE_M, 0)
        tools = (self.as_text, self.open_file, self.reveal)
        column(
            row(self.back, stretch(self.name), self.close_button, margins=(SPACE_L, SPACE_M, SPACE_M, 0)),
            row(stretch(self.place), margins=side),
            row(self.previous, self.position, self.next, stretch(), *tools, spacing=SPACE_XS, margins=side),
            row(stretch(self.note), margins=side),
            row(stretch(self.status), margins=side),
            stretch(row(stretch(self._stack), margins=(SPACE_L, SPACE_XS, SPACE_M, SPACE_M))),
            spacing=SPACE_S,
            on=self,
        )
        for part in (self.back, self.note, self._extent_row, self.as_text):
            part.hide()

    def _connect(self) -> None:
        self.back.clicked.connect(self._close)
        self.close_button.clicked.connect(self._close)
        self.previous.clicked.connect(lambda: self._show(self._index - 1))
        self.next.clicked.connect(lambda: self._show(self._index + 1))
        self.as_text.clicked.connect(self._on_as_text)
        self.open_file.clicked.connect(
            lambda: self._context.open_url(QUrl.fromLocalFile(self.passage.path).toString())
        )
        self.reveal.clicked.connect(lambda: self._context.reveal(self.passage.path))
        self.pages.page_requested.connect(self._request_page)

    # Display

    def _show(self, index: int) -> None:
        if not 0 <= index < len(self._passages):
            return
        self._index, self._n_chars = index, _FIRST_CHARS
        marked, passage = self._passages[index], self.passage
        self.setAccessibleName(passage.location_text)
        self.name.set_full_text(passage.label)
        self.name.setToolTip(plain_tooltip(passage.path))
        self._show_place()
        n_passages = len(self._passages)
        count = tr("{number} of {count}").format(number=number(index + 1), count=number(n_passages))
        of_several = (f"[{marked.number}]" if marked.number else "", count if n_passages > 1 else "")
        self.position.setText(" · ".join(part for part in of_several if part))
        for button, is_there in ((self.previous, index > 0), (self.next, index + 1 < n_passages)):
            button.setEnabled(is_there)
            button.setVisible(n_passages > 1)
        self.text.setAccessibleName(tr("Text of {name}").format(name=passage.label))
        self.note.hide()
        self._show_status("" if self.text.toPlainText() else tr("Loading…"))
        self._page_request.cancel()
        self._request_text()

    def _show_place(self) -> None:
        """Show where the passage is; a single page in sight tells its number itself."""
        location = self.passage.location
        is_page = isinstance(location, PageLocation) and (location.last or location.page) == location.page
        is_in_sight = is_page and self._stack.currentWidget() is self.pages
        where = ("" if is_in_sight else location_text(location), headings_text(self.passage))
        self.place.set_full_text(" · ".join(part for part in where if part))

    def show_text(self, source_text: SourceText) -> None:
        """Show the text with the passage marked; of an unchanged PDF file or image, request the page."""
        marked, passage = self._passages[self._index], self.passage
        self._show_status("")
        self._show_note(source_text)
        start, end = source_text.mark_from, source_text.mark_to
        sentences = [(start + first, start + last) for first, last in marked.sentences]
        is_markdown = PurePath(passage.name).suffix.lower() in MARKDOWN
        self.text.show_text(source_text.text, sentences or [(start, end)], is_markdown=is_markdown)
        self._show_extent(source_text)
        self.open_file.setEnabled(not source_text.is_missing)
        location = passage.location
        has_page = isinstance(location, PageLocation) and not (location.is_slide or source_text.has_changed)
        if has_page and self._n_chars == _FIRST_CHARS and isinstance(location, PageLocation):
            self._seeks_sentence = bool(marked.sentences)
            self.pages.go_to(location.page)
        elif not has_page:
            self.as_text.hide()
            self._show_pages(is_visible=False)

    def show_page(self, page: DocumentPage) -> None:
        """Show a rendered page in place of the text; of several, the one that has the sentences."""
        location = self.passage.location
        first, last = (location.page, location.last) if isinstance(location, PageLocation) else (0, 0)
        if self._seeks_sentence and last > first and not page.sentence_boxes:
            self._seeks_sentence = page.number < last
            self.pages.go_to(page.number + 1 if self._seeks_sentence else first)
            return
        self._seeks_sentence = False
        self._show_status("")
        if self.as_text.isHidden():
            self.as_text.show()
            self._show_pages(is_visible=True)
        self.pages.show_page(page)

    def _show_failure(self, error: FiresideError) -> None:
        """Show the cited passage, which is stored without its file, and the error."""
        text = self.passage.text
        self.show_text(SourceText(text=text, first_line=1, mark_from=0, mark_to=len(text), has_changed=True))
        self.note.hide()
        self._show_status(error.sentence(), role="error")

    def _show_note(self, source_text: SourceText) -> None:
        passage = self.passage
        if source_text.is_missing:
            note = tr("The file was moved or deleted. This is the text as it was read.")
        elif source_text.has_changed:
            note = tr("The file was changed. This is the text as it was read.")
        elif passage.is_hidden:
            note = tr("Readers of this file do not see part of this text: it is hidden there.")
        elif passage.read_by:
            note = tr("{model} read this text on an image. It may have errors.").format(model=passage.read_by)
        else:
            note = " ".join(passage.warnings)
        self.note.show_text(note)

    def _show_status(self, text: str, *, role: str = "mute") -> None:
        self.status.set_role(role)
        self.status.show_text(text)

    def _show_pages(self, *, is_visible: bool) -> None:
        had_focus = self._stack.isAncestorOf(self.focusWidget() or self)
        if had_focus:
            self.setFocus()  # Qt would give it to the page that this covers
        self._stack.setCurrentWidget(self.pages if is_visible else self._text_page)
        self.as_text.set_name(tr("Show text") if is_visible else tr("Show pages"))
        self._show_place()
        if had_focus:
            self.focus_document()

    def _show_extent(self, source_text: SourceText) -> None:
        """Show that this is not the whole text, and offer more of it."""
        is_part = source_text.has_before or source_text.has_after
        self._extent_row.setVisible(is_part)
        if is_part:
            text = tr("{shown} of %n character|{shown} of %n characters", "", source_text.n_chars)
            self.extent.setText(text.format(shown=number(len(source_text.text))))

    # Requests

    def _request_text(self) -> None:
        work = self._context.client.collections.text_around(self.passage, n_chars=self._n_chars)
        self._text_request.run(work, on_done=self.show_text, on_error=self._show_failure)

    def _request_page(self, page: int, width: int) -> None:
        marked = self._passages[self._index]
        work = self._context.client.collections.page(
            marked.passage, page=page, width=width, sentences=marked.sentences
        )
        self._page_request.run(work, on_done=self.show_page, on_error=self._on_page_failed)

    def _on_page_failed(self, error: FiresideError) -> None:
        self._show_pages(is_visible=False)
        self.as_text.hide()
        self._show_status(error.sentence(), role="error")

    def _on_as_text(self) -> None:
        self._show_pages(is_visible=self._stack.currentWidget() is self._text_page)

    def _on_more(self) -> None:
        self._n_chars *= _GROWTH_FACTOR
        self._request_text()

    def _close(self) -> None:
        self._text_request.cancel()
        self._page_request.cancel()
        self.close_requested.emit()
