"""Split a document's text into the units that chunks consist of: sentences, rows, lines or blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

import msgspec

from fireside.retrieval.word_lists import word_list

MAX_CHARS: Final = 1_600
"""Of one unit, 400 tokens of English; longer ones are split at a line, a word, or anywhere."""

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
    """What a unit consists of."""

    HEADING = auto()
    SENTENCE = auto()
    ROW = auto()
    CODE = auto()


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """``text[start:end]``, including trailing white space. The units in order cover the whole text."""

    start: int
    end: int
    kind: UnitKind
    level: int = 0
    """Of a heading, from 1."""
    title: str = ""
    """Of a heading; of a row the header of its table, empty for the header row."""
    begins_block: bool = False
    """Whether it starts a paragraph, a table, a list item or a definition."""


def units_of(text: str, *, name: str) -> Iterator[Unit]:
    """Return the units of ``text``; the extension in ``name`` tells code and tables from prose."""
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
    """Return start and end of the records of CSV: quoted line ends do not end a record."""
    start, n_quotes = 0, 0
    for line in _LINE.finditer(text):
        n_quotes += line[0].count('"')
        if line.end() > start and (n_quotes % 2 == 0 or line.end() - start > MAX_CHARS):
            yield start, line.end()
            start, n_quotes = line.end(), 0
    if start < len(text):
        yield start, len(text)


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


def _prose_units(text: str) -> Iterator[Unit]:
    """Return headings, rows, fenced code, and the sentences of the text between them."""
    paragraph = 0  # start of the text since the last heading, row or code
    fence, code = "", 0  # the open fence and its start
    header, is_in_table = "", False
    for line in _LINE.finditer(text):
        start, end = line.span()
        content = line[0].rstrip("\n")
        fence_match = _FENCE.match(content)
        if fence:
            if fence_match and fence_match[1].startswith(fence):
                yield from _fenced(text, code, end)
                fence, paragraph = "", end
            continue
        if fence_match:
            yield from _sentences(text, paragraph, start)
            fence, code, is_in_table = fence_match[1], start, False
            continue
        heading = _HEADING.match(content)
        is_row = _ROW.fullmatch(content) is not None
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
                header = content.strip()[:400]
        is_in_table = is_row or (is_in_table and _RULE.fullmatch(content) is not None)
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
