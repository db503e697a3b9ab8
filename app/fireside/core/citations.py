"""Finds the citations of an answer, and verifies its quotations word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.collection import Citation

MIN_QUOTED_WORDS: Final = 3
"""Shorter texts in quotation marks are names or terms rather than quotations."""

_MARK: Final = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4}){0,9})\](?!\()")
_NUMBER: Final = re.compile(r"\d+")
_CODE: Final = re.compile(r"(```|~~~).*?(?:\1|\Z)|`[^`\n]+`", re.DOTALL)
_QUOTE: Final = re.compile(
    r"“([^“”\n]{1,2000})”|„([^„“”\n]{1,2000})[“”]|«([^«»\n]{1,2000})»|\"([^\"\n]{1,2000})\""
)
_WORD: Final = re.compile(r"\w+")


class CitationMark(msgspec.Struct, frozen=True, kw_only=True):
    """A citation number in an answer, with its position."""

    start: int
    end: int
    """The range of the digits in the answer, in characters."""
    number: int
    citation: Citation | None
    """``None`` if no passage has this number: the statement is unsupported."""


class Quotation(msgspec.Struct, frozen=True, kw_only=True):
    """A quotation in an answer, with its position."""

    start: int
    end: int
    """The range of the quoted text in the answer, in characters."""
    citation: Citation | None
    """The passage that contains the quotation; of several, the one cited after it; ``None`` if none does."""


def citation_marks(answer: str, citations: Sequence[Citation]) -> tuple[CitationMark, ...]:
    """Return the bracketed numbers of ``answer`` in order, except those in code. Never raises."""
    known = {citation.number: citation for citation in citations}
    return tuple(
        CitationMark(
            start=group.start(1) + digits.start(),
            end=group.start(1) + digits.end(),
            number=int(digits[0]),
            citation=known.get(int(digits[0])),
        )
        for group in _MARK.finditer(_without_code(answer))
        for digits in _NUMBER.finditer(group[1])
    )


def quotations(answer: str, citations: Sequence[Citation]) -> tuple[Quotation, ...]:
    """Return the quotations of ``answer`` that are long enough, each with the passage that contains it.

    Case, punctuation and spaces are ignored, since they change when a sentence is quoted within another.
    Never raises.
    """
    marks = citation_marks(answer, citations)
    passages = [(citation, _normalized(citation.passage.text)) for citation in citations]
    result = []
    for match in _QUOTE.finditer(_without_code(answer)):
        start, end = match.span(match.lastindex or 0)
        quoted = _normalized(answer[start:end])
        if quoted.count(" ") - 1 < MIN_QUOTED_WORDS:
            continue
        next_cited = next((mark.citation for mark in marks if mark.start >= end), None)
        sources = [citation for citation, text in passages if quoted in text]
        citation = next_cited if next_cited in sources else next(iter(sources), None)
        result.append(Quotation(start=start, end=end, citation=citation))
    return tuple(result)


def _normalized(text: str) -> str:
    """Return the words of a text in lower case, with one space before, between and after them."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _without_code(text: str) -> str:
    """Return the text with code replaced by spaces, so that positions stay valid."""
    return _CODE.sub(lambda match: " " * len(match[0]), text)
