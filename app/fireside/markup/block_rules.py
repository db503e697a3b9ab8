"""Rules for blocks beyond CommonMark: nothing that was written is hidden, alerts, and ``<details>``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from markdown_it.common.utils import unescapeAll
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import list_block as commonmark_list
from markdown_it.rules_block import paragraph as commonmark_paragraph
from markdown_it.rules_block import reference as commonmark_reference
from markdown_it.rules_block import table as gfm_table
from markdown_it.rules_block.table import escapedSplit
from markdown_it.rules_inline import StateInline, backtick
from markdown_it.token import Token

from fireside.core.i18n import tr, tr_noop
from fireside.markup.direction import is_rtl
from fireside.markup.formula_delimiters import math_inline

Rule = Callable[[StateBlock, int, int, bool], bool]

_TASK: Final = re.compile(r"\[([ xX])\][ \n]")
_DELIMITER_ROW: Final = re.compile(r"[|:\-\s]*-[|:\-\s]*")
_PIPE: Final = "\ufdd0"
"""Stands for a pipe within code or a formula while a table is split; no text contains it."""
_SOURCE: Final = re.compile(r"(\[\d+\]:\s*)(?:<([^<>\s]+)>|([^<>\s]+))(?=\s|$)")
_MAX_SOURCES: Final = 3_000
"""Longest paragraph of sources, in characters: in a very long one no links are parsed."""
_HARD_BREAK: Final = "  \n"
_ALERTS: Final = {
    "note": tr_noop("Note"),
    "tip": tr_noop("Tip"),
    "important": tr_noop("Important"),
    "warning": tr_noop("Warning"),
    "caution": tr_noop("Caution"),
}
_ALERT: Final = re.compile(rf"\[!({'|'.join(_ALERTS)})\][ \t]*(?:\n|$)", re.IGNORECASE)
_FROM_RIGHT: Final = "\N{RIGHT-TO-LEFT MARK}"
_DETAILS: Final = re.compile(
    r"""<details(?:\s+open(?:=(?:""|'')|="open")?)?\s*>[ \t]*(?=<summary>|$)""", re.IGNORECASE
)
_DETAILS_TAG: Final = re.compile(r"<(/?)details\b[^<>]{0,100}>", re.IGNORECASE)
_PAGE: Final = re.compile(
    r"<(?:!doctype\s+(?P<type>html|svg)\b[^<>]*>|(?P<tag>html|svg)(?:\s[^<>]*)?(?:>|$))\s*(?:<|$)",
    re.IGNORECASE,
)
"""The line with which a page or a picture begins; one that only speaks of it goes on with words."""
_XML: Final = re.compile(r"<\?xml\b[^<>]*\?>$", re.IGNORECASE)
_FENCE: Final = "```"
_DOCUMENT: Final = re.compile(r"(`{3,}|~{3,}) *(?:markdown|md|mdx)\b[^`]*$", re.IGNORECASE)
_MARKS: Final = re.compile(r"(`{3,}|~{3,})([^`]*)$")
_SUMMARY: Final = re.compile(
    r"\s*<summary>((?:(?!<summary>).){1,2000}?)</summary>", re.IGNORECASE | re.DOTALL
)


def bare_page(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a page or a picture that stands in the text without a fence: code until its last tag; where
    there is none, all that follows, since streamed text may still bring it."""
    first = _line(state, start).rstrip()
    if not first.startswith("<") or state.is_code_block(start):
        return False
    is_xml = _XML.match(first) is not None and start + 1 < end
    opening = _PAGE.match(_line(state, start + 1) if is_xml else first)
    if opening is None:
        return False
    if silent:
        return True
    language = (opening["type"] or opening["tag"]).lower()
    after = start
    for line in range(start, end):
        text = _line(state, line).rstrip()
        if text.startswith(_FENCE) or (text and state.sCount[line] < state.blkIndent):
            break
        after = line + 1
        if text.lower().endswith(f"</{language}>"):
            break
    token = state.push("fence", "code", 0)
    token.info, token.map = language, [start, after]
    token.content = state.getLines(start, after, state.blkIndent, True)
    state.line = after
    return True


def document_fence(rule: Rule) -> Rule:
    """Return ``rule``, that of fences, for models too that write a document with code into marks of one
    length: within ``markdown``, a fence with a language begins code of the document, and the next one ends
    that; CommonMark has the document end there."""

    def parse(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        opening = _DOCUMENT.match(_line(state, start))
        if silent or opening is None or state.is_code_block(start):
            return rule(state, start, end, silent)
        outer, lengths = opening[1], [len(opening[1])]
        last = start + 1
        while last < end and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent):
            marks = None if state.is_code_block(last) else _MARKS.match(_line(state, last))
            if marks is not None and marks[1][0] == outer[0] and len(marks[1]) >= len(outer):
                if marks[2].strip():
                    lengths.append(len(marks[1]))
                elif len(marks[1]) >= lengths[-1]:
                    lengths.pop()
            if not lengths:
                break
            last += 1
        token = state.push("fence", "code", 0)
        token.info, token.markup = _line(state, start)[len(outer) :], outer
        token.content = state.getLines(start + 1, last, state.sCount[start], True)
        state.line = last + (not lengths)
        token.map = [start, state.line]
        return True

    return parse


def unless_empty(rule: Rule) -> Rule:
    """Return ``rule`` for blocks that show something: ``#`` or ``>`` alone is text, and may be an answer."""

    def shown(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        n_before, n_definitions = len(state.tokens), state.env.get("n_definitions", 0)
        if not rule(state, start, end, silent):
            return False
        if silent or any(map(_shows, state.tokens[n_before:])):
            return True
        if state.env.get("n_definitions", 0) > n_definitions:
            return True
        del state.tokens[n_before:]
        state.line = start
        return False

    return shown


def with_alerts(blockquote: Rule) -> Rule:
    """Return the rule for quotations, of which one that begins with ``[!NOTE]`` or the like has a title.

    The title is ``alert_title_open`` with ``meta["kind"]``, a text, and ``alert_title_close``.
    """

    def quotation(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        n_before = len(state.tokens)
        if not blockquote(state, start, end, silent):
            return False
        tokens = state.tokens[n_before : n_before + 3]
        if silent or len(tokens) < 3 or tokens[1].type != "paragraph_open":
            return True
        text = tokens[2]
        if (mark := _ALERT.match(text.content)) is not None:
            kind = mark[1].lower()
            tokens[0].attrSet("class", f"alert-{kind}")
            text.content = text.content[mark.end() :]
            title = _alert_title(kind, tokens[1], is_from_right=is_rtl(text.content) is True)
            n_replaced = 0 if text.content else 3
            state.tokens[n_before + 1 : n_before + 1 + n_replaced] = title
        return True

    return quotation


def _alert_title(kind: str, paragraph: Token, *, is_from_right: bool) -> list[Token]:
    opening = Token("alert_title_open", "p", 1, level=paragraph.level, map=paragraph.map, block=True)
    opening.meta["kind"] = kind
    opening.attrSet("class", "alert")
    title = f"{_FROM_RIGHT if is_from_right else ''}{tr(_ALERTS[kind])}"
    text = Token("inline", "", 0, level=paragraph.level + 1, map=paragraph.map, content=title, children=[])
    return [opening, text, Token("alert_title_close", "p", -1, level=paragraph.level, block=True)]


def _shows(token: Token) -> bool:
    if token.nesting == 0 and token.type != "inline":
        return True
    return bool(token.content) or token.type in {"list_item_open", "footnote_reference_open"}


def reference(
    state: StateBlock, start: int, end: int, silent: bool, *, may_link: Callable[[str], bool]
) -> bool:
    """Parse the definition of a link.

    One that makes no link is a paragraph: if its address may not be one (``[Alice]: Hi!``), if it is the
    second one of its label, and if no link uses its label: those in ``env["used"]``, or all without that.
    So is the source of a citation, the labels whose value is true there; it makes a link all the same.
    ``env["n_definitions"]`` counts definitions, ``env["as_text"]`` are the labels of those that are text
    although there are links with their label.
    """
    found = commonmark_reference(state, start, end, silent)
    if silent or not found:
        return found
    definition = state.tokens.pop().meta
    label, known, used = definition["id"], state.env["references"], state.env.get("used")
    is_first = known[label].get("map") == [start, state.line]
    is_source = False
    if may_link(definition["url"]):
        state.env["n_definitions"] = state.env.get("n_definitions", 0) + 1
        is_source = is_first and used is not None and used.get(label, False)
        if is_first and (used is None or label in used) and not is_source:
            return True
        if is_source or not is_first:
            state.env.setdefault("as_text", set()).add(label)
    if is_first and not is_source:
        del known[label]
    opening = state.push("paragraph_open", "p", 1)
    content = state.push("inline", "", 0)
    opening.map = content.map = [start, state.line]
    content.content = state.getLines(start, state.line, state.blkIndent, False).strip()
    content.children = []
    state.push("paragraph_close", "p", -1)
    if is_source:
        content.content = _SOURCE.sub(_with_autolink, content.content, count=1)
    if not is_source or len(content.content) + _length_above(state.tokens) <= _MAX_SOURCES:
        _join_paragraphs(state.tokens, line_end=_HARD_BREAK)
    return True


def _with_autolink(source: re.Match[str]) -> str:
    """Return a definition whose address is a link, whatever would be emphasis in it."""
    return f"{source[1]}<{unescapeAll(source[2] or source[3])}>"


def _length_above(tokens: Sequence[Token]) -> int:
    return len(tokens[-5].content) if len(tokens) >= 6 else 0


def paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a paragraph; lines above it that turned out to be none of the other blocks belong to it."""
    found = commonmark_paragraph(state, start, end, silent)
    if found and not silent:
        _join_paragraphs(state.tokens)
    return found


def _join_paragraphs(tokens: list[Token], *, line_end: str = "\n") -> None:
    if len(tokens) < 6 or tokens[-4].type != "paragraph_close" or tokens[-4].level != tokens[-3].level:
        return
    above, below = tokens[-5], tokens[-2]
    assert above.map is not None
    assert below.map is not None
    if above.map[1] != below.map[0]:
        return
    opening = tokens[-6]
    opening.map = above.map = [above.map[0], below.map[1]]
    above.content += line_end + below.content
    del tokens[-3:]


def task_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a list. ``meta["task"]`` of an item is ``"x"`` or ``" "`` where it is a task, else empty."""
    n_before = len(state.tokens)
    if not commonmark_list(state, start, end, silent):
        return False
    tokens = state.tokens[n_before:]
    for item, _, line in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if item.type != "list_item_open" or "task" in item.meta:
            continue
        task = _TASK.match(line.content) if line.type == "inline" else None
        item.meta["task"] = "" if task is None else task[1].lower()
        if task is not None:
            line.content = line.content[task.end() :]
    return True


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table in which no cell is lost.

    A pipe within code or a formula separates no cells where the row would have more of them than the head;
    cells that are still too many are joined to the last one.
    """
    if start + 2 > end or not _DELIMITER_ROW.fullmatch(_line(state, start + 1)):
        return False
    n_columns = len(_cells(_line(state, start + 1)))
    last = start + 1
    while not silent and last < end and not state.isEmpty(last):
        last += 1
    source, n_before = state.src, len(state.tokens)
    state.src = _with_placeholders(state, range(start, last), n_columns)
    try:
        if not gfm_table(state, start, end, silent):
            return False
        _join_surplus(state, state.tokens[n_before:], n_columns)
    finally:
        state.src = source
    for token in state.tokens[n_before:]:
        token.content = token.content.replace(_PIPE, "|")
    return True


def _with_placeholders(state: StateBlock, lines: Sequence[int], n_columns: int) -> str:
    """Return the source with ``_PIPE`` for pipes in code and formulas, in rows that have too many cells."""
    source = state.src
    if _PIPE in source:
        return source
    parts: list[str] = []
    done = 0
    for line in lines:
        row = _line(state, line)
        if "|" not in row or not any(mark in row for mark in "`$\\") or len(_cells(row)) <= n_columns:
            continue
        parts += (source[done : _begin(state, line)], _without_inner_pipes(row, state))
        done = state.eMarks[line]
    return "".join(parts) + source[done:]


def _without_inner_pipes(row: str, state: StateBlock) -> str:
    inline = StateInline(row, state.md, state.env, [])
    parts: list[str] = []
    while inline.pos < inline.posMax:
        begin = inline.pos
        if math_inline(inline, True) or backtick(inline, True):
            parts.append(re.sub(r"(?<!\\)\|", _PIPE, row[begin : inline.pos]))
        else:
            inline.pos += 2 if row[begin] == "\\" else 1
            parts.append(row[begin : inline.pos])
    return "".join(parts)


def _cells(row: str) -> list[str]:
    cells = escapedSplit(row.strip())
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return cells


def _join_surplus(state: StateBlock, tokens: Sequence[Token], n_columns: int) -> None:
    last_cell: Token | None = None
    for token in tokens:
        if token.type == "inline":
            last_cell = token
        elif token.type == "tr_close" and last_cell is not None and last_cell.map is not None:
            surplus = _cells(_line(state, last_cell.map[0]))[n_columns:]
            if any(map(str.strip, surplus)):
                last_cell.content = " | ".join([last_cell.content, *map(str.strip, surplus)])


def details(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse ``<details>``, which begins a line, as a block that contains others, and its ``<summary>``."""
    # Without room for a block within it, each of many lines would be tried as the beginning of one.
    if state.is_code_block(start) or state.level >= state.md.options["maxNesting"] - 2:
        return False
    opening = _DETAILS.match(state.src, _begin(state, start), state.eMarks[start])
    if opening is None or silent:
        return opening is not None
    last, close = _details_end(state, start, end)
    block = state.push("details_open", "details", 1)
    block.map = [start, last + 1]
    block.attrs = {"open": ""}
    begin, first = opening.end(), start
    if (summary := _SUMMARY.match(state.src, begin, close)) is not None:
        begin = summary.end()
        while state.eMarks[first] < begin:
            first += 1
        state.push("summary_open", "summary", 1).map = [start, first + 1]
        title = state.push("inline", "", 0)
        title.content, title.children = " ".join(summary[1].split()), []
        title.map = [start, first + 1]
        state.push("summary_close", "summary", -1)
    _parse_inside(state, first=first, begin=begin, last=last, close=close)
    state.push("details_close", "details", -1)
    state.line = last + 1
    return True


def _details_end(state: StateBlock, start: int, end: int) -> tuple[int, int]:
    """Return the last line of ``<details>``, and the offset of its closing tag or of the end."""
    depth, last = 0, start
    for line in range(start, end):
        if line > start and not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            break
        last = line
        for tag in _DETAILS_TAG.finditer(state.src, _begin(state, line), state.eMarks[line]):
            depth += -1 if tag[1] else 1
            if depth == 0 and not state.src[tag.end() : state.eMarks[line]].strip():
                return last, tag.start()
    return last, state.eMarks[last]


def _parse_inside(state: StateBlock, *, first: int, begin: int, last: int, close: int) -> None:
    """Parse the blocks from offset ``begin`` in line ``first`` to offset ``close`` in line ``last``."""
    before = (state.bMarks[first], state.tShift[first], state.sCount[first])
    before_last = (state.eMarks[last], state.lineMax, state.parentType)
    state.bMarks[first], state.tShift[first] = begin, 0
    while (
        state.bMarks[first] + state.tShift[first] < min(close, state.eMarks[first])
        and state.src[begin + state.tShift[first]] in " \t"
    ):
        state.tShift[first] += 1
    state.sCount[first] = state.blkIndent
    state.eMarks[last], state.lineMax, state.parentType = close, last + 1, "details"
    state.md.block.tokenize(state, first, last + 1)
    state.bMarks[first], state.tShift[first], state.sCount[first] = before
    state.eMarks[last], state.lineMax, state.parentType = before_last


def _begin(state: StateBlock, line: int) -> int:
    return state.bMarks[line] + state.tShift[line]


def _line(state: StateBlock, line: int) -> str:
    return state.src[_begin(state, line) : state.eMarks[line]]
