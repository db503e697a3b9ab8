"""What the readers of all formats share: refusals, a bounded buffer, marks in the text for its structure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.documents.messages import MAX_CHARS, Heading, ReadReply

CUT: Final = Phrase(tr_noop("Only the first {n} characters were read."), {"n": MAX_CHARS})
NO_TEXT: Final = tr_noop("No text found.")

_NEW_LINES: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufeff\ud800-\udfff]")
_LINKS: Final = ("http://", "https://", "mailto:")
_MAX_LINK: Final = 2_000
_FILE_NAME: Final = re.compile(r"\.(?:bmp|emf|gif|jpe?g|png|svg|tiff?|webp|wmf)$|^\w+://\S+$", re.IGNORECASE)
_EMPTY_LINES: Final = re.compile(r"\n(?:[ \t]*\n){2,}")


_HIDE, _SHOW, _CODE, _END_CODE = "\ufdd0\ufdd1\ufdd2\ufdd3"
_HEADINGS: Final = "\ufdd4\ufdd5\ufdd6\ufdd7\ufdd8\ufdd9"
"""Stand in the text until ``locate_marks``: around what readers of the file do not see, around code, and
before headings, one for each level. Unicode noncharacters."""
_MARKS: Final = re.compile("[\ufdd0-\ufdd9]")
_PREFIX: Final = re.compile(r"\A[ \t]{0,3}#{1,6}[ \t]+|[ \t]+#+[ \t]*$")
"""Of a heading in Markdown, and what may end it."""
_MARKED_HEADING: Final = re.compile("[\ufdd4-\ufdd9](?:#{1,6} )?")
_FENCES: Final = re.compile(r"`{3,}")
HIDDEN: Final = tr_noop("Part of its text is hidden from readers; it was read too, and is marked.")


KeepReading = Callable[[Callable[[], ReadReply]], None]
"""Takes a function that returns what was read of a file so far, for one that takes too long. Any thread may
call that."""


class FileRefused(Exception):
    """A file that cannot be attached. ``reason`` ends the sentence “The file … cannot be attached: …”."""

    def __init__(self, reason: Translatable, *, needs_component: bool = False) -> None:
        """``needs_component``: see ``ReadReply``."""
        super().__init__(reason)
        self.reason = reason
        self.needs_component = needs_component


def strip_marks(text: str) -> str:
    """Return a file's text without the characters that serve as marks here."""
    return _MARKS.sub("", text)


def mark_hidden(text: str) -> str:
    """Return text that readers of the file do not see, enclosed in marks until ``locate_marks``."""
    return f"{_HIDE}{strip_marks(text)}{_SHOW}" if text.strip() else text


def mark_heading(level: int, *, prefix: bool = True) -> str:
    """Return what precedes the text of a heading: a mark until ``locate_marks``, and ``#`` as in Markdown."""
    level = max(1, min(level, len(_HEADINGS)))
    return _HEADINGS[level - 1] + ("#" * level + " " if prefix else "")


def mark_code(code: str) -> str:
    """Return code, which may have marks of hidden text, enclosed in marks until ``locate_marks``."""
    return f"{_CODE}{code}{_END_CODE}"


def fenced(code: str, language: str = "") -> str:
    """Return code between fences that do not occur in it, marked as code."""
    fence = "`" * max((len(each) + 1 for each in _FENCES.findall(code)), default=3)
    return mark_code(f"{fence}{language}\n{code}\n{fence}")


def without_headings(text: str) -> str:
    """Return a text whose headings are none where it goes: in a cell of a table, a note."""
    return _MARKED_HEADING.sub("", text)


def link_text(text: str, target: str) -> str:
    """Return what stands behind the text of a link: its target, unless the text says it."""
    if not target.lower().startswith(_LINKS):
        return ""
    target = strip_marks(target)[:_MAX_LINK]
    said = target.partition(":")[2].strip("/").removeprefix("www.")
    return "" if said and said in text else f" ({target})"


def comment_text(text: str, author: str) -> str:
    """Return what stands for a comment on the text; nothing for an empty one."""
    text, author = " ".join(text.split()), " ".join(strip_marks(author).split())
    text = text.removeprefix(f"{author}:").lstrip()  # Excel begins comments with their authors
    by = f" by {author}" if author else ""
    return f"[Comment{by}: {text}]" if text else ""


def image_text(description: str) -> str:
    """Return what stands for an image that is described, nothing if by the name of its file alone."""
    description = " ".join(strip_marks(description).split())
    return f"[Image: {description}]" if description and not _FILE_NAME.search(description) else ""


def has_structure(text: str) -> bool:
    """Return whether a text has marks of headings or code."""
    return any(mark in text for mark in (_CODE, *_HEADINGS))


def locate_marks(reply: ReadReply) -> ReadReply:
    """Remove the marks from the text, and list what they marked as ``hidden``, ``headings`` and ``code``."""
    marks = list(_MARKS.finditer(reply.text))
    if not marks:
        return reply
    positions = [mark.start() for mark in marks]

    def without_marks(index: int) -> int:
        return index - bisect_left(positions, index)

    text = strip_marks(reply.text)
    spans: dict[str, list[tuple[int, int]]] = {_HIDE: [], _CODE: []}
    starts: dict[str, int] = {}
    headings: list[Heading] = []
    for n, mark in enumerate(marks):
        position = mark.start() - n
        if mark[0] in _HEADINGS:
            headings += _heading_at(text, position, level=_HEADINGS.index(mark[0]) + 1)
        elif mark[0] in spans:
            starts[mark[0]] = position
        else:
            opening = _HIDE if mark[0] == _SHOW else _CODE
            spans[opening].append((starts.pop(opening, position), position))
    for opening, start in starts.items():  # the text was cut
        spans[opening].append((start, len(text)))
    warnings = (*reply.warnings, HIDDEN) if spans[_HIDE] else reply.warnings
    spans[_HIDE] += [(without_marks(start), without_marks(end)) for start, end in reply.hidden]
    headings += [
        replace(each, start=without_marks(each.start), end=without_marks(each.end)) for each in reply.headings
    ]
    hidden = _merged([(start, end) for start, end in spans[_HIDE] if start < end])
    return replace(
        reply,
        text=text,
        hidden=hidden,
        headings=tuple(sorted(headings, key=lambda each: each.start)),
        code=tuple((start, end) for start, end in spans[_CODE] if start < end),
        sections=tuple(replace(each, start=without_marks(each.start)) for each in reply.sections),
        warnings=warnings,
    )


def _heading_at(text: str, start: int, *, level: int) -> Iterator[Heading]:
    """Return the line at ``start`` as a heading, unless it has no words."""
    end = text.find("\n", start) + 1 or len(text)
    if title := _PREFIX.sub("", text[start:end]).strip():
        yield Heading(start=start, end=end, level=level, title=title)


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
    if reply.picture or reply.media is not None:
        return reply
    if not reply.text.strip():
        return replace(reply, text="", warnings=reply.warnings or (NO_TEXT,))
    if len(reply.text) <= MAX_CHARS:
        return reply
    return replace(
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
        return self.is_over(self._n_chars)

    @staticmethod
    def is_over(n_chars: int) -> bool:
        """Return whether so much text is cut."""
        return n_chars > MAX_CHARS

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
