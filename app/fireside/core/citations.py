"""Finds the citations of an answer, the sentences they rest on, and verifies its quotations word by word."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from fireside.core.collection import Citation, Passage, RowLocation
from fireside.core.text_folding import fold, spaced

MIN_QUOTED_WORDS: Final = 3
"""Shorter texts in quotation marks are names or terms rather than quotations."""

_MARK: Final = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4}){0,9})\](?!\()")
_LAST_MARKS: Final = re.compile(r"[\s.!?…。！？]*(?:\[[\d\s,;]*\][\s.!?…。！？]*)*\Z")
_NUMBER: Final = re.compile(r"\d+")
_CODE: Final = re.compile(r"(```|~~~).*?(?:\1|\Z)|`[^`\n]+`", re.DOTALL)
_QUOTE: Final = re.compile(
    r"“([^“”\n]{1,2000})”|„([^„“”\n]{1,2000})[“”]|«([^«»\n]{1,2000})»|\"([^\"\n]{1,2000})\""
)
_WORD: Final = re.compile(r"\w+")
_SENTENCE_END: Final = re.compile(
    r"[.!?…][\"'”’»)\]]*\s+(?=[^\sa-z])|[。！？][”’」』）]*\s*|\n[ \t]*\n\s*"
    r"|\n(?=[ \t]*(?:[-*+•#]|\d{1,4}[.)])[ \t])"
)
_ROW_END: Final = re.compile(r"\n(?=[^\n|]*\|)|(?<=\|)[ \t]*\n")
_LINE_END: Final = re.compile(r"\n")
_MAX_SENTENCE: Final = 600
"""Characters; text without sentences, such as code, is taken line by line."""
_STEM: Final = 6
"""Letters by which words are compared, since a sentence is cited with other endings."""
_MAX_STATEMENT: Final = 2_000
_MAX_SENTENCES: Final = 3
_MIN_COMMON: Final = 2
"""Words that the best sentence must share with a statement of several: one alone may be in any sentence."""
_MIN_GAIN: Final = 0.6
"""Share of the best sentence's weight that a further one must add."""


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


def cited_sentences(answer: str, citation: Citation) -> tuple[tuple[int, int], ...]:
    """Return the sentences of a citation's passage on which the statements of ``answer`` that cite it rest.

    They are ranges in the text of the passage, in characters and in order, found by the words that they
    share; none if they share none.
    """
    text = _without_code(answer)
    spans: set[tuple[int, int]] = set()
    for match in _MARK.finditer(text):
        if any(int(digits) == citation.number for digits in _NUMBER.findall(match[1])):
            statement = _statement(text[max(0, match.start() - _MAX_STATEMENT) : match.start()])
            spans.update(matching_sentences(citation.passage, statement))
    return tuple(sorted(spans))


def matching_sentences(passage: Passage, statement: str) -> tuple[tuple[int, int], ...]:
    """Return the sentences of a passage that together have most of the words of a statement, in order.

    A word counts the more, the fewer sentences have it. None if the passage is one sentence, or if they share
    next to nothing.
    """
    sentences = list(_sentences(passage))
    if len(sentences) < 2:
        return ()
    stems = [_stems(passage.text[start:end]) for start, end in sentences]
    n_having = Counter(stem for each in stems for stem in each)
    wanted = _stems(statement)
    weights = {stem: math.log(1 + len(sentences) / n_having[stem]) for stem in wanted if stem in n_having}
    chosen: list[int] = []
    best = 0.0
    while weights and len(chosen) < _MAX_SENTENCES:
        gains = [
            sum(weights.get(stem, 0.0) for stem in each) / math.sqrt(10 + len(each))
            if n not in chosen
            else 0.0
            for n, each in enumerate(stems)
        ]
        gain, n = max((gain, -n) for n, gain in enumerate(gains))
        if not chosen and len(wanted & stems[-n]) < min(_MIN_COMMON, len(wanted) // 2):
            break
        best = best or gain
        if not gain or gain < _MIN_GAIN * best:
            break
        chosen.append(-n)
        weights = {stem: weight for stem, weight in weights.items() if stem not in stems[-n]}
    return tuple(sentences[n] for n in sorted(chosen))


def _statement(text: str) -> str:
    """Return the last sentence of a text, or what follows the last citation in it."""
    text = _LAST_MARKS.sub("", text)
    starts = [
        match.end() for pattern in (_SENTENCE_END, _LINE_END, _MARK) for match in pattern.finditer(text)
    ]
    return text[max((start for start in starts if _WORD.search(text, start)), default=0) :]


def _sentences(passage: Passage) -> Iterator[tuple[int, int]]:
    """Return the ranges of the sentences, rows or lines of a passage, without space around them."""
    text = passage.text
    patterns = (_LINE_END,) if isinstance(passage.location, RowLocation) else (_SENTENCE_END, _ROW_END)
    ends = sorted({match.end() for pattern in patterns for match in pattern.finditer(text)} | {len(text)})
    start = 0
    for end in ends:
        pieces = [end]
        if end - start > _MAX_SENTENCE:
            pieces = [*(match.end() for match in _LINE_END.finditer(text, start, end)), end]
        for piece in pieces:
            stripped = text[start:piece].strip()
            if stripped:
                first = text.index(stripped, start)
                yield first, first + len(stripped)
            start = piece


def _stems(text: str) -> set[str]:
    """Return the beginnings of the words of a text; words of one or two letters say too little."""
    words = _WORD.findall(spaced(fold(text)))
    return {word[:_STEM] for word in words if len(word) > 2 or not (word.isascii() and word.isalpha())}


def _normalized(text: str) -> str:
    """Return the words of a text in lower case, with one space before, between and after them."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _without_code(text: str) -> str:
    """Return the text with code replaced by spaces, so that positions stay valid."""
    return _CODE.sub(lambda match: " " * len(match[0]), text)
