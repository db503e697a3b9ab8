"""Which parts of a web page lead elsewhere instead of saying something: menus, page footers, contents."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

import msgspec

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""Of a class or id: ``navbar-left``, ``mw_sidebar``, ``pageFooter``."""
_LEADING_ROLES: Final = frozenset(
    ("banner", "contentinfo", "doc-toc", "menu", "menubar", "navigation", "search", "tablist")
)
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
    ("a", "aside", "div", "dl", "footer", "form", "header", "nav", "ol", "p", "span", "table", "ul")
)
"""Whose end is always written, or ends at the next element that is tracked."""
_MAX_TRACKED: Final = 60
_MIN_LINKED: Final = 0.4
"""Share of the characters of a doubtful part that are links, if it is left out."""


class _Kind(Enum):
    CONTENT = auto()
    LEADING = auto()
    """Left out, whatever it holds."""
    HEADER = auto()
    """Left out unless there is a heading in it."""
    ASIDE = auto()
    """Left out where the page names its main part."""
    DOUBTFUL = auto()
    """Left out if most of it are links, and it is not most of the page."""


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
        if tag == "nav" or role in _LEADING_ROLES or not _LEADING_NAMES.isdisjoint(names.lower().split()):
            return _Kind.LEADING
        if tag in _PAGE_TAGS and not any(each.kind is _Kind.CONTENT for each in self._open):
            return {"aside": _Kind.ASIDE, "footer": _Kind.LEADING, "header": _Kind.HEADER}[tag]
        words = {word.lower() for word in _WORD.findall(names)}
        return _Kind.DOUBTFUL if tag == "aside" or not _DOUBTFUL_WORDS.isdisjoint(words) else None

    def _close(self, each: _Tracked) -> None:
        n_chars = self._n_chars - each.n_chars
        match each.kind:
            case _Kind.CONTENT:
                return
            case _Kind.HEADER if self._n_headings > each.n_headings:
                return
            case _Kind.DOUBTFUL if self._n_linked - each.n_linked < _MIN_LINKED * n_chars:
                return
            case _:
                self._ranges.append((each.kind, each.piece, self.n_pieces, n_chars))
