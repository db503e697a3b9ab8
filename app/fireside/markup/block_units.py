"""Split block tokens into the smallest displayed units, and join neighbours into blocks. Pure: no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from fireside.markup.markdown import nests_too_deep
from fireside.markup.rich_text import MAX_COLUMNS, HtmlWriter, code_info, formula_html, plain_html

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_PROSE = 1_500
"""Neighbouring prose is one block until its source has this many characters."""
_MAX_ROWS = 24
_MAX_CELLS = 240
"""A table is split into parts of so many rows or cells, so that little is laid out again."""
_CODE = frozenset({"fence", "code_block"})
_QUOTES = frozenset({"blockquote_open", "details_open"})
_LISTS = frozenset({"bullet_list_open", "ordered_list_open"})
_HEAD_LINES = 2
"""A table's column names, and the delimiter line."""


class BlockKind(StrEnum):
    PROSE = "prose"
    """Paragraphs, headings and list items, as HTML."""
    QUOTE = "quote"
    TABLE = "table"
    """Rows as HTML, without the table element; a long table is several blocks."""
    CODE = "code"
    MATH = "math"
    """A display formula, as HTML."""
    RULE = "rule"


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A part of an answer that is displayed by a widget of its own."""

    kind: BlockKind
    body: str
    """HTML, or the text itself for ``CODE``."""
    language: str = ""
    info: str = ""
    """What a fence's first line says of the code: its language, and whatever follows."""
    indent: int = 0
    """Lists around it, without those in a quotation around it."""
    quotes: int = 0
    """Quotations around it; those of a ``QUOTE`` after the first are in its HTML, too."""
    continues_quote: bool = False
    """Whether the outermost quotation is that of the previous block."""
    continues: bool = False
    """Whether these are more rows of the table in the previous block."""
    start: int = 0
    end: int = 0
    """Its range in the source, in characters."""


class PlacedBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A block with what is needed to resume parsing at its start."""

    block: Block
    resumable: bool
    """Whether parsing can resume at its start."""
    ordinal: int | None
    """Number of its first list item, since the source may number each item ``1.``."""
    head: str = ""
    """Source of the table's head, which further rows need to be parsed as rows."""


class BlockUnit(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest part that can be parsed separately: a top-level block or an item of a top-level list."""

    tokens: Sequence[Token]
    line: int
    list_tag: str = ""
    list_line: int = -1
    ordinal: int | None = None


class _Atom(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a unit that is of one kind; neighbouring atoms of prose are joined to blocks."""

    kind: BlockKind
    body: str
    line: int
    info: str = ""
    indent: int = 0
    quotes: int = 0
    continues_quote: bool = False
    list_tag: str = ""
    list_line: int = -1
    """First line of its list, which may begin in an earlier part."""
    ordinal: int | None = None
    resumable: bool = True
    continues: bool = False
    head: str = ""
    """Source of the table's head, for further rows of a table at the top level."""


def units(tokens: Sequence[Token], *, first_ordinal: int | None) -> Iterator[BlockUnit]:
    """Split the tokens of a text at its top-level blocks and at the items of its top-level lists."""
    for index, block in enumerate(_siblings(tokens)):
        if block[0].type in _LISTS:
            yield from _items(block, ordinal=first_ordinal if index == 0 else None)
        else:
            yield BlockUnit(tokens=block, line=_line(block[0]))


def _items(tokens: Sequence[Token], *, ordinal: int | None = None) -> Iterator[BlockUnit]:
    """Split a list at its items, of which the first is numbered ``ordinal``, or as the list says."""
    start = tokens[0]
    first = int(start.attrs.get("start", 1)) if ordinal is None else ordinal
    for number, item in enumerate(_siblings(tokens[1:-1]), first):
        yield BlockUnit(
            tokens=item, line=_line(item[0]), list_tag=start.tag, list_line=_line(start), ordinal=number
        )


def _siblings(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Split tokens into those of one block each."""
    index = 0
    while index < len(tokens):
        end = _closing(tokens, index) + 1
        yield tokens[index:end]
        index = end


def _closing(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the token that closes the one at ``index``; ``index`` if that opens nothing."""
    if tokens[index].nesting == 0:
        return index
    level = tokens[index].level
    return next(
        k for k in range(index + 1, len(tokens)) if tokens[k].level == level and tokens[k].nesting < 0
    )


def _line(token: Token) -> int:
    assert token.map is not None, "block tokens have lines"
    return token.map[0]


def place_blocks(
    parsed: Sequence[BlockUnit],
    writer: HtmlWriter,
    *,
    text: str,
    base: int,
    head: str = "",
    breaks: Sequence[int] = (),
) -> list[PlacedBlock]:
    """Return the blocks of ``text``.

    Args:
        parsed: the units of ``text``.
        base: offset of ``text`` in the source.
        head: the head of a table, with which ``text`` begins; then only the rows after it are returned.
        breaks: offsets in the source; a block ends where a unit ends at one of them.
    """
    starts, lines = _line_starts(text), text.split("\n")
    splitter = _Splitter(writer, lines)
    atoms: list[_Atom] = []
    for index, unit in enumerate(parsed):
        until = parsed[index + 1].line if index + 1 < len(parsed) else len(lines)
        atoms.extend(splitter.atoms(unit, until=until, is_rest=bool(head) and index == 0))
    offsets = [starts[atom.line] for atom in atoms]
    return [
        _placed(atoms[a:b], start=base + offsets[a], end=base + (offsets[b] if b < len(atoms) else len(text)))
        for a, b in _groups(atoms, offsets, breaks=[offset - base for offset in breaks])
    ]


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _groups(
    atoms: Sequence[_Atom], offsets: Sequence[int], *, breaks: Sequence[int]
) -> Iterator[tuple[int, int]]:
    start = 0
    for index in range(1, len(atoms) + 1):
        if (
            index < len(atoms)
            and _joins(atoms[start], atoms[index])
            and offsets[index] - offsets[start] < MAX_PROSE
            and not any(offsets[start] < offset <= offsets[index] for offset in breaks)
        ):
            continue
        yield start, index
        start = index


def _joins(first: _Atom, atom: _Atom) -> bool:
    if first.kind is not atom.kind or first.indent != atom.indent:
        return False
    if first.kind is BlockKind.QUOTE:
        return atom.continues_quote and first.quotes == atom.quotes
    return first.kind is BlockKind.PROSE


def _placed(atoms: Sequence[_Atom], *, start: int, end: int) -> PlacedBlock:
    first = atoms[0]
    block = Block(
        kind=first.kind,
        body=_in_quotes(_joined(atoms), first.quotes - 1 if first.kind is BlockKind.QUOTE else 0),
        language=(first.info.split() or [""])[0][:40],
        info=first.info,
        indent=first.indent,
        quotes=first.quotes,
        continues_quote=first.continues_quote,
        continues=first.continues,
        start=start,
        end=end,
    )
    return PlacedBlock(block=block, resumable=first.resumable, ordinal=first.ordinal, head=first.head)


def _joined(atoms: Sequence[_Atom]) -> str:
    if len(atoms) == 1 and not atoms[0].list_tag:
        return atoms[0].body
    html: list[str] = []
    before: _Atom | None = None
    for atom in atoms:
        if (
            before is not None
            and before.list_tag
            and (before.list_tag, before.list_line) != (atom.list_tag, atom.list_line)
        ):
            html.append(f"</{before.list_tag}>")
        if atom.list_tag and (
            before is None or (before.list_tag, before.list_line) != (atom.list_tag, atom.list_line)
        ):
            html.append(f'<ol start="{atom.ordinal}">' if atom.list_tag == "ol" else "<ul>")
        html.append(atom.body)
        before = atom
    if before is not None and before.list_tag:
        html.append(f"</{before.list_tag}>")
    return "".join(html)


def _in_quotes(body: str, n_quotes: int) -> str:
    return f"{'<blockquote>' * n_quotes}{body}{'</blockquote>' * n_quotes}"


class _Splitter:
    """Splits units into atoms: prose, and what is a block of its own at any depth of lists and quotations."""

    def __init__(self, writer: HtmlWriter, lines: Sequence[str]) -> None:
        """``lines`` are the source that the lines of tokens refer to."""
        self._writer = writer
        self._lines = lines

    def atoms(self, unit: BlockUnit, *, until: int, is_rest: bool) -> list[_Atom]:
        """Return the atoms of a unit, which ends before line ``until``.

        With ``is_rest``, it is a table without its head.
        """
        tokens, line = unit.tokens, unit.line
        if nests_too_deep(tokens):
            return [_Atom(kind=BlockKind.PROSE, body=self._raw(line, until), line=line, ordinal=unit.ordinal)]
        match tokens[0].type:
            case "list_item_open":
                return _resumable(self._item(unit, indent=0, quotes=0))
            case "fence" | "code_block":
                return [_code(tokens[0], indent=0)]
            case "math_block" if tokens[0].meta["closed"]:
                return [_Atom(kind=BlockKind.MATH, body=formula_html(tokens[0].content), line=line)]
            case "blockquote_open" | "details_open":
                return _resumable(self._quote(tokens, indent=0, quotes=0))
            case "hr":
                return [_Atom(kind=BlockKind.RULE, body="", line=line)]
            case "table_open":
                return self._table(tokens, is_rest=is_rest)
            case _:
                return [_Atom(kind=BlockKind.PROSE, body=self._writer.write(tokens), line=line)]

    def _raw(self, line: int, until: int) -> str:
        return plain_html("\n".join(self._lines[line:until]))

    def _table(self, tokens: Sequence[Token], *, is_rest: bool = False) -> list[_Atom]:
        """Split a table into parts of some rows; the first includes the head, unless ``is_rest``."""
        assert tokens[0].map is not None
        line, until = tokens[0].map
        n_columns = sum(token.type == "th_open" for token in tokens)
        if n_columns > MAX_COLUMNS:
            return [_Atom(kind=BlockKind.PROSE, body=self._raw(line, until), line=line)]
        rows = [index for index, token in enumerate(tokens) if token.type == "tr_open"]
        head = "".join(f"{text}\n" for text in self._lines[line : line + _HEAD_LINES])
        step = max(1, min(_MAX_ROWS, _MAX_CELLS // n_columns))
        cuts = [1, *range(1 + step, len(rows), step)]  # the row before the first cut is the head
        atoms = []
        for first, next_cut in pairwise([*cuts, len(rows)]):
            is_first = first == 1 and not is_rest
            begin = rows[0] if is_first else rows[first]
            end = rows[next_cut] if next_cut < len(rows) else len(tokens) - 1
            atoms.append(
                _Atom(
                    kind=BlockKind.TABLE,
                    body=self._writer.write(tokens[begin:end]),
                    line=line if is_first else _line(tokens[begin]),
                    continues=not is_first,
                    head="" if is_first else head,
                )
            )
        return atoms

    def _quote(self, tokens: Sequence[Token], *, indent: int, quotes: int) -> list[_Atom]:
        line = _line(tokens[0])
        atoms = list(self._parts(tokens[1:-1], indent=indent, quotes=quotes + 1))
        if not atoms:  # it defines links alone
            atoms = [_Atom(kind=BlockKind.QUOTE, body="", line=line, indent=indent, quotes=quotes + 1)]
        first, *others = atoms
        return [replace(first, line=line), *(replace(atom, continues_quote=True) for atom in others)]

    def _item(self, unit: BlockUnit, *, indent: int, quotes: int) -> Iterator[_Atom]:
        """Yield the parts of a list item: what is before its first own block, and the rest, indented."""
        inner = unit.tokens[1:-1]
        n_head = 0
        for block in _siblings(inner):
            is_quote = block[0].type in _QUOTES and not _must_split(block)
            # An item that begins with a quotation has it beside its marker.
            if _is_own(block, quotes=quotes) and (n_head > 0 or not is_quote):
                break
            n_head += len(block)
        yield _Atom(
            kind=BlockKind.QUOTE if quotes else BlockKind.PROSE,
            body=self._writer.write([unit.tokens[0], *inner[:n_head], unit.tokens[-1]]),
            line=unit.line,
            indent=indent,
            quotes=quotes,
            list_tag=unit.list_tag,
            list_line=unit.list_line,
            ordinal=unit.ordinal,
        )
        inside = indent if quotes else indent + 1
        yield from self._parts(inner[n_head:], indent=inside, quotes=quotes)

    def _parts(self, tokens: Sequence[Token], *, indent: int, quotes: int) -> Iterator[_Atom]:
        """Yield the parts of what is in an item or a quotation."""
        run: list[Token] = []
        for block in _siblings(tokens):
            if not _is_own(block, quotes=quotes):
                run += block
                continue
            yield from self._run(run, indent=indent, quotes=quotes)
            run = []
            if block[0].type in _CODE:
                yield _code(block[0], indent=indent)
            elif block[0].type in _QUOTES:
                yield from self._quote(block, indent=indent, quotes=quotes)
            elif block[0].type in _LISTS:
                for item in _items(block):
                    yield from self._item(item, indent=indent, quotes=quotes)
            else:
                for atom in self._table(block):
                    yield replace(atom, indent=indent, quotes=quotes)
        yield from self._run(run, indent=indent, quotes=quotes)

    def _run(self, tokens: Sequence[Token], *, indent: int, quotes: int) -> Iterator[_Atom]:
        if tokens:
            yield _Atom(
                kind=BlockKind.QUOTE if quotes else BlockKind.PROSE,
                body=self._writer.write(tokens),
                line=_line(tokens[0]),
                indent=indent,
                quotes=quotes,
            )


def _resumable(atoms: Iterable[_Atom]) -> list[_Atom]:
    """Return the atoms of a unit at whose beginning alone parsing can resume."""
    first, *others = atoms
    return [first, *(replace(atom, resumable=False, head="") for atom in others)]


def _is_own(block: Sequence[Token], *, quotes: int) -> bool:
    """Return whether a block within an item or a quotation is one of its own."""
    if _must_split(block):
        return True
    return quotes == 0 and block[0].type in _CODE | _QUOTES


def _must_split(block: Sequence[Token]) -> bool:
    """Return whether a block contains what cannot be drawn as a part of prose."""
    kind = block[0].type
    return kind == "table_open" or (
        kind in _QUOTES | _LISTS and any(token.type == "table_open" for token in block)
    )


def _code(token: Token, *, indent: int) -> _Atom:
    return _Atom(
        kind=BlockKind.CODE,
        body=token.content.removesuffix("\n"),
        line=_line(token),
        info=code_info(token),
        indent=indent,
    )
