"""Stop words, detection of German, and German stems."""

from __future__ import annotations

import re
from typing import Final

from fireside.retrieval.word_lists import word_list

_ENGLISH: Final = word_list(
    """
    a about after all also an and any are as at be because been before being between both but by can could did
    do does during each for from further had has have having he her here him his how i if in into is it its
    just me more most my no nor not of off on once only or other our out over own s same she should so some
    such t than that the their them then there these they this those through to too under until up us very was
    we were what when where which while who whom why will with would you your
    """
)
_GERMAN: Final = word_list(
    """
    aber alle als also am an auch auf aus bei beim bin bis bist da damit dann das dass dem den denn der des
    die dies diese dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch fur
    gegen hat hatte ich ihm ihn ihr ihre im in ist ja jede jeder jedes kann kein keine mit mich mir muss nach
    nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so uber um und uns unter vom von vor war
    waren was weil welche welcher welches wenn wer werden wie wieder wir wird wo zu zum zur zwischen
    """
)

_DETECTION_CHARS: Final = 20_000
_MIN_SHARE: Final = 0.08
_MIN_STEM: Final = 3
_TYPICAL_GERMAN: Final = word_list("der die das und ist den dem des ein eine nicht mit von zu auf wird sich")
"""German words that are rare in other languages and in code."""
_WORD: Final = re.compile(r"[^\W_]+")

STOP_WORDS: Final = _ENGLISH | _GERMAN
"""Folded by ``core.text_folding.fold``."""


def words_of(folded: str) -> list[str]:
    """Return the words of a folded text, split as the index does."""
    return _WORD.findall(folded)


def is_german(text: str) -> bool:
    """Return whether the beginning of a text is German prose."""
    words = words_of(text[:_DETECTION_CHARS].lower())
    return bool(words) and sum(word in _TYPICAL_GERMAN for word in words) / len(words) >= _MIN_SHARE


def german_stem(word: str) -> str:
    """Return the stem of a folded word by the rules of CISTEM (Weissweiler and Fraser, 2017)."""
    if not word.isalpha():
        return word
    while len(word) > _MIN_STEM:
        if len(word) > _MIN_STEM + 2 and word.endswith(("em", "er", "nd")):
            word = word[:-2]
        elif word.endswith(("t", "e", "s", "n")):
            word = word[:-1]
        else:
            break
    return word
