"""Escape text for HTML."""

from __future__ import annotations


def escape(text: str, *, quote: bool = True) -> str:
    """Return ``text`` with the special characters of HTML as entities, quotation marks only if ``quote``.

    Like ``html.escape``, but importing ``html`` loads a table of 2,231 names.
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;") if quote else text
