"""The words of the list of well-known models, for translators: the list itself is no source of theirs."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop

CATALOGUE_WORDS: Final = frozenset(
    {
        tr_noop("Everyday chat"),
        tr_noop("Small computers"),
        tr_noop("Reasoning"),
        tr_noop("Code"),
        tr_noop("Sees pictures"),
        tr_noop("Search and compare texts"),
        tr_noop("A good all-rounder in many languages that can think first where a question is hard."),
        tr_noop("A widely used model for conversation and writing, with room for long texts."),
        tr_noop("Strong at explanations, mathematics and science for its size."),
        tr_noop("Surprisingly able for its size, and remembers very long conversations."),
        tr_noop("Quick answers, summaries and rewriting on an ordinary laptop."),
        tr_noop("Small and sober: summaries, questions about a text, and pulling facts out of it."),
        tr_noop("For computers with little memory: short answers and simple texts."),
        tr_noop(
            "Thinks before it answers, and is fast for its size, since only a part of it works at a time."
        ),
        tr_noop("Works through mathematics and logic step by step, and shows its steps."),
        tr_noop("Writes, completes and explains code in many programming languages."),
        tr_noop(
            "For larger programming tasks with tools; fast for its size, since only a part of it works at a "
            "time."
        ),
        tr_noop("Describes pictures and answers questions about them, on an ordinary laptop."),
        tr_noop("Describes pictures closely and knows more, for a computer with a good graphics card."),
        tr_noop("Reads documents, tables, diagrams and handwriting in pictures."),
        tr_noop("Turns English texts into numbers that can be compared; small and quick. It does not chat."),
        tr_noop("Compares texts in many languages, also long ones. It does not chat."),
    }
)
"""What each model is for and good at. Said with ``tr`` where it is shown."""
