"""The paragraphs of an OpenDocument file: words with their spaces, notes in brackets, comments left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from fireside.documents.extracted_text import mark_hidden, strip_marks
from fireside.documents.odf_styles import Styles, TextStyle

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_MOST_SPACES: Final = 100
_PARAGRAPHS: Final = ("p", "h")
_LEFT_OUT: Final = frozenset(
    {"annotation", "desc", "forms", "note-citation", "number", "ruby-text", "title", "tracked-changes"}
)
"""Comments, what stands for pictures, how words are spoken, and what was deleted."""
_FAMILIES: Final = {
    "p": "paragraph",
    "h": "paragraph",
    "span": "text",
    "table": "table",
    "table-row": "table-row",
    "table-cell": "table-cell",
    "frame": "graphic",
    "custom-shape": "graphic",
    "rect": "graphic",
}


class Paragraphs:
    """Hands on each paragraph when it ends."""

    def __init__(self, styles: Styles, take: Callable[[str], None]) -> None:
        self._styles = styles
        self._take = take
        self._looks = [TextStyle()]
        """Of the elements around."""
        self._open: list[list[str]] = []
        """The pieces of each paragraph around: a frame within one has its own."""
        self._notes: list[list[str]] = []
        self._n_left_out = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if tag in _LEFT_OUT or self._n_left_out:
            self._n_left_out += tag in _LEFT_OUT
            return
        if family := _FAMILIES.get(tag):
            own = self._styles.style(family, attributes.get("style-name", ""))
            self._looks.append(own.within(self._looks[-1]))
        if tag in _PARAGRAPHS:
            self._open.append([])
        elif tag == "note-body":
            self._notes.append([])
        elif self._open and tag == "s":
            n = attributes.get("c", "1")
            self._open[-1].append(" " * min(int(n) if n.isdecimal() and len(n) < 4 else 1, _MOST_SPACES))
        elif self._open and tag == "tab":
            self._open[-1].append("\t")
        elif self._open and tag == "line-break":
            self._open[-1].append("\n")

    def end(self, tag: str) -> None:
        """An element ends."""
        if self._n_left_out:
            self._n_left_out -= tag in _LEFT_OUT
            return
        if tag in _FAMILIES:
            self._looks.pop()
        if tag in _PARAGRAPHS:
            words = "".join(self._open.pop())
            (self._notes[-1].append if self._notes else self._take)(words)
        elif tag == "note-body":
            words = " ".join(" ".join(self._notes.pop()).split())
            if self._open and words:
                self._open[-1].append(f" ({words})")

    def characters(self, text: str) -> None:
        """Some text comes."""
        if self._open and not self._n_left_out:
            words = strip_marks(_SPACES.sub(" ", text))
            self._open[-1].append(mark_hidden(words) if self._looks[-1].is_unseen else words)

    @property
    def is_left_out(self) -> bool:
        """Whether what comes now is no part of the text."""
        return self._n_left_out > 0
