"""The words of the list of well-known models, for translators: the list itself is no source of theirs."""

from __future__ import annotations

from typing import Final

from fireside.core.wording import marked

CATALOGUE_WORDS: Final = frozenset(
    {
        marked("Everyday chat"),
        marked("Small computers"),
        marked("Reasoning"),
        marked("Code"),
        marked("Sees pictures"),
        marked("Search and compare texts"),
        marked("A good all-rounder in many languages that can think first where a question is hard."),
        marked("A widely used model for conversation and writing, with room for long texts."),
        marked("Strong at explanations, mathematics and science for its size."),
        marked("Surprisingly able for its size, and remembers very long conversations."),
        marked("Quick answers, summaries and rewriting on an ordinary laptop."),
        marked("Small and sober: summaries, questions about a text, and pulling facts out of it."),
        marked("For computers with little memory: short answers and simple texts."),
        marked(
            "Thinks before it answers, and is fast for its size, since only a part of it works at a time."
        ),
        marked("Works through mathematics and logic step by step, and shows its steps."),
        marked("Writes, completes and explains code in many programming languages."),
        marked(
            "For larger programming tasks with tools; fast for its size, since only a part of it works at a "
            "time."
        ),
        marked("Describes pictures and answers questions about them, on an ordinary laptop."),
        marked("Describes pictures closely and knows more, for a computer with a good graphics card."),
        marked("Reads documents, tables, diagrams and handwriting in pictures."),
        marked("Turns English texts into numbers that can be compared; small and quick. It does not chat."),
        marked("Compares texts in many languages, also long ones. It does not chat."),
    }
)
"""What each model is for and good at. Said with ``tr`` where it is shown."""
