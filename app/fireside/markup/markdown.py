"""The Markdown of windows and exported pages: one parser, its limits, and which links are allowed.

Everything a model writes is hostile input: no HTML is interpreted but a few tags without attributes,
expensive text is plain text, and a URL is a link only if ``safe_link`` allows it. Nothing that was written is
hidden: what the parser takes from the text is drawn, or belongs to syntax that something draws. Pure: no Qt.

Formulas are ``$…$``, ``$$…$$``, ``\\(…\\)``, ``\\[…\\]``, and ``\\begin{align}…\\end{align}`` and similar
environments on lines of their own; see ``formula_delimiters``. Whether a line begins or continues a block is
decided by that line and those before it, since streamed text could not be split into blocks otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

from fireside.markup.formula_delimiters import (
    DELIMITERS,
    STOPS,
    continues_formula,
    looks_like_mathematics,
    math_inline,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_NESTING: Final = 50
"""Levels of quotes and lists; the parser drops deeper ones, see ``nests_too_deep``."""
MAX_PARAGRAPH: Final = 10_000
"""Longest paragraph in which emphasis and links are parsed, in characters."""
MAX_MARKS: Final = 400
"""Brackets, asterisks and the like in one paragraph; matching them takes quadratic time."""
_MAX_ROUNDS: Final = 4
LINK_SCHEMES: Final = frozenset({"http", "https", "mailto"})
_MAIL_HEADERS: Final = frozenset({"to", "cc", "bcc", "subject", "body", "in-reply-to"})

_MARKS = "[*_~"
_ENVIRONMENT = re.compile(
    r"\\begin\{((?:align(?:ed|at)?|flalign|equation|gather(?:ed)?|multline|split|eqnarray|[dr]?cases|array"
    r"|(?:small|[pbBvV])?matrix)\*?)\}"
)
_END = "\\end{%s}"
_MAX_LINES = 50
"""Lines of a formula that begins at the end of a paragraph's line."""
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]]{1,40})\]")


def make_parser() -> MarkdownIt:
    """Return a parser for CommonMark with tables, strikethrough, footnotes, formulas and a few HTML tags.

    ``block_rules`` and ``inline_rules`` say where it departs from the specifications.
    Besides the tokens of ``markdown_it`` there are ``math_inline``, whose content is a formula with its
    delimiters; ``math_block``, whose ``meta["closed"]`` is whether it is complete; ``footnote_ref``, whose
    content is a label; ``footnote_reference_open`` with ``meta["label"]``; ``list_item_open`` has
    ``meta["task"]``; ``details``, ``summary``, ``alert_title``, ``sub``, ``sup``, ``kbd``, ``mark`` and ``u``
    open and close.
    """
    # Imported with the first text: no window needs it to be displayed.
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import blockquote, fence, heading

    from fireside.markup import block_rules, inline_rules

    parser = MarkdownIt()
    parser.inline = inline_rules.CjkFriendlyInline()
    options = {"html": False, "maxNesting": MAX_NESTING, "inline_definitions": True, "store_labels": True}
    parser.configure("commonmark", options_update=options)
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005 - writers decide
    parser.enable(["strikethrough"])
    inside: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    ruler = parser.block.ruler
    ruler.at("table", block_rules.table, {"alt": ["paragraph", "reference"]})
    quotation = block_rules.with_alerts(block_rules.unless_empty(blockquote))
    ruler.at("blockquote", quotation, inside)
    ruler.at("list", block_rules.task_list, {"alt": ["paragraph", "reference", "blockquote"]})
    ruler.at("reference", partial(block_rules.reference, may_link=safe_link))
    ruler.at("fence", block_rules.document_fence(fence), inside)
    ruler.at("heading", block_rules.unless_empty(heading), {"alt": ["paragraph", "reference", "blockquote"]})
    ruler.at("paragraph", block_rules.paragraph)
    ruler.before("fence", "math_block", _math_block, inside)
    ruler.before("fence", "bare_page", block_rules.bare_page, inside)
    ruler.before("blockquote", "details", block_rules.unless_empty(block_rules.details), inside)
    ruler.before("reference", "footnote_def", _footnote_def, {"alt": ["paragraph", "reference"]})
    parser.enable(["table"])
    parser.inline.ruler.before("escape", "math_inline", math_inline)
    parser.inline.ruler.at("link", inline_rules.link)
    parser.inline.ruler.before("link", "label_as_text", inline_rules.label_as_text)
    parser.inline.ruler.before("link", "footnote_ref", _footnote_ref)
    parser.inline.ruler.before("image", "exclamation", _exclamation)
    parser.inline.ruler.before("autolink", "html_element", inline_rules.html_element)
    return parser


def used_labels(parser: MarkdownIt, source: str) -> dict[str, bool]:
    """Return the labels of the link definitions in ``source`` that a link or an image uses.

    The value is whether a citation does: a number alone, as in ``[1]``. Its definition is a source to read.
    As ``env["used"]``, they make the parser show those and every other definition.
    """
    if "]:" not in source:
        return {}
    env: dict[str, Any] = {}
    for _ in range(_MAX_ROUNDS):
        tokens = parser.block.parse(source, parser, env, []) or []
        defined = {label for label, link in env.get("references", {}).items() if "map" in link}
        used: dict[str, bool] = {}
        for label, is_citation in (link for token in tokens for link in _links(parser, token, env)):
            if label in defined:
                used[label] = used.get(label, False) or is_citation
        if len(used) == len(defined):
            return used
        # Once more: a definition that is a paragraph may swallow a link to another one.
        env = {"used": used}
    return {}


def _links(parser: MarkdownIt, text: Token, env: dict[str, Any]) -> list[tuple[str, bool]]:
    """Return the label of each link with one, and whether it is a citation."""
    if text.type != "inline" or "[" not in text.content or is_plain(text.content):
        return []
    metas = (token.meta for token in parser.inline.parse(text.content, parser, env, []))
    return [(meta["label"], "is_citation" in meta) for meta in metas if "label" in meta]


def safe_link(url: str) -> bool:
    """Return whether ``url`` may be a link: a web URL with a host, or a mail address with no more than the
    text of a message, since some mail programs attach files that a link names."""
    if any(ord(char) <= 0x20 for char in url):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.scheme.lower() not in LINK_SCHEMES:
        return False
    if parts.scheme.lower() != "mailto":
        return bool(parts.hostname)
    headers = {name.lower() for name, _ in parse_qsl(url.partition("?")[2], keep_blank_values=True)}
    return bool(parts.path) and headers <= _MAIL_HEADERS


def destination(url: str) -> str:
    """Return the host and port, or the mail address, of ``url`` in ASCII (punycode); all of it if that is no
    address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # a port above 65535, half of a bracket
        return url.encode("ascii", "backslashreplace").decode("ascii")
    if parts.scheme.lower() == "mailto":
        return parts.path
    host = parts.hostname or ""
    try:
        host = host.encode("idna").decode("ascii")
    except UnicodeError:
        host = host.encode("ascii", "backslashreplace").decode("ascii")
    return host if port is None else f"{host}:{port}"


def is_plain(content: str) -> bool:
    """Return whether a paragraph is shown as plain text, because parsing it would take too long."""
    return len(content) > MAX_PARAGRAPH or sum(map(content.count, _MARKS)) > MAX_MARKS


def nests_too_deep(tokens: Iterable[Token]) -> bool:
    """Return whether a text is nested so deeply that the parser has dropped a part of it."""
    return max((token.level for token in tokens), default=0) >= MAX_NESTING - 1


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    line = _line(state, start)
    if (environment := _ENVIRONMENT.match(line)) is not None:
        closer = _END % environment.group(1)
        closed = _ends_with(line, closer)
        if closer in line and not closed:
            return False
    elif (opening := _math_opening(line)) is not None:
        closer, closed = opening
        if silent and _is_open_in_paragraph(state, start, closer):
            return False
    else:
        return False
    if silent:
        return True
    last = start
    while not closed and (following := _next_of_formula(state, last, end, closer)) is not None:
        last = following
        if closer in (line := _line(state, last)):
            closed = _ends_with(line, closer)
            if len(closer) == len("$$") and line.partition(closer)[2].rstrip() not in {"", *STOPS}:
                return _math_paragraph(state, start, last, end)
            break
    token = state.push("math_block", "", 0)
    token.block = True
    token.map = [start, last + 1]
    token.content = _lines(state, start, last + 1)
    token.meta = {"closed": closed}
    state.line = last + 1
    return True


def _next_of_formula(state: StateBlock, last: int, end: int, closer: str) -> int | None:
    """Return the next line of a formula that is open after line ``last``.

    Blank lines belong to it if a line follows them that closes it, or can only be a part of it.
    """
    following = last + 1
    while following < end and state.isEmpty(following):
        following += 1
    if following == end or state.sCount[following] < state.blkIndent:
        return None
    line = _line(state, following)
    return following if following == last + 1 or closer in line or continues_formula(line) else None


def _is_open_in_paragraph(state: StateBlock, start: int, closer: str) -> bool:
    """Return whether a line closes what the end of an earlier line of its paragraph has opened."""
    opener = next(opener for opener, each in DELIMITERS.items() if each == closer)
    before = _lines(state, max(state.line, start - _MAX_LINES), start)
    is_even = (
        before.count(opener) % 2 == 0 if opener == closer else before.rfind(closer) > before.rfind(opener)
    )
    return not is_even and re.search(re.escape(opener) + r"$", before, re.MULTILINE) is not None


def _math_paragraph(state: StateBlock, start: int, last: int, end: int) -> bool:
    """Parse a formula of several lines, and the text after its end, as a paragraph."""
    from markdown_it.rules_block import paragraph

    formula = _lines(state, start, last)
    n_before = len(state.tokens)
    paragraph(state, last, end, False)
    opener, text, _ = state.tokens[n_before:]
    opener.map = text.map = [start, state.line]
    text.content = f"{formula}\n{text.content}"
    return True


def _math_opening(line: str) -> tuple[str, bool] | None:
    """Return the closing delimiter of a formula that a line opens, and whether the line closes it, too."""
    opener, rest = line[:2], line[2:]
    if opener not in {"$$", "\\["}:
        return None
    closer = DELIMITERS[opener]
    end = rest.find(closer)
    if end >= 0 and (rest[end + 2 :].rstrip() not in {"", *STOPS} or not rest[:end].strip()):
        return None
    if end < 0 and rest.strip() and not looks_like_mathematics(rest):
        return None
    return closer, end >= 0


def _ends_with(line: str, closer: str) -> bool:
    """Return whether a line ends a formula, which the punctuation of a sentence may follow."""
    line = line.rstrip()
    return (line[:-1] if line.endswith(STOPS) else line).endswith(closer)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _lines(state: StateBlock, start: int, end: int) -> str:
    lines = state.getLines(start, end, state.blkIndent, False).split("\n")
    return "\n".join(line.rstrip() for line in lines).strip()


def _footnote_def(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    n_before = len(state.tokens)
    from mdit_py_plugins.footnote.index import footnote_def

    if not footnote_def(state, start, end, silent):
        return False
    if not silent:
        token = state.tokens[n_before]
        token.map = [start, state.line]
        state.env.setdefault("references", {})[_footnote_key(token.meta["label"])] = {"title": "", "href": ""}
    return True


def _footnote_ref(state: StateInline, silent: bool) -> bool:
    label = _footnote_label(state, state.pos)
    if not label:
        return False
    if not silent:
        state.push("footnote_ref", "", 0).content = label
    state.pos += len("[^]") + len(label)
    return True


def _exclamation(state: StateInline, silent: bool) -> bool:
    """Parse an exclamation mark before a footnote, which is no image."""
    if not (state.src.startswith("![^", state.pos) and _footnote_label(state, state.pos + 1)):
        return False
    if not silent:
        state.append_pending("!")
    state.pos += 1
    return True


def _footnote_label(state: StateInline, start: int) -> str:
    """Return the label of the footnote that is referred to at ``start``; empty if none is."""
    match = _FOOTNOTE.match(state.src, start, state.posMax)
    if match is None or state.src[match.end() : match.end() + 1] in {"(", ":"}:
        return ""
    label = match.group(1)
    is_known = label.isdecimal() or _footnote_key(label) in state.env.get("references", {})
    return label if is_known else ""


def _footnote_key(label: str) -> str:
    return f"^{label}".upper()
