"""Extract the part of a text that shows best why it matches a search."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import Final

from fireside.core.graphemes import boundary_before
from fireside.core.search import Mark, Snippet
from fireside.core.text_folding import composed, fold

_MAX_CHARACTERS: Final = 200_000
_MAX_MATCHES: Final = 100
_LENGTH: Final = 180
_LEAD: Final = 36
_SPACE: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_BIDI_CONTROLS: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that would change the direction of the rest of a line."""


def title_marks(title: str, *, pattern: re.Pattern[str]) -> tuple[Mark, ...]:
    """Return the positions of matches in a title; none if folding changes its length."""
    folded = fold(title)
    if len(folded) != len(title):
        return ()
    return tuple(match.span() for match in pattern.finditer(folded))


def snippet(text: str, *, pattern: re.Pattern[str]) -> Snippet:
    """Return the part of ``text`` with the most different terms, on one line."""
    text = composed(text[:_MAX_CHARACTERS])
    matches = list(islice(pattern.finditer(fold(text)), _MAX_MATCHES))
    start, end = _window(text, matches)
    marks = [match.span() for match in matches if start <= match.start() and match.end() <= end]
    line = _in_one_line(text[start:end], [(first - start, last - start) for first, last in marks])
    before, after = "…" * (start > 0), "…" * (end < len(text))
    return Snippet(
        text=f"{before}{line.text}{after}",
        marks=tuple((first + len(before), last + len(before)) for first, last in line.marks),
    )


def _window(text: str, matches: Sequence[re.Match[str]]) -> tuple[int, int]:
    best_start, n_best = 0, 0
    for number, match in enumerate(matches):
        last = match.start() + _LENGTH - _LEAD
        terms = {near.lastindex for near in _until(last, matches[number:])}
        if len(terms) > n_best:
            best_start, n_best = match.start(), len(terms)
    start = max(0, min(best_start - _LEAD, len(text) - _LENGTH))
    if start:
        # Start at a word, if there is a space before the first match.
        space = _SPACE.search(text, start, best_start)
        start = space.end() if space is not None else start
    end = min(len(text), start + _LENGTH)
    if end < len(text):
        cut = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
        last = max((match.end() for match in matches if match.end() <= end), default=0)
        end = cut if cut > max(last, start + _LENGTH // 2) else end
    return boundary_before(text, start), boundary_before(text, end)


def _until(end: int, matches: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    return takewhile(lambda match: match.end() <= end, matches)


def _in_one_line(text: str, marks: Sequence[Mark]) -> Snippet:
    """Return ``text`` without line breaks, with its marks at their new positions."""
    line, moved, done = "", [], 0
    for first, last in marks:
        line += _flat(text[done:first])
        begin = len(line)
        line += _flat(text[first:last])
        moved.append((begin, len(line)))
        done = last
    line += _flat(text[done:])
    indent = len(line) - len(line.lstrip())
    return Snippet(text=line.strip(), marks=tuple((first - indent, last - indent) for first, last in moved))


def _flat(text: str) -> str:
    return _SPACE.sub(" ", _BIDI_CONTROLS.sub("", text))
