"""Rules inside paragraphs beyond CommonMark: emphasis beside CJK punctuation, and the few HTML tags drawn."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import east_asian_width

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace, normalizeReference
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import link as commonmark_link
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

_DRAWN: Final = {
    **{name: name for name in ("sub", "sup", "kbd", "mark", "strong", "em", "s", "u")},
    "b": "strong",
    "i": "em",
    "del": "s",
    "strike": "s",
    "ins": "u",
}
"""The tags around text, and as which elements they are drawn."""
_TAG: Final = re.compile(rf"<({'|'.join(_DRAWN)}|br)\s*(/?)>", re.IGNORECASE)
_CLOSING: Final = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _DRAWN}
_LIST: Final = re.compile(
    r"<(ul|ol)>\s*((?:<li>(?:(?!</?(?:ul|ol|li)>).)*</li>\s*)+)</\1>", re.IGNORECASE | re.DOTALL
)
_ITEM: Final = re.compile(r"<li>(.*?)</li>", re.IGNORECASE | re.DOTALL)
_CITATION: Final = re.compile(r"\[\d+\]")
_BLANKS: Final = re.compile(r"[ \t]*\n[ \t]*")

_QUOTATION_MARKS: Final = "‘’“”"
_FULL_WIDTH_SELECTOR: Final = "\ufe01"


class CjkFriendlyInline(ParserInline):
    """Parses emphasis by CommonMark's rules as amended for Chinese, Japanese and Korean.

    Those are the published CJK-friendly amendments (github.com/tats-u/markdown-cjk-friendly): beside a CJK
    character, ``*`` and ``~`` open and close emphasis whatever punctuation is at their other side.
    """

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _State(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N803 - the parser's signature
        end = start
        while end < self.posMax and self.src[end] == self.src[start]:
            end += 1
        before = self.src[start - 1] if start > 0 else " "
        after = self.src[end] if end < self.posMax else " "
        base = before
        if _is_selector(before) and start > 1 and not self.src[start - 2].isspace():
            base = self.src[start - 2]
        if isWhiteSpace(ord(base)) or isWhiteSpace(ord(after)):
            return Scanned(not isWhiteSpace(ord(after)), not isWhiteSpace(ord(base)), end - start)
        opens, closes = _is_punctuation(base), _is_punctuation(after)
        if canSplitWord:
            is_cjk = _is_cjk(after) or _ends_cjk(base, before)
            opens, closes = opens or is_cjk or not closes, closes or is_cjk or not opens
        return Scanned(opens, closes, end - start)


def _is_punctuation(char: str) -> bool:
    return isMdAsciiPunct(ord(char)) or isPunctChar(char)


def _is_selector(char: str) -> bool:
    """Return whether ``char`` selects a variant of the character before it that is no emoji."""
    return "\ufe00" <= char <= "\ufe0e"


def _ends_cjk(base: str, last: str) -> bool:
    """Return whether text that ends with ``base``, and ``last`` if that selects its variant, ends in CJK."""
    if "\U000e0100" <= base <= "\U000e01ef":  # selects a variant of an ideograph
        return True
    return _is_cjk(base) or (last == _FULL_WIDTH_SELECTOR and base in _QUOTATION_MARKS)


def _is_cjk(char: str) -> bool:
    """Return whether ``char`` is Chinese, Japanese or Korean: wide, no emoji, or a Hangul letter."""
    if char < "\u1100":
        return False
    if east_asian_width(char) == "N":
        return "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7ff"
    return east_asian_width(char) in "WFH" and not _is_emoji(char)


def _is_emoji(char: str) -> bool:
    """Return whether a wide character is a picture by default; the enclosed ideographs count as text."""
    if char in "\u2329\u232a":  # angle brackets
        return False
    return "\u2300" <= char <= "\u2bff" or (
        "\U0001f000" <= char <= "\U0001faff" and not "\U0001f202" <= char <= "\U0001f265"
    )


def link(state: StateInline, silent: bool) -> bool:
    """Parse a link. The text of a citation, which is a number alone as in ``[1]``, includes its brackets.

    ``[1][2]`` are two citations. ``link_open`` has ``meta["is_citation"]``.
    """
    start, maximum = state.pos, state.posMax
    number = _CITATION.match(state.src, start, maximum)
    if number is not None and _CITATION.match(state.src, number.end(), maximum):
        state.posMax = number.end()
    found = commonmark_link(state, silent)
    state.posMax = maximum
    if found and not silent and number is not None and state.pos == number.end():
        opening, text, _ = state.tokens[-3:]
        opening.meta["is_citation"] = True
        text.content = number[0]
    return found


def label_as_text(state: StateInline, silent: bool) -> bool:
    """Parse the bracket before the label of a definition that is text as a bracket."""
    labels = state.env.get("as_text")
    if not labels or state.src[state.pos] != "[":
        return False
    end = state.src.find("]:", state.pos, state.posMax)
    line = state.src[state.src.rfind("\n", 0, state.pos) + 1 : state.pos]
    if end < 0 or line.strip() or normalizeReference(state.src[state.pos + 1 : end]) not in labels:
        return False
    if not silent:
        state.append_pending("[")
    state.pos += 1
    return True


def html_element(state: StateInline, silent: bool) -> bool:
    """Parse the tags of ``_DRAWN`` around text, lists in one line, and ``<br>``.

    They have no attributes. Any other tag, and one that is not closed, is text.
    """
    if state.src[state.pos] != "<":
        return False
    if (items := _LIST.match(state.src, state.pos, state.posMax)) is not None:
        return _list(state, items, silent)
    tag = _TAG.match(state.src, state.pos, state.posMax)
    if tag is None:
        return False
    name = tag[1].lower()
    if name == "br":
        if not silent:
            state.push("hardbreak", "br", 0)
        blanks = _BLANKS.match(state.src, tag.end(), state.posMax)
        state.pos = tag.end() if blanks is None else blanks.end()
        return True
    closing = None if tag[2] else _CLOSING[name].search(state.src, tag.end(), state.posMax)
    if closing is None or not state.src[tag.end() : closing.start()].strip():
        return False
    if not silent:
        element = _DRAWN[name]
        state.push(f"{element}_open", element, 1)
        _tokenize(state, tag.end(), closing.start())
        state.push(f"{element}_close", element, -1)
    state.pos = closing.end()
    return True


def _list(state: StateInline, items: re.Match[str], silent: bool) -> bool:
    """Parse a list within a table's cell as lines with bullets or numbers."""
    if not silent:
        is_numbered = items[1].lower() == "ol"
        if state.pos > 0:
            state.push("hardbreak", "br", 0)
        for number, item in enumerate(_ITEM.finditer(state.src, items.start(2), items.end(2)), 1):
            if number > 1:
                state.push("hardbreak", "br", 0)
            state.append_pending(f"{number}. " if is_numbered else "• ")
            _tokenize(state, item.start(1), item.end(1))
        if items.end() < state.posMax:
            state.push("hardbreak", "br", 0)
    state.pos = items.end()
    return True


def _tokenize(state: StateInline, start: int, end: int) -> None:
    """Parse a part of the paragraph."""
    before = state.pos, state.posMax
    state.pos, state.posMax = start, end
    state.md.inline.tokenize(state)
    state.pos, state.posMax = before
