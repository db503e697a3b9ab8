"""The text of a Word document: paragraphs, headings, lists, tables, notes, comments, formulas and charts."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from fireside.documents.archive import Archive, Relation, XmlReader
from fireside.documents.docx_numbering import BULLET, Numbering, number
from fireside.documents.drawings import drawing_text
from fireside.documents.extracted_text import (
    TextBuffer,
    comment_text,
    image_text,
    link_text,
    mark_heading,
    mark_hidden,
    strip_marks,
    tidy_prose,
    without_headings,
)
from fireside.documents.html import is_html, read_html
from fireside.documents.messages import ReadReply
from fireside.documents.office_math import FORMULA, Formula
from fireside.documents.symbol_fonts import is_symbol_font, symbol, with_symbols
from fireside.documents.table_stack import TableStack

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

BODY: Final = "word/document.xml"
_MAX_INDENT: Final = 8
_BODY_TEXT_LEVEL: Final = 9
_SKIPPED: Final = frozenset(
    {
        "del", "moveFrom", "rt",
        "pPrChange", "rPrChange", "sectPrChange", "tblPrChange", "tblGridChange", "trPrChange", "tcPrChange",
        "numberingChange",
    }
)  # fmt: skip
"""Deleted and moved text, phonetic readings, and what the formatting was before it was changed."""
_NOTES: Final = ("footnote", "endnote", "comment")
_BREAKS: Final = ("page", "column")


def read_docx(archive: Archive, part: str = BODY) -> ReadReply:
    """Return the text of a Word document. Raises ``FileRefused`` for a damaged one."""
    document = _Document(archive, part)
    body = document.story(part)
    out = TextBuffer()
    for kind, parts in (("Header", body.sections.headers), ("Footer", body.sections.footers)):
        if kind == "Footer":
            out.add(body.text)
        texts = (
            " / ".join(
                line.strip()
                for line in without_headings(document.story(each).text).split("\n")
                if line.strip()
            )
            for each in parts
        )
        for text in dict.fromkeys(texts):
            if any(char.isalpha() for char in text):
                out.add(f"[{kind}: {text}]\n\n" if kind == "Header" else f"\n\n[{kind}: {text}]")
    return ReadReply(media_type=MEDIA_TYPE, text=tidy_prose(out.text))


class _Document:
    """What its stories share: the body, each header and footer, and all notes of one kind."""

    def __init__(self, archive: Archive, part: str) -> None:
        self.archive = archive
        self.styles = DocxStyles()
        self.numbering = Numbering()
        self.has_even_pages = False
        """Whether even pages have headers of their own."""
        self.notes: dict[tuple[str, str], str] = {}
        """By kind and id, each as it stands in the text."""
        settings = DocxSettings()
        related = {relation.kind: relation.target for relation in archive.relations(part).values()}
        for kind, reader in (("styles", self.styles), ("numbering", self.numbering), ("settings", settings)):
            archive.parse(related.get(kind, f"word/{kind}.xml"), reader)
        self.has_even_pages = settings.has_even_pages
        for kind in ("comments", "footnotes", "endnotes"):
            story = self.story(related.get(kind, f"word/{kind}.xml"))
            self.notes |= story.notes

    def story(self, part: str) -> _Story:
        """Return a story of the document, read to its end."""
        story = _Story(self, self.archive.relations(part))
        self.archive.parse(part, story)
        return story

    def embedded(self, relation: Relation | None) -> str:
        """Return the text of a web page that a program put into the document as it was."""
        data = self.archive.read(relation.target) if relation is not None else b""
        return read_html(data).text + "\n\n" if is_html(data) else ""


class _Paragraph(msgspec.Struct):
    pieces: list[str] = []
    style: str = ""
    level: int | None = None
    """Of a heading, from 1."""
    list_id: str | None = None
    list_level: int | None = None
    prefix: str = ""
    is_heading: bool = False
    is_item: bool = False
    is_shaded: bool = False
    is_joined: bool = False
    """Its mark was deleted, so that it goes on in the next paragraph."""
    in_properties: bool = False
    in_run: bool = False
    is_hidden: bool = False
    """The run is hidden, tiny, or white on white."""
    font: str = ""
    """Of the run, if it shows signs instead of letters."""


class _Story(XmlReader):
    def __init__(self, document: _Document, relations: dict[str, Relation]) -> None:
        self._document = document
        self._relations = relations
        self._out = TextBuffer()
        self.notes: dict[tuple[str, str], str] = {}
        self.sections = Sections(has_even_pages=document.has_even_pages)
        self._note: tuple[str, str] | None = None
        self._note_author = ""
        self._paragraphs: list[_Paragraph] = []
        """Those that are open: a text box within one has paragraphs of its own."""
        self._tables = TableStack(self._write)
        self._shades: list[bool] = []
        """For each enclosing table, whether its current cell has another colour than that of paper."""
        self._in_table_properties = False
        self._fields = Fields()
        self._links: list[tuple[str, int]] = []
        self._formula: Formula | None = None
        self._n_in_formula = 0
        self._skipping = ""
        self._n_skipped = 0
        self._in_text = False
        self._in_code = False

    @property
    def is_full(self) -> bool:
        return self._out.is_full

    @property
    def text(self) -> str:
        """All of the story but notes."""
        return self._out.text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._skipping:
            self._n_skipped += tag == self._skipping
        elif self._formula is not None:
            self._n_in_formula += tag == FORMULA
            self._formula.start(tag, attributes)
        elif tag in _SKIPPED:
            self._skipping, self._n_skipped = tag, 1
            if tag == "del" and self._paragraphs and self._paragraphs[-1].in_properties:
                self._paragraphs[-1].is_joined = True
        elif tag in _NOTES and attributes.get("type", "normal") == "normal":
            self._note, self._note_author = (tag, attributes.get("id", "")), attributes.get("author", "")
            self._out = TextBuffer()
        elif tag == "tbl":
            self._tables.start_table()
            self._shades.append(False)
        elif tag == "p":
            self._start_paragraph()
        elif tag == "altChunk":
            self._tables.put(self._document.embedded(self._relations.get(attributes.get("id", ""))))
        elif tag in ("tcPr", "tblPr"):
            self._in_table_properties = True
        elif self._in_table_properties:
            if tag == "shd" and self._shades:
                self._shades[-1] |= is_dark(attributes)
        elif tag in ("headerReference", "footerReference", "titlePg"):
            self._start_section_part(tag, attributes)
        elif self._paragraphs and self._paragraphs[-1].in_properties:
            self._paragraph_property(self._paragraphs[-1], tag, attributes)
        elif self._paragraphs:
            self._start_run(self._paragraphs[-1], tag, attributes)
            self._start_content(self._paragraphs[-1], tag, attributes)

    def _start_section_part(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "titlePg":
            self.sections.start_title_page(attributes)
        elif relation := self._relations.get(attributes.get("id", "")):
            self.sections.refer(tag, attributes, relation.target)

    def _start_paragraph(self) -> None:
        last = self._paragraphs[-1] if self._paragraphs and self._paragraphs[-1].is_joined else None
        if last is not None:
            last.is_joined = False  # it goes on
        else:
            self._paragraphs.append(_Paragraph(is_shaded=any(self._shades)))

    @staticmethod
    def _paragraph_property(paragraph: _Paragraph, tag: str, attributes: dict[str, str]) -> None:
        value = attributes.get("val", "")
        match tag:
            case "pStyle":
                paragraph.style = value
            case "outlineLvl":
                level = number(value, _BODY_TEXT_LEVEL)
                paragraph.level = level + 1 if level < _BODY_TEXT_LEVEL else 0
            case "numId":
                paragraph.list_id = value
            case "ilvl":
                paragraph.list_level = number(value, 0)
            case "shd":
                paragraph.is_shaded |= is_dark(attributes)
            case _:
                pass

    def _start_run(self, paragraph: _Paragraph, tag: str, attributes: dict[str, str]) -> None:
        """Handle what says how a run looks."""
        styles = self._document.styles
        value = attributes.get("val", "")
        match tag:
            case "pPr":
                paragraph.in_properties = True
            case "r":
                paragraph.in_run, paragraph.font = True, ""
                paragraph.is_hidden = styles.hides(paragraph.style, is_shaded=paragraph.is_shaded)
            case "vanish" | "sz" | "color" if paragraph.in_run:
                is_white_on_dark = tag == "color" and paragraph.is_shaded
                paragraph.is_hidden |= hides(tag, value) and not is_white_on_dark
            case "rStyle":
                paragraph.is_hidden |= styles.hides(value, is_shaded=paragraph.is_shaded)
            case "shd":
                paragraph.is_shaded |= is_dark(attributes)
            case "rFonts" if is_symbol_font(attributes.get("ascii", "")):
                paragraph.font = attributes["ascii"]
            case _:
                pass

    def _start_content(self, paragraph: _Paragraph, tag: str, attributes: dict[str, str]) -> None:
        """Handle what stands in the text."""
        match tag:
            case "t":
                self._in_text = True
            case "instrText":
                self._in_code = True
            case "tab" | "ptab" if paragraph.in_run:
                self._add("\t")
            case "br" | "cr":
                self._add("" if attributes.get("type") in _BREAKS and not paragraph.pieces else "\n")
            case "noBreakHyphen":
                self._add("-")
            case "sym":
                self._add(symbol(attributes.get("char", ""), attributes.get("font", "")))
            case "footnoteReference" | "endnoteReference" | "commentReference":
                note = (tag.removesuffix("Reference"), attributes.get("id", ""))
                paragraph.pieces.append(self._document.notes.get(note, ""))
            case "hyperlink":
                relation = self._relations.get(attributes.get("id", ""))
                self._links.append((relation.target if relation else "", len(paragraph.pieces)))
            case "docPr":
                self._add(image_text(attributes.get("descr", "")))
            case "chart" | "relIds":
                relation = self._relations.get(attributes.get("id", "") or attributes.get("dm", ""))
                if relation is not None and not relation.is_external:
                    self._tables.put(drawing_text(self._document.archive, relation.target) + "\n")
            case "oMath":
                self._formula, self._n_in_formula = Formula(), 1
            case "fldChar" if attributes.get("fldCharType") == "begin":
                self._fields.begin(paragraph.pieces)
            case "fldChar" if attributes.get("fldCharType") == "end":
                self._add(self._fields.end(paragraph.pieces))
            case _:
                self._fields.property(tag, attributes)

    def end(self, tag: str) -> None:
        if self._skipping:
            self._n_skipped -= tag == self._skipping
            self._skipping = self._skipping if self._n_skipped else ""
        elif self._formula is not None:
            self._n_in_formula -= tag == FORMULA
            if self._n_in_formula:
                self._formula.end(tag)
            else:
                text, self._formula = self._formula.text, None
                self._add(text)
        elif tag in ("tcPr", "tblPr"):
            self._in_table_properties = False
        elif self._note is not None and tag == self._note[0]:
            self._end_joined()
            self._end_note()
        elif tag in ("body", "txbxContent", "hdr", "ftr"):
            self._end_joined()
        elif tag in ("tc", "tr", "tbl") and self._tables:
            self._end_table_part(tag)
        elif tag == "sectPr":
            self.sections.end()
        elif self._paragraphs:
            self._end_content(self._paragraphs[-1], tag)

    def _end_content(self, paragraph: _Paragraph, tag: str) -> None:
        match tag:
            case "t":
                self._in_text = False
            case "instrText":
                self._in_code = False
            case "r":
                paragraph.in_run = False
            case "pPr":
                paragraph.in_properties = False
                self._end_properties(paragraph)
            case "hyperlink" if self._links:
                target, start = self._links.pop()
                self._add(link_text("".join(paragraph.pieces[start:]), target))
            case "p" if not paragraph.is_joined:
                self._end_paragraph(self._paragraphs.pop())
            case _:
                pass

    def _end_properties(self, paragraph: _Paragraph) -> None:
        """Decide what stands before the paragraph: marks of a heading, a number or a bullet."""
        styles = self._document.styles
        level = styles.level(paragraph.style) if paragraph.level is None else paragraph.level
        list_id, list_level = styles.numbering(paragraph.style) or (None, 0)
        if paragraph.list_id is not None:
            list_id = paragraph.list_id
        list_level = list_level if paragraph.list_level is None else paragraph.list_level
        mark: str | None = None
        if list_id is not None and list_id != "0":
            mark = self._document.numbering.mark(list_id, list_level)
        elif paragraph.list_level is not None and list_id is None:
            mark = BULLET
        if level:
            numbered = f"{mark} " if mark and mark != BULLET else ""
            paragraph.prefix, paragraph.is_heading = mark_heading(level) + numbered, True
        elif mark:
            paragraph.prefix = "  " * min(list_level, _MAX_INDENT) + f"{mark} "
            paragraph.is_item = True

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        self._fields.end_codes(paragraph.pieces)
        text = "".join(paragraph.pieces)
        if paragraph.is_heading:
            text = " ".join(text.split())
        if text.strip():
            self._tables.put(f"{paragraph.prefix}{text}" + ("\n" if paragraph.is_item else "\n\n"))

    def _end_joined(self) -> None:
        """End a paragraph whose mark was deleted where no other follows."""
        if self._paragraphs and self._paragraphs[-1].is_joined:
            self._end_paragraph(self._paragraphs.pop())

    def _end_table_part(self, tag: str) -> None:
        if tag == "tc":
            self._end_joined()
            self._tables.end_cell()
            self._shades[-1:] = [False] * bool(self._shades)
        elif tag == "tr":
            self._tables.end_row()
        else:
            self._tables.end_table()
            del self._shades[-1:]

    def _write(self, block: str) -> None:
        self._out.add(block)

    def _end_note(self) -> None:
        assert self._note is not None
        text = " ".join(without_headings(self._out.text).split())
        if self._note[0] == "comment":
            text = f" {comment_text(text, self._note_author)}".rstrip()
        else:
            text = f" ({text})" if text else ""
        self.notes[self._note] = text
        self._note = None

    def characters(self, text: str) -> None:
        if self._skipping:
            return
        if self._formula is not None:
            self._formula.characters(text)
        elif self._in_code:
            self._fields.add_code(text)
        elif self._in_text and self._paragraphs:
            paragraph = self._paragraphs[-1]
            self._add(with_symbols(text, paragraph.font))

    def _add(self, text: str) -> None:
        """Add text to the current paragraph, unless it is within the code of a field."""
        if not text or not self._paragraphs or self._fields.is_within_code:
            return
        paragraph = self._paragraphs[-1]
        paragraph.pieces.append(mark_hidden(text) if paragraph.is_hidden else strip_marks(text))


_HYPERLINK: Final = re.compile(r'\s*HYPERLINK\s+"([^"]{1,2000})"')
_MAX_CODE: Final = 4_000


class _Field(msgspec.Struct):
    pieces: list[str]
    """Of the paragraph that it begins in."""
    start: int
    """Where it begins among them."""
    code: str = ""
    is_code: bool = True
    """What follows is its code, not its result."""
    is_checked: bool | None = None
    """Of a check box."""
    choices: list[str] = []
    choice: int = 0


class Fields:
    """The fields that are open: one may be within the code or the result of another."""

    def __init__(self) -> None:
        self._open: list[_Field] = []

    @property
    def is_within_code(self) -> bool:
        """Whether what comes next is the result of a field within the code of another."""
        return any(field.is_code for field in self._open[:-1])

    def begin(self, pieces: list[str]) -> None:
        """Begin a field within a paragraph that has these pieces so far."""
        self._open.append(_Field(pieces=pieces, start=len(pieces)))

    def property(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle an element that tells something of the innermost field, if it does."""
        if not self._open:
            return
        field, value = self._open[-1], attributes.get("val", "")
        match tag:
            case "fldChar" if attributes.get("fldCharType") == "separate":
                field.is_code = False
            case "checkBox":
                field.is_checked = False
            case "default" | "checked" if field.is_checked is not None:
                field.is_checked = value not in OFF
            case "listEntry":
                field.choices.append(value)
            case "result":
                field.choice = number(value, 0)
            case _:
                pass

    def add_code(self, text: str) -> None:
        """Add to the code of the innermost field."""
        if self._open and len(self._open[-1].code) < _MAX_CODE:
            self._open[-1].code += text

    def end(self, pieces: list[str]) -> str:
        """End the innermost field. Return what stands behind its result: a box, the target of a link."""
        if not self._open:
            return ""
        field = self._open.pop()
        if field.is_checked is not None:
            return "☒" if field.is_checked else "☐"
        if field.choices and field.is_code:
            return field.choices[min(field.choice, len(field.choices) - 1)]
        link = _HYPERLINK.match(field.code)
        return link_text("".join(pieces[field.start :]), link[1]) if link and field.pieces is pieces else ""

    def end_codes(self, pieces: list[str]) -> None:
        """Take what follows a paragraph as results: a code that never ends must not swallow the text."""
        for field in self._open:
            if field.pieces is pieces:
                field.is_code = False


class DocxSettings(XmlReader):
    """Reads ``settings.xml``."""

    def __init__(self) -> None:
        self.has_even_pages = False
        """Whether even pages have headers of their own."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "evenAndOddHeaders":
            self.has_even_pages = attributes.get("val", "") not in OFF


class Sections:
    """Collects the parts with the headers and footers that some page shows, each once, in order."""

    def __init__(self, *, has_even_pages: bool) -> None:
        self.headers: list[str] = []
        self.footers: list[str] = []
        self._has_even_pages = has_even_pages
        self._parts: dict[tuple[str, str], str] = {}
        """By header or footer and the pages that it is for; a section takes over what it does not set."""
        self._has_first_page = False

    def refer(self, tag: str, attributes: dict[str, str], part: str) -> None:
        """Handle a reference of the current section to a part."""
        self._parts[tag, attributes.get("type", "default")] = part

    def start_title_page(self, attributes: dict[str, str]) -> None:
        """Note that the first page of the current section has headers of its own."""
        self._has_first_page = attributes.get("val", "") not in OFF

    def end(self) -> None:
        """End the current section."""
        for (tag, pages), part in self._parts.items():
            is_shown = {"first": self._has_first_page, "even": self._has_even_pages}.get(pages, True)
            parts = self.headers if tag == "headerReference" else self.footers
            if is_shown and part not in parts:
                parts.append(part)
        self._has_first_page = False


# The styles of a Word document: which are headings, which number their paragraphs, which hide their text


_WHITE: Final = "ffffff"
_TINY: Final = 4
"""Half points; text of at most this size cannot be read."""
_HIDING_PROPERTIES: Final = ("vanish", "sz", "color")
_MAX_BASES: Final = 10
_HEADING: Final = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)
OFF: Final = ("0", "false", "off")
"""Values of what is switched on where it stands without one."""
_BODY_TEXT: Final = 9
"""The outline level of text that is no heading."""


class DocxStyles(XmlReader):
    """Reads ``styles.xml``. Headings are known by name or outline level: ids are in the author's language."""

    def __init__(self) -> None:
        self._style = ""
        self._levels: dict[str, int] = {}
        self._lists: dict[str, str] = {}
        self._list_levels: dict[str, int] = {}
        self._bases: dict[str, str] = {}
        self._shaded: set[str] = set()
        self._hiding: dict[str, dict[str, bool]] = {}
        """By style, the properties that it sets, and whether each hides text on white paper."""

    def level(self, style: str) -> int | None:
        """Return the level of a heading, from 1, or ``None`` for a style of other text."""
        level = next(
            (self._levels[each] for each in self._family(style) if each in self._levels), _BODY_TEXT + 1
        )
        return level if level <= _BODY_TEXT else None

    def numbering(self, style: str) -> tuple[str, int] | None:
        """Return the list that a style puts its paragraphs in, and the level in it."""
        family = self._family(style)
        list_id = next((self._lists[each] for each in family if each in self._lists), None)
        level = next((self._list_levels[each] for each in family if each in self._list_levels), 0)
        return None if list_id is None else (list_id, level)

    def hides(self, style: str, *, is_shaded: bool) -> bool:
        """Return whether text of a style is invisible; a style inherits from the one that it is based on."""
        hiding: dict[str, bool] = {}
        for each in self._family(style):
            hiding = {**self._hiding.get(each, {}), **hiding}
            is_shaded |= each in self._shaded
        if is_shaded:
            hiding.pop("color", None)
        return any(hiding.values())

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        value = attributes.get("val", "")
        if tag == "style":
            self._style = attributes.get("styleId", "")
        elif not self._style:
            return
        elif tag == "name":
            if match := _HEADING.match(value):
                self._levels[self._style] = int(match[1])
            elif value.lower() == "title":
                self._levels[self._style] = 1
        elif tag == "outlineLvl":
            self._levels.setdefault(self._style, number(value, _BODY_TEXT) + 1)
        elif tag == "basedOn":
            self._bases[self._style] = value
        elif tag == "numId":
            self._lists[self._style] = value
        elif tag == "ilvl":
            self._list_levels[self._style] = number(value, 0)
        elif tag == "shd" and is_dark(attributes):
            self._shaded.add(self._style)
        elif tag in _HIDING_PROPERTIES:
            self._hiding.setdefault(self._style, {})[tag] = hides(tag, value)

    def end(self, tag: str) -> None:
        if tag == "style":
            self._style = ""

    def _family(self, style: str) -> list[str]:
        """Return a style and those that it is based on."""
        family: list[str] = []
        while style and style not in family and len(family) < _MAX_BASES:
            family.append(style)
            style = self._bases.get(style, "")
        return family


def hides(tag: str, value: str) -> bool:
    """Return whether a run property makes text invisible on white paper."""
    match tag:
        case "vanish":
            return value not in OFF
        case "sz":
            return value.isdecimal() and len(value) < 4 and int(value) <= _TINY
        case "color":
            return value.lower() == _WHITE
        case _:
            return False


def is_dark(shading: dict[str, str]) -> bool:
    """Return whether a shading is another colour than that of paper."""
    return shading.get("fill", "auto").lower() not in ("auto", _WHITE)
