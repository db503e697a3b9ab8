"""Write Markdown as HTML for pages.

What models write is hostile: there is no HTML of theirs, and no address but of the web.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound

from fireside.core.i18n import tr
from fireside.markup.formula_delimiters import math_inline
from fireside.services.transfer.formula_html import FormulaHtml

SCHEMES: Final = frozenset({"http", "https", "mailto"})
MOST_NESTED: Final = 50
MOST_CHARACTERS: Final = 1_000_000
"""A longer text is shown as it was written."""
MOST_COLOURED: Final = 200_000
MOST_MARKS: Final = 400
"""Brackets, stars and the like in one paragraph; pairing them takes the square of their number."""
_MARKS: Final = "[*_~"
_FORMULA: Final = re.compile(r"\$\$|\\\[|\\begin\{(\w{1,20}\*?)\}")
_CLOSERS: Final = {"$$": "$$", "\\[": "\\]"}
_MOST_LINES: Final = 100
"""Of a formula; each line that opens one is looked after so far."""
_TASK: Final = re.compile(r"\[([ xX])\] ")


class MarkdownHtml:
    """Renders texts; the colours of code are classes, or written out where ``colours`` names a style.

    Formulas are drawn by ``formulas``, and stay as they were written without.
    """

    def __init__(self, *, colours: str | None = None, formulas: FormulaHtml | None = None) -> None:
        self._formulas = formulas
        self._formatter = (
            HtmlFormatter(nowrap=True)
            if colours is None
            else HtmlFormatter(nowrap=True, noclasses=True, style=colours)
        )
        self._parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MOST_NESTED})
        self._parser.enable(["table", "strikethrough"])
        self._parser.validateLink = is_safe  # type: ignore[method-assign]
        self._parser.core.ruler.at("inline", _parse_inline)
        self._parser.core.ruler.after("inline", "tasks", _mark_tasks)
        inside: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
        self._parser.block.ruler.before("fence", "formula", _formula, inside)
        self._parser.inline.ruler.before("escape", "math_inline", math_inline)
        rules = {
            "fence": self._code,
            "code_block": self._code,
            "image": _picture,
            "math_inline": self._formula_within,
            "math_block": self._formula_by_itself,
        }
        for kind, rule in rules.items():
            self._parser.renderer.rules[kind] = rule  # type: ignore[attr-defined]

    def render(self, text: str) -> str:
        """Return the HTML of a text."""
        if len(text) > MOST_CHARACTERS:
            return f"<pre>{escape(text)}</pre>"
        return str(self._parser.render(text))

    def _code(self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
        token = tokens[index]
        language = (token.info.split() or [""])[0]
        name = f'<p class="language">{escape(language[:40])}</p>' if language else ""
        code = self.coloured(token.content.rstrip(), language=language).rstrip()
        return f"{name}<pre><code>{code}</code></pre>\n"

    def _formula_within(
        self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
    ) -> str:
        raw = tokens[index].content
        return f"<code>{escape(raw)}</code>" if self._formulas is None else self._formulas.within(raw)

    def _formula_by_itself(
        self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
    ) -> str:
        if self._formulas is None:
            return self._code(tokens, index, options, env)
        return self._formulas.by_itself(tokens[index].content)

    def coloured(self, text: str, *, language: str) -> str:
        """Return code as HTML, coloured if the language is known."""
        if language and len(text) <= MOST_COLOURED:
            try:
                lexer = find_lexer_class_by_name(language)(stripnl=False)
            except ClassNotFound:
                return escape(text)
            return str(highlight(text, lexer, self._formatter))
        return escape(text)


def is_safe(url: str) -> bool:
    """Say whether an address may be a link: of the web, or for mail."""
    try:
        return urlsplit(url).scheme.lower() in SCHEMES
    except ValueError:
        return False


def _parse_inline(state: StateCore) -> None:
    for token in state.tokens:
        if token.type != "inline":
            continue
        token.children = []
        if sum(map(token.content.count, _MARKS)) > MOST_MARKS:
            token.children.append(Token("text", "", 0, content=token.content))
        else:
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _mark_tasks(state: StateCore) -> None:
    """Show what is to be done, and what is, as boxes."""
    for item, _paragraph, line in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        found = _TASK.match(line.content) if item.type == "list_item_open" and line.type == "inline" else None
        if found is None or not line.children or not line.children[0].content.startswith(found[0]):
            continue
        item.attrSet("class", "task")
        box = "☐" if found[1] == " " else "☑"
        line.children[0].content = f"{box} {line.children[0].content[found.end() :]}"


def _formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a formula that stands by itself whole: Markdown would take its backslashes away."""
    opener = _FORMULA.match(_line(state, start))
    if opener is None or state.is_code_block(start):
        return False
    closer = _CLOSERS.get(opener[0], f"\\end{{{opener[1]}}}")
    last = start
    is_closed = closer in _line(state, start)[opener.end() :]
    while not is_closed:
        last += 1
        is_outside = last >= min(end, start + _MOST_LINES) or state.sCount[last] < state.blkIndent
        if is_outside or state.isEmpty(last):
            return False
        is_closed = closer in _line(state, last)
    if not silent:
        token = state.push("math_block", "pre", 0)
        token.content = "\n".join(_line(state, line) for line in range(start, last + 1))
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _picture(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """Nothing is fetched for a page, so a picture of the web is its name."""
    token = tokens[index]
    name = token.content or str(token.attrs.get("src", ""))
    words = tr("picture: {name}").format(name=escape(name[:200]))
    return f"<em>[{words}]</em>"
