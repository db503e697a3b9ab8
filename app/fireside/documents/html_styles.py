"""Which elements the style sheet within a web page keeps from its readers, as far as one rule alone tells."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|"
    r"opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)",
    re.IGNORECASE,
)
_BRACES: Final = re.compile(r"([{}])")
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_SIMPLE: Final = re.compile(r"[a-z0-9]*[.#][\w-]+|[a-z][a-z0-9]*", re.IGNORECASE)
"""A name, a class or an id alone; what stands where in the page is not known here."""


def hides(declarations: str) -> bool:
    """Tell whether what a style says keeps an element from being seen."""
    return _UNSEEN.search(declarations) is not None


def hidden_selectors(sheet: str) -> frozenset[str]:
    """Return the selectors that ``sheet`` hides on every screen: ``.note``, ``p.note``, ``#top``."""
    found: dict[str, bool] = {}
    around: list[str] = []
    words = ""
    for piece in _BRACES.split(_COMMENT.sub("", sheet)):
        if piece == "{":
            around.append(words.rpartition(";")[2].strip())
        elif piece == "}" and around:
            selectors = around.pop()
            if not any(each.startswith("@") for each in (*around, selectors)):
                for selector in map(str.strip, selectors.split(",")):
                    if _SIMPLE.fullmatch(selector):
                        found[selector.lower()] = hides(words)
        words = "" if piece in ("{", "}") else piece
    return frozenset(selector for selector, is_hidden in found.items() if is_hidden)


def selectors_of(tag: str, attributes: dict[str, str | None]) -> frozenset[str]:
    """Return the selectors that mean an element by itself."""
    marks = [f".{name}" for name in (attributes.get("class") or "").lower().split()]
    if attributes.get("id"):
        marks.append(f"#{attributes['id']}".lower())
    return frozenset((tag, *marks, *(tag + mark for mark in marks)))
