"""Conversion of a model card with HTML to plain Markdown; text is kept, HTML removed. Pure.

Many cards are half HTML. Shown as text it would be noise, and none of it is ever interpreted: tags become
the Markdown that comes nearest, or nothing. What is in code stays as it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HIDDEN: Final = re.compile(
    r"<(style|script|svg)\b[^<>]{0,2000}>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,15})((?:\s[^<>]{0,2000})?)/?>")
_CODE_SPAN: Final = re.compile(r"(?<!`)(`++)[^`\n]{1,1000}+\1(?!`)")
_ATTRIBUTE: Final = re.compile(r"""\b(href|alt)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)

_MARKS: Final = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "del": "~~", "s": "~~"}
_PARAGRAPHS: Final = frozenset(
    {"p", "div", "center", "table", "thead", "tbody", "details", "ul", "ol", "section", "figure", "hr"}
)
_LINES: Final = frozenset({"br", "tr", "summary", "figcaption", "dt", "dd"})
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}


def card_markdown(card: str) -> str:
    """Return ``card`` as Markdown without HTML, in linear time."""
    return "".join(part if is_code else _plain(part) for is_code, part in _parts(card))


def _parts(card: str) -> Iterator[tuple[bool, str]]:
    """Split at fenced code blocks, which stay unchanged."""
    prose: list[str] = []
    code: list[str] = []
    fence = ""
    for line in card.splitlines(keepends=True):
        match = _FENCE.match(line)
        if fence:
            code.append(line)
            if match is not None and match[1].startswith(fence) and not line.strip(f"{fence[0]} \r\n"):
                yield True, "".join(code)
                code, fence = [], ""
        elif match is not None:
            yield False, "".join(prose)
            prose, code, fence = [], [line], match[1]
        else:
            prose.append(line)
    yield (True, "".join(code)) if fence else (False, "".join(prose))


def _plain(text: str) -> str:
    if "<" not in text:
        return text
    text = _HIDDEN.sub("", _COMMENT.sub("", text))
    out: list[str] = []
    links: list[str] = []
    done = 0
    for span in _CODE_SPAN.finditer(text):
        out.append(_without_tags(text[done : span.start()], links))
        out.append(span.group())
        done = span.end()
    out.append(_without_tags(text[done:], links))
    return "".join(out)


def _without_tags(text: str, links: list[str]) -> str:
    return _TAG.sub(lambda tag: _replacement(tag, links), text)


def _replacement(tag: re.Match[str], links: list[str]) -> str:
    """Return the Markdown for one tag; ``links`` are the URLs of open links."""
    name, closes = tag[2].lower(), bool(tag[1])
    attributes = {key.lower(): html.unescape(a or b) for key, a, b in _ATTRIBUTE.findall(tag[3])}
    if name == "a":
        if closes:
            return f"](<{links.pop()}>)" if links and links[-1] else ("" if not links else links.pop())
        address = attributes.get("href", "")
        links.append(address if not set("<>\n\\") & set(address) else "")
        return "[" if links[-1] else ""
    if name == "img":
        alt = re.sub(r"[\[\]()<>\\\n]", " ", attributes.get("alt", "")).strip()
        return f"![{alt}](picture)" if alt else ""
    if name in _MARKS:
        return _MARKS[name]
    if name in _HEADINGS:
        return "\n\n" if closes else f"\n\n{_HEADINGS[name]} "
    if name == "li":
        return "" if closes else "\n- "
    if name in {"td", "th"}:
        return "  " if closes else ""
    if name in _PARAGRAPHS:
        return "\n\n"
    return "\n" if name in _LINES else ""
