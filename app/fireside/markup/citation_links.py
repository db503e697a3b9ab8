"""Turn citations, which are numbers in brackets, into links in the HTML of ``rich_text``. Pure: no Qt."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

CITATION_SCHEME: Final = "citation:"
"""Scheme of such a link's URL; the number follows."""

_TAG_OR_TEXT: Final = re.compile(r"<[^>]*>|[^<]+")
_TAG: Final = re.compile(r"</?(\w+)")
_CITATION: Final = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4}){0,9})\]")
_NUMBER: Final = re.compile(r"\d+")
_EXCLUDED_TAGS: Final = frozenset({"a", "code", "pre", "sup"})
"""Numbers in these elements are no citations."""


def with_citations(html: str, known: Collection[int]) -> str:
    """Return ``html`` with citations of ``known`` numbers as links, and others marked as unsupported.

    The text itself stays unchanged.
    """
    if "[" not in html:
        return html
    depth = 0
    result = []
    for piece in _TAG_OR_TEXT.findall(html):
        if piece.startswith("<"):
            tag = _TAG.match(piece)
            if tag is not None and tag[1] in _EXCLUDED_TAGS:
                depth += -1 if piece.startswith("</") else 1
            result.append(piece)
        else:
            result.append(piece if depth else _CITATION.sub(lambda match: _linked(match[0], known), piece))
    return "".join(result)


def cited_number(url: str) -> int | None:
    """Return the number of a citation's link; ``None`` for any other link."""
    digits = url.removeprefix(CITATION_SCHEME)
    return int(digits) if digits != url and digits.isdecimal() else None


def _linked(group: str, known: Collection[int]) -> str:
    """Return a citation with links. The brackets of a single number are part of its link."""
    if group[1:-1].isdecimal():
        return _link(int(group[1:-1]), group, known)
    return _NUMBER.sub(lambda digits: _link(int(digits[0]), digits[0], known), group)


def _link(number: int, text: str, known: Collection[int]) -> str:
    if number in known:
        return f'<a href="{CITATION_SCHEME}{number}">{text}</a>'
    return f'<span class="unsupported">{text}</span>'
