"""Split a document into chunks of about 400 tokens, along its structure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from fireside.core.collection import LineLocation, Location, PageLocation, RowLocation
from fireside.documents.messages import ReadReply, Section, SectionKind
from fireside.retrieval.chunk import Chunk
from fireside.retrieval.text_units import Unit, UnitKind, units_of

TARGET_TOKENS: Final = 400
OVERLAP_TOKENS: Final = 50
"""An eighth: most references of a sentence are to the one before it."""
_ROW_TOKENS: Final = 120
"""Of table rows in one chunk: each row is a subject of its own."""
_MIN_TOKENS: Final = 60
"""A heading after less text than this does not start a chunk."""
_MAX_LEAD_TOKENS: Final = 15
"""Before the first heading of a page: its number, or the title of the book, which belong to no heading."""
_BLOCK_BREAK_TOKENS: Final = 300
"""After this many tokens, a paragraph or definition starts a chunk."""
_BYTES_PER_TOKEN: Final = 4
_MAX_HEADINGS: Final = 6
_TABLE_ENDINGS: Final = (".csv", ".tsv")


def tokens_of(text: str) -> int:
    """Return an estimate of a text's tokens, at 4 bytes per token as in English prose."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def chunks_of(reply: ReadReply, *, name: str) -> tuple[Chunk, ...]:
    """Return the chunks of the text of a file called ``name``; none for text of white space."""
    if not reply.text.strip():
        return ()
    return tuple(_Chunker(reply, name=name).chunks())


class _Chunker:
    def __init__(self, reply: ReadReply, *, name: str) -> None:
        self._reply = reply
        self._text = reply.text
        self._name = name
        self._hidden = reply.hidden
        self._sections = [section for section in reply.sections if section.start < len(reply.text)]
        self._section_starts = [section.start for section in self._sections]
        self._line_starts = [0, *_line_starts(self._text)]
        self._path: list[tuple[int, str]] = []
        """The headings above the current unit, with their levels."""

    def chunks(self) -> Iterator[Chunk]:
        pending: list[Unit] = []
        headings, n_tokens = self._headings(None), 0
        for unit in units_of(self._reply, name=self._name):
            text = self._text[unit.start : unit.end]
            if pending and text.isspace():
                pending.append(unit)
                continue
            n_unit = tokens_of(text)
            if pending and self._ends_before(unit, pending, n_tokens=n_tokens, n_unit=n_unit):
                yield self._chunk(pending, headings=headings)
                pending = self._overlap(pending, unit)
                n_tokens = sum(tokens_of(self._text[each.start : each.end]) for each in pending)
            if unit.kind is UnitKind.HEADING:
                self._enter(unit)
            if unit.start == unit.end:  # a heading that is not part of the text
                headings = headings if n_tokens >= _MIN_TOKENS else self._headings(unit)
                continue
            has_lead = bool(self._sections) and n_tokens < _MAX_LEAD_TOKENS and unit.kind is UnitKind.HEADING
            if has_lead or all(each.kind is UnitKind.HEADING for each in pending):
                headings = self._headings(unit)
            pending.append(unit)
            n_tokens += n_unit
        if pending:
            yield self._chunk(pending, headings=headings)

    def _ends_before(self, unit: Unit, pending: Sequence[Unit], *, n_tokens: int, n_unit: int) -> bool:
        if self._section_at(pending[-1].start) is not self._section_at(unit.start):
            return True
        if unit.kind is UnitKind.HEADING:
            return n_tokens >= _MIN_TOKENS and pending[-1].kind is not UnitKind.HEADING
        if pending[-1].kind is UnitKind.HEADING:  # never separated from the text below it
            return n_tokens >= TARGET_TOKENS
        n_rows = self._n_row_tokens(pending) if unit.kind is UnitKind.ROW else 0
        if n_rows and n_rows + n_unit > _ROW_TOKENS:
            return True
        return n_tokens + n_unit > TARGET_TOKENS or (unit.begins_block and n_tokens >= _BLOCK_BREAK_TOKENS)

    def _n_row_tokens(self, pending: Sequence[Unit]) -> int:
        """Return the tokens of the rows at the end of the pending units."""
        rows = takewhile(lambda each: each.kind is UnitKind.ROW, reversed(pending))
        return sum(tokens_of(self._text[each.start : each.end]) for each in rows)

    def _overlap(self, pending: Sequence[Unit], unit: Unit) -> list[Unit]:
        """Return the last sentences of a chunk that the next one repeats: those of the same paragraph."""
        overlap: list[Unit] = []
        n_tokens = 0
        if unit.begins_block or unit.kind is not UnitKind.SENTENCE:
            return overlap
        for each in reversed(pending[1:]):
            n_tokens += tokens_of(self._text[each.start : each.end])
            if each.kind is not UnitKind.SENTENCE or n_tokens > OVERLAP_TOKENS:
                break
            overlap.insert(0, each)
            if each.begins_block:
                break
        return overlap

    def _enter(self, heading: Unit) -> None:
        self._path = [(level, title) for level, title in self._path if level < heading.level]
        self._path.append((heading.level, heading.title))
        del self._path[:-_MAX_HEADINGS]

    def _headings(self, unit: Unit | None) -> tuple[str, ...]:
        """Return the headings of a chunk; for rows below a header also the names of their columns."""
        titles = tuple(title for _, title in self._path)
        is_row_below_header = unit is not None and unit.kind is UnitKind.ROW and unit.title
        return (*titles, unit.title) if unit is not None and is_row_below_header else titles

    def _chunk(self, units: Sequence[Unit], *, headings: tuple[str, ...]) -> Chunk:
        start, end = units[0].start, units[-1].end
        return Chunk(
            char_from=start,
            char_to=end,
            text=self._text[start:end],
            headings=headings,
            location=self._location(start, end),
            is_hidden=any(first < end and start < last for first, last in self._hidden),
        )

    def _section_at(self, char: int) -> Section | None:
        if not self._sections:
            return None
        return self._sections[max(0, bisect_right(self._section_starts, char) - 1)]

    def _location(self, start: int, end: int) -> Location:
        section = self._section_at(start)
        while end > start + 1 and self._text[end - 1].isspace():
            end -= 1
        while start < end - 1 and self._text[start].isspace():
            start += 1
        first, last = self._line(start), self._line(end - 1)
        if section is None:
            is_table = self._name.lower().endswith(_TABLE_ENDINGS)
            return RowLocation(first=first, last=last) if is_table else LineLocation(first=first, last=last)
        if section.kind is SectionKind.SHEET:
            above = self._line(section.start) - section.first_row
            return RowLocation(sheet=section.name, first=first - above, last=last - above)
        return PageLocation(page=section.number, is_slide=section.kind is SectionKind.SLIDE)

    def _line(self, char: int) -> int:
        return bisect_right(self._line_starts, char)


def _line_starts(text: str) -> Iterator[int]:
    """Return the start of each line but the first."""
    end = text.find("\n")
    while end >= 0:
        yield end + 1
        end = text.find("\n", end + 1)
