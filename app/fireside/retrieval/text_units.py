"""Cut a document's text into units that a chunk never ends within: sentences, rows, blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

import msgspec

from fireside.retrieval.word_lists import word_list

MAX_CHARS: Final = 1_600
"""Of one unit: what is longer is cut at a line, a word, or anywhere. 400 tokens of English."""

_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_FENCE: Final = re.compile(r"[ \t]{0,3}(```+|~~~+)")
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


class UnitKind(Enum):
    """What a unit is."""

    HEADING = auto()
    SENTENCE = auto()
    ROW = auto()
    CODE = auto()


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """``text[start:end]``, with the white space behind it. Units in order cover the whole text."""

    start: int
    end: int
    kind: UnitKind
    level: int = 0
    """Of a heading, from 1."""
    title: str = ""
    """Of a heading; of a row the header of its table, empty for the header itself."""
    begins_block: bool = False
    """It opens a paragraph, a table, an item or a definition."""


def units_of(text: str, *, name: str) -> Iterator[Unit]:
    """Return the units of ``text``; the ending of the file's ``name`` tells code and tables."""
    ending = name.rpartition(".")[2].lower()
    if ending in _TABLE_ENDINGS:
        return _table_units(text)
    if ending in _CODE_ENDINGS:
        return _code_units(text, 0, len(text))
    return _prose_units(text)


def _table_units(text: str) -> Iterator[Unit]:
    header = ""
    for start, end in _records(text):
        yield from _split_long(text, Unit(start=start, end=end, kind=UnitKind.ROW, title=header))
        header = header or text[start:end].strip()[:400]


def _records(text: str) -> Iterator[tuple[int, int]]:
    """Return the records of a table in CSV: a line that ends within quotes goes on in the next."""
    start, n_quotes = 0, 0
    for line in _LINE.finditer(text):
        n_quotes += line[0].count('"')
        if line.end() > start and (n_quotes % 2 == 0 or line.end() - start > MAX_CHARS):
            yield start, line.end()
            start, n_quotes = line.end(), 0
    if start < len(text):
        yield start, len(text)


def _code_units(text: str, start: int, end: int) -> Iterator[Unit]:
    """Return lines of code; a definition without indentation opens a block."""
    for line in _LINE.finditer(text, start, end):
        if line.start() == line.end():
            continue
        opens = _DEFINITION.match(line[0])
        unit = Unit(start=line.start(), end=line.end(), kind=UnitKind.CODE, begins_block=opens is not None)
        yield from _split_long(text, unit)


def _prose_units(text: str) -> Iterator[Unit]:
    """Return headings, rows, code between fences, and the sentences of what lies between them."""
    paragraph = 0  # where the text begins that is no other unit
    fence, code = "", 0
    header, is_in_table = "", False
    for line in _LINE.finditer(text):
        start, end = line.span()
        words = line[0].rstrip("\n")
        mark = _FENCE.match(words)
        if fence:
            if mark and mark[1].startswith(fence):
                yield from _fenced(text, code, end)
                fence, paragraph = "", end
            continue
        if mark:
            yield from _sentences(text, paragraph, start)
            fence, code, is_in_table = mark[1], start, False
            continue
        heading = _HEADING.match(words)
        is_row = _ROW.fullmatch(words) is not None
        if heading or is_row:
            yield from _sentences(text, paragraph, start)
            paragraph = end
        if heading:
            yield from _split_long(
                text,
                Unit(
                    start=start,
                    end=end,
                    kind=UnitKind.HEADING,
                    level=len(heading[1]),
                    title=" ".join(heading[2].split()).rstrip("# ")[:200],
                    begins_block=True,
                ),
            )
        elif is_row:
            row = Unit(
                start=start,
                end=end,
                kind=UnitKind.ROW,
                title=header if is_in_table else "",
                begins_block=not is_in_table,
            )
            yield from _split_long(text, row)
            if not is_in_table:
                header = words.strip()[:400]
        is_in_table = is_row or (is_in_table and _RULE.fullmatch(words) is not None)
    if fence:
        yield from _fenced(text, code, len(text))
    else:
        yield from _sentences(text, paragraph, len(text))


def _fenced(text: str, start: int, end: int) -> Iterator[Unit]:
    if end - start <= MAX_CHARS:
        yield Unit(start=start, end=end, kind=UnitKind.CODE, begins_block=True)
    else:
        yield from _code_units(text, start, end)


def _sentences(text: str, start: int, end: int) -> Iterator[Unit]:
    if start >= end:
        return
    opens = True
    for item in _items(text, start, end):
        place = item[0]
        for gap in _SENTENCE.finditer(text, *item):
            if gap.end() < item[1]:
                yield from _sentence(text, place, gap.end(), opens=opens)
                opens = "\n\n" in gap[0] or gap[0].count("\n") > 1
                place = gap.end()
        yield from _sentence(text, place, item[1], opens=opens)
        opens = True


def _items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Return the points of lists apart; what is no list is one piece."""
    begins = start
    for line in _LINE.finditer(text, start, end):
        if line.start() > begins and _ITEM.match(line[0]):
            yield begins, line.start()
            begins = line.start()
    if begins < end:
        yield begins, end


def _sentence(text: str, start: int, end: int, *, opens: bool) -> Iterator[Unit]:
    yield from _split_long(text, Unit(start=start, end=end, kind=UnitKind.SENTENCE, begins_block=opens))


def _split_long(text: str, unit: Unit) -> Iterator[Unit]:
    """Cut what is too long at the last line or word before the limit; there may be none."""
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
