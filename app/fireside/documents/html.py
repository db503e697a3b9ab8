"""The text of a web page, with its headings, lists, tables and links. Nothing is fetched or executed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from fireside.documents.extracted_text import (
    fenced,
    has_structure,
    mark_heading,
    mark_hidden,
    strip_marks,
    tidy_prose,
)
from fireside.documents.html_furniture import Furniture
from fireside.documents.messages import MAX_CHARS, ReadReply
from fireside.documents.plain_text import decode

_BEGINNING: Final = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*){0,4}<(?:!doctype\s+html|html|head|body)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET: Final = re.compile(rb"charset\s*=\s*[\"']?\s*([a-z0-9_:.-]{2,40})", re.IGNORECASE)
_SNIFF_BYTES: Final = 4096
_WORD: Final = re.compile(r"\w+")
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
_HEADINGS: Final = {f"h{level}": mark_heading(level) for level in range(1, 7)}
_MAIN_HEADINGS: Final = (mark_heading(1), mark_heading(2))
_LINKS: Final = ("http://", "https://", "mailto:")
_CONTACTS: Final = ("mailto:", "tel:")
_MAX_LIST_DEPTH: Final = 12
_MIN_WORDS: Final = 20
"""Of a page without its menus; with fewer they are kept, since the page may be one of links."""
_MAX_CELL: Final = 300
_MAX_SIGN: Final = 4
_MAX_HEADING: Final = 400
"""Characters after which a heading must have been left open."""
_MAX_STYLES: Final = 200_000
"""Characters of style sheets that are parsed."""
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_OPTIONAL_END: Final = frozenset({"p", "li", "dt", "dd", "td", "th", "tr"})
"""Elements that end where the next of the kind starts, if their end tag is omitted."""


def is_html(data: bytes) -> bool:
    """Return whether a file starts as a web page does."""
    return _BEGINNING.match(data.removeprefix(b"\xef\xbb\xbf")[:_SNIFF_BYTES]) is not None


def read_html(data: bytes, *, declared: str | None = None) -> ReadReply:
    """Return the text of a page.

    ``declared`` is the encoding in the headers of the response; the ``charset`` of the page comes second.
    Raises ``FileRefused`` for data that is not text.
    """
    charset = _CHARSET.search(data[:_SNIFF_BYTES])
    source, warnings = decode(data, declared=declared or (charset[1].decode("ascii") if charset else None))
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return ReadReply(media_type="text/html", text=tidy_prose(reader.text), warnings=warnings)


class _Reader(HTMLParser):
    """Builds no tree, so that memory and time do not depend on the depth of the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._n_chars = 0
        self._furniture = Furniture()
        self._skipping = ""
        """The enclosing element without text of the page, if any."""
        self._depth_skipped = 0
        self._hiding = ""
        """The enclosing element that a browser does not show, if any."""
        self._depth_hidden = 0
        self._styles = ""
        self._hidden_selectors: frozenset[str] = frozenset()
        self._lists: list[int | None] = []
        """For each enclosing list, the number of its next item; ``None`` in a list without numbers."""
        self._pre = 0
        self._code: list[str] = []
        """The text of the enclosing ``pre``."""
        self._link: int | None = None
        """The first piece of the enclosing link."""
        self._is_contact = False
        """Whether it is a mail address or a telephone number: text of its own."""
        self._address = ""
        """Of the enclosing link; empty if it leads to no other page."""
        self._is_item_empty = False
        """Whether the sign of a list item was written last."""
        self._cells = 0
        self._cell: int | None = None
        """The first piece of the innermost cell of a table."""
        self._at_line_start = True
        self._title: str | None = None
        self._is_title = False
        self._heading: int | None = None
        """The first piece of the enclosing heading."""
        self._is_title_written = False
        """Whether a heading was the title."""
        self._has_headings = False
        """Whether one was the title, or is of the first two levels."""

    @property
    def text(self) -> str:
        """The title and the text, without menus and the like unless there is hardly anything else."""
        left_out = {piece for each in self._furniture.left_out() for piece in each}
        kept = [piece for n, piece in enumerate(self._pieces) if n not in left_out]
        if left_out and sum(len(_WORD.findall(piece)) for piece in kept) < _MIN_WORDS:
            kept = self._pieces
        title = " ".join(strip_marks(self._title or "").split())
        return "".join((f"{mark_heading(1)}{title}\n\n" if title else "", *kept))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipping:
            self._depth_skipped += tag == self._skipping
            return
        attributes = dict(attrs)
        self._track_hidden(tag, attributes)
        self._is_item_empty &= tag not in _HEADINGS and tag != "pre"
        if tag not in _VOID:
            self._furniture.start(tag, attributes)
        if tag in _SKIPPED:
            self._skipping, self._depth_skipped = tag, 1
            if tag == "math":
                self._write(attributes.get("alttext") or "")
        elif tag in _HEADINGS:
            self._end_heading()
            self._break_line(2)
            self._heading = len(self._pieces)
            self._add(_HEADINGS[tag])
        elif tag == "li":
            self._start_item()
        elif tag in ("ul", "ol"):
            self._break_line(1 if self._lists else 2)
            self._lists.append(1 if tag == "ol" else None)
        elif tag in ("td", "th"):
            self._end_cell()
            if self._cells:
                self._write(" | ")
            self._cells += 1
            self._cell = len(self._pieces)
        else:
            self._start_other(tag, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SKIPPED:
            super().handle_startendtag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._skipping:
            self._depth_skipped -= tag == self._skipping
            if not self._depth_skipped:
                if tag == "style":
                    self._hidden_selectors = hidden_selectors(self._styles)
                self._skipping = ""
            return
        if tag == self._hiding:
            self._depth_hidden -= 1
            self._hiding = self._hiding if self._depth_hidden else ""
        if tag in ("ul", "ol"):
            if self._lists:
                self._lists.pop()
            self._break_line(1 if self._lists else 2)
        elif tag == "a":
            self._end_link()
        elif tag == "pre":
            self._end_pre()
        elif tag in ("td", "th", "tr", "table"):
            self._end_cell()
            if tag == "table":
                self._break_line(2)
        elif tag == "title":
            self._is_title = False
        elif tag in _HEADINGS:
            self._end_heading()
            self._break_line(2)
        elif tag in _BLOCKS:
            self._break_line(2)
        self._furniture.end(tag)

    def handle_data(self, data: str) -> None:
        if self._skipping:
            if self._skipping == "style" and len(self._styles) < _MAX_STYLES:
                self._styles += data
            return
        if self._is_title:
            self._title = (self._title or "") + data
            return
        if self._pre:
            self._write(data)
            return
        text = _SPACES.sub(" ", data)
        self._write(text.lstrip(" ") if self._at_line_start else text)

    def close(self) -> None:
        super().close()
        while self._pre:
            self._end_pre()
        self._end_heading()

    def _start_other(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag == "br":
            self._break_line(1)
        elif tag == "tr":
            self._end_cell()
            self._cells = 0
            self._break_line(1)
        elif tag == "pre":
            self._break_line(0 if self._pre else 2)
            self._pre += 1
        elif tag == "a":
            address = (attributes.get("href") or "").strip()
            self._link = len(self._pieces) if "href" in attributes else None
            self._is_contact = address.lower().startswith(_CONTACTS)
            self._address = address[:2000] if address.lower().startswith(_LINKS) else ""
        elif tag == "img" and (text := _SPACES.sub(" ", attributes.get("alt") or "").strip()):
            self._write(f"[Image: {text}]")
        elif tag == "title":
            self._is_title = self._title is None
        elif tag in _BLOCKS:
            self._break_line(2)

    def _end_link(self) -> None:
        """Write the address behind a link; remove a link that is only a sign: “¶”, “#”."""
        if self._link is not None and not self._pre:
            text = "".join(self._pieces[self._link :])
            if text.strip() and len(text) <= _MAX_SIGN and not _WORD.search(text) and not self._address:
                self._replace(self._link, "")
            elif self._address:
                self._write(f" ({self._address})")
        self._link, self._address = None, ""

    def _end_heading(self) -> None:
        """Tidy a heading; remove the first if the page's title says the same and perhaps the site's name."""
        if self._heading is None:
            return
        first, self._heading = self._heading, None
        if first == len(self._pieces):  # the text is full
            return
        is_main = self._pieces[first] in _MAIN_HEADINGS
        text = " ".join("".join(self._pieces[first + 1 :]).split())
        words, title = _words(text), _words(self._title or "")
        is_like_title = words in (title[: len(words)], title[-len(words) :])
        is_title = is_like_title and not (self._has_headings if words != title else self._is_title_written)
        self._replace(first, f"{self._pieces[first]}{text}" if words and not is_title else "")
        if words and is_main:
            self._furniture.add_heading()
        self._has_headings |= bool(words) and (is_main or is_title)
        self._is_title_written |= is_title

    def _replace(self, first: int, text: str) -> None:
        """Replace the pieces from ``first`` on; their number stays."""
        self._pieces[first:] = [text] + [""] * (len(self._pieces) - first - 1)

    def _end_cell(self) -> None:
        """Write a short cell on one line; a long one may be the layout of the page."""
        if self._cell is None or self._cell >= len(self._pieces):
            return
        first, self._cell = self._cell, None
        text = "".join(self._pieces[first:])
        if "\n" in text and len(text) <= _MAX_CELL and not has_structure(text):
            self._replace(first, " ".join(text.split()))

    def _end_pre(self) -> None:
        """Write the text of an outermost ``pre`` as code."""
        self._pre = max(0, self._pre - 1)
        if not self._pre:
            code, self._code = "".join(self._code).strip("\n"), []
            self._add(fenced(code) if code.strip() else "")
            self._break_line(2)

    def _start_item(self) -> None:
        number = self._lists[-1] if self._lists else None
        if self._lists and number is not None:
            self._lists[-1] = number + 1
        indent = "  " * min(_MAX_LIST_DEPTH, max(0, len(self._lists) - 1))
        self._is_item_empty = False
        self._break_line(1, indent + ("- " if number is None else f"{number}. "))
        self._is_item_empty = self._heading is None and not self._pre

    def _break_line(self, n: int, prefix: str = "") -> None:
        """Write ``n`` line ends, of which ``tidy_prose`` keeps two at most, and the beginning of a line.

        A heading is one line.
        """
        if self._heading is not None:
            if sum(map(len, self._pieces[self._heading :])) <= _MAX_HEADING:
                self._add(" ")
                return
            self._end_heading()
        if self._pre:
            self._code.append("\n" * (n == 1))
            return
        if self._is_item_empty and not prefix and n:
            return
        self._add("\n" * n + prefix)
        self._at_line_start = True

    def _track_hidden(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Follow the depth of the enclosing hidden element, or note that one starts."""
        if tag == self._hiding and tag not in _OPTIONAL_END:
            self._depth_hidden += 1
        elif tag in _VOID:
            return
        elif not self._hiding or tag == self._hiding:
            is_hidden = (
                "hidden" in attributes
                or hides(attributes.get("style") or "")
                or bool(self._hidden_selectors and self._hidden_selectors & selectors_of(tag, attributes))
            )
            self._hiding, self._depth_hidden = (tag, 1) if is_hidden else ("", 0)

    def _write(self, text: str) -> None:
        text = mark_hidden(text) if self._hiding else strip_marks(text)
        if self._pre:
            self._code.append(text)
            return
        self._add(text)
        if text:
            self._at_line_start = text.endswith("\n")
            self._is_item_empty &= not text.strip()

    def _add(self, piece: str) -> None:
        if piece and self._n_chars <= MAX_CHARS:
            self._pieces.append(piece)
            self._n_chars += len(piece)
            self._furniture.add(piece, is_link=self._link is not None and not self._is_contact)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


_HIDING: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|"
    r"opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)",
    re.IGNORECASE,
)
_BRACES: Final = re.compile(r"([{}])")
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_SIMPLE: Final = re.compile(r"[a-z0-9]*[.#][\w-]+|[a-z][a-z0-9]*", re.IGNORECASE)
"""A tag, a class or an id: the position of an element in the page is not known here."""


def hides(declarations: str) -> bool:
    """Return whether the declarations of a rule make an element invisible."""
    return _HIDING.search(declarations) is not None


def hidden_selectors(sheet: str) -> frozenset[str]:
    """Return the selectors that ``sheet`` hides outside of at-rules: ``.note``, ``p.note``, ``#top``."""
    is_hidden_by_selector: dict[str, bool] = {}
    enclosing: list[str] = []
    text = ""
    for piece in _BRACES.split(_COMMENT.sub("", sheet)):
        if piece == "{":
            enclosing.append(text.rpartition(";")[2].strip())
        elif piece == "}" and enclosing:
            selectors = enclosing.pop()
            if not any(each.startswith("@") for each in (*enclosing, selectors)):
                for selector in map(str.strip, selectors.split(",")):
                    if _SIMPLE.fullmatch(selector):
                        is_hidden_by_selector[selector.lower()] = hides(text)
        text = "" if piece in ("{", "}") else piece
    return frozenset(selector for selector, is_hidden in is_hidden_by_selector.items() if is_hidden)


def selectors_of(tag: str, attributes: dict[str, str | None]) -> frozenset[str]:
    """Return the simple selectors that match an element."""
    selectors = [f".{name}" for name in (attributes.get("class") or "").lower().split()]
    if attributes.get("id"):
        selectors.append(f"#{attributes['id']}".lower())
    return frozenset((tag, *selectors, *(tag + selector for selector in selectors)))
