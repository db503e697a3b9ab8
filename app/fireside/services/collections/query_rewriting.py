"""Rewrite a follow-up question into a search query, by rules alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from fireside.core.citations import citation_marks
from fireside.core.message import ChatMessage, Role
from fireside.core.text_folding import fold
from fireside.retrieval.languages import STOP_WORDS, words_of
from fireside.retrieval.word_lists import word_list

_MIN_WORDS: Final = 3
"""A question with fewer content words is taken for a follow-up of the one before it."""
_REFERRING: Final = word_list(
    """
    it its they them their this that these those he she his her him same former latter second first last other
    er sie es ihn ihm ihr ihre sein seine dies diese dieser dieses davon dazu dabei damit daraus dort jene
    jener letztere erste zweite
    """
)
_JOINING: Final = word_list("and but so also und aber also dann")
_MAX_TITLES: Final = 3
_ABOUT_ALL: Final = re.compile(
    r"\b(summari[sz]e|summary|overview|how many|list all|list every|list the|all of the|every|count|"
    r"zusammenfass\w*|fass\w*|uberblick|wie viele|wieviele|alle|liste|samtliche)\b"
)


def rewrite_query(question: str, history: Sequence[ChatMessage]) -> str:
    """Return the search query of a question; a follow-up includes the question before it.

    What the last answer cited tells what that question was about.
    """
    words = words_of(fold(question))
    content_words = [word for word in words if word not in STOP_WORDS]
    starts_with_joiner = words[:1] and words[0] in _JOINING
    if len(content_words) >= _MIN_WORDS and not starts_with_joiner and not _REFERRING.intersection(words):
        return question
    last_question = next((m for m in reversed(history) if m.role is Role.USER and m.text.strip()), None)
    if last_question is None:
        return question
    answer = history[-1].text if history[-1].role is Role.ASSISTANT else ""
    titles: dict[str, None] = {}
    if last_question.passages is not None:
        for mark in citation_marks(answer, last_question.passages.citations):
            if mark.citation is not None:
                passage = mark.citation.passage
                titles[passage.headings[-1] if passage.headings else passage.name] = None
    last_text = last_question.passages.question if last_question.passages is not None else last_question.text
    return "\n".join((question, last_text[:500], *list(titles)[:_MAX_TITLES]))


def asks_about_everything(question: str) -> bool:
    """Return whether a question asks for a summary, a list or a count, which a few passages cannot answer."""
    return _ABOUT_ALL.search(fold(question)) is not None
