"""Find the text that one PDF library extracted in the text that another one did."""

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
