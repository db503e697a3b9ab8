"""A document around a passage, with the passage and its cited sentences marked: rendered pages, or text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QStackedWidget, QTextEdit

from fireside.core.collection import DocumentPage, PageLocation, Passage, SourceText
from fireside.core.errors import FiresideError
from fireside.core.i18n import number, tr
from fireside.ui.chat.sources import score_text
from fireside.ui.documents.documents_text import headings_text
from fireside.ui.documents.page_view import PageView
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.tasks import LatestRequest
from fireside.ui.utf16 import utf16_length
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel
from fireside.ui.window_context import WindowContext

_FIRST_CHARS: Final = 20_000
_GROWTH_FACTOR: Final = 5
"""Factor by which the displayed text grows when the user asks for more."""

_LIGHT: Final = 0.3
"""Opacity of the mark of a passage, of which single sentences are marked."""
Sentences = Sequence[tuple[int, int]]


class ReaderSheet(Sheet):
    """Requests and shows the text around a passage; open it with ``open_reader``.

    ``sentences`` are ranges in the text of the passage that are marked more strongly than the rest of it.
    """

    def __init__(self, passage: Passage, *, context: WindowContext, sentences: Sentences = ()) -> None:
        super().__init__(tr("Document"), theme=context.theme, parent=context.window, size=(820, 720))
        self.passage = passage
        self._sentences = tuple(sentences)
        self._context = context
        self._source_text: SourceText | None = None
        self.location = WrappedLabel(passage.location_text, role="heading")
        details = (headings_text(passage), score_text(passage.scores))
        self.details = ElidedLabel(" · ".join(part for part in details if part), role="mute")
        self.note = WrappedLabel(role="warning")
        self.note.hide()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Text of {name}").format(name=passage.label))
        self.text.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.extent = WrappedLabel(role="small")
        self.more = Button(tr("Show more"), theme=context.theme, kind="link", on_click=self._on_more)
        self._extent_row = boxed(row(self.extent, self.more, stretch()))
        self._extent_row.hide()
        self._n_chars = _FIRST_CHARS
        self.pages = PageView(theme=context.theme)
        self.pages.page_requested.connect(self._request_page)
        self._stack = QStackedWidget()
        self._stack.addWidget(boxed(column(stretch(self.text), self._extent_row)))
        self._stack.addWidget(self.pages)
        self.as_text = self.make_button(tr("Show text"), self._on_as_text, icon="text-cursor")
        self.as_text.hide()
        self._text_request = LatestRequest(context.tasks)
        self._page_request = LatestRequest(context.tasks)
        self.open_file = self.make_button(tr("Open file"), self._on_open, icon="external-link")
        self.reveal = self.make_button(tr("Show in folder"), self._on_reveal, icon="folder-open")
        self.set_content(
            self.details,
            self.note,
            stretch(self._stack),
            heading=self.location,
            buttons=(self.as_text, self.open_file, self.reveal, stretch(), self.make_close(is_default=True)),
        )
        self.details.setVisible(bool(self.details.text()))
        self.show_status(tr("Loading…"), role="mute")
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)
        context.theme.changed.connect(self._mark)
        for request in (self._text_request, self._page_request):
            self.finished.connect(lambda _, request=request: request.cancel())
        self._request_text()

    # Display

    def show_text(self, source_text: SourceText) -> None:
        """Show the text with the passage highlighted, in the middle; for an unchanged PDF file, the passage's
        page."""
        is_first = self._source_text is None
        self._source_text = source_text
        self.show_status("")
        self.text.setPlainText(source_text.text)
        self.open_file.setEnabled(not source_text.is_missing)
        if source_text.is_missing:
            self._show_note(tr("The file was moved or deleted. This is the text as it was read."))
        elif source_text.has_changed:
            self._show_note(tr("The file was changed. This is the text as it was read."))
        elif self.passage.is_hidden:
            self._show_note(tr("Readers of this file do not see part of this text: it is hidden there."))
        elif self.passage.read_by:
            self._show_note(
                tr("{model} read this text on an image. It may have errors.").format(
                    model=self.passage.read_by
                )
            )
        elif self.passage.warnings:
            self._show_note(" ".join(self.passage.warnings))
        self._mark()
        self._show_extent(source_text)
        location = self.passage.location
        if (
            is_first
            and isinstance(location, PageLocation)
            and not (location.is_slide or source_text.has_changed)
        ):
            self.show_status(tr("Loading…"), role="mute")
            self.pages.go_to(location.page)

    def show_page(self, page: DocumentPage) -> None:
        """Show a rendered page in place of the text."""
        self.show_status("")
        if self.as_text.isHidden():
            self.as_text.show()
            self._show_pages(is_visible=True)
        self.pages.show_page(page)

    def show_failure(self, error: FiresideError) -> None:
        """Show the cited passage, which is stored without its file, and the error."""
        self.show_text(
            SourceText(text=self.passage.text, first_line=1, mark_from=0, mark_to=len(self.passage.text))
        )
        self.show_status(error.sentence())

    # User actions

    def _request_text(self) -> None:
        work = self._context.client.collections.text_around(self.passage, n_chars=self._n_chars)
        self._text_request.run(work, on_done=self.show_text, on_error=self.show_failure)

    def _request_page(self, page: int, width: int) -> None:
        work = self._context.client.collections.page(
            self.passage, page=page, width=width, sentences=self._sentences
        )
        self._page_request.run(work, on_done=self.show_page, on_error=self._on_page_failed)

    def _on_page_failed(self, error: FiresideError) -> None:
        self.show_status(error.sentence())

    def _on_as_text(self) -> None:
        self._show_pages(is_visible=self._stack.currentIndex() == 0)

    def _show_pages(self, *, is_visible: bool) -> None:
        self._stack.setCurrentIndex(1 if is_visible else 0)
        self.as_text.set_label(tr("Show text") if is_visible else tr("Show pages"))
        (self.pages if is_visible else self.text).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_extent(self, source_text: SourceText) -> None:
        """Show that this is not the whole text, and offer more of it."""
        is_part = source_text.has_before or source_text.has_after
        self._extent_row.setVisible(is_part)
        if is_part:
            text = tr("{shown} of %n character|{shown} of %n characters", "", source_text.n_chars)
            self.extent.setText(text.format(shown=number(len(source_text.text))))

    def _on_more(self) -> None:
        self._n_chars *= _GROWTH_FACTOR
        self._request_text()

    def _show_note(self, text: str) -> None:
        self.note.show_text(text)

    def _mark(self) -> None:
        if self._source_text is None:
            return
        start, end = self._source_text.mark_from, self._source_text.mark_to
        sentences = [(start + first, start + last) for first, last in self._sentences]
        passage = self._selection(start, end, strength=_LIGHT if sentences else 1.0)
        selections = [passage, *(self._selection(*each, strength=1.0) for each in sentences)]
        self.text.setExtraSelections(selections)
        first = QTextCursor(selections[1 if sentences else 0].cursor)
        first.setPosition(first.selectionStart())
        self.text.setTextCursor(first)
        self.text.centerCursor()

    def _selection(self, start: int, end: int, *, strength: float) -> QTextEdit.ExtraSelection:
        """Return a mark of characters; ``strength`` is its opacity, 0 to 1."""
        assert self._source_text is not None
        selection = QTextEdit.ExtraSelection()
        background = self.theme.colour("found")
        background.setAlphaF(strength)
        text_format = QTextCharFormat()
        text_format.setBackground(background)
        text_format.setForeground(self.theme.colour("text"))
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(utf16_length(self._source_text.text[:start]))
        cursor.setPosition(utf16_length(self._source_text.text[:end]), QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        selection.format = text_format
        return selection

    def _on_open(self) -> None:
        self._context.open_url(QUrl.fromLocalFile(self.passage.path).toString())

    def _on_reveal(self) -> None:
        self._context.reveal(self.passage.path)


def open_reader(passage: Passage, *, context: WindowContext, sentences: Sentences = ()) -> ReaderSheet:
    """Open a sheet with the text around ``passage``, at the first of its marked ``sentences`` if any."""
    sheet = ReaderSheet(passage, context=context, sentences=sentences)
    sheet.open()
    return sheet
