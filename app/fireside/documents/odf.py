"""The text of OpenDocument texts, spreadsheets and presentations, with their lists, tables and notes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Final

import msgspec

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.archive import Archive, XmlReader
from fireside.documents.docx_numbering import number
from fireside.documents.extracted_text import (
    FileRefused,
    TextBuffer,
    comment_text,
    link_text,
    mark_heading,
    mark_hidden,
    strip_marks,
    tidy_prose,
)
from fireside.documents.messages import ReadReply, Section, SectionKind
from fireside.documents.numerals import letters, roman
from fireside.documents.sheet_rows import MAX_COLUMNS, SheetRows
from fireside.documents.table_stack import TableStack

# The paragraphs of an OpenDocument file: spaces expanded, notes and comments in brackets.

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


CONTENT: Final = "content.xml"
_STYLES: Final = "styles.xml"
_MANIFEST: Final = "META-INF/manifest.xml"
_TYPE: Final = "application/vnd.oasis.opendocument."
_MAX_FORMULA: Final = 4_000
_MAX_LIST_DEPTH: Final = 8
_SLIDE_FURNITURE: Final = ("date-time", "footer", "header", "page-number")
"""Classes of the frames that are on every slide."""


def read_odf(archive: Archive) -> ReadReply:
    """Return the text of an OpenDocument file. Raises ``FileRefused`` for one that is locked or damaged."""
    kind = archive.read("mimetype").decode("ascii", "replace").strip()
    if not kind.startswith(_TYPE):
        raise FileRefused(tr_noop("it is an archive. Extract it and attach its files."))
    manifest, styles, lists, margins = _Manifest(), OdfStyles(), ListStyles(), _Margins()
    archive.parse(_MANIFEST, manifest)
    if manifest.is_locked:
        raise FileRefused(tr_noop("it is protected by a password."))
    archive.parse(_STYLES, styles)
    archive.parse(CONTENT, styles)
    archive.parse(_STYLES, lists)
    archive.parse(CONTENT, lists)
    if kind.removeprefix(_TYPE).startswith("spreadsheet"):
        return read_sheets(archive, CONTENT, styles=styles, media_type=kind)
    has_paper = kind.removeprefix(_TYPE).startswith("text")
    body = _Body(styles, lists, has_paper=has_paper, objects=lambda name: _object_text(archive, name))
    if has_paper:
        archive.parse(_STYLES, margins)
    archive.parse(CONTENT, body)
    body.end_page()
    headers, footers = (
        [f"[{kind}: {text}]" for text in dict.fromkeys(margins.texts[kind]) if any(map(str.isalpha, text))]
        for kind in ("Header", "Footer")
    )
    n_hidden = len(body.hidden)
    warning = Phrase(tr_noop("{n} of its slides are hidden; their text was read too."), {"n": n_hidden})
    return ReadReply(
        media_type=kind,
        text="\n\n".join(filter(None, (*headers, body.text.rstrip("\n"), *footers))),
        sections=tuple(body.sections),
        hidden=tuple(body.hidden),
        warnings=(warning,) if n_hidden else (),
    )


class _Manifest(XmlReader):
    """Whether the parts are encrypted."""

    def __init__(self) -> None:
        self.is_locked = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        self.is_locked |= tag == "encryption-data"


class _Margins(XmlReader):
    """The headers and footers of the pages, each on one line."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {"Header": [], "Footer": []}
        self._lines: list[str] = []
        self._paragraphs = Paragraphs(OdfStyles(), self._lines.append)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = tag.partition("-")[0].capitalize()
        if kind in self.texts and "style" not in tag:
            self._lines.clear()
        self._paragraphs.start(tag, attributes)

    def end(self, tag: str) -> None:
        self._paragraphs.end(tag)
        kind = tag.partition("-")[0].capitalize()
        if kind in self.texts and "style" not in tag:
            lines = (" ".join(line.split()) for line in self._lines)
            self.texts[kind].append(" / ".join(filter(None, lines)))

    def characters(self, text: str) -> None:
        self._paragraphs.characters(text)


class _FormulaSource(XmlReader):
    """What a formula was written as."""

    def __init__(self) -> None:
        self.text = ""
        self._is_source = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        self._is_source = tag == "annotation"

    def end(self, tag: str) -> None:
        self._is_source &= tag != "annotation"

    def characters(self, text: str) -> None:
        if self._is_source and len(self.text) < _MAX_FORMULA:
            self.text += text


def _object_text(archive: Archive, address: str) -> str:
    """Return the text of an object: lines for a chart or a spreadsheet, one without its end for a formula."""
    part = posixpath.join(posixpath.normpath(address), CONTENT)
    body = _Body(OdfStyles(), ListStyles(), has_paper=False, objects=lambda _: "")
    archive.parse(part, body)
    body.end_page()
    if body.text.strip():
        return body.text.rstrip("\n") + "\n\n"
    formula = _FormulaSource()
    archive.parse(part, formula)
    return " ".join(formula.text.split())


class _Body(XmlReader):
    def __init__(
        self, styles: OdfStyles, lists: ListStyles, *, has_paper: bool, objects: Callable[[str], str]
    ) -> None:
        self._styles = styles
        self._objects = objects
        """Returns the text of an object within the file by its address: a chart, a formula, a spreadsheet."""
        # Slides have backgrounds of any colour, so white text on them need not be hidden.
        self._paragraphs = Paragraphs(styles if has_paper else OdfStyles(), self._end_paragraph)
        self._out = TextBuffer()
        self._page = TextBuffer()
        """The text of the current slide, or the whole document."""
        self.sections: list[Section] = []
        self.hidden: list[tuple[int, int]] = []
        self._n_pages = 0
        self._is_hidden = False
        self._prefix = ""
        self._is_item = False
        self._lists = ListCounter(lists)
        self._frame_class = ""
        """The presentation class of the enclosing frame: ``title``, ``footer``, …"""
        self._tables = TableStack(self._write)

    @property
    def is_full(self) -> bool:
        return self._out.is_full or self._page.is_full

    @property
    def text(self) -> str:
        return self._out.text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._paragraphs.start(tag, attributes)
        if self._paragraphs.is_skipping:
            return
        match tag:
            case "page":
                self._n_pages += 1
                style = self._styles.style("drawing-page", attributes.get("style-name", ""))
                self._is_hidden = bool(style.is_hidden)
            case "notes":
                self._page.add("\n\nNotes: ")
            case "frame":
                self._frame_class = attributes.get("class", "")
            case "h":
                level = max(1, number(attributes.get("outline-level", ""), 1))
                mark = self._lists.heading(level, attributes)
                in_list = self._prefix.strip() if self._is_item else ""
                mark = mark or in_list.removeprefix(BULLET)
                self._prefix, self._is_item = mark_heading(level) + (f"{mark} " if mark else ""), False
            case "list":
                self._lists.start_list(attributes)
            case "list-item":
                indent = "  " * min(len(self._lists) - 1, _MAX_LIST_DEPTH)
                self._prefix, self._is_item = f"{indent}{self._lists.mark(attributes)} ", True
            case "table":
                self._tables.start_table()
            case "object":
                text = self._objects(attributes.get("href", ""))
                (self._tables.put if text.endswith("\n") else self._paragraphs.add)(text)
            case _:
                pass

    def end(self, tag: str) -> None:
        if self._paragraphs.is_skipping:
            self._paragraphs.end(tag)
            return
        self._paragraphs.end(tag)
        match tag:
            case "page":
                self.end_page()
            case "frame":
                self._frame_class = ""
            case "list":
                self._lists.end_list()
                if not self._lists:
                    self._tables.put("\n")
            case "list-item":
                self._prefix, self._is_item = "", False
            case "table-cell" | "covered-table-cell":
                self._tables.end_cell()
            case "table-row":
                self._tables.end_row()
            case "table":
                self._tables.end_table()
            case _:
                pass

    def characters(self, text: str) -> None:
        self._paragraphs.characters(text)

    def end_page(self) -> None:
        """Append the current slide, as a numbered section, or the whole document to the text."""
        text, self._page = tidy_prose(self._page.text).removesuffix("Notes: ").rstrip(), TextBuffer()
        if not text:
            return
        start = self._out.n_chars
        if self._n_pages:
            self.sections.append(Section(kind=SectionKind.SLIDE, number=self._n_pages, start=start))
        self._out.add(f"{text}\n\n")
        if self._is_hidden:
            self.hidden.append((start, self._out.n_chars))

    def _end_paragraph(self, text: str) -> None:
        if text.strip() and self._frame_class not in _SLIDE_FURNITURE:
            prefix = mark_heading(1) if self._frame_class == "title" else self._prefix
            self._tables.put(f"{prefix}{text}" + ("\n" if self._is_item else "\n\n"))
            self._prefix = ""

    def _write(self, block: str) -> None:
        self._page.add(block)


# The cells of an OpenDocument spreadsheet, sheet by sheet: one line per row, dates in ISO format


_CELLS: Final = ("table-cell", "covered-table-cell")
_COMMENT: Final = "[Comment"
_HIDDEN: Final = ("collapse", "filter")


def read_sheets(archive: Archive, part: str, *, styles: OdfStyles, media_type: str) -> ReadReply:
    """Return the cells of all sheets. Raises ``FileRefused`` for a damaged file."""
    rows = SheetRows()
    archive.parse(part, _Sheets(rows, styles))
    return ReadReply(media_type=media_type, text=rows.text, sections=tuple(rows.sections))


class _Sheets(XmlReader):
    """Adds each row to ``rows`` when it ends."""

    def __init__(self, rows: SheetRows, styles: OdfStyles) -> None:
        self._rows = rows
        self._styles = styles
        self._paragraph_texts: list[str] = []
        # Hidden are sheets, rows and columns here; the colours of cells say nothing.
        self._paragraphs = Paragraphs(OdfStyles(), self._paragraph_texts.append)
        self._n_tables = 0
        self._is_hidden = False
        self._is_row_hidden = False
        self._hidden_columns: list[bool] = []
        self._row = 0
        self._n_repeated_rows = 1
        self._n_repeated_cells = 1
        self._date = ""
        self._cells: list[str] = []

    @property
    def is_full(self) -> bool:
        return self._rows.is_full

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._paragraphs.start(tag, attributes)
        if tag == "table":
            self._n_tables += 1
            if self._n_tables == 1:
                self._rows.start_sheet(attributes.get("name", ""))
                style = self._styles.style("table", attributes.get("style-name", ""))
                self._is_hidden, self._hidden_columns, self._row = bool(style.is_hidden), [], 1
        elif tag == "table-column":
            n = min(_number(attributes, "number-columns-repeated"), MAX_COLUMNS - len(self._hidden_columns))
            self._hidden_columns += [attributes.get("visibility") in _HIDDEN] * n
        elif tag == "table-row":
            self._cells, self._n_repeated_rows = [], _number(attributes, "number-rows-repeated")
            self._is_row_hidden = attributes.get("visibility") in _HIDDEN
        elif tag in _CELLS:
            self._n_repeated_cells = _number(attributes, "number-columns-repeated")
            self._date = attributes.get("date-value", "")
            self._paragraph_texts.clear()

    def end(self, tag: str) -> None:
        self._paragraphs.end(tag)
        if tag == "table":
            self._n_tables -= 1
        elif tag in _CELLS:
            comments = [each for each in self._paragraph_texts if each.startswith(_COMMENT)]
            texts = [each for each in self._paragraph_texts if each not in comments]
            shown = [_date(self._date)] if self._date else texts
            text = " ".join(" ".join((*shown, *comments)).split())
            for _ in range(min(self._n_repeated_cells, MAX_COLUMNS - len(self._cells))):
                self._cells.append(mark_hidden(text) if self._is_cell_hidden(len(self._cells)) else text)
        elif tag == "table-row":
            while self._cells and not self._cells[-1]:
                self._cells.pop()
            if self._cells:
                for row in range(self._row, self._row + self._n_repeated_rows):
                    self._rows.add(row, self._cells)
                    if self.is_full:
                        break
            self._row += self._n_repeated_rows

    def characters(self, text: str) -> None:
        self._paragraphs.characters(text)

    def _is_cell_hidden(self, column: int) -> bool:
        is_column_hidden = column < len(self._hidden_columns) and self._hidden_columns[column]
        return self._is_hidden or self._is_row_hidden or is_column_hidden


def _number(attributes: dict[str, str], name: str) -> int:
    """Return a repetition count; 1 where it is missing or invalid."""
    n = attributes.get(name, "1")
    return max(1, int(n)) if n.isascii() and n.isdecimal() and len(n) < 9 else 1


def _date(value: str) -> str:
    """Return a date and time without seconds, as in Excel sheets; midnight as the day alone."""
    day, _, time = value.partition("T")
    return f"{day} {time[:5]}" if time and time[:5] != "00:00" else day


# The numbers of lists and headings in an OpenDocument text


BULLET: Final = "-"
OUTLINE: Final = ""
"""The name of the style that numbers headings."""
_N_LEVELS: Final = 10
_LEVEL_STYLES: Final = ("list-level-style-number", "list-level-style-bullet", "outline-level-style")


class _Level(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    """``1``, ``a``, ``A``, ``i`` or ``I``; empty for no number."""
    prefix: str
    suffix: str
    start: int
    n_shown: int
    """How many levels a number shows: 2 for ``1.2``."""
    is_bullet: bool


class ListStyles(XmlReader):
    """Reads the list styles of ``styles.xml`` and ``content.xml``."""

    def __init__(self) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._style = OUTLINE

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "list-style":
            self._style = attributes.get("name", "")
            self._levels[self._style] = {}
        elif tag == "outline-style":
            self._style = OUTLINE
        elif tag in _LEVEL_STYLES:
            self._levels.setdefault(self._style, {})[number(attributes.get("level", ""), 1)] = _Level(
                format=attributes.get("num-format", ""),
                prefix=attributes.get("num-prefix", ""),
                suffix=attributes.get("num-suffix", ""),
                start=number(attributes.get("start-value", ""), 1),
                n_shown=number(attributes.get("display-levels", ""), 1),
                is_bullet=tag == "list-level-style-bullet",
            )

    def level(self, style: str, level: int) -> _Level | None:
        """Return how a level, from 1, of a style is numbered, if it is known."""
        return self._levels.get(style, {}).get(level)


class ListCounter:
    """Counts the items of lists, which may be within each other, and headings."""

    def __init__(self, styles: ListStyles) -> None:
        self._styles = styles
        self._open: list[str] = []
        """The styles of the enclosing lists."""
        self._counts: dict[str, dict[int, int]] = {}
        """The last numbers by style and level."""

    def __len__(self) -> int:
        """Return how many lists enclose what comes next."""
        return len(self._open)

    def start_list(self, attributes: dict[str, str]) -> None:
        """Start a list; one within another has its style unless it names one."""
        style = attributes.get("style-name", "") or (self._open[-1] if self._open else "-")
        goes_on = attributes.get("continue-numbering") == "true" or "continue-list" in attributes
        self._open.append(style)
        if not goes_on:
            self._forget(style, len(self._open))

    def end_list(self) -> None:
        """End a list."""
        if self._open:
            self._open.pop()

    def mark(self, attributes: dict[str, str]) -> str:
        """Count an item. Return its number, or ``-`` for one without."""
        if not self._open:
            return BULLET
        return self._count(self._open[-1], len(self._open), attributes.get("start-value", "")) or BULLET

    def heading(self, level: int, attributes: dict[str, str]) -> str:
        """Count a heading. Return its number, empty for none."""
        if attributes.get("is-list-header") == "true":
            return ""
        return self._count(OUTLINE, level, attributes.get("start-value", ""))

    def _count(self, style: str, level: int, start: str) -> str:
        shown = self._styles.level(style, level)
        if shown is None or shown.is_bullet or level > _N_LEVELS:
            return ""
        counts = self._counts.setdefault(style, {})
        counts[level] = number(start, counts.get(level, shown.start - 1) + 1)
        self._forget(style, level + 1)
        if not shown.format:
            return f"{shown.prefix}{shown.suffix}".strip()
        numbers = [
            _numeral(counts.get(each, of.start), of.format)
            for each in range(max(1, level - shown.n_shown + 1), level + 1)
            if (of := self._styles.level(style, each)) is not None and of.format
        ]
        return f"{shown.prefix}{'.'.join(numbers)}{shown.suffix}".strip()

    def _forget(self, style: str, level: int) -> None:
        """Start the numbers of a level and those below it anew."""
        counts = self._counts.get(style, {})
        for each in [each for each in counts if each >= level]:
            del counts[each]


def _numeral(n: int, number_format: str) -> str:
    match number_format[:1]:
        case "a":
            return letters(n)
        case "A":
            return letters(n).upper()
        case "i":
            return roman(n)
        case "I":
            return roman(n).upper()
        case _:
            return str(n)
