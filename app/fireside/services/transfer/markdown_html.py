"""Render Markdown as HTML for exported pages. ``markup.markdown`` decides what is allowed in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound

from fireside.core.i18n import tr
from fireside.markup.markdown import is_plain, make_parser, nests_too_deep, safe_link
from fireside.services.transfer.formula_html import FormulaHtml

MAX_CHARACTERS: Final = 1_000_000
"""A longer text is exported as source."""
MAX_COLOURED: Final = 200_000
_TASK: Final = re.compile(r"\[([ xX])\] ")


class MarkdownHtml:
    """Renders Markdown; code colours are CSS classes, and ``formulas`` renders formulas."""

    def __init__(self, *, formulas: FormulaHtml) -> None:
        self._formulas = formulas
        self._formatter = HtmlFormatter(nowrap=True)
        self._parser = make_parser()
        self._parser.validateLink = safe_link  # type: ignore[method-assign]
        self._parser.core.ruler.at("inline", _parse_inline)
        self._parser.core.ruler.after("inline", "tasks", _mark_tasks)
        rules = {
            "fence": self._code,
            "code_block": self._code,
            "image": _image_text,
            "math_inline": self._formula_within,
            "math_block": self._formula_by_itself,
            "footnote_ref": _footnote_ref,
            "footnote_reference_open": _footnote_open,
            "footnote_reference_close": _footnote_close,
        }
        for kind, rule in rules.items():
            self._parser.renderer.rules[kind] = rule  # type: ignore[attr-defined]

    def render(self, text: str) -> str:
        if len(text) > MAX_CHARACTERS:
            return f"<pre>{escape(text)}</pre>"
        env: EnvType = {}
        tokens = self._parser.parse(text, env)
        if nests_too_deep(tokens):
            return f"<pre>{escape(text)}</pre>"
        return str(self._parser.renderer.render(tokens, self._parser.options, env))

    def _code(self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
        token = tokens[index]
        language = (token.info.split() or [""])[0]
        name = f'<p class="language">{escape(language[:40])}</p>' if language else ""
        code = self.coloured(token.content.rstrip(), language=language).rstrip()
        return f"{name}<pre><code>{code}</code></pre>\n"

    def _formula_within(
        self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
    ) -> str:
        return self._formulas.inline(tokens[index].content)

    def _formula_by_itself(
        self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
    ) -> str:
        if not tokens[index].meta["closed"]:
            return self._code(tokens, index, options, env)
        return self._formulas.block(tokens[index].content)

    def coloured(self, text: str, *, language: str) -> str:
        """Return code as HTML, highlighted if the language is known."""
        if language and len(text) <= MAX_COLOURED:
            try:
                lexer = find_lexer_class_by_name(language)(stripnl=False)
            except ClassNotFound:
                return escape(text)
            return str(highlight(text, lexer, self._formatter))
        return escape(text)


def _parse_inline(state: StateCore) -> None:
    for token in state.tokens:
        if token.type != "inline":
            continue
        token.children = []
        if is_plain(token.content):
            token.children.append(Token("text", "", 0, content=token.content))
        else:
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _mark_tasks(state: StateCore) -> None:
    """Replace task list markers by check boxes."""
    for item, _paragraph, line in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        match = _TASK.match(line.content) if item.type == "list_item_open" and line.type == "inline" else None
        if match is None or not line.children or not line.children[0].content.startswith(match[0]):
            continue
        item.attrSet("class", "task")
        box = "☐" if match[1] == " " else "☑"
        line.children[0].content = f"{box} {line.children[0].content[match.end() :]}"


def _footnote_ref(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return f"<sup>{escape(tokens[index].content)}</sup>"


def _footnote_open(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return f'<div class="footnote"><sup>{escape(tokens[index].meta["label"])}</sup>\n'


def _footnote_close(_tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
    return "</div>\n"


def _image_text(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """Return the alternative text of an image: pages fetch nothing."""
    token = tokens[index]
    name = token.content or str(token.attrs.get("src", ""))
    label = tr("image: {name}").format(name=escape(name[:200]))
    return f"<em>[{label}]</em>"
