"""The text of a document around a passage, with the passage marked."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from fireside.core.collection import Passage, SourceText
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.ui.chat.sources import score_words
from fireside.ui.documents.documents_text import headings_words
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel
from fireside.ui.window_context import WindowContext


class ReaderSheet(Sheet):
    """Open it with ``open()``; it asks for the text itself."""

    def __init__(self, passage: Passage, *, context: WindowContext) -> None:
        super().__init__(tr("Document"), theme=context.theme, parent=context.window, size=(820, 720))
        self.passage = passage
        self._context = context
        self._read: SourceText | None = None
        self.place = WrappedLabel(passage.place, role="heading")
        details = (headings_words(passage), score_words(passage.scores))
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
        self.open_file = self.make_button(tr("Open file"), self._on_open, icon="external-link")
        self.reveal = self.make_button(tr("Show in folder"), self._on_reveal, icon="folder-open")
        self.lay_out(
            self.details,
            self.note,
            stretch(self.text),
            heading=self.place,
            buttons=(self.open_file, self.reveal, stretch(), self.make_close(is_default=True)),
        )
        self.details.setVisible(bool(self.details.text()))
        self.say(tr("Loading…"), role="mute")
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)
        context.theme.changed.connect(self._mark)
        self._ask()

    # What is told

    def show_text(self, read: SourceText) -> None:
        """Show the text with the passage marked, in the middle."""
        self._read = read
        self.say("")
        self.text.setPlainText(read.text)
        if read.has_changed:
            self._note(tr("The file has changed since. This is the text as it was read."))
        elif self.passage.is_hidden:
            self._note(tr("Readers of this file do not see part of this text: it is hidden there."))
        self._mark()

    def show_failure(self, error: FiresideError) -> None:
        """Show what was cited, which is known without its file, and what is wrong."""
        self.show_text(
            SourceText(text=self.passage.text, first_line=1, mark_from=0, mark_to=len(self.passage.text))
        )
        self.say(error.sentence())

    # What is done

    def _ask(self) -> None:
        work = self._context.client.collections.text_around(self.passage)
        asking = self._context.tasks.run(work, on_done=self.show_text, on_error=self.show_failure)
        if asking is not None:
            self.finished.connect(lambda _: asking.cancel())

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
        cursor.setPosition(_utf16(self._read.text[: self._read.mark_from]))
        at_start = QTextCursor(cursor)
        cursor.setPosition(_utf16(self._read.text[: self._read.mark_to]), QTextCursor.MoveMode.KeepAnchor)
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


def _utf16(text: str) -> int:
    """Return how many units Qt counts in ``text``."""
    return len(text.encode("utf-16-le", errors="replace")) // 2
