"""Which parts of a web page lead elsewhere instead of saying something: menus, buttons, contents.

The header and the footer of a page do so line by line: an address or a sentence in them is text of the page.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

import msgspec

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""Of a class or id: ``navbar-left``, ``mw_sidebar``, ``pageFooter``."""
_LEADING_ROLES: Final = frozenset(("button", "doc-toc", "menu", "menubar", "navigation", "search", "tablist"))
_PAGE_ROLES: Final = frozenset(("banner", "contentinfo"))
_LEADING_NAMES: Final = frozenset(
    (
        "breadcrumb",
        "docnav",
        "breadcrumbs",
        "headerlink",
        "mw-editsection",
        "nav-panel",
        "navfooter",
        "navheader",
        "sphinxsidebar",
    )
)
"""Classes and ids of documentation tools and wikis."""
_DOUBTFUL_WORDS: Final = frozenset(
    """
    breadcrumb breadcrumbs contents footer header menu nav navbar navbox navigation navlinks pager pagination
    related sidebar toc topbar
    """.split()  # noqa: SIM905
)
_CONTENT_TAGS: Final = frozenset(("article", "blockquote", "figure", "main", "section"))
_PAGE_TAGS: Final = frozenset(("aside", "footer", "header"))
_TRACKED_TAGS: Final = frozenset(
    ("a", "aside", "button", "div", "dl", "footer", "form", "header", "nav", "ol", "p", "span", "table", "ul")
)
"""Whose end is always written, or ends at the next element that is tracked."""
_WORDS: Final = re.compile(r"[^\W_]+")
_BOILERPLATE: Final = re.compile(
    r"©|\(c\)\s*\d|\bcopyright\b|\ball rights reserved\b|\bpowered by\b", re.IGNORECASE
)
_DATA: Final = re.compile(r"@|(?<![\d.])\d{1,3}(?!\.?\d)|\d{3}\.\d|\d{5}")
"""A mail address, or a number that is no year or version: not even boilerplate with it is left out."""
_MAX_NOTICE: Final = 12
"""Words of a line that is boilerplate."""
_MAX_TRACKED: Final = 60
_MIN_LINKED: Final = 0.4
"""Share of the characters of a doubtful part that are links, if it is left out."""


class _Kind(Enum):
    CONTENT = auto()
    LEADING = auto()
    """Left out, whatever it holds."""
    HEADER = auto()
    """As a footer, but kept whole if there is a heading in it."""
    FOOTER = auto()
    """Left out except for its lines with text of their own."""
    ASIDE = auto()
    """Left out where the page names its main part."""
    DOUBTFUL = auto()
    """Left out if most of it are links, and it is not most of the page."""


_WITHIN_PAGE: Final = (_Kind.CONTENT, _Kind.HEADER, _Kind.FOOTER)
"""Within which a header or a footer is not that of the page."""


class _Tracked(msgspec.Struct, kw_only=True):
    tag: str
    kind: _Kind
    n_open: int = 1
    """Elements of the tag since its start that are not closed, itself included."""
    piece: int
    """The first piece of text in it."""
    n_chars: int
    n_linked: int
    n_headings: int


class _Line(msgspec.Struct, kw_only=True):
    """A line of text in the header or footer of the page."""

    start: int
    text: str = ""
    """What is not linked."""
    n_linked: int = 0

    @property
    def is_own(self) -> bool:
        """Whether it says something: most of it is no link, and it is more than a copyright notice."""
        n_chars = len(self.text.strip())
        n_words = len(_WORDS.findall(self.text))
        if not n_words or self.n_linked >= _MIN_LINKED * (self.n_linked + n_chars):
            return False
        is_notice = n_words <= _MAX_NOTICE and _BOILERPLATE.search(self.text) is not None
        return not is_notice or _DATA.search(self.text) is not None


class Furniture:
    """Follows the elements of a page, told by its reader, and finds the pieces of its text to leave out."""

    def __init__(self) -> None:
        self.n_pieces = 0
        self._n_chars = 0
        self._n_linked = 0
        self._n_headings = 0
        self._open: list[_Tracked] = []
        self._names_main = False
        self._ranges: list[tuple[_Kind, int, int, int]] = []
        """With the number of characters."""
        self._line: _Line | None = None
        self._own: list[tuple[int, int]] = []
        """The pieces of each line to keep in the header or footer that is open."""

    def start(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Note that an element starts."""
        for each in self._open:
            each.n_open += each.tag == tag
        if len(self._open) >= _MAX_TRACKED:
            return
        kind = self._kind(tag, attributes)
        if kind is not None:
            self._open.append(
                _Tracked(
                    tag=tag,
                    kind=kind,
                    piece=self.n_pieces,
                    n_chars=self._n_chars,
                    n_linked=self._n_linked,
                    n_headings=self._n_headings,
                )
            )

    def end(self, tag: str) -> None:
        """Note that an element ends, and with it those within that were left open."""
        for n, each in enumerate(self._open):
            each.n_open -= each.tag == tag
            if not each.n_open:
                for closed in reversed(self._open[n:]):
                    self._close(closed)
                del self._open[n:]
                return

    def add(self, text: str, *, is_link: bool) -> None:
        """Note a piece of text."""
        self.n_pieces += 1
        n_chars = len(text.strip())
        self._n_chars += n_chars
        self._n_linked += n_chars if is_link else 0
        kinds = {each.kind for each in self._open}
        if kinds.isdisjoint((_Kind.HEADER, _Kind.FOOTER)):
            return
        if "\n" in text:
            self._end_line(self.n_pieces if not text.strip() else self.n_pieces - 1)
        self._line = self._line or _Line(start=self.n_pieces - 1)
        if is_link or _Kind.LEADING in kinds:
            self._line.n_linked += n_chars
        else:
            self._line.text += text

    def add_heading(self) -> None:
        """Note a heading of the first two levels."""
        self._n_headings += 1

    def left_out(self) -> list[range]:
        """Return the ranges of pieces to leave out, in order of their ends."""
        for each in reversed(self._open):
            self._close(each)
        self._open.clear()
        return [
            range(start, end)
            for kind, start, end, n_chars in self._ranges
            if (kind is not _Kind.ASIDE or self._names_main)
            and (kind is not _Kind.DOUBTFUL or n_chars <= self._n_chars / 2)
        ]

    def _kind(self, tag: str, attributes: dict[str, str | None]) -> _Kind | None:
        role = (attributes.get("role") or "").lower()
        if tag in _CONTENT_TAGS or role == "main":
            self._names_main |= tag in ("main", "article") or role == "main"
            return _Kind.CONTENT
        if tag not in _TRACKED_TAGS:
            return None
        names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
        if (
            tag in ("nav", "button")
            or role in _LEADING_ROLES
            or not _LEADING_NAMES.isdisjoint(names.lower().split())
        ):
            return _Kind.LEADING
        kinds = {each.kind for each in self._open}
        if (tag in _PAGE_TAGS or role in _PAGE_ROLES) and kinds.isdisjoint(_WITHIN_PAGE):
            return {"aside": _Kind.ASIDE, "header": _Kind.HEADER}.get(tag, _Kind.FOOTER)
        words = {word.lower() for word in _WORD.findall(names)}
        return _Kind.DOUBTFUL if tag == "aside" or not _DOUBTFUL_WORDS.isdisjoint(words) else None

    def _close(self, each: _Tracked) -> None:
        n_chars = self._n_chars - each.n_chars
        match each.kind:
            case _Kind.CONTENT:
                return
            case _Kind.HEADER | _Kind.FOOTER:
                self._end_line(self.n_pieces)
                own, self._own = self._own, []
                if each.kind is _Kind.FOOTER or self._n_headings == each.n_headings:
                    starts = (each.piece, *(end for _, end in own))
                    ends = (*(start for start, _ in own), self.n_pieces)
                    self._ranges += [(each.kind, *part, 0) for part in zip(starts, ends, strict=True)]
            case _Kind.DOUBTFUL if self._n_linked - each.n_linked < _MIN_LINKED * n_chars:
                return
            case _:
                self._ranges.append((each.kind, each.piece, self.n_pieces, n_chars))

    def _end_line(self, end: int) -> None:
        """End the line before the piece ``end``; a line end without more belongs to the line before, too."""
        if self._line is not None and self._line.is_own:
            self._own.append((self._line.start, end))
        self._line = None
