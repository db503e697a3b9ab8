"""Cut a document into chunks of about 400 tokens, along its own structure."""

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
"""An eighth: what a sentence refers to stands mostly in the one before it."""
_ROW_TOKENS: Final = 120
"""Of rows of a table in one chunk: each is about something of its own."""
_MIN_TOKENS: Final = 60
"""A heading with less before it does not begin a chunk of its own."""
_BLOCK_FROM: Final = 300
"""From so many tokens on a new paragraph or definition begins a new chunk."""
_BYTES_PER_TOKEN: Final = 4
_MAX_HEADINGS: Final = 6
_TABLE_ENDINGS: Final = (".csv", ".tsv")


def tokens_of(text: str) -> int:
    """Return about how many tokens a text has, as for English prose."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def chunks_of(reply: ReadReply, *, name: str) -> tuple[Chunk, ...]:
    """Return the chunks of what was read of the file ``name``; none where that has no words."""
    if not reply.text.strip():
        return ()
    return tuple(_Cutter(reply, name=name).chunks())


class _Cutter:
    """Cuts one document."""

    def __init__(self, reply: ReadReply, *, name: str) -> None:
        self._text = reply.text
        self._name = name
        self._hidden = reply.hidden
        self._sections = [section for section in reply.sections if section.start < len(reply.text)]
        self._section_starts = [section.start for section in self._sections]
        self._line_starts = [0, *_positions(self._text)]
        self._path: list[tuple[int, str]] = []
        """The headings that the current place stands under, with their levels."""

    def chunks(self) -> Iterator[Chunk]:
        held: list[Unit] = []
        headings, n_tokens = self._headings(None), 0
        for unit in self._units():
            words = self._text[unit.start : unit.end]
            if held and words.isspace():
                held.append(unit)
                continue
            n_unit = tokens_of(words)
            if held and self._ends_before(unit, held, n_tokens=n_tokens, n_unit=n_unit):
                yield self._chunk(held, headings=headings)
                held = self._overlap(held, unit)
                n_tokens = sum(tokens_of(self._text[each.start : each.end]) for each in held)
            if unit.kind is UnitKind.HEADING:
                self._enter(unit)
            if not held or all(each.kind is UnitKind.HEADING for each in held):
                headings = self._headings(unit)
            held.append(unit)
            n_tokens += n_unit
        if held:
            yield self._chunk(held, headings=headings)

    def _units(self) -> Iterator[Unit]:
        """Return the units of each section: none goes over the end of a page."""
        if not self._sections:
            yield from units_of(self._text, name=self._name)
            return
        ends = [*self._section_starts[1:], len(self._text)]
        starts = [0, *self._section_starts[1:]]  # what stands before the first belongs to it
        for start, end in zip(starts, ends, strict=True):
            for unit in units_of(self._text[start:end], name=self._name):
                yield Unit(
                    start=unit.start + start,
                    end=unit.end + start,
                    kind=unit.kind,
                    level=unit.level,
                    title=unit.title,
                    begins_block=unit.begins_block or unit.start == 0,
                )

    def _ends_before(self, unit: Unit, held: Sequence[Unit], *, n_tokens: int, n_unit: int) -> bool:
        if self._section_at(held[-1].start) is not self._section_at(unit.start):
            return True
        if unit.kind is UnitKind.HEADING:
            return n_tokens >= _MIN_TOKENS and held[-1].kind is not UnitKind.HEADING
        if held[-1].kind is UnitKind.HEADING:  # never parted from what it stands over
            return n_tokens >= TARGET_TOKENS
        n_rows = self._n_row_tokens(held) if unit.kind is UnitKind.ROW else 0
        if n_rows and n_rows + n_unit > _ROW_TOKENS:
            return True
        return n_tokens + n_unit > TARGET_TOKENS or (unit.begins_block and n_tokens >= _BLOCK_FROM)

    def _n_row_tokens(self, held: Sequence[Unit]) -> int:
        """Return the tokens of the rows at the end of what is held."""
        rows = takewhile(lambda each: each.kind is UnitKind.ROW, reversed(held))
        return sum(tokens_of(self._text[each.start : each.end]) for each in rows)

    def _overlap(self, held: Sequence[Unit], unit: Unit) -> list[Unit]:
        """Return the last sentences of a chunk that the next one begins with: of the same paragraph alone."""
        kept: list[Unit] = []
        n_tokens = 0
        if unit.begins_block or unit.kind is not UnitKind.SENTENCE:
            return kept
        for each in reversed(held[1:]):
            n_tokens += tokens_of(self._text[each.start : each.end])
            if each.kind is not UnitKind.SENTENCE or n_tokens > OVERLAP_TOKENS:
                break
            kept.insert(0, each)
            if each.begins_block:
                break
        return kept

    def _enter(self, heading: Unit) -> None:
        self._path = [(level, words) for level, words in self._path if level < heading.level]
        self._path.append((heading.level, heading.title))
        del self._path[:-_MAX_HEADINGS]

    def _headings(self, unit: Unit | None) -> tuple[str, ...]:
        """Return what stands over a chunk; over rows that go on also the names of their columns."""
        words = tuple(words for _, words in self._path)
        return (
            (*words, unit.title) if unit is not None and unit.kind is UnitKind.ROW and unit.title else words
        )

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


def _positions(text: str) -> Iterator[int]:
    """Return where each line but the first begins."""
    place = text.find("\n")
    while place >= 0:
        yield place + 1
        place = text.find("\n", place + 1)
