"""Distinguish formulas in Markdown from amounts of money, and remove their delimiters. Pure.

A dollar sign mostly means money or a variable, so text between dollar signs must contain evidence of
mathematics, and more of it if letters, digits or inner spaces touch them. Letters that are written without
spaces between words, such as Chinese ones, say nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline


MAX_INLINE = 2_000
"""Largest formula within a paragraph, in characters between its delimiters."""

DELIMITERS = {"$$": "$$", "\\[": "\\]", "\\(": "\\)", "$": "$"}
"""Closing delimiters by opening ones, the longer ones first."""

STOPS = (".", ",", ";", "。", "，", "；")
"""Punctuation that may follow a display formula."""

_COMMAND = re.compile(r"\\[A-Za-z{}|$%#&_]|[\^{}]|\w_\w|\\\\")
_TEX = re.compile(r"\\[A-Za-z]{2,}|\\[{}|$%]|[\^_]\{")
"""What only TeX contains."""
_SCRIPTS = re.compile(r"(?:[\^_](?:\{[^{}]{1,20}\}|\\[A-Za-z]+|[\w+*-]))+")
"""Scripts without a base, as in ``H$_2$O``."""
_TEXT = re.compile(r"\\(?:text\w*|mbox|math[a-z]+|operatorname\*?|begin|end|label|tag|color)\s*\{[^{}]*\}")
_WITHIN = re.compile(
    r"\\(?:text[a-z]*|[mh]box|tag\*?|ce|pu)\s*\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}"
    r"|\\.|[^\\$]+",
    re.DOTALL,
)
"""A part of a formula in which a dollar sign does not end it, or that has none."""
_VARIABLE = re.compile(r"\{\w+\}")
"""A variable in braces, as in ``${HOME}``, without its dollar sign."""
_SIGN = re.compile(r"[-+*=<>≤≥≈≠±×÷∈]")
_SYMBOL = re.compile(r"[^\W\d_]['!]*(?:\([\w, ]{1,10}\))?")
_OPERATION = re.compile(r"[\w)\]}!]\s*[-+*/^_=<>≤≥≈≠→∈±×÷]\s*[\w(\[{\\-]")
_RELATION = re.compile(r"[=<>≤≥≈≠→∈]")
_FOREIGN = re.compile(r"[^\W\d_\0-\u058f\u1d00-\u214f\U0001d400-\U0001d7ff]")
"""A letter that formulas have in ``\\text`` only."""
_INCOMPLETE = re.compile(r"[=/&]$")
_PARTIAL = re.compile(r"[-–—+*=<>|/&,;:.]$")
"""The end of text between two amounts or variables, as in ``$a-$b``."""
_SUFFIX = re.compile(r"(?:[a-zß-ÿ]{2,12}|[se])(?![\w$(\[{=/])")
"""The rest of a word that begins with a formula, as in ``$n$th``."""
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_BLOCK = re.compile(r"\d{1,9}[.)] |[-*] |#{1,6} |>|\|")
"""The beginning of a block of Markdown."""
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
    if "`" in content or (_VARIABLE.match(content) and not _TEX.search(content) and "^" not in content):
        return False
    if _COMMAND.search(content) or _SCRIPTS.fullmatch(content) or _SIGN.fullmatch(content):
        return True
    words = _words(content)
    if words & _PROSE_WORDS or _INCOMPLETE.search(content):
        return False
    if _RELATION.search(content):
        return True
    if any(len(word) > 2 for word in words) or _FOREIGN.search(content):
        return False
    return any(char.isalnum() for char in content)


def continues_formula(line: str) -> bool:
    """Return whether a line after a blank line can only be a part of the display formula before it."""
    words = _words(_TEXT.sub("", line))
    is_text = "$" in line or "`" in line or words & _PROSE_WORDS or any(len(word) > 3 for word in words)
    return not is_text and _BLOCK.match(line) is None


def _words(content: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(content)} - _MATH_NAMES


def split_formula(raw: str) -> tuple[str, bool]:
    """Return the TeX of a formula without its delimiters, and whether it is a display formula.

    Punctuation after a display formula becomes a part of it.
    """
    if raw.startswith("\\begin{"):
        return raw.strip(), True
    stop = raw[-1:] if raw.endswith(STOPS) else ""
    inner = raw.removesuffix(stop)
    for opener, closer in DELIMITERS.items():
        if inner.startswith(opener) and inner.endswith(closer) and len(inner) >= len(opener) + len(closer):
            return inner[len(opener) : len(inner) - len(closer)].strip() + stop, opener in {"$$", "\\["}
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
    if closer != "$":
        return src.find(closer, begin, end)
    at = begin
    while at < end and src[at] != "$":
        within = _WITHIN.match(src, at, end)
        at = within.end() if within is not None else end
    return at if at < end else -1


def _is_delimited(src: str, start: int, end: int, *, content: str) -> bool:
    """Return whether what surrounds two single dollar signs lets the text between them be a formula."""
    before, after = src[start - 1 : start], src[end : end + 1]
    if before == after == "_":  # emphasis
        before, after = src[start - 2 : start - 1], src[end + 1 : end + 2]
    if not content.strip() or before == "$" or after == "$":
        return False
    if content[0].isspace() or content[-1].isspace():
        is_amount = (
            src[max(0, start - 2) : start].strip()[-1:].isdecimal()
            or src[end : end + 2].strip()[:1].isdecimal()
        )
        return not (is_amount or _is_word(before) or _is_word(after)) and _is_plainly_tex(content)
    if _TEX.search(content) or _SCRIPTS.fullmatch(content):
        return not ((content[0].isdecimal() or _PARTIAL.search(content)) and _is_word(after))
    if before.isdecimal() or _is_word(before) or after.isdecimal():
        return False
    return not _is_word(after) or _may_have_suffix(content, src, end)


def _is_word(char: str) -> bool:
    """Return whether ``char`` is a letter or digit that currencies and names of variables contain."""
    return char.isascii() and (char.isalnum() or char == "_")


def _may_have_suffix(content: str, src: str, end: int) -> bool:
    if _PARTIAL.search(content):
        return False
    suffix = _SUFFIX if any(map(str.isalpha, content)) else _ORDINAL
    return suffix.match(src, end) is not None


def _is_plainly_tex(content: str) -> bool:
    """Return whether text with inner spaces beside its dollar signs is a formula."""
    words = _words(_TEXT.sub("", content))
    if words & _PROSE_WORDS:
        return False
    is_even = content[0].isspace() and content[-1].isspace()
    if _TEX.search(content):
        return is_even or not words
    if not is_even or any(len(word) > 2 for word in words):
        return False
    text = content.strip()
    if _PARTIAL.search(text):
        return False
    has_names = not words and any(map(str.isalpha, text))
    is_calculation = _OPERATION.search(text) is not None and (has_names or _RELATION.search(text) is not None)
    return is_calculation or _SYMBOL.fullmatch(text) is not None
