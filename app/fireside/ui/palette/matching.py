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

_OTHER_NAME: Final = 105.0
_BEGINS_OTHER_NAME: Final = 85.0
_WORD_START: Final = 100.0
_INSIDE: Final = 60.0
_SCATTERED: Final = 30.0
_IN_HINT: Final = 20.0
_THINNED_LEAST: Final = 3
_LEFT_OUT: Final = 3
"""How many letters of a word may be left out."""


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


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A score, the higher the better, and the positions of the matched characters in ``Haystack.text``."""

    score: float
    positions: tuple[int, ...] = ()


def haystack(text: str, *, hint: str = "", aliases: Sequence[str] = ()) -> Haystack:
    """Prepare ``text`` for queries. Word starts in ``hint`` match too, with a lower score and no positions; a
    whole alias scores as much as ``text``."""
    shown = composed(text)[:TEXT_LIMIT]
    folded = fold(shown)
    starts = tuple(
        place
        for place, character in enumerate(folded)
        if character.isalnum() and (place == 0 or not folded[place - 1].isalnum())
    )
    return Haystack(
        text=shown,
        folded=folded,
        word_starts=starts,
        hint=fold(hint[:HINT_LIMIT]),
        aliases=tuple(map(fold, aliases)),
    )


def match(query: str, hay: Haystack) -> Match | None:
    """Return how ``query`` matches, or ``None``. Each of its words must match somewhere, in any order.

    An empty query matches everything with score 0.
    """
    words = fold(query[:QUERY_LIMIT]).split()
    if not words:
        return Match(score=0.0)
    by_words, by_name = _match_words(words, hay), _match_name(" ".join(words), hay)
    if by_words is None or (by_name is not None and by_name.score > by_words.score):
        return by_name
    return by_words


def _match_name(query: str, hay: Haystack) -> Match | None:
    if query in hay.aliases:
        return Match(score=_OTHER_NAME)
    return Match(score=_BEGINS_OTHER_NAME) if any(_begins_word(query, name) for name in hay.aliases) else None


def _match_words(words: list[str], hay: Haystack) -> Match | None:
    score = 0.0
    places: set[int] = set()
    for word in words:
        found = _match_word(word, hay)
        if found is None:
            return None
        score += found.score
        places.update(found.positions)
    return Match(score=score / len(words), positions=tuple(sorted(places)))


def _match_word(word: str, hay: Haystack) -> Match | None:
    at = _find(word, hay)
    if at >= 0:
        base = _WORD_START if at in hay.word_starts else _INSIDE
        # A match near the start, and one that covers more of the text, scores higher.
        score = base - min(at, 40) / 4 + 10 * len(word) / len(hay.folded)
        return Match(score=score, positions=tuple(range(at, at + len(word))))
    places = _scattered(word, hay)
    if places:
        at_starts = sum(place in hay.word_starts for place in places)
        return Match(
            score=_SCATTERED + 20 * at_starts / len(places) - min(places[0], 40) / 4, positions=places
        )
    return Match(score=_IN_HINT) if _begins_word(word, hay.hint) else None


def _begins_word(word: str, text: str) -> bool:
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at >= 0


def _find(word: str, hay: Haystack) -> int:
    """Return the position of ``word``, preferably at a word start; -1 if it does not occur."""
    first = at = hay.folded.find(word)
    while at >= 0:
        if at in hay.word_starts:
            return at
        at = hay.folded.find(word, at + 1)
    return first


def _scattered(word: str, hay: Haystack) -> tuple[int, ...]:
    """Return the positions of the letters of ``word`` in order: at the starts of consecutive words, or within
    one word with a few letters left out. Empty for neither: letters scattered further mean nothing."""
    return _initials(word, hay) or _thinned(word, hay)


def _initials(word: str, hay: Haystack) -> tuple[int, ...]:
    """``nc`` and ``ne ch`` without its space for “New chat”; one word in between may be left out."""
    places: list[int] = []
    for letter in word:
        after = places[-1] + 1 if places else 0
        if places and hay.folded[after : after + 1] == letter:
            places.append(after)
            continue
        near = [start for start in hay.word_starts if start >= after][: 2 if places else None]
        at = next((start for start in near if hay.folded[start] == letter), -1)
        if at < 0:
            return ()
        places.append(at)
    return tuple(places)


def _thinned(word: str, hay: Haystack) -> tuple[int, ...]:
    """``stng`` for “Settings”."""
    if len(word) < _THINNED_LEAST:
        return ()
    for start in hay.word_starts:
        places = _walk(word, hay.folded, start=start)
        if places and places[0] == start and places[-1] - start < len(word) + _LEFT_OUT:
            return places
    return ()


def _walk(word: str, text: str, *, start: int) -> tuple[int, ...]:
    places: list[int] = []
    at = start
    for letter in word:
        at = text.find(letter, at)
        if at < 0:
            return ()
        places.append(at)
        at += 1
    return tuple(places)
