"""What the readers of all formats share: refusals, a bounded buffer for text, marks for hidden text."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

import msgspec

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.documents.messages import MAX_CHARS, ReadReply

CUT: Final = Phrase(tr_noop("Only the first {n} characters were read."), {"n": MAX_CHARS})
NO_TEXT: Final = tr_noop("No text found.")

_NEW_LINES: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufeff\ud800-\udfff]")
_EMPTY_LINES: Final = re.compile(r"\n(?:[ \t]*\n){2,}")


_HIDE, _SHOW = "\ufdd0", "\ufdd1"
"""Enclose text that readers of the file do not see, until ``locate_hidden``. Unicode noncharacters."""
_MARKS: Final = str.maketrans("", "", _HIDE + _SHOW)
HIDDEN: Final = tr_noop("Part of its text is hidden from readers; it was read too, and is marked.")


class FileRefused(Exception):
    """A file that cannot be attached. ``reason`` ends the sentence “The file … cannot be attached: …”."""

    def __init__(self, reason: Translatable) -> None:
        super().__init__(reason)
        self.reason = reason


def strip_marks(text: str) -> str:
    """Return a file's text without the characters that serve as marks here."""
    return text.translate(_MARKS)


def mark_hidden(text: str) -> str:
    """Return text that readers of the file do not see, enclosed in marks until ``locate_hidden``."""
    return f"{_HIDE}{strip_marks(text)}{_SHOW}" if text.strip() else text


def locate_hidden(reply: ReadReply) -> ReadReply:
    """Remove the marks from the text, and list the spans that they enclosed as ``hidden``."""
    if _HIDE not in reply.text:
        return reply
    hidden: list[tuple[int, int]] = []
    start, marks = 0, list[int]()
    for index, char in enumerate(reply.text):
        if char in (_HIDE, _SHOW):
            position = index - len(marks)
            if char == _HIDE:
                start = position
            elif position > start:
                hidden.append((start, position))
            marks.append(index)

    def without_marks(index: int) -> int:
        return index - bisect_left(marks, index)

    hidden += [(without_marks(start), without_marks(end)) for start, end in reply.hidden]
    sections = tuple(
        msgspec.structs.replace(section, start=without_marks(section.start)) for section in reply.sections
    )
    headings = tuple(
        msgspec.structs.replace(heading, start=without_marks(heading.start), end=without_marks(heading.end))
        for heading in reply.headings
    )
    return msgspec.structs.replace(
        reply,
        text=strip_marks(reply.text),
        hidden=_merged(hidden),
        sections=sections,
        headings=headings,
        warnings=(*reply.warnings, HIDDEN),
    )


def _merged(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans in order, with those that touch or overlap merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def tidy(text: str) -> str:
    """Return text with ``\\n`` as its line ends, without characters that models and SQLite do not take."""
    return _CONTROLS.sub("", _NEW_LINES.sub("\n", text))


def tidy_prose(text: str) -> str:
    """Return ``tidy`` text with at most one empty line between paragraphs."""
    return _EMPTY_LINES.sub("\n\n", tidy(text)).strip("\n")


def truncate(reply: ReadReply) -> ReadReply:
    """Cut a text to ``MAX_CHARS`` with a warning, and warn of a document without text."""
    if reply.picture:
        return reply
    if not reply.text.strip():
        return msgspec.structs.replace(reply, text="", warnings=reply.warnings or (NO_TEXT,))
    if len(reply.text) <= MAX_CHARS:
        return reply
    return msgspec.structs.replace(
        reply,
        text=reply.text[:MAX_CHARS],
        headings=tuple(heading for heading in reply.headings if heading.end <= MAX_CHARS),
        warnings=(*reply.warnings, CUT),
    )


class TextBuffer:
    """Collects text piece by piece, up to the piece that exceeds ``MAX_CHARS``."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._n_chars = 0

    @property
    def is_full(self) -> bool:
        """Whether further text is dropped."""
        return self._n_chars > MAX_CHARS

    def add(self, piece: str) -> None:
        """Append text, unless the buffer is full."""
        if piece and not self.is_full:
            self._pieces.append(piece)
            self._n_chars += len(piece)

    @property
    def n_chars(self) -> int:
        """The length of ``text``."""
        return self._n_chars

    @property
    def text(self) -> str:
        """All text that was added."""
        return "".join(self._pieces)
