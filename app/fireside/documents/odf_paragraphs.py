"""The paragraphs of an OpenDocument file: spaces expanded, notes and comments in brackets."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from fireside.documents.archive import XmlReader
from fireside.documents.extracted_text import comment_text, link_text, mark_hidden, strip_marks

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_MAX_SPACES: Final = 100
_NOTES: Final = ("note-body", "annotation")
_COMMENT_FIELDS: Final = ("creator", "date", "date-string", "creator-initials", "sender-initials")
_PARAGRAPHS: Final = ("p", "h")
_SKIPPED: Final = frozenset(
    {"desc", "forms", "note-citation", "number", "ruby-text", "title", "tracked-changes"}
)
"""Descriptions of pictures, phonetic readings, and tracked deletions."""
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
    """Calls ``on_paragraph`` with the text of each paragraph when it ends."""

    def __init__(self, styles: OdfStyles, on_paragraph: Callable[[str], None]) -> None:
        self._styles = styles
        self._on_paragraph = on_paragraph
        self._styles_in_force = [TextStyle()]
        """Of the enclosing elements."""
        self._open: list[list[str]] = []
        """The pieces of each enclosing paragraph: a frame within one has paragraphs of its own."""
        self._notes: list[list[str]] = []
        """The paragraphs of each enclosing note or comment."""
        self._links: list[tuple[str, int]] = []
        """Of each enclosing link, its target and where it starts in the paragraph."""
        self._n_comments = 0
        self._comment_field = ""
        """``creator`` or ``date`` within a comment, whose text is none of the paragraph's."""
        self._author = ""
        self._n_skipped = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        # The title of an image is within a paragraph, that of a chart has one.
        if self._n_skipped or (tag in _SKIPPED and (tag != "title" or self._open)):
            self._n_skipped += tag in _SKIPPED
            return
        if family := _FAMILIES.get(tag):
            own = self._styles.style(family, attributes.get("style-name", ""))
            self._styles_in_force.append(own.within(self._styles_in_force[-1]))
        if tag in _PARAGRAPHS:
            self._open.append([])
        elif tag in _NOTES:
            self._notes.append([])
            self._n_comments += tag == "annotation"
        elif self._n_comments and tag in _COMMENT_FIELDS:
            self._comment_field = tag
            self._author = "" if tag == "creator" else self._author
        elif self._open and tag == "a":
            self._links.append((attributes.get("href", ""), len(self._open[-1])))
        elif self._open and tag == "s":
            n = attributes.get("c", "1")
            self._open[-1].append(" " * min(int(n) if n.isdecimal() and len(n) < 4 else 1, _MAX_SPACES))
        elif self._open and tag == "tab":
            self._open[-1].append("\t")
        elif self._open and tag == "line-break":
            self._open[-1].append("\n")

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if self._n_skipped:
            self._n_skipped -= tag in _SKIPPED
            return
        if tag in _FAMILIES:
            self._styles_in_force.pop()
        if tag in _PARAGRAPHS:
            text = "".join(self._open.pop())
            (self._notes[-1].append if self._notes else self._on_paragraph)(text)
        elif tag in _NOTES and self._notes:
            text = " ".join(" ".join(self._notes.pop()).split())
            if tag == "annotation":
                self._n_comments -= 1
                text = comment_text(text, self._author)
            elif text:
                text = f"({text})"
            if text and self._open:
                self._open[-1].append(f" {text}")
            elif text:
                self._on_paragraph(text)
        elif tag in _COMMENT_FIELDS:
            self._comment_field = ""
        elif tag == "a" and self._open and self._links:
            target, start = self._links.pop()
            self._open[-1].append(link_text("".join(self._open[-1][start:]), target))

    def characters(self, text: str) -> None:
        """Handle text within an element."""
        if self._comment_field:
            self._author += text if self._comment_field == "creator" else ""
        elif self._open and not self._n_skipped:
            text = strip_marks(_SPACES.sub(" ", text))
            self._open[-1].append(mark_hidden(text) if self._styles_in_force[-1].is_invisible else text)

    def add(self, text: str) -> None:
        """Add text to the current paragraph, if there is one."""
        if self._open:
            self._open[-1].append(strip_marks(text))

    @property
    def is_skipping(self) -> bool:
        """Whether the current element is no part of the text."""
        return self._n_skipped > 0


# The styles of an OpenDocument file, as far as they can hide text


_WHITE: Final = "#ffffff"
_TINY_PT: Final = 2.0
_MAX_BASES: Final = 10
_POINTS: Final = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)pt")
_SHADES: Final = ("background-color", "fill-color")


class TextStyle(msgspec.Struct, frozen=True):
    """What decides whether text is visible; ``None`` inherits."""

    is_hidden: bool | None = None
    is_white: bool | None = None
    is_shaded: bool | None = None
    """It has a background that is not white."""

    def within(self, parent: TextStyle) -> TextStyle:
        """Return the style in force for an element with this style within ``parent``."""
        return msgspec.structs.replace(self.based_on(parent), is_hidden=self.is_hidden or parent.is_hidden)

    def based_on(self, base: TextStyle) -> TextStyle:
        """Return this style with what it does not set taken from ``base``."""
        return TextStyle(
            is_hidden=base.is_hidden if self.is_hidden is None else self.is_hidden,
            is_white=base.is_white if self.is_white is None else self.is_white,
            is_shaded=base.is_shaded if self.is_shaded is None else self.is_shaded,
        )

    @property
    def is_invisible(self) -> bool:
        """Whether the text cannot be seen on white paper."""
        return bool(self.is_hidden or (self.is_white and not self.is_shaded))


class OdfStyles(XmlReader):
    """Collects the styles of the parts ``styles.xml`` and ``content.xml``, by family and name."""

    def __init__(self) -> None:
        self._styles: dict[tuple[str, str], TextStyle] = {}
        self._bases: dict[tuple[str, str], str] = {}
        self._style = ("", "")

    def style(self, family: str, name: str) -> TextStyle:
        """Return a style with what it inherits from the styles that it is based on."""
        style = TextStyle()
        for _ in range(_MAX_BASES):
            style = style.based_on(self._styles.get((family, name), TextStyle()))
            name = self._bases.get((family, name), "")
        return style

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "style":
            self._style = (attributes.get("family", ""), attributes.get("name", ""))
            self._bases[self._style] = attributes.get("parent-style-name", "")
        elif self._style[1] and tag.endswith("-properties"):
            own = self._styles.get(self._style, TextStyle())
            self._styles[self._style] = TextStyle(
                is_hidden=own.is_hidden or _is_hidden(attributes),
                is_white=attributes["color"].lower() == _WHITE if "color" in attributes else own.is_white,
                is_shaded=own.is_shaded or _is_shaded(attributes),
            )

    def end(self, tag: str) -> None:
        if tag == "style":
            self._style = ("", "")


def _is_hidden(attributes: dict[str, str]) -> bool | None:
    """Return whether properties hide text, a table or a slide; ``None`` if they set nothing of that."""
    size = _POINTS.fullmatch(attributes.get("font-size", ""))
    if size is not None and float(size[1]) <= _TINY_PT:
        return True
    if "display" in attributes:
        return attributes["display"] in ("none", "false")
    return True if attributes.get("visibility") == "hidden" else None


def _is_shaded(attributes: dict[str, str]) -> bool | None:
    colours = [attributes[name].lower() for name in _SHADES if name in attributes]
    return any(colour not in ("transparent", _WHITE) for colour in colours) if colours else None
