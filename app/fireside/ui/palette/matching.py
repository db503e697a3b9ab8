"""Fuzzy matching for the palette: word starts score highest, then substrings, then scattered letters.

Pure and deterministic; no Qt. Letters are compared as folded by ``core.text_folding``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.text_folding import composed, fold

TEXT_LIMIT: Final = 200
"""Characters of a text that are matched; more of a title is not visible either."""
HINT_LIMIT: Final = 500
QUERY_LIMIT: Final = 64

_ALIAS: Final = 105.0
_ALIAS_START: Final = 85.0
_WORD_START: Final = 100.0
_INSIDE: Final = 60.0
_SUBSEQUENCE: Final = 30.0
_IN_HINT: Final = 20.0
_MIN_ABBREVIATION: Final = 3
_MAX_OMITTED: Final = 3
"""Letters of a word that an abbreviation may omit."""


class Haystack(msgspec.Struct, frozen=True, kw_only=True):
    """A text prepared for many queries."""

    text: str
    """The displayed text, composed and cut to ``TEXT_LIMIT``: positions count its characters."""
    folded: str
    word_starts: tuple[int, ...]
    """Positions where a word starts, ascending."""
    hint: str
    """Further words that match, folded."""
    aliases: tuple[str, ...] = ()
    """Alternative names, folded."""


class TextMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A score, the higher the better, and the positions of the matched characters in ``Haystack.text``."""

    score: float
    positions: tuple[int, ...] = ()


def make_haystack(text: str, *, hint: str = "", aliases: Sequence[str] = ()) -> Haystack:
    """Prepare ``text`` for queries. Word starts in ``hint`` match too, with a lower score and no positions; a
    whole alias scores as much as ``text``."""
    displayed = composed(text)[:TEXT_LIMIT]
    folded = fold(displayed)
    starts = tuple(
        index
        for index, character in enumerate(folded)
        if character.isalnum() and (index == 0 or not folded[index - 1].isalnum())
    )
    return Haystack(
        text=displayed,
        folded=folded,
        word_starts=starts,
        hint=fold(hint[:HINT_LIMIT]),
        aliases=tuple(map(fold, aliases)),
    )


def match(query: str, haystack: Haystack) -> TextMatch | None:
    """Return how ``query`` matches, or ``None``. Each of its words must match somewhere, in any order.

    An empty query matches everything with score 0.
    """
    words = fold(query[:QUERY_LIMIT]).split()
    if not words:
        return TextMatch(score=0.0)
    by_words, by_name = _match_words(words, haystack), _match_name(" ".join(words), haystack)
    if by_words is None or (by_name is not None and by_name.score > by_words.score):
        return by_name
    return by_words


def _match_name(query: str, haystack: Haystack) -> TextMatch | None:
    if query in haystack.aliases:
        return TextMatch(score=_ALIAS)
    return (
        TextMatch(score=_ALIAS_START) if any(_begins_word(query, name) for name in haystack.aliases) else None
    )


def _match_words(words: list[str], haystack: Haystack) -> TextMatch | None:
    score = 0.0
    positions: set[int] = set()
    for word in words:
        found = _match_word(word, haystack)
        if found is None:
            return None
        score += found.score
        positions.update(found.positions)
    return TextMatch(score=score / len(words), positions=tuple(sorted(positions)))


def _match_word(word: str, haystack: Haystack) -> TextMatch | None:
    at = _find(word, haystack)
    if at >= 0:
        base = _WORD_START if at in haystack.word_starts else _INSIDE
        # A match near the start, and one that covers more of the text, scores higher.
        score = base - min(at, 40) / 4 + 10 * len(word) / len(haystack.folded)
        return TextMatch(score=score, positions=tuple(range(at, at + len(word))))
    positions = _match_letters(word, haystack)
    if positions:
        at_starts = sum(position in haystack.word_starts for position in positions)
        return TextMatch(
            score=_SUBSEQUENCE + 20 * at_starts / len(positions) - min(positions[0], 40) / 4,
            positions=positions,
        )
    return TextMatch(score=_IN_HINT) if _begins_word(word, haystack.hint) else None


def _begins_word(word: str, text: str) -> bool:
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at >= 0


def _find(word: str, haystack: Haystack) -> int:
    """Return the position of ``word``, preferably at a word start; -1 if it does not occur."""
    first = at = haystack.folded.find(word)
    while at >= 0:
        if at in haystack.word_starts:
            return at
        at = haystack.folded.find(word, at + 1)
    return first


def _match_letters(word: str, haystack: Haystack) -> tuple[int, ...]:
    """Return the positions of the letters of ``word`` in order: at the starts of consecutive words, or within
    one word with a few letters left out. Empty for neither: letters scattered further mean nothing."""
    return _initials(word, haystack) or _abbreviation(word, haystack)


def _initials(word: str, haystack: Haystack) -> tuple[int, ...]:
    """Match ``nc`` and ``nech`` with “New chat”; one word in between may be omitted."""
    positions: list[int] = []
    for letter in word:
        after = positions[-1] + 1 if positions else 0
        if positions and haystack.folded[after : after + 1] == letter:
            positions.append(after)
            continue
        candidates = [start for start in haystack.word_starts if start >= after][: 2 if positions else None]
        position = next((start for start in candidates if haystack.folded[start] == letter), -1)
        if position < 0:
            return ()
        positions.append(position)
    return tuple(positions)


def _abbreviation(word: str, haystack: Haystack) -> tuple[int, ...]:
    """Match ``stng`` with “Settings”."""
    if len(word) < _MIN_ABBREVIATION:
        return ()
    for start in haystack.word_starts:
        positions = _subsequence(word, haystack.folded, start=start)
        if positions and positions[0] == start and positions[-1] - start < len(word) + _MAX_OMITTED:
            return positions
    return ()


def _subsequence(word: str, text: str, *, start: int) -> tuple[int, ...]:
    positions: list[int] = []
    at = start
    for letter in word:
        at = text.find(letter, at)
        if at < 0:
            return ()
        positions.append(at)
        at += 1
    return tuple(positions)
