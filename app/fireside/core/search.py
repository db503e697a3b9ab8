"""The full-text search over conversations: its queries, which any text is, and its results."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

import msgspec

from fireside.core.chat import ConversationSummary
from fireside.core.ids import FolderId, MessageId, ModelId
from fireside.core.message import Role
from fireside.core.text_folding import fold, is_one_character_word, is_word_character, spaced

Mark = tuple[int, int]
"""Start and end of a matching word, in characters."""


class SearchQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A search. All words of ``text`` must be found, each as the beginning of a word; words in quotation
    marks must be found together. Any text is valid."""

    text: str
    role: Role | None = None
    model_id: ModelId | None = None
    """Answers of this model, and questions and titles of chats that use it."""
    folder_id: FolderId | None = None
    since: float | None = None
    """Created at this time or later; seconds since the epoch, UTC."""
    before: float | None = None
    archived: bool | None = None
    """Only archived chats, only others, or both."""
    limit: int = 40
    """The maximum number of messages."""


class Snippet(msgspec.Struct, frozen=True, kw_only=True):
    """An excerpt of a text, in one line, with the positions of the words."""

    text: str
    marks: tuple[Mark, ...] = ()


class SearchHit(msgspec.Struct, frozen=True, kw_only=True):
    """A matching message."""

    message_id: MessageId
    role: Role
    created_at: float
    snippet: Snippet


class ConversationMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation with a matching title, matching messages, or both."""

    summary: ConversationSummary
    title_marks: tuple[Mark, ...] = ()
    hits: tuple[SearchHit, ...] = ()
    """The best first."""
    n_hits: int = 0
    """The number of its matching messages; ``hits`` may contain fewer."""


class SearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """The matching conversations, the best first."""

    matches: tuple[ConversationMatch, ...] = ()
    n_hits: int = 0
    is_truncated: bool = False
    """Whether there are more matches than ``n_hits`` and ``matches`` contain."""
    n_not_indexed: int = 0
    """Messages that are not indexed yet, and can be found later."""


_MAX_CHARACTERS: Final = 200
_MAX_TERMS: Final = 12
_MIN_PREFIX: Final = 3
_MIN_LAST_PREFIX: Final = 2
_HANGUL: Final = range(0xAC00, 0xD7A4)
"""Syllables, to which endings are appended."""
_QUOTED: Final = re.compile('["“”„«»]([^"“”„«»]*)["“”„«»]?|([^\\s"“”„«»]+)')
_BETWEEN: Final = r"[\W_]*"
_NOT_IN_WORD_BEFORE: Final = r"(?<![^\W_])"
_NOT_IN_WORD_AFTER: Final = r"(?![^\W_])"


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """Words that must be found together; if ``is_prefix``, the last one as the beginning of a word."""

    words: tuple[str, ...]
    is_prefix: bool


def parse_terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a query, folded like the index."""
    parts = [
        (words, match[1] is not None)
        for match in _QUOTED.finditer(text[:_MAX_CHARACTERS])
        if (words := words_of(match[1] or match[2] or ""))
    ][:_MAX_TERMS]
    return tuple(
        Term(
            words=words,
            is_prefix=not is_quoted and _is_prefix(words[-1], is_last=number == len(parts)),
        )
        for number, (words, is_quoted) in enumerate(parts, start=1)
    )


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are indexed."""
    groups = groupby(spaced(fold(text)), key=is_word_character)
    return tuple("".join(characters) for is_word, characters in groups if is_word)


def to_fts_query(terms: Sequence[Term]) -> str:
    """Return the terms as an FTS5 query. Words contain no special characters of its syntax."""
    return " AND ".join(f'"{" ".join(term.words)}"{" *" * term.is_prefix}' for term in terms)


def to_pattern(terms: Sequence[Term]) -> re.Pattern[str]:
    """Return a pattern that finds the terms in a folded text. The number of the matching group minus one is
    the index of the term."""
    return re.compile("|".join(f"({_pattern_of(term)})" for term in terms))


def matcher(terms: Sequence[Term]) -> Callable[[str], bool]:
    """Return a function that tells whether the index would find all ``terms`` in a text."""
    patterns = [re.compile(_pattern_of(term)) for term in terms]

    def matches(text: str) -> bool:
        folded = fold(text)
        if not all(pattern.search(folded) for pattern in patterns):
            return False  # most texts, without taking them apart
        words = words_of(text)
        return all(_has_term(words, term) for term in terms)

    return matches


def _has_term(words: Sequence[str], term: Term) -> bool:
    *first, last = term.words
    for start in range(len(words) - len(first)):
        word = words[start + len(first)]
        ends = word.startswith(last) if term.is_prefix else word == last
        if ends and list(words[start : start + len(first)]) == first:
            return True
    return False


def _is_prefix(word: str, *, is_last: bool) -> bool:
    """Return whether ``word`` also matches longer words; very short ones would match too many."""
    if is_one_character_word(word):
        return False
    if ord(word[0]) in _HANGUL:
        return True
    return len(word) >= (_MIN_LAST_PREFIX if is_last else _MIN_PREFIX)


def _pattern_of(term: Term) -> str:
    first, last = term.words[0], term.words[-1]
    pattern = _BETWEEN.join(re.escape(word) for word in term.words)
    before = "" if is_one_character_word(first) else _NOT_IN_WORD_BEFORE
    after = "" if term.is_prefix or is_one_character_word(last) else _NOT_IN_WORD_AFTER
    return f"{before}{pattern}{after}"
