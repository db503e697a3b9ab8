"""The text of a Word document: paragraphs, headings, lists, tables. Read as a stream, without pictures."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import Final
from xml.parsers import expat  # document types are refused, so that there are no entities

from fireside.core.i18n import tr_noop
from fireside.documents.extracted import Found, Gathering, Refused, tidy_prose

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

MAX_PART_BYTES: Final = 100_000_000
"""Of one part, unpacked. The text of a book of a thousand pages takes 10 MB with all its markup."""
_MOST_MEMBERS: Final = 20_000
_DEEPEST: Final = 500
_CHUNK_BYTES: Final = 256 * 1024
_BODY: Final = "word/document.xml"
_STYLES: Final = "word/styles.xml"
_OTHERS: Final = (
    ("xl/workbook.xml", tr_noop("Excel workbooks are not supported yet. Save as CSV and attach that.")),
    ("ppt/presentation.xml", tr_noop("PowerPoint files are not supported yet. Save as PDF and attach that.")),
    (
        "content.xml",
        tr_noop("OpenDocument files are not supported yet. Save as DOCX or PDF and attach that."),
    ),
)
_DAMAGED: Final = tr_noop("it is damaged.")
_HEADING: Final = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)


def read_docx(data: bytes) -> Found:
    """Return the text of a Word document. Raises ``Refused`` for any other archive, or a damaged one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            if len(names) > _MOST_MEMBERS:
                raise Refused(tr_noop("it is an archive with too many files in it."))
            if _BODY not in names:
                raise Refused(_what_else(names))
            styles = _Styles()
            if _STYLES in names:
                _parse(archive, _STYLES, styles)
            body = _Body(levels=styles.levels)
            _parse(archive, _BODY, body)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as exc:
        raise Refused(_DAMAGED) from exc
    except RuntimeError as exc:  # what zipfile raises where a password is needed
        raise Refused(tr_noop("it is protected by a password.")) from exc
    return Found(media_type=MEDIA_TYPE, text=tidy_prose(body.text))


def _what_else(names: set[str]) -> str:
    for member, reason in _OTHERS:
        if member in names:
            return reason
    return tr_noop("it is an archive. Extract it and attach its files.")


class _Styles:
    """Which styles are headings: Word's ids are in the language of its author."""

    def __init__(self) -> None:
        self.levels: dict[str, int] = {}
        self._style = ""

    @property
    def is_full(self) -> bool:
        return False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "style":
            self._style = attributes.get("styleId", "")
        elif tag == "name" and self._style:
            name = attributes.get("val", "")
            if match := _HEADING.match(name):
                self.levels[self._style] = int(match[1])
            elif name.lower() == "title":
                self.levels[self._style] = 1

    def end(self, tag: str) -> None:
        if tag == "style":
            self._style = ""

    def characters(self, text: str) -> None:
        """Styles have no text."""


class _Body:
    """Writes the text as it goes by."""

    def __init__(self, *, levels: dict[str, int]) -> None:
        self._levels = levels
        self._out = Gathering()
        self._paragraph: list[str] = []
        self._opening = ""
        self._in_text = False
        self._tables: list[list[str]] = []
        """For each table around, the cells of the row so far."""
        self._cell: list[str] = []

    @property
    def is_full(self) -> bool:
        return self._out.is_full

    @property
    def text(self) -> str:
        return self._out.text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        match tag:
            case "t":
                self._in_text = True
            case "tab":
                self._paragraph.append("\t")
            case "br" | "cr":
                self._paragraph.append("\n")
            case "noBreakHyphen":
                self._paragraph.append("-")
            case "pStyle":
                level = self._levels.get(attributes.get("val", ""))
                if level is not None:
                    self._opening = "#" * min(level, 6) + " "
            case "ilvl" if not self._opening:
                depth = attributes.get("val", "0")
                self._opening = (
                    "  " * min(int(depth) if depth.isdecimal() and len(depth) < 3 else 0, 8) + "- "
                )
            case "tbl":
                self._tables.append([])
            case "tr" if self._tables:
                self._tables[-1] = []
            case _:
                pass

    def end(self, tag: str) -> None:
        match tag:
            case "t":
                self._in_text = False
            case "p":
                self._end_paragraph()
            case "tc" if self._tables:
                self._tables[-1].append(" ".join(" ".join(self._cell).split()))
                self._cell = []
            case "tr" if self._tables:
                self._out.add(" | ".join(self._tables[-1]) + "\n")
            case "tbl" if self._tables:
                self._tables.pop()
                self._out.add("\n")
            case _:
                pass

    def characters(self, text: str) -> None:
        if self._in_text:
            self._paragraph.append(text)

    def _end_paragraph(self) -> None:
        words = "".join(self._paragraph)
        if self._tables:
            self._cell.append(words)
        elif words.strip():
            is_item = self._opening.endswith("- ")
            self._out.add(f"{self._opening}{words}" + ("\n" if is_item else "\n\n"))
        self._paragraph, self._opening = [], ""


def _parse(archive: zipfile.ZipFile, name: str, reader: _Styles | _Body) -> None:
    """Feed one part of the archive to ``reader`` until that is full. What is unpacked is counted."""
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise Refused(tr_noop("its parts are nested too deep."))
        reader.start(_local(tag), {_local(key): value for key, value in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        reader.end(_local(tag))

    def refuse(*_: object) -> None:
        raise Refused(tr_noop("it holds definitions that no Word document has."))

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    n_bytes = 0
    try:
        with archive.open(name) as part:
            while (chunk := part.read(_CHUNK_BYTES)) and not reader.is_full:
                n_bytes += len(chunk)
                if n_bytes > MAX_PART_BYTES:
                    raise Refused(tr_noop("it unpacks to far more than it seems to hold."))
                parser.Parse(chunk, False)
        if not reader.is_full:
            parser.Parse(b"", True)
    except expat.ExpatError as exc:
        raise Refused(_DAMAGED) from exc


def _local(name: str) -> str:
    """Return a name without its prefix: ``w:p`` is ``p`` whatever the prefix."""
    return name.rpartition(":")[2]
