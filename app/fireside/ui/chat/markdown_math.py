"""Markdown rules for formulas and footnotes. Pure: no Qt.

Formulas are ``$…$``, ``$$…$$``, ``\\(…\\)``, ``\\[…\\]``, and ``\\begin{align}…\\end{align}`` and its kin on
lines of their own. A dollar sign is mostly money, so between dollar signs there must be evidence of
mathematics. Whether a line begins a block is decided by that line alone: text that streams in could not be
cut into blocks otherwise.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.footnote.index import footnote_def

MAX_INLINE = 1_000
"""Characters between the signs of a formula within a paragraph."""

DELIMITERS = {"$$": "$$", "\\[": "\\]", "\\(": "\\)", "$": "$"}
"""What opens a formula and what closes it. The longer ones come first."""

_ENVIRONMENT = re.compile(
    r"\\begin\{((?:align(?:ed|at)?|flalign|equation|gather(?:ed)?|multline|split|eqnarray|[dr]?cases|array"
    r"|(?:small|[pbBvV])?matrix)\*?)\}"
)
_END = "\\end{%s}"
_STOPS = (".", ",", ";")
_COMMAND = re.compile(r"\\[A-Za-z]|[\^{}]|\w_\w|\\\\")
_RELATION = re.compile(r"[=<>≤≥≈≠→∈]")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_MATHEMATICS_WORDS = (
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp max min sup inf lim mod gcd "
    "lcm det dim ker deg arg sgn rank var cov dx dy dz dt du"
)
_MATHEMATICS = frozenset(_MATHEMATICS_WORDS.split())
_PROSE_WORDS = (
    "is of to in or an at on by as and the for if it we he be no so up us my do go am me you are was "
    "not but with from that this have than then per month year day week each million billion plus"
)
_PROSE = frozenset(_PROSE_WORDS.split())
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]]{1,40})\]")


def add_rules(parser: MarkdownIt) -> None:
    """Teach ``parser`` formulas and footnotes."""
    inside: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "math_block", _math_block, inside)
    parser.block.ruler.before("reference", "footnote_def", _footnote_def, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.before("escape", "math_inline", _math_inline)
    parser.inline.ruler.before("link", "footnote_ref", _footnote_ref)


def looks_like_mathematics(content: str) -> bool:
    """Say whether what stands between two dollar signs is a formula rather than words and prices."""
    if "`" in content:
        return False
    words = {word.lower() for word in _WORD.findall(content)} - _MATHEMATICS
    if _COMMAND.search(content):
        return True
    if words & _PROSE:
        return False
    if any(len(word) > 2 for word in words) and not _RELATION.search(content):
        return False
    return any(char.isalnum() for char in content)


def split_formula(raw: str) -> tuple[str, bool]:
    """Return the TeX of a formula as it was written, without its signs, and whether it stands by itself."""
    if raw.startswith("\\begin{"):
        return raw.strip(), True
    for opener, closer in DELIMITERS.items():
        if raw.startswith(opener) and raw.endswith(closer) and len(raw) >= len(opener) + len(closer):
            return raw[len(opener) : len(raw) - len(closer)].strip(), opener in {"$$", "\\["}
    return raw.strip(), False


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    line = _line(state, start)
    if (environment := _ENVIRONMENT.match(line)) is not None:
        closer = _END % environment.group(1)
        closed = _ends_with(line, closer)
        if closer in line and not closed:
            return False
    elif (signs := _opening_signs(line)) is not None:
        closer, closed = signs
    else:
        return False
    if silent:
        return True
    last = start
    while not closed and last + 1 < end:
        if state.isEmpty(last + 1) or state.sCount[last + 1] < state.blkIndent:
            break
        last += 1
        if closer in _line(state, last):
            closed = _ends_with(_line(state, last), closer)
            break
    token = state.push("math_block", "", 0)
    token.block = True
    token.map = [start, last + 1]
    token.content = "\n".join(_line(state, line).rstrip() for line in range(start, last + 1)).strip()
    token.meta = {"closed": closed}
    state.line = last + 1
    return True


def _opening_signs(line: str) -> tuple[str, bool] | None:
    """Return what closes the formula that a line opens with signs, and whether it is closed in that line."""
    opener, rest = line[:2], line[2:]
    if opener not in {"$$", "\\["}:
        return None
    closer = DELIMITERS[opener]
    found = rest.find(closer)
    if found >= 0 and (rest[found + 2 :].strip() or not rest[:found].strip()):
        return None
    if found < 0 and rest.strip() and not looks_like_mathematics(rest):
        return None
    return closer, found >= 0


def _ends_with(line: str, closer: str) -> bool:
    """Say whether a line ends a formula; behind an environment there may be the sentence's full stop."""
    line = line.rstrip()
    return line.endswith(closer) or (line[-1:] in _STOPS and line[:-1].endswith(closer) and len(closer) > 2)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _math_inline(state: StateInline, silent: bool) -> bool:
    src, start = state.src, state.pos
    if src[start] not in "$\\":
        return False
    opener = next((mark for mark in DELIMITERS if src.startswith(mark, start)), "")
    if not opener:
        return False
    closer = DELIMITERS[opener]
    begin = start + len(opener)
    close = _closing(src, begin, min(state.posMax, begin + MAX_INLINE), closer=closer)
    if close < 0:
        return False
    content, end = src[begin:close], close + len(closer)
    if opener == "$" and not _stands_as_formula(src, start, end, content=content):
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


def _stands_as_formula(src: str, start: int, end: int, *, content: str) -> bool:
    """Single dollar signs must cling to what is between them, and to no letter or digit outside."""
    if not content or content[0].isspace() or content[-1].isspace():
        return False
    before, after = src[start - 1 : start], src[end : end + 1]
    return not (before.isalnum() or before == "$" or after.isalnum() or after == "$")


def _footnote_def(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    n_before = len(state.tokens)
    if not footnote_def(state, start, end, silent):
        return False
    if not silent:
        token = state.tokens[n_before]
        token.map = [start, state.line]
        state.env.setdefault("references", {})[_footnote_key(token.meta["label"])] = {"title": "", "href": ""}
    return True


def _footnote_ref(state: StateInline, silent: bool) -> bool:
    found = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    if found is None or state.src[found.end() : found.end() + 1] in {"(", ":"}:
        return False
    label = found.group(1)
    if not label.isdecimal() and _footnote_key(label) not in state.env.get("references", {}):
        return False
    if not silent:
        state.push("footnote_ref", "", 0).content = label
    state.pos = found.end()
    return True


def _footnote_key(label: str) -> str:
    return f"^{label}".upper()
