"""Find the citations in an answer, and verify its quotations word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.collection import Citation

MIN_QUOTED_WORDS: Final = 3
"""A shorter piece between quotation marks is a name, or a word that is spoken of."""

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
    """Of the digits within the answer's text, in characters."""
    number: int
    citation: Citation | None
    """``None`` where no passage has this number: the statement is unsupported."""


class Quotation(msgspec.Struct, frozen=True, kw_only=True):
    """A quotation in an answer, with its position."""

    start: int
    end: int
    """Of the quoted words within the answer's text, in characters."""
    citation: Citation | None
    """The passage that has them to the word; of several the one cited behind them; ``None`` if none has."""


def citation_marks(answer: str, citations: Sequence[Citation]) -> tuple[CitationMark, ...]:
    """Return the numbers in brackets of ``answer``, in order; none of those in code. Never raises."""
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
    """Return the quotations of ``answer`` that have some length, and which passage has each to the word.

    Upper and lower case, punctuation and spaces do not count: they change where a sentence is quoted in
    another one. Never raises.
    """
    marks = citation_marks(answer, citations)
    passages = [(citation, _words(citation.passage.text)) for citation in citations]
    found = []
    for match in _QUOTE.finditer(_without_code(answer)):
        start, end = match.span(match.lastindex or 0)
        words = _words(answer[start:end])
        if words.count(" ") - 1 < MIN_QUOTED_WORDS:
            continue
        behind = next((mark.citation for mark in marks if mark.start >= end), None)
        having = [citation for citation, text in passages if words in text]
        citation = behind if behind in having else next(iter(having), None)
        found.append(Quotation(start=start, end=end, citation=citation))
    return tuple(found)


def _words(text: str) -> str:
    """Return the words of a text with a space around each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _without_code(text: str) -> str:
    """Return a text of the same length in which code is blank."""
    return _CODE.sub(lambda match: " " * len(match[0]), text)
