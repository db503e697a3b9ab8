"""The widest numbers of lists, which may be split into several blocks whose items are to be indented alike.

Pure: no Qt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from fireside.markup.block_units import Block, BlockKind
from fireside.markup.direction import is_rtl_html

_TAG = re.compile(r'<(/?)(ol|ul|li)\b(?: start="(\d+)")?')


class ListNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """What the indentation of one block depends on."""

    widest: Mapping[int, int] = {}
    """The widest number of each of its outermost lists, by the number at which that starts in this block."""
    around: int = 0
    """The widest number of the list whose item contains the block; 0 if it has no numbers."""
    is_mirrored: bool = False
    """Whether the item that contains the block is written from right to left: it is indented at its right."""


class _Numbers:
    """The numbers of one list, in as many blocks as it takes."""

    def __init__(self, last: int) -> None:
        self.last = last


def list_numbers(blocks: Sequence[Block]) -> Sequence[ListNumbers]:
    """Return the numbers of an answer's blocks. A list that counts on is a part of the one before it."""
    before: _Numbers | None = None
    around: _Numbers | None = None
    is_mirrored = False
    found: list[tuple[dict[int, _Numbers], _Numbers | None, bool]] = []
    for block in blocks:
        by_first: dict[int, _Numbers] = {}
        for is_numbered, first, last in _outermost_lists(block.body) if _may_have_lists(block) else ():
            around = None
            if is_numbered:
                if before is None or before.last + 1 != first:
                    before = _Numbers(last)
                before.last = last
                by_first[first] = around = before
        if _may_have_lists(block):
            is_mirrored = bool(is_rtl_html(block.body.rpartition("<li")[2].partition(">")[2]))
        found.append((by_first, around if block.indent else None, is_mirrored and block.indent > 0))
    return [
        ListNumbers(
            widest={first: numbers.last for first, numbers in by_first.items()},
            around=0 if around is None else around.last,
            is_mirrored=is_mirrored,
        )
        for by_first, around, is_mirrored in found
    ]


def _may_have_lists(block: Block) -> bool:
    return block.kind is BlockKind.PROSE and not block.indent and "<li" in block.body


@lru_cache(maxsize=1024)
def _outermost_lists(html: str) -> Sequence[tuple[bool, int, int]]:
    """Return of each outermost list whether it is numbered, its first and its last number."""
    lists: list[tuple[bool, int, int]] = []
    depth = 0
    for match in _TAG.finditer(html):
        closes, tag, start = match.groups()
        if tag == "li":
            if depth == 1 and not closes:
                is_numbered, first, last = lists[-1]
                lists[-1] = (is_numbered, first, last + 1)
        elif closes:
            depth -= 1
        else:
            depth += 1
            if depth == 1:
                first = int(start or 1)
                lists.append((tag == "ol", first, first - 1))
    return lists
