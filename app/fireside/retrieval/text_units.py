"""Split a document's text into the units that chunks consist of: sentences, rows, lines or blocks of code."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum, auto
from operator import itemgetter
from typing import Final

import msgspec

from fireside.documents.messages import Heading, ReadReply
from fireside.retrieval.word_lists import word_list

MAX_CHARS: Final = 1_600
"""Of one unit, 400 tokens of English; longer ones are split at a line, a word, or anywhere."""

_MAX_TITLE: Final = 200
_ROW: Final = re.compile(r"[^|\n]*\|[^|\n]*(?:\||$).*")
_RULE: Final = re.compile(r"[ \t]*\|?[ \t:|-]*-{2,}[ \t:|-]*")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]")
_SENTENCE: Final = re.compile(r"[.!?…][\"'”’»)\]]*\s+(?=[^\sa-z])|[。！？]\s*|\n[ \t]*\n\s*")
_LINE: Final = re.compile(r"[^\n]*\n?")
_DEFINITION: Final = re.compile(
    r"(?:export\s+|public\s+|private\s+|static\s+|async\s+|pub\s+)*"
    r"(?:def|class|func|function|fn|struct|impl|interface|enum|trait|module|namespace)\s+[\w:<>.]+"
)
_CODE_ENDINGS: Final = word_list(
    """
    bash c cc cpp cs css dart go h hpp hs ini java js json jsonl kt lua m php pl ps1 py pyi r rb rs scala scss
    sh sql swift toml ts tsx vb xml yaml yml zig
    """
)
_TABLE_ENDINGS: Final = frozenset(("csv", "tsv"))

_Mark = tuple[int, int, Heading | None]
"""Start and end of code, or a heading."""
_Split = Callable[[str, int, int], Iterator["Unit"]]
"""Splits ``text[start:end]`` without headings."""


class UnitKind(Enum):
    """What a unit consists of."""

    HEADING = auto()
    SENTENCE = auto()
    ROW = auto()
    CODE = auto()


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """``text[start:end]``, including trailing white space. The units in order cover the whole text.

    A bookmark is a heading of no length.
    """

    start: int
    end: int
    kind: UnitKind
    level: int = 0
    """Of a heading, from 1."""
    title: str = ""
    """Of a heading; of a row the header of its table, empty for the header row."""
    begins_block: bool = False
    """Whether it starts a paragraph, a table, a list item or a definition."""


def units_of(reply: ReadReply, *, name: str) -> Iterator[Unit]:
    """Return the units of a file's text; none crosses the end of a page, slide or sheet.

    The extension in ``name`` tells code and tables from prose.
    """
    ending = name.rpartition(".")[2].lower()
    split: _Split = (
        _table_units if ending in _TABLE_ENDINGS else _code_units if ending in _CODE_ENDINGS else _prose_units
    )
    starts = [section.start for section in reply.sections[1:] if section.start < len(reply.text)]
    marks: deque[_Mark] = deque(
        sorted(
            (
                *((each.start, each.end, each) for each in reply.headings),
                *((*span, None) for span in reply.code),
            ),
            key=itemgetter(0),
        )
    )
    for start, end in zip((0, *starts), (*starts, len(reply.text)), strict=True):
        within = []
        while marks and marks[0][0] < end:
            within.append(marks.popleft())
        for unit in _marked_units(reply.text, start, end, within, split):
            begins = unit.begins_block or unit.start == start
            yield msgspec.structs.replace(unit, begins_block=begins) if begins else unit


def _marked_units(
    text: str,
    start: int,
    end: int,
    marks: list[_Mark],
    split: _Split,
) -> Iterator[Unit]:
    """Return the units of ``text[start:end]`` with the headings and the code in it: start, end, heading."""
    for first, last, heading in marks:
        if first < start:  # within code
            continue
        yield from split(text, start, first)
        start = first
        if heading is None:
            start = min(last, end)
            yield from _fenced(text, first, start)
        else:
            start = heading.end
            unit = Unit(
                start=first,
                end=start,
                kind=UnitKind.HEADING,
                level=heading.level,
                title=" ".join(heading.title.split())[:_MAX_TITLE],
                begins_block=True,
            )
            yield from _split_long(text, unit) if first < start else (unit,)
    yield from split(text, start, end)


def _table_units(text: str, start: int, end: int) -> Iterator[Unit]:
    header = ""
    for first, last in _records(text, start, end):
        yield from _split_long(text, Unit(start=first, end=last, kind=UnitKind.ROW, title=header))
        header = header or text[first:last].strip()[:400]


def _records(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Return start and end of the records of CSV: quoted line ends do not end a record."""
    n_quotes = 0
    for line in _LINE.finditer(text, start, end):
        n_quotes += line[0].count('"')
        if line.end() > start and (n_quotes % 2 == 0 or line.end() - start > MAX_CHARS):
            yield start, line.end()
            start, n_quotes = line.end(), 0
    if start < end:
        yield start, end


def _code_units(text: str, start: int, end: int) -> Iterator[Unit]:
    """Return lines of code; a definition without indentation starts a block."""
    for line in _LINE.finditer(text, start, end):
        if line.start() == line.end():
            continue
        definition = _DEFINITION.match(line[0])
        unit = Unit(
            start=line.start(), end=line.end(), kind=UnitKind.CODE, begins_block=definition is not None
        )
        yield from _split_long(text, unit)


def _prose_units(text: str, start: int, end: int) -> Iterator[Unit]:
    """Return rows, and the sentences of the text between them."""
    paragraph = start  # of the text since the last row
    header, is_in_table = "", False
    for line in _LINE.finditer(text, start, end):
        content = line[0].rstrip("\n")
        is_row = _ROW.fullmatch(content) is not None
        if is_row:
            yield from _sentences(text, paragraph, line.start())
            paragraph = line.end()
            row = Unit(
                start=line.start(),
                end=line.end(),
                kind=UnitKind.ROW,
                title=header if is_in_table else "",
                begins_block=not is_in_table,
            )
            yield from _split_long(text, row)
            if not is_in_table:
                header = content.strip()[:400]
        is_in_table = is_row or (is_in_table and _RULE.fullmatch(content) is not None)
    yield from _sentences(text, paragraph, end)


def _fenced(text: str, start: int, end: int) -> Iterator[Unit]:
    if end - start <= MAX_CHARS:
        yield Unit(start=start, end=end, kind=UnitKind.CODE, begins_block=True)
    else:
        yield from _code_units(text, start, end)


def _sentences(text: str, start: int, end: int) -> Iterator[Unit]:
    if start >= end:
        return
    begins_block = True
    for item in _items(text, start, end):
        sentence_start = item[0]
        for gap in _SENTENCE.finditer(text, *item):
            if gap.end() < item[1]:
                yield from _sentence(text, sentence_start, gap.end(), begins_block=begins_block)
                begins_block = "\n\n" in gap[0] or gap[0].count("\n") > 1
                sentence_start = gap.end()
        yield from _sentence(text, sentence_start, item[1], begins_block=begins_block)
        begins_block = True


def _items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Return start and end of each list item, or of the whole text if it is no list."""
    item_start = start
    for line in _LINE.finditer(text, start, end):
        if line.start() > item_start and _ITEM.match(line[0]):
            yield item_start, line.start()
            item_start = line.start()
    if item_start < end:
        yield item_start, end


def _sentence(text: str, start: int, end: int, *, begins_block: bool) -> Iterator[Unit]:
    yield from _split_long(
        text, Unit(start=start, end=end, kind=UnitKind.SENTENCE, begins_block=begins_block)
    )


def _split_long(text: str, unit: Unit) -> Iterator[Unit]:
    """Split a unit that is too long at the last line or word end in the second half of each piece, if any."""
    start = unit.start
    while unit.end - start > MAX_CHARS:
        limit = start + MAX_CHARS
        cut = max(
            text.rfind("\n", start + MAX_CHARS // 2, limit), text.rfind(" ", start + MAX_CHARS // 2, limit)
        )
        end = limit if cut < 0 else cut + 1
        yield msgspec.structs.replace(unit, start=start, end=end)
        start = end
    if start < unit.end:
        yield msgspec.structs.replace(unit, start=start, end=unit.end)
