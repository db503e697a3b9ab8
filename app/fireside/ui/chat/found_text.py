"""Find words in messages, also in those that have not been laid out. Pure: no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from fireside.core.search_query import Term, read_terms, to_pattern
from fireside.core.text_folding import fold
from fireside.markup.block_stream import BlockKind, split_blocks
from fireside.markup.escape import escape
from fireside.markup.rich_text import clean, formula_source
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.tool_text import interleave_calls

MAX_QUERY = 200
"""Characters that are looked for."""

_LINE = re.compile(r"</?(?:p|li|ul|ol|tr|td|th|pre|blockquote|br)\b[^>]*>")
_FORMULA = re.compile(r'<img src="(math:[\w=-]*)">')
_TAG = re.compile(r"<[^>]*>")
_MARKUP = str.maketrans("", "", "*_~`\\")
_WORD = re.compile(r"\w+")


class Finder(Protocol):
    """Finds things in a text as it is shown; a compiled pattern is one."""

    def finditer(self, text: str, /) -> Iterator[re.Match[str]]: ...


class TextQuery(Protocol):
    """Something to look for."""

    def pattern(self) -> Finder: ...

    def may_match(self, source: str) -> bool:
        """Say whether a Markdown text can have it at all: much cheaper than to lay the text out."""


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for as it is typed into the bar."""

    text: str = ""
    match_case: bool = False
    whole_words: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.text.strip()

    def pattern(self) -> re.Pattern[str]:
        """Return what finds it in text as it is shown; any space stands for any other."""
        words = r"\s+".join(re.escape(word) for word in self.text[:MAX_QUERY].split())
        if self.whole_words:
            words = rf"(?<!\w){words}(?!\w)"
        return re.compile(words, 0 if self.match_case else re.IGNORECASE)

    def may_match(self, source: str) -> bool:
        """Say whether a Markdown text can have it at all: much cheaper than to lay the text out."""
        parts = _WORD.findall(self.text.translate(_MARKUP).lower())
        return not parts or max(parts, key=len) in source.translate(_MARKUP).lower()


class FoldedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Words that a search over all chats found a message by: each of them, however it is written."""

    text: str

    def pattern(self) -> Finder:
        return _FoldedPattern(read_terms(self.text))

    def may_match(self, source: str) -> bool:
        folded = fold(source.translate(_MARKUP))
        return any(term.words[0] in folded for term in read_terms(self.text))


class _FoldedPattern:
    """Looks where the search looks: in small letters without accents."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._pattern = to_pattern(terms)

    def finditer(self, text: str, /) -> Iterator[re.Match[str]]:
        folded = fold(text)
        # A mark must lie where the words do; a text whose accents stand apart is read letter by letter.
        return self._pattern.finditer(folded if len(folded) == len(text) else text.casefold()[: len(text)])


def shown_texts(entry: Entry) -> Sequence[str]:
    """Return the texts of a message, one for each of its view's ``edits``, were it shown whole."""
    if entry.is_user:
        return (clean(entry.text),)
    thoughts = [entry.reasoning] if entry.reasoning and entry.shows_reasoning else []
    blocks = (
        (block.start, block.body if block.kind is BlockKind.CODE else plain_text(block.body))
        for block in split_blocks(entry.text, breaks=[call.n_before for call in entry.calls])
        if block.kind is not BlockKind.RULE
    )
    return [*thoughts, *interleave_calls(blocks, entry.open_calls)]


def plain_text(html: str) -> str:
    """Return what is read of HTML that was written by ``rich_text``, each formula as it was written."""
    from html import unescape

    html = _FORMULA.sub(lambda found: escape(formula_source(found.group(1)) or ""), html)
    return unescape(_TAG.sub("", _LINE.sub("\n", html))).replace("\xa0", " ")


def count_matches(texts: Sequence[str], pattern: Finder) -> Sequence[int]:
    """Return how often ``pattern`` is in each text."""
    return [sum(1 for _ in pattern.finditer(text)) for text in texts]


def match_spans(text: str, pattern: Finder) -> Sequence[tuple[int, int]]:
    """Return where ``pattern`` is in ``text``, counted as Qt does, in UTF-16."""
    found = [match.span() for match in pattern.finditer(text)]
    if text.isascii() or max(text) < "\U00010000":
        return found
    return [(_width(text[:start]), _width(text[:end])) for start, end in found]


def _width(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class Place(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One that was found: message, text of that message, which one in that text."""

    message: int
    part: int
    nth: int


class MatchCounts:
    """How many were found in each text of each message."""

    def __init__(self) -> None:
        self._counts: dict[int, Sequence[int]] = {}
        self.total = 0

    def set(self, message: int, counts: Sequence[int]) -> None:
        """Say what is in a message, instead of what was."""
        self.total += sum(counts) - sum(self._counts.pop(message, ()))
        if any(counts):
            self._counts[message] = counts

    def truncate(self, n_messages: int) -> None:
        """Forget the messages from ``n_messages`` on."""
        for message in [known for known in self._counts if known >= n_messages]:
            self.set(message, ())

    def has(self, place: Place) -> bool:
        counts = self._counts.get(place.message, ())
        return place.part < len(counts) and place.nth < counts[place.part]

    def number(self, place: Place) -> int:
        """Return which one of all it is, from 1."""
        before = sum(sum(counts) for message, counts in self._counts.items() if message < place.message)
        return before + sum(self._counts[place.message][: place.part]) + place.nth + 1

    def first_from(self, message: int) -> Place | None:
        """Return the first one at or after the beginning of ``message``, else the first of all."""
        return self.after(Place(message=message, part=0, nth=-1))

    def after(self, place: Place) -> Place | None:
        """Return the next one; after the last comes the first."""
        counts = self._counts.get(place.message, ())
        if place.part < len(counts) and place.nth + 1 < counts[place.part]:
            return Place(message=place.message, part=place.part, nth=place.nth + 1)
        for part in range(place.part + 1, len(counts)):
            if counts[part]:
                return Place(message=place.message, part=part, nth=0)
        return self._edge(min((m for m in self._counts if m > place.message), default=None), last=False)

    def before(self, place: Place) -> Place | None:
        """Return the one before; before the first comes the last."""
        counts = self._counts.get(place.message, ())
        if place.nth > 0:
            return Place(message=place.message, part=place.part, nth=place.nth - 1)
        for part in range(min(place.part, len(counts)) - 1, -1, -1):
            if counts[part]:
                return Place(message=place.message, part=part, nth=counts[part] - 1)
        return self._edge(max((m for m in self._counts if m < place.message), default=None), last=True)

    def _edge(self, message: int | None, *, last: bool) -> Place | None:
        if not self._counts:
            return None
        if message is None:
            message = max(self._counts) if last else min(self._counts)
        counts = self._counts[message]
        parts = [part for part, count in enumerate(counts) if count]
        part = parts[-1] if last else parts[0]
        return Place(message=message, part=part, nth=counts[part] - 1 if last else 0)
