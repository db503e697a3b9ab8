"""Find a text in another one that differs in spaces, punctuation, ligatures and case: by its letters."""

from __future__ import annotations

import unicodedata


def letter_positions(text: str) -> tuple[str, list[int]]:
    """Return the case-folded letters and digits of a text, and the index of each in it.

    PDF libraries differ in spaces, hyphens and ligatures.
    """
    letters: list[str] = []
    positions: list[int] = []
    for index, char in enumerate(text):
        if char.isascii():
            if char.isalnum():
                letters.append(char.lower())
                positions.append(index)
            continue
        for folded in unicodedata.normalize("NFKC", char).casefold():
            if folded.isalnum():
                letters.append(folded)
                positions.append(index)
    return "".join(letters), positions
