"""A document around a passage, with the passage highlighted: its rendered pages, or its text."""

from __future__ import annotations

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
_MORE: Final = 5
"""Factor by which the text shown grows when the user asks for more."""


class ReaderSheet(Sheet):
    """Shows the passage's surroundings; open it with ``open()``, and it requests the text itself."""

    def __init__(self, passage: Passage, *, context: WindowContext) -> None:
        super().__init__(tr("Document"), theme=context.theme, parent=context.window, size=(820, 720))
        self.passage = passage
        self._context = context
        self._read: SourceText | None = None
        self.place = WrappedLabel(passage.location_text, role="heading")
        details = (headings_text(passage), score_text(passage.scores))
        self.details = ElidedLabel(" · ".join(part for part in details if part), role="mute")
        self.note = WrappedLabel(role="warning")
        self.note.hide()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Text of {name}").format(name=passage.name))
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
        self.pages.page_requested.connect(self._ask_page)
        self._stack = QStackedWidget()
        self._stack.addWidget(boxed(column(stretch(self.text), self._extent_row)))
        self._stack.addWidget(self.pages)
        self.as_text = self.make_button(tr("Show text"), self._on_as_text, icon="text-cursor")
        self.as_text.hide()
        self._reading = LatestRequest(context.tasks)
        self._drawing = LatestRequest(context.tasks)
        self.open_file = self.make_button(tr("Open file"), self._on_open, icon="external-link")
        self.reveal = self.make_button(tr("Show in folder"), self._on_reveal, icon="folder-open")
        self.set_content(
            self.details,
            self.note,
            stretch(self._stack),
            heading=self.place,
            buttons=(self.as_text, self.open_file, self.reveal, stretch(), self.make_close(is_default=True)),
        )
        self.details.setVisible(bool(self.details.text()))
        self.show_status(tr("Loading…"), role="mute")
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)
        context.theme.changed.connect(self._mark)
        for request in (self._reading, self._drawing):
            self.finished.connect(lambda _, request=request: request.drop())
        self._ask()

    # Display

    def show_text(self, read: SourceText) -> None:
        """Show the text with the passage highlighted, in the middle; for an unchanged PDF file, the passage's
        page."""
        is_first = self._read is None
        self._read = read
        self.show_status("")
        self.text.setPlainText(read.text)
        self.open_file.setEnabled(not read.is_missing)
        if read.is_missing:
            self._note(tr("The file was moved or deleted. This is the text as it was read."))
        elif read.has_changed:
            self._note(tr("The file was changed. This is the text as it was read."))
        elif self.passage.is_hidden:
            self._note(tr("Readers of this file do not see part of this text: it is hidden there."))
        elif self.passage.read_by:
            self._note(
                tr("{model} read this text on an image. It may have errors.").format(
                    model=self.passage.read_by
                )
            )
        self._mark()
        self._show_extent(read)
        location = self.passage.location
        if is_first and isinstance(location, PageLocation) and not (location.is_slide or read.has_changed):
            self.show_status(tr("Loading…"), role="mute")
            self.pages.go_to(location.page)

    def show_page(self, page: DocumentPage) -> None:
        """Show a rendered page in place of the text."""
        self.show_status("")
        if self.as_text.isHidden():
            self.as_text.show()
            self._show_pages(is_wanted=True)
        self.pages.show_page(page)

    def show_failure(self, error: FiresideError) -> None:
        """Show the cited passage, which is stored without its file, and the error."""
        self.show_text(
            SourceText(text=self.passage.text, first_line=1, mark_from=0, mark_to=len(self.passage.text))
        )
        self.show_status(error.sentence())

    # User actions

    def _ask(self) -> None:
        work = self._context.client.collections.text_around(self.passage, n_chars=self._n_chars)
        self._reading.run(work, on_done=self.show_text, on_error=self.show_failure)

    def _ask_page(self, page: int, width: int) -> None:
        work = self._context.client.collections.page(self.passage, page=page, width=width)
        self._drawing.run(work, on_done=self.show_page, on_error=self._on_page_failed)

    def _on_page_failed(self, error: FiresideError) -> None:
        self.show_status(error.sentence())

    def _on_as_text(self) -> None:
        self._show_pages(is_wanted=self._stack.currentIndex() == 0)

    def _show_pages(self, *, is_wanted: bool) -> None:
        self._stack.setCurrentIndex(1 if is_wanted else 0)
        self.as_text.set_label(tr("Show text") if is_wanted else tr("Show pages"))
        (self.pages if is_wanted else self.text).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_extent(self, read: SourceText) -> None:
        """Show that this is not the whole text, and offer more of it."""
        is_part = read.has_before or read.has_after
        self._extent_row.setVisible(is_part)
        if is_part:
            words = tr("{shown} of %n character|{shown} of %n characters", "", read.n_chars)
            self.extent.setText(words.format(shown=number(len(read.text))))

    def _on_more(self) -> None:
        self._n_chars *= _MORE
        self._ask()

    def _note(self, words: str) -> None:
        self.note.setText(words)
        self.note.show()

    def _mark(self) -> None:
        if self._read is None:
            return
        marked = QTextEdit.ExtraSelection()
        style = QTextCharFormat()
        style.setBackground(self.theme.colour("found"))
        style.setForeground(self.theme.colour("text"))
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(utf16_length(self._read.text[: self._read.mark_from]))
        at_start = QTextCursor(cursor)
        cursor.setPosition(
            utf16_length(self._read.text[: self._read.mark_to]), QTextCursor.MoveMode.KeepAnchor
        )
        marked.cursor = cursor
        marked.format = style
        self.text.setExtraSelections([marked])
        self.text.setTextCursor(at_start)
        self.text.centerCursor()

    def _on_open(self) -> None:
        self._context.open_url(QUrl.fromLocalFile(self.passage.path).toString())

    def _on_reveal(self) -> None:
        self._context.reveal(self.passage.path)


def open_reader(passage: Passage, *, context: WindowContext) -> ReaderSheet:
    """Open a sheet with the text around ``passage``."""
    sheet = ReaderSheet(passage, context=context)
    sheet.open()
    return sheet
