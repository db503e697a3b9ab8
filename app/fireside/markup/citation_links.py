"""Numbers in brackets, as answers cite passages by, become links in HTML of ``rich_text``. Pure: no Qt."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

CITATION_SCHEME: Final = "citation:"
"""What the address of such a link begins with; its number follows."""

_PIECE: Final = re.compile(r"<[^>]*>|[^<]+")
_TAG: Final = re.compile(r"</?(\w+)")
_MARK: Final = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4}){0,9})\]")
_NUMBER: Final = re.compile(r"\d+")
_OTHER: Final = frozenset({"a", "code", "pre", "sup"})
"""What stands in these is no citation."""


def with_citations(html: str, known: Collection[int]) -> str:
    """Return ``html`` with the numbers of ``known`` as links and all others marked as unsupported.

    The text stays the same to the letter.
    """
    if "[" not in html:
        return html
    depth = 0
    out = []
    for piece in _PIECE.findall(html):
        if piece.startswith("<"):
            tag = _TAG.match(piece)
            if tag is not None and tag[1] in _OTHER:
                depth += -1 if piece.startswith("</") else 1
            out.append(piece)
        else:
            out.append(piece if depth else _MARK.sub(lambda mark: _marked(mark[0], known), piece))
    return "".join(out)


def cited_number(url: str) -> int | None:
    """Return the number that a link of a citation stands for; ``None`` for any other link."""
    digits = url.removeprefix(CITATION_SCHEME)
    return int(digits) if digits != url and digits.isdecimal() else None


def _marked(group: str, known: Collection[int]) -> str:
    """Return a group of numbers with its brackets; those of one number belong to its link."""
    if group[1:-1].isdecimal():
        return _link(int(group[1:-1]), group, known)
    return _NUMBER.sub(lambda digits: _link(int(digits[0]), digits[0], known), group)


def _link(number: int, shown: str, known: Collection[int]) -> str:
    if number in known:
        return f'<a href="{CITATION_SCHEME}{number}">{shown}</a>'
    return f'<span class="unsupported">{shown}</span>'
