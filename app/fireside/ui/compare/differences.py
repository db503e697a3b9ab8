"""Marks in an answer the words that another one does not have, as a colour and a line below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import theme
from fireside.ui.utf16 import utf16_length

_WORD: Final = re.compile(r"\w+(?:[’'\-]\w+)*")
_MAX_WORDS: Final = 4_000
"""More would hold up the window; what follows them is not marked."""
_ALIKE: Final = 0.5
"""Share of common words from which marks say more than that the answers are different."""


class _Word(NamedTuple):
    block: int
    start: int
    end: int
    text: str


class Differences:
    """Highlights the answer of one transcript against that of another; see ``Highlighter``."""

    def __init__(self, shown: Transcript, other: Transcript) -> None:
        self.is_active = False
        self._shown = shown
        self._other = other
        self._compared: tuple[list[str], list[str]] = ([], [])
        self._spans: list[_Word] = []
        shown.selection.highlighters.append(self)
        other.column.arranged.connect(shown.selection.show_highlights)

    def set_active(self, is_active: bool) -> None:
        """Show or hide the marks."""
        self.is_active = is_active
        self._shown.selection.show_highlights()

    def highlights(self, message: int, block: int, text_view: TextWidget) -> list[QTextEdit.ExtraSelection]:  # noqa: ARG002 - there is one message
        """Return the marks of a text of the answer; they are asked for from the first to the last."""
        if block == 0:
            compared = (_texts(self._shown), _texts(self._other))
            if compared != self._compared:
                self._compared = compared
                self._spans = differing(*compared)
        mark = QTextCharFormat()
        mark.setBackground(theme().colour("accent_soft"))
        mark.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        mark.setUnderlineColor(theme().colour("accent"))
        marks = []
        for word in self._spans:
            if word.block == block:
                selection = QTextEdit.ExtraSelection()
                cursor = QTextCursor(text_view.document())
                cursor.setPosition(word.start)
                cursor.setPosition(word.end, QTextCursor.MoveMode.KeepAnchor)
                selection.cursor, selection.format = cursor, mark
                marks.append(selection)
        return marks


def differing(texts: Sequence[str], others: Sequence[str]) -> list[_Word]:
    """Return the words of ``texts`` that ``others`` do not have at their place, by their UTF-16 positions;
    neighbours are joined."""
    own, other = _words(texts), _words(others)
    found: list[_Word] = []
    matcher = SequenceMatcher(a=[word.text for word in own], b=[word.text for word in other])
    for kind, start, end, _, _ in matcher.get_opcodes():
        if kind in ("replace", "delete"):
            for word in own[start:end]:
                if found and word is not own[start] and found[-1].block == word.block:
                    found[-1] = found[-1]._replace(end=word.end)
                else:
                    found.append(word)
    return found


def are_alike(text: str, other: str) -> bool:
    """Whether two answers have so much in common that their differences mean something."""
    words, others = ([word.text for word in _words([each])] for each in (text, other))
    return SequenceMatcher(a=words, b=others).ratio() >= _ALIKE


def _texts(transcript: Transcript) -> list[str]:
    views = transcript.column.live.values()
    return [text_view.document().toPlainText() for view in views for text_view in view.text_views]


def _words(texts: Sequence[str]) -> list[_Word]:
    words: list[_Word] = []
    for block, text in enumerate(texts):
        at, position = 0, 0
        for match in _WORD.finditer(text):
            start = position + utf16_length(text[at : match.start()])
            at, position = match.end(), start + utf16_length(match[0])
            words.append(_Word(block, start, position, match[0].casefold()))
    return words[:_MAX_WORDS]
