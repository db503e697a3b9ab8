"""Distinguish formulas in Markdown from amounts of money, and remove their delimiters. Pure.

A dollar sign mostly means money, so text between dollar signs must contain evidence of mathematics.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline


MAX_INLINE = 1_000
"""Largest inline formula, in characters between its delimiters."""

DELIMITERS = {"$$": "$$", "\\[": "\\]", "\\(": "\\)", "$": "$"}
"""Closing delimiters by opening ones, the longer ones first."""

_COMMAND = re.compile(r"\\[A-Za-z]|[\^{}]|\w_\w|\\\\")
_RELATION = re.compile(r"[=<>≤≥≈≠→∈]")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_MATH_NAME_LIST = (
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp max min sup inf lim mod gcd "
    "lcm det dim ker deg arg sgn rank var cov dx dy dz dt du"
)
_MATH_NAMES = frozenset(_MATH_NAME_LIST.split())
_PROSE_WORD_LIST = (
    "is of to in or an at on by as and the for if it we he be no so up us my do go am me you are was "
    "not but with from that this have than then per month year day week each million billion plus"
)
_PROSE_WORDS = frozenset(_PROSE_WORD_LIST.split())


def looks_like_mathematics(content: str) -> bool:
    """Return whether the text between two dollar signs is a formula, not words and prices."""
    if "`" in content:
        return False
    words = {word.lower() for word in _WORD.findall(content)} - _MATH_NAMES
    if _COMMAND.search(content):
        return True
    if words & _PROSE_WORDS:
        return False
    if any(len(word) > 2 for word in words) and not _RELATION.search(content):
        return False
    return any(char.isalnum() for char in content)


def split_formula(raw: str) -> tuple[str, bool]:
    """Return the TeX of a formula without its delimiters, and whether it is a display formula."""
    if raw.startswith("\\begin{"):
        return raw.strip(), True
    for opener, closer in DELIMITERS.items():
        if raw.startswith(opener) and raw.endswith(closer) and len(raw) >= len(opener) + len(closer):
            return raw[len(opener) : len(raw) - len(closer)].strip(), opener in {"$$", "\\["}
    return raw.strip(), False


def math_inline(state: StateInline, silent: bool) -> bool:
    """Parse an inline formula as one token ``math_inline``: a rule for ``markdown_it``."""
    src, start = state.src, state.pos
    if src[start] not in "$\\":
        return False
    opener = next((each for each in DELIMITERS if src.startswith(each, start)), "")
    if not opener:
        return False
    closer = DELIMITERS[opener]
    begin = start + len(opener)
    close = _closing(src, begin, min(state.posMax, begin + MAX_INLINE), closer=closer)
    if close < 0:
        return False
    content, end = src[begin:close], close + len(closer)
    if opener == "$" and not _is_delimited(src, start, end, content=content):
        return False
    if not content.strip() or not looks_like_mathematics(content.strip()):
        return False
    if not silent:
        token = state.push("math_inline", "", 0)
        token.content = src[start:end]
    state.pos = end
    return True


def _closing(src: str, begin: int, end: int, *, closer: str) -> int:
    at = src.find(closer, begin, end)
    while closer == "$" and at > 0 and src[at - 1] == "\\":
        at = src.find(closer, at + 1, end)
    return at


def _is_delimited(src: str, start: int, end: int, *, content: str) -> bool:
    """Return whether single dollar signs touch the text between them, and no letter or digit outside."""
    if not content or content[0].isspace() or content[-1].isspace():
        return False
    before, after = src[start - 1 : start], src[end : end + 1]
    return not (before.isalnum() or before == "$" or after.isalnum() or after == "$")
