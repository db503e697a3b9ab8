"""Characters that are invisible to users but not to models, or that change the displayed order of text."""

from __future__ import annotations

import re
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
    "|[\u200c\u200d]{2,}|[\ufe00-\ufe0f]{2,}"
)
"""Scripts and emoji use single joiners and variation selectors; several in a row may hide a message."""


def without_invisible(text: str) -> str:
    """Return ``text`` without invisible characters."""
    return _INVISIBLE.sub("", text)


def with_invisible_named(text: str) -> str:
    """Return ``text`` with each invisible character replaced by its code point, ``[U+200B]``."""
    return _INVISIBLE.sub(lambda match: "".join(f"[U+{ord(char):04X}]" for char in match[0]), text)
