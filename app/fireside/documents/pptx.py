"""The text of a PowerPoint presentation: its slides in order, each with its notes."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.archive import Archive, XmlReader
from fireside.documents.extracted_text import TextBuffer, mark_heading, strip_marks, tidy_prose
from fireside.documents.messages import ReadReply, Section, SectionKind

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
PRESENTATION: Final = "ppt/presentation.xml"
_TITLES: Final = ("title", "ctrTitle")
_SLIDE_FURNITURE: Final = ("sldNum", "dt", "ftr", "hdr", "sldImg")
"""Placeholders on every slide: number, date, footer, header; on notes the image of the slide."""


def read_pptx(archive: Archive) -> ReadReply:
    """Return the text of all slides. Raises ``FileRefused`` for a damaged presentation."""
    order = _Order()
    archive.parse(PRESENTATION, order)
    parts = archive.relations(PRESENTATION)
    out, sections, hidden = TextBuffer(), list[Section](), list[tuple[int, int]]()
    for number, id_ in enumerate(order.ids, start=1):
        name = parts.get(id_, "")
        slide, notes = _Slide(), _Slide()
        archive.parse(name, slide)
        for part in archive.relations(name).values():
            if "notesSlide" in part:
                archive.parse(part, notes)
        text = tidy_prose("".join(slide.pieces))
        if notes_text := tidy_prose("".join(notes.pieces)):
            text = f"{text}\n\nNotes: {notes_text}".lstrip()
        if text.strip():
            start = out.n_chars
            sections.append(Section(kind=SectionKind.SLIDE, number=number, start=start))
            out.add(f"{text}\n\n")
            if slide.is_hidden:
                hidden.append((start, out.n_chars))
        if out.is_full:
            break
    n_hidden = len(hidden)
    warning = Phrase(tr_noop("{n} of its slides are hidden; their text was read too."), {"n": n_hidden})
    return ReadReply(
        media_type=MEDIA_TYPE,
        text=out.text.rstrip("\n"),
        sections=tuple(sections),
        hidden=tuple(hidden),
        warnings=(warning,) if n_hidden else (),
    )


class _Order(XmlReader):
    """The ids of the relations to the slides, in order."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._is_list = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "sldIdLst":
            self._is_list = True
        elif tag == "sldId" and self._is_list:
            self.ids.append(attributes.get("id", ""))

    def end(self, tag: str) -> None:
        if tag == "sldIdLst":
            self._is_list = False


class _Slide(XmlReader):
    """The text of one slide, or of the notes of one."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.is_hidden = False
        self._is_text = False
        self._prefix = ""
        self._is_skipped = False
        self._row: list[str] | None = None
        self._line: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "sld":
            self.is_hidden = attributes.get("show") == "0"
        elif tag == "ph":
            self._prefix = mark_heading(1) if attributes.get("type") in _TITLES else ""
            self._is_skipped = attributes.get("type") in _SLIDE_FURNITURE
        elif tag == "tr":
            self._row = []
        elif tag == "t":
            self._is_text = True
        elif tag == "br":
            self._line.append(" " if self._prefix or self._row is not None else "\n")

    def end(self, tag: str) -> None:
        if tag == "t":
            self._is_text = False
        elif tag == "sp":
            self._prefix, self._is_skipped = "", False
        elif tag == "p" and self._row is None:
            self._end_line()
        elif tag == "p":
            self._line.append(" ")
        elif tag == "tc" and self._row is not None:
            self._row.append(" ".join("".join(self._line).split()))
            self._line = []
        elif tag == "tr" and self._row is not None:
            self.pieces.append(" | ".join(self._row) + "\n")
            self._row = None
        elif tag in ("tbl", "txBody"):
            self.pieces.append("\n")

    def characters(self, text: str) -> None:
        if self._is_text and not self._is_skipped:
            self._line.append(strip_marks(text))

    def _end_line(self) -> None:
        text = "".join(self._line)
        if text.strip():
            self.pieces.append(f"{self._prefix}{text}\n")
        self._line = []
