"""Sanitise texts from files for display."""

from __future__ import annotations


def printable(text: str, *, limit: int = 64) -> str:
    """Return ``text`` printable, on one line and at most ``limit`` characters long.

    Control, bidirectional and private characters could change how the surrounding line is displayed.
    """
    clean = "".join(character if character.isprintable() else "\ufffd" for character in text[:limit])
    return clean if len(text) <= limit else clean[:-1] + "…"
