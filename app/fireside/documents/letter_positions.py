"""Compare texts that two programs read from one page."""

from __future__ import annotations

import unicodedata


def letter_positions(text: str) -> tuple[str, list[int]]:
    """Return a text's letters and digits alone, folded, and where each stands: two programs that read a page
    differ in spaces, hyphens and ligatures."""
    letters: list[str] = []
    at: list[int] = []
    for index, char in enumerate(text):
        for folded in unicodedata.normalize("NFKC", char).casefold():
            if folded.isalnum():
                letters.append(folded)
                at.append(index)
    return "".join(letters), at
