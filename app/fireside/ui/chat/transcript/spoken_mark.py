"""The mark of the sentence that is read aloud."""

from __future__ import annotations

import re

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit

from fireside.core.ids import MessageId
from fireside.ui.chat.answer.message import MessageView
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.message_column import MessageColumn
from fireside.ui.chat.transcript.selected_text import last_position, written_text
from fireside.ui.chat.transcript.selection_controller import SelectionController
from fireside.ui.chat.transcript.text_search import match_spans

_Place = tuple[int, int, int]
"""Number of the text widget in its message, begin and end in its document."""


class SpokenMark:
    """Marks one sentence of one message; see ``Highlighter``. Sentences are looked for from top to bottom."""

    def __init__(self, column: MessageColumn, selection: SelectionController) -> None:
        self._column = column
        self._selection = selection
        self._message: MessageId | None = None
        self._sentence = ""
        self._from = (0, 0)
        self._place: _Place | None = None
        selection.highlighters.append(self)

    @property
    def is_active(self) -> bool:
        return self._message is not None

    @property
    def text(self) -> str:
        """The sentence that is marked; empty where it is not in sight."""
        return "" if self._place is None else self._sentence

    def show(self, message_id: MessageId, sentence: str) -> None:
        """Mark ``sentence``, as it stands in the message without markup; empty for none of its text."""
        if message_id != self._message:
            self._message, self._from = message_id, (0, 0)
        elif self._place is not None:
            self._from = (self._place[0], self._place[2])
        self._sentence, self._place = sentence, None
        self._selection.show_highlights()

    def clear(self) -> None:
        """Remove the mark: nothing is read aloud any more."""
        self._message = self._place = None
        self._selection.show_highlights()

    def highlights(self, message: int, block: int, text_view: TextWidget) -> list[QTextEdit.ExtraSelection]:
        """Return the mark, if it is in this text."""
        if self._column.entries[message].message.id != self._message:
            return []
        if self._place is None and self._sentence:
            self._place = self._find(self._column.view_of(message))
        if self._place is None or self._place[0] != block:
            return []
        extra = QTextEdit.ExtraSelection()
        extra.cursor = QTextCursor(text_view.document())
        last = last_position(text_view.document())
        extra.cursor.setPosition(min(self._place[1], last))
        extra.cursor.setPosition(min(self._place[2], last), QTextCursor.MoveMode.KeepAnchor)
        extra.format = self._column.transcript_style.match_format
        return [extra]

    def _find(self, view: MessageView) -> _Place | None:
        pattern = re.compile(r"\s+".join(map(re.escape, self._sentence.split())))
        first, after = self._from
        for block, text_view in enumerate(view.text_views[first:], first):
            written = written_text(text_view.document())
            for span in match_spans(written.text, pattern):
                begin, end = written.in_document(span)
                if block > first or begin >= after:
                    return block, begin, end
        return None
