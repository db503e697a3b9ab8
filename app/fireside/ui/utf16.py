"""Text positions as Qt counts them."""

from __future__ import annotations


def utf16_length(text: str) -> int:
    """Return the number of UTF-16 code units of ``text``, in which Qt counts positions."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
