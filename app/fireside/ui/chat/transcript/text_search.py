"""Text search in messages, also in those that have not been laid out. Pure: no Qt."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence

import msgspec

from fireside.core.search import Term, parse_terms, to_pattern
from fireside.core.text_folding import fold
from fireside.core.tool_calls import interleave_calls
from fireside.markup.block_stream import BlockKind, MarkdownStream
from fireside.markup.escape import escape
from fireside.markup.rich_text import NO_TEXT, clean, formula_source
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.utf16 import utf16_length

MAX_QUERY = 200
"""Maximal length of a query in characters."""

_LINE = re.compile(r"</?(?:p|li|ul|ol|tr|td|th|pre|blockquote|br)\b[^>]*>")
_FORMULA = re.compile(r'<img src="(math:[\w=-]*)">')
_TAG = re.compile(r"<[^>]*>")
_LIST = re.compile(r'<ol start="(\d+)">|<ul>|<li[^>]*>|</[ou]l>')
_NO_NUMBERS = -(10**9)
_NUMBERED = re.compile(r"^[ \t>*+-]*\d{1,9}[.)](?:\s|$)", re.MULTILINE)
"""The number of a list item in Markdown; the displayed numbers count on from the first one."""
_MARKUP = str.maketrans("", "", "*_~`\\")
_READ_AT_ONCE = 8_000
"""Characters of an answer that are parsed at once; more where a longer block is open."""
_WORD = re.compile(r"\w+")


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A query as it is typed into the find bar."""

    text: str = ""
    match_case: bool = False
    whole_words: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.text.strip()

    def pattern(self) -> re.Pattern[str]:
        """Return a pattern for displayed text; any white space matches any other."""
        expression = r"\s+".join(re.escape(word) for word in self.text[:MAX_QUERY].split())
        if self.whole_words:
            expression = rf"(?<!\w){expression}(?!\w)"
        return re.compile(expression, 0 if self.match_case else re.IGNORECASE)

    def may_match(self, source: str) -> bool:
        """Return whether Markdown text may contain a match: much cheaper than laying it out."""
        parts = _WORD.findall(self.text.translate(_MARKUP).lower())
        if any(map(str.isdigit, parts)) and _NUMBERED.search(source):
            parts = [part for part in parts if not part.isdigit()]
        return not parts or max(parts, key=len) in source.translate(_MARKUP).lower()


class FoldedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The query of a search over all chats: each of its words, ignoring case and accents."""

    text: str

    def pattern(self) -> FoldedPattern:
        return FoldedPattern(parse_terms(self.text))

    def may_match(self, source: str) -> bool:
        folded = fold(source.translate(_MARKUP))
        return any(term.words[0] in folded for term in parse_terms(self.text))


class FoldedPattern:
    """Finds matches as the full-text search does: in lower case without accents."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._pattern = to_pattern(terms)

    def finditer(self, text: str, /) -> Iterator[re.Match[str]]:
        folded = fold(text)
        # Spans must be valid in the original: where folding changes the length (combining accents), casefold.
        return self._pattern.finditer(folded if len(folded) == len(text) else text.casefold()[: len(text)])


TextQuery = Query | FoldedQuery
"""What is searched for."""
Pattern = re.Pattern[str] | FoldedPattern
"""Finds matches in displayed text."""


def displayed_texts(entry: Entry) -> Sequence[str]:
    """Return the texts of a message, one for each of its view's ``text_views`` were it shown whole."""
    reading = read_texts(entry)
    while True:
        try:
            next(reading)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]  # what the generator returns


def read_texts(entry: Entry) -> Generator[None, None, Sequence[str]]:
    """Return ``displayed_texts``; yield after each small part of the work, which is long for a long text."""
    if entry.is_user:
        return (clean(entry.text),)
    thoughts = [entry.reasoning] if entry.reasoning and entry.shows_reasoning else []
    stream = MarkdownStream()
    stream.breaks = [call.n_before for call in entry.calls]
    done = n_open = 0
    while done < len(entry.text):
        n_read = max(_READ_AT_ONCE, n_open)  # the open block is parsed again with each part
        stream.append(entry.text[done : done + n_read])
        done += n_read
        n_open = len(stream.source) - stream.blocks[-1].start if stream.blocks else 0
        yield
    stream.finish()
    blocks: list[tuple[int, str]] = []
    for block in stream.blocks:
        if block.kind is not BlockKind.RULE:
            text = block.body if block.kind is BlockKind.CODE else plain_text(block.body)
            blocks.append((block.start, text))
        yield
    return [*thoughts, *interleave_calls(blocks, entry.open_calls)]


def plain_text(html: str) -> str:
    """Return the displayed text of HTML made by ``rich_text``, with the source of each formula."""
    from html import unescape

    html = _with_numbers(html.replace(f"<li>{NO_TEXT}", "<li>"))
    html = _FORMULA.sub(lambda match: escape(formula_source(match.group(1)) or ""), html)
    return unescape(_TAG.sub("", _LINE.sub("\n", html))).replace("\xa0", " ")


def _with_numbers(html: str) -> str:
    """Return HTML with the number of each list item before its text."""
    numbers: list[int] = []  # of the next items of the open lists; negative without numbers

    def written(match: re.Match[str]) -> str:
        tag = match.group()
        if tag.startswith("</"):
            numbers.pop()
        elif tag.startswith("<li"):
            numbers[-1] += 1
            return f"{tag}{numbers[-1] - 1}. " if numbers[-1] > 0 else tag
        else:
            numbers.append(int(match[1]) if match[1] else _NO_NUMBERS)
        return tag

    return _LIST.sub(written, html) if "<ol" in html else html


def count_matches(texts: Sequence[str], pattern: Pattern) -> Sequence[int]:
    """Return the number of matches in each text."""
    return [sum(1 for _ in pattern.finditer(text)) for text in texts]


def match_spans(text: str, pattern: Pattern) -> Sequence[tuple[int, int]]:
    """Return the spans of the matches in ``text``, in UTF-16 code units as Qt counts."""
    spans = [match.span() for match in pattern.finditer(text)]
    if text.isascii() or max(text) < "\U00010000":
        return spans
    return [(utf16_length(text[:start]), utf16_length(text[:end])) for start, end in spans]


class MatchPosition(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """Position of a match: index of the message, of the text in it, of the match in that."""

    message: int
    part: int
    nth: int


class MatchCounts:
    """Number of matches in each text of each message, and going from match to match."""

    def __init__(self) -> None:
        self._counts: dict[int, Sequence[int]] = {}
        self.total = 0

    def set(self, message: int, counts: Sequence[int]) -> None:
        """Replace the counts of a message."""
        self.total += sum(counts) - sum(self._counts.pop(message, ()))
        if any(counts):
            self._counts[message] = counts

    def truncate(self, n_messages: int) -> None:
        """Remove the messages from index ``n_messages`` on."""
        for message in [known for known in self._counts if known >= n_messages]:
            self.set(message, ())

    def has(self, position: MatchPosition) -> bool:
        counts = self._counts.get(position.message, ())
        return position.part < len(counts) and position.nth < counts[position.part]

    def number(self, position: MatchPosition) -> int:
        """Return the number of a match among all, from 1."""
        before = sum(sum(counts) for message, counts in self._counts.items() if message < position.message)
        return before + sum(self._counts[position.message][: position.part]) + position.nth + 1

    def first_from(self, message: int) -> MatchPosition | None:
        """Return the first match at or after the beginning of ``message``, else the first of all."""
        return self.after(MatchPosition(message=message, part=0, nth=-1))

    def after(self, position: MatchPosition) -> MatchPosition | None:
        """Return the next match; after the last comes the first."""
        counts = self._counts.get(position.message, ())
        if position.part < len(counts) and position.nth + 1 < counts[position.part]:
            return MatchPosition(message=position.message, part=position.part, nth=position.nth + 1)
        for part in range(position.part + 1, len(counts)):
            if counts[part]:
                return MatchPosition(message=position.message, part=part, nth=0)
        return self._edge(min((m for m in self._counts if m > position.message), default=None), last=False)

    def before(self, position: MatchPosition) -> MatchPosition | None:
        """Return the previous match; before the first comes the last."""
        counts = self._counts.get(position.message, ())
        if position.nth > 0:
            return MatchPosition(message=position.message, part=position.part, nth=position.nth - 1)
        for part in range(min(position.part, len(counts)) - 1, -1, -1):
            if counts[part]:
                return MatchPosition(message=position.message, part=part, nth=counts[part] - 1)
        return self._edge(max((m for m in self._counts if m < position.message), default=None), last=True)

    def _edge(self, message: int | None, *, last: bool) -> MatchPosition | None:
        if not self._counts:
            return None
        if message is None:
            message = max(self._counts) if last else min(self._counts)
        counts = self._counts[message]
        parts = [part for part, count in enumerate(counts) if count]
        part = parts[-1] if last else parts[0]
        return MatchPosition(message=message, part=part, nth=counts[part] - 1 if last else 0)
