"""Which elements a style sheet within a web page hides, by rules with one simple selector."""

from __future__ import annotations

import re
from typing import Final

_HIDING: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|"
    r"opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)",
    re.IGNORECASE,
)
_BRACES: Final = re.compile(r"([{}])")
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_SIMPLE: Final = re.compile(r"[a-z0-9]*[.#][\w-]+|[a-z][a-z0-9]*", re.IGNORECASE)
"""A tag, a class or an id: the position of an element in the page is not known here."""


def hides(declarations: str) -> bool:
    """Return whether the declarations of a rule make an element invisible."""
    return _HIDING.search(declarations) is not None


def hidden_selectors(sheet: str) -> frozenset[str]:
    """Return the selectors that ``sheet`` hides outside of at-rules: ``.note``, ``p.note``, ``#top``."""
    is_hidden_by_selector: dict[str, bool] = {}
    enclosing: list[str] = []
    text = ""
    for piece in _BRACES.split(_COMMENT.sub("", sheet)):
        if piece == "{":
            enclosing.append(text.rpartition(";")[2].strip())
        elif piece == "}" and enclosing:
            selectors = enclosing.pop()
            if not any(each.startswith("@") for each in (*enclosing, selectors)):
                for selector in map(str.strip, selectors.split(",")):
                    if _SIMPLE.fullmatch(selector):
                        is_hidden_by_selector[selector.lower()] = hides(text)
        text = "" if piece in ("{", "}") else piece
    return frozenset(selector for selector, is_hidden in is_hidden_by_selector.items() if is_hidden)


def selectors_of(tag: str, attributes: dict[str, str | None]) -> frozenset[str]:
    """Return the simple selectors that match an element."""
    selectors = [f".{name}" for name in (attributes.get("class") or "").lower().split()]
    if attributes.get("id"):
        selectors.append(f"#{attributes['id']}".lower())
    return frozenset((tag, *selectors, *(tag + selector for selector in selectors)))
