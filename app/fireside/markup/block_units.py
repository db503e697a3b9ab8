"""Split block tokens into the smallest displayed units, and join neighbours into blocks. Pure: no Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from fireside.markup.markdown import nests_too_deep
from fireside.markup.rich_text import MAX_COLUMNS, HtmlWriter, code_info, formula_html, plain_html

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_PROSE = 1_500
"""Neighbouring prose is one block until its source has this many characters."""
_MAX_ROWS = 24
_MAX_CELLS = 240
"""A table is split into parts of so many rows or cells, so that little is laid out again."""
_OWN_BLOCK = frozenset({"fence", "code_block", "blockquote_open"})
"""Tokens that are blocks of their own in list items, too."""
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
    """1 inside a list item."""
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


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest part that can be parsed separately: a top-level block or an item of a top-level list."""

    tokens: Sequence[Token]
    line: int
    list_tag: str = ""
    list_index: int = -1
    ordinal: int | None = None


class _Atom(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a unit that is of one kind; neighbouring atoms of prose are joined to blocks."""

    kind: BlockKind
    body: str
    line: int
    info: str = ""
    indent: int = 0
    list_tag: str = ""
    list_index: int = -1
    ordinal: int | None = None
    resumable: bool = True
    head: str = ""
    """Source of the table's head, for further rows of a table."""


def units(tokens: Sequence[Token], *, first_ordinal: int | None) -> Iterator[Unit]:
    """Split the tokens of a text at its top-level blocks and at the items of its top-level lists."""
    index = 0
    while index < len(tokens):
        end = _closing(tokens, index)
        token = tokens[index]
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            ordinal = int(token.attrs.get("start", 1))
            if index == 0 and first_ordinal is not None:
                ordinal = first_ordinal
            yield from _items(tokens, index, end=end, ordinal=ordinal)
        else:
            yield Unit(tokens=tokens[index : end + 1], line=_line(token))
        index = end + 1


def _items(tokens: Sequence[Token], start: int, *, end: int, ordinal: int) -> Iterator[Unit]:
    index = start + 1
    while index < end:
        close = _closing(tokens, index)
        yield Unit(
            tokens=tokens[index : close + 1],
            line=_line(tokens[index]),
            list_tag=tokens[start].tag,
            list_index=start,
            ordinal=ordinal,
        )
        ordinal += 1
        index = close + 1


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
    parsed: Sequence[Unit],
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
    starts = _line_starts(text)
    atoms: list[_Atom] = []
    for index, unit in enumerate(parsed):
        until = starts[parsed[index + 1].line] if index + 1 < len(parsed) else len(text)
        raw = text[starts[unit.line] : until]
        atoms.extend(_atoms(unit, writer, raw=raw, is_rest=bool(head) and index == 0))
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
    return first.kind is BlockKind.PROSE and atom.kind is BlockKind.PROSE and first.indent == atom.indent


def _placed(atoms: Sequence[_Atom], *, start: int, end: int) -> PlacedBlock:
    first = atoms[0]
    block = Block(
        kind=first.kind,
        body=_joined(atoms),
        language=(first.info.split() or [""])[0][:40],
        info=first.info,
        indent=first.indent,
        continues=bool(first.head),
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
        if before is not None and before.list_tag and before.list_index != atom.list_index:
            html.append(f"</{before.list_tag}>")
        if atom.list_tag and (before is None or before.list_index != atom.list_index):
            html.append(f'<ol start="{atom.ordinal}">' if atom.list_tag == "ol" else "<ul>")
        html.append(atom.body)
        before = atom
    if before is not None and before.list_tag:
        html.append(f"</{before.list_tag}>")
    return "".join(html)


def _atoms(unit: Unit, writer: HtmlWriter, *, raw: str, is_rest: bool) -> list[_Atom]:
    tokens, line = unit.tokens, unit.line
    if nests_too_deep(tokens):
        return [_Atom(kind=BlockKind.PROSE, body=plain_html(raw), line=line, ordinal=unit.ordinal)]
    match tokens[0].type:
        case "list_item_open":
            return _item_atoms(unit, writer)
        case "fence" | "code_block":
            return [_code(tokens[0], indent=0, resumable=True)]
        case "math_block" if tokens[0].meta["closed"]:
            return [_Atom(kind=BlockKind.MATH, body=formula_html(tokens[0].content), line=line)]
        case "blockquote_open":
            return [_Atom(kind=BlockKind.QUOTE, body=writer.write(tokens[1:-1]), line=line)]
        case "hr":
            return [_Atom(kind=BlockKind.RULE, body="", line=line)]
        case "table_open" if sum(token.type == "th_open" for token in tokens) <= MAX_COLUMNS:
            return _table_atoms(unit, writer, raw=raw, is_rest=is_rest)
        case "table_open":
            return [_Atom(kind=BlockKind.PROSE, body=plain_html(raw), line=line)]
        case _:
            return [_Atom(kind=BlockKind.PROSE, body=writer.write(tokens), line=line)]


def _table_atoms(unit: Unit, writer: HtmlWriter, *, raw: str, is_rest: bool) -> list[_Atom]:
    """Split a table into parts of some rows; the first includes the head, unless ``is_rest``."""
    tokens = unit.tokens
    rows = [index for index, token in enumerate(tokens) if token.type == "tr_open"]
    n_columns = sum(token.type == "th_open" for token in tokens)
    head = "".join(f"{line}\n" for line in raw.split("\n")[:_HEAD_LINES])
    step = max(1, min(_MAX_ROWS, _MAX_CELLS // n_columns))
    cuts = [1, *range(1 + step, len(rows), step)]  # the row before the first cut is the head
    atoms = []
    for first, until in pairwise([*cuts, len(rows)]):
        is_first = first == 1 and not is_rest
        begin = 0 if is_first else rows[first]
        end = rows[until] if until < len(rows) else len(tokens)
        atoms.append(
            _Atom(
                kind=BlockKind.TABLE,
                body=writer.write(tokens[begin:end]),
                line=unit.line if is_first else _line(tokens[begin]),
                head="" if is_first else head,
            )
        )
    return atoms


def _item_atoms(unit: Unit, writer: HtmlWriter) -> list[_Atom]:
    """Return the parts of a list item: prose, split by code and quotes, which are blocks of their own."""
    inner = unit.tokens[1:-1]
    level = unit.tokens[0].level + 1
    cuts = [
        k
        for k, token in enumerate(inner)
        if token.type in _OWN_BLOCK
        and token.level == level
        # If an item begins with a quote, its marker would have no text: Qt draws none then.
        and (k > 0 or token.nesting == 0)
    ]
    head = inner[: cuts[0]] if cuts else inner
    atoms = [
        _Atom(
            kind=BlockKind.PROSE,
            body=writer.write([unit.tokens[0], *head, unit.tokens[-1]]),
            line=unit.line,
            list_tag=unit.list_tag,
            list_index=unit.list_index,
            ordinal=unit.ordinal,
        )
    ]
    for cut, until in pairwise([*cuts, len(inner)]):
        last = _closing(inner, cut)
        if last > cut:
            atoms.append(_item_quote(inner[cut : last + 1], writer))
        else:
            atoms.append(_code(inner[cut], indent=1, resumable=False))
        if rest := inner[last + 1 : until]:
            atoms.append(
                _Atom(
                    kind=BlockKind.PROSE,
                    body=writer.write(rest),
                    line=_line(rest[0]),
                    indent=1,
                    resumable=False,
                )
            )
    return atoms


def _item_quote(tokens: Sequence[Token], writer: HtmlWriter) -> _Atom:
    return _Atom(
        kind=BlockKind.QUOTE,
        body=writer.write(tokens[1:-1]),
        line=_line(tokens[0]),
        indent=1,
        resumable=False,
    )


def _code(token: Token, *, indent: int, resumable: bool) -> _Atom:
    return _Atom(
        kind=BlockKind.CODE,
        body=token.content.removesuffix("\n"),
        line=_line(token),
        info=code_info(token),
        indent=indent,
        resumable=resumable,
    )
