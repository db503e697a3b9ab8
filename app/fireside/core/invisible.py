"""Characters that a model reads and no user sees, or that show a text in another order than it has."""

from __future__ import annotations

import re
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e0fff]"
)


def without_invisible(text: str) -> str:
    """Return a text without them."""
    return _INVISIBLE.sub("", text)


def with_invisible_named(text: str) -> str:
    """Return a text that shows their numbers in their places."""
    return _INVISIBLE.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)
