"""The text of a web page, with its headings, lists, tables and links. Nothing is fetched or run."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from fireside.documents.extracted_text import Extracted, TextBuffer, mark_hidden, strip_marks, tidy_prose
from fireside.documents.html_styles import hidden_selectors, hides, selectors_of
from fireside.documents.plain_text import decode

_BEGINNING: Final = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*){0,4}<(?:!doctype\s+html|html|head|body)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET: Final = re.compile(rb"charset\s*=\s*[\"']?\s*([a-z0-9_:.-]{2,40})", re.IGNORECASE)
_LOOKED_AT: Final = 4096
_SPACES: Final = re.compile(r"[ \t\r\n\f\xa0]+")

_SKIPPED: Final = frozenset(
    {"script", "style", "template", "noscript", "svg", "math", "object", "iframe", "select"}
)
_BLOCKS: Final = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "main", "nav", "p", "section",
        "summary", "table", "tbody", "tfoot", "thead",
    }
)  # fmt: skip
_HEADINGS: Final = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_LINKS: Final = ("http://", "https://", "mailto:")
_DEEPEST_LIST: Final = 12
_MOST_STYLES: Final = 200_000
"""Characters of style sheets that are looked at."""
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_ENDED_BY_THE_NEXT: Final = frozenset({"p", "li", "dt", "dd", "td", "th", "tr"})
"""Of their kind, where their end is left out."""


def is_html(data: bytes) -> bool:
    """Tell by how the file begins."""
    return _BEGINNING.match(data.removeprefix(b"\xef\xbb\xbf")[:_LOOKED_AT]) is not None


def read_html(data: bytes, *, declared: str | None = None) -> Extracted:
    """Return the text of a page, in the encoding that what it came with ``declared``, else in that which it
    names itself. Raises ``Refused`` if it is none after all."""
    named = _CHARSET.search(data[:_LOOKED_AT])
    source, warnings = decode(data, declared=declared or (named[1].decode("ascii") if named else None))
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return Extracted(media_type="text/html", text=tidy_prose(reader.text), warnings=warnings)


class _Reader(HTMLParser):
    """Keeps no tree: however deep a page is nested, it takes the same."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._out = TextBuffer()
        self._skipping = ""
        self._depth_skipped = 0
        self._hiding = ""
        """The element around that is not shown, if there is one."""
        self._depth_hidden = 0
        self._styles = ""
        self._unseen: frozenset[str] = frozenset()
        """Selectors that a style sheet of the page hides."""
        self._lists: list[int | None] = []
        """The number that the next item has; ``None`` in a list without numbers."""
        self._pre = 0
        self._link = ""
        self._cells = 0
        self._at_line_start = True

    @property
    def text(self) -> str:
        return self._out.text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipping:
            self._depth_skipped += tag == self._skipping
            return
        self._hide_if(tag, dict(attrs))
        if tag in _SKIPPED:
            self._skipping, self._depth_skipped = tag, 1
        elif tag in _HEADINGS:
            self._line(2, _HEADINGS[tag])
        elif tag == "li":
            self._begin_item()
        elif tag in ("ul", "ol"):
            self._line(1 if self._lists else 2)
            self._lists.append(1 if tag == "ol" else None)
        elif tag in ("td", "th"):
            if self._cells:
                self._put(" | ")
            self._cells += 1
        else:
            self._begin_other(tag, dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SKIPPED:
            super().handle_startendtag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._skipping:
            self._depth_skipped -= tag == self._skipping
            if not self._depth_skipped:
                if tag == "style":
                    self._unseen = hidden_selectors(self._styles)
                self._skipping = ""
            return
        if tag == self._hiding:
            self._depth_hidden -= 1
            self._hiding = self._hiding if self._depth_hidden else ""
        if tag in ("ul", "ol"):
            if self._lists:
                self._lists.pop()
            self._line(1 if self._lists else 2)
        elif tag == "a":
            if self._link:
                self._put(f" ({self._link})")
            self._link = ""
        elif tag == "pre":
            self._pre = max(0, self._pre - 1)
            self._line(2)
        elif tag in _BLOCKS or tag in _HEADINGS or tag == "title":
            self._line(2)

    def handle_data(self, data: str) -> None:
        if self._skipping:
            if self._skipping == "style" and len(self._styles) < _MOST_STYLES:
                self._styles += data
            return
        if self._pre:
            self._put(data)
            return
        words = _SPACES.sub(" ", data)
        self._put(words.lstrip(" ") if self._at_line_start else words)

    def _begin_other(self, tag: str, attrs: dict[str, str | None]) -> None:
        if tag == "br":
            self._line(1)
        elif tag == "tr":
            self._cells = 0
            self._line(1)
        elif tag == "pre":
            self._line(2)
            self._pre += 1
        elif tag == "a":
            address = (attrs.get("href") or "").strip()
            self._link = address[:2000] if address.lower().startswith(_LINKS) else ""
        elif tag == "img" and (words := _SPACES.sub(" ", attrs.get("alt") or "").strip()):
            self._put(f"[Image: {words}]")
        elif tag == "title":
            self._line(2, "# ")
        elif tag in _BLOCKS:
            self._line(2)

    def _begin_item(self) -> None:
        number = self._lists[-1] if self._lists else None
        if self._lists and number is not None:
            self._lists[-1] = number + 1
        indent = "  " * min(_DEEPEST_LIST, max(0, len(self._lists) - 1))
        self._line(1, indent + ("- " if number is None else f"{number}. "))

    def _line(self, n: int, opening: str = "") -> None:
        """End the line, with an empty one behind it for 2; ``tidy_prose`` takes away those too many."""
        self._out.add("\n" * n)
        self._out.add(opening)
        self._at_line_start = True

    def _hide_if(self, tag: str, attrs: dict[str, str | None]) -> None:
        """Note that an element begins, or goes on, that a browser does not show."""
        if tag == self._hiding and tag not in _ENDED_BY_THE_NEXT:
            self._depth_hidden += 1
        elif tag in _VOID:
            return
        elif not self._hiding or tag == self._hiding:
            is_hidden = (
                "hidden" in attrs
                or hides(attrs.get("style") or "")
                or bool(self._unseen and self._unseen & selectors_of(tag, attrs))
            )
            self._hiding, self._depth_hidden = (tag, 1) if is_hidden else ("", 0)

    def _put(self, text: str) -> None:
        self._out.add(mark_hidden(text) if self._hiding else strip_marks(text))
        if text:
            self._at_line_start = text.endswith("\n")
