"""What a reader of one format finds in a file."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

import msgspec

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.documents.messages import MAX_CHARS, Section

CUT: Final = Phrase(tr_noop("Only the first {n} characters were read."), {"n": MAX_CHARS})
NO_TEXT: Final = tr_noop("No text found.")

_NEW_LINES: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufeff\ud800-\udfff]")
_EMPTY_LINES: Final = re.compile(r"\n(?:[ \t]*\n){2,}")


_HIDE, _SHOW = "\ufdd0", "\ufdd1"
"""Stand around what readers of a file do not see, while its text is gathered. They are no characters."""
_MARKS: Final = str.maketrans("", "", _HIDE + _SHOW)
HIDDEN: Final = tr_noop("Part of its text is hidden from readers; it was read too, and is marked.")


class FileRefused(Exception):
    """A file that cannot be attached. ``reason`` ends the sentence “The file … cannot be attached: …”."""

    def __init__(self, reason: Translatable) -> None:
        super().__init__(reason)
        self.reason = reason


class Extracted(msgspec.Struct, frozen=True, kw_only=True):
    media_type: str
    text: str = ""
    picture: bytes = b""
    n_pages: int | None = None
    sections: tuple[Section, ...] = ()
    scans: tuple[int, ...] = ()
    hidden: tuple[tuple[int, int], ...] = ()
    warnings: tuple[Translatable, ...] = ()


def strip_marks(text: str) -> str:
    """Return text of a file without the marks that only we make."""
    return text.translate(_MARKS)


def mark_hidden(text: str) -> str:
    """Return text that readers of its file do not see, marked until ``locate_hidden``."""
    return f"{_HIDE}{strip_marks(text)}{_SHOW}" if text.strip() else text


def locate_hidden(found: Extracted) -> Extracted:
    """Take the marks out of a text, and say where they stood."""
    if _HIDE not in found.text:
        return found
    hidden: list[tuple[int, int]] = []
    begins, n_before, places = 0, 0, list[int]()
    for place, char in enumerate(found.text):
        if char in (_HIDE, _SHOW):
            if char == _HIDE:
                begins = place - n_before
            elif place - n_before > begins:
                hidden.append((begins, place - n_before))
            n_before += 1
            places.append(place)

    def unshifted(place: int) -> int:
        return place - bisect_left(places, place)

    hidden += [(unshifted(start), unshifted(end)) for start, end in found.hidden]
    sections = tuple(
        msgspec.structs.replace(section, start=unshifted(section.start)) for section in found.sections
    )
    return msgspec.structs.replace(
        found,
        text=strip_marks(found.text),
        hidden=_joined(hidden),
        sections=sections,
        warnings=(*found.warnings, HIDDEN),
    )


def _joined(stretches: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return stretches in order, one where several touch."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def tidy(text: str) -> str:
    """Return text with plain ends of lines, without characters that no model or database takes."""
    return _CONTROLS.sub("", _NEW_LINES.sub("\n", text))


def tidy_prose(text: str) -> str:
    """Return ``tidy`` text in which at most one empty line parts two paragraphs."""
    return _EMPTY_LINES.sub("\n\n", tidy(text)).strip("\n")


def bounded(found: Extracted) -> Extracted:
    """Cut a text that is too long, and say of a document without text that it has none."""
    if found.picture:
        return found
    if not found.text.strip():
        warnings = found.warnings or (NO_TEXT,)
        return msgspec.structs.replace(found, text="", warnings=warnings)
    if len(found.text) <= MAX_CHARS:
        return found
    return msgspec.structs.replace(found, text=found.text[:MAX_CHARS], warnings=(*found.warnings, CUT))


class TextBuffer:
    """Text that is gathered piece by piece, and stops growing once there is more than enough."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._n_chars = 0

    @property
    def is_full(self) -> bool:
        """Whether there is no room for more text."""
        return self._n_chars > MAX_CHARS

    def add(self, piece: str) -> None:
        """Add text as far as there is room."""
        if piece and not self.is_full:
            self._pieces.append(piece)
            self._n_chars += len(piece)

    @property
    def n_chars(self) -> int:
        """How much was added."""
        return self._n_chars

    @property
    def text(self) -> str:
        """Return all that was added."""
        return "".join(self._pieces)
