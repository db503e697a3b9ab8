"""Render Markdown as HTML for exported pages. ``markup.markdown`` decides what is allowed in it."""

from __future__ import annotations

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

from fireside.markup.direction import with_directions
from fireside.markup.markdown import is_plain, make_parser, nests_too_deep, used_labels
from fireside.markup.rich_text import code_info, image_html, link_html, with_bare_links
from fireside.services.transfer.formula_html import FormulaHtml

MAX_CHARACTERS: Final = 1_000_000
"""A longer text is exported as source."""
MAX_COLOURED: Final = 200_000


class MarkdownHtml:
    """Renders Markdown; code colours are CSS classes, and ``formulas`` renders formulas."""

    def __init__(self, *, formulas: FormulaHtml) -> None:
        self._formulas = formulas
        self._formatter = HtmlFormatter(nowrap=True)
        self._parser = make_parser()
        self._parser.core.ruler.at("inline", _parse_inline)
        self._parser.core.ruler.after("text_join", "links", _mark_links)
        self._parser.core.ruler.after("links", "tasks", _mark_tasks)
        rules = {
            "fence": self._code,
            "code_block": self._code,
            "image": _image_text,
            "text": _text,
            "link_open": _link_tag,
            "link_close": _link_tag,
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
        env: EnvType = {"used": used_labels(self._parser, text)}
        tokens = self._parser.parse(text, env)
        if nests_too_deep(tokens):
            return f"<pre>{escape(text)}</pre>"
        return with_directions(str(self._parser.renderer.render(tokens, self._parser.options, env)))

    def _code(self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
        token = tokens[index]
        info = code_info(token)
        language = (info.split() or [""])[0]
        name = f'<p class="language">{escape(info)}</p>' if language else ""
        code = self.coloured(token.content.removesuffix("\n"), language=language)
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
            return str(highlight(text, lexer, self._formatter)).removesuffix("\n")
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


def _mark_links(state: StateCore) -> None:
    for token in state.tokens:
        if token.children and not is_plain(token.content):
            _write_links(token.children)


def _write_links(tokens: Sequence[Token]) -> None:
    """Store the HTML of links, and of addresses in text that is not in a link."""
    closings: list[str] = []
    for index, token in enumerate(tokens):
        if token.type == "link_open":
            is_empty = tokens[index + 1].type == "link_close"
            token.meta["html"], closing = link_html(token, is_empty=is_empty)
            closings.append(closing)
        elif token.type == "link_close":
            token.meta["html"] = closings.pop()
        elif token.type == "text" and not closings:
            token.meta["html"] = with_bare_links(token.content)


def _mark_tasks(state: StateCore) -> None:
    """Put check boxes before tasks."""
    for item, line in zip(state.tokens, state.tokens[2:], strict=False):
        if item.type == "list_item_open" and (task := item.meta.get("task")):
            item.attrSet("class", "task")
            line.children = [
                Token("text", "", 0, content="☐ " if task == " " else "☑ "),
                *(line.children or []),
            ]


def _text(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return str(tokens[index].meta.get("html", "")) or escape(tokens[index].content, quote=False)


def _link_tag(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return str(tokens[index].meta["html"])


def _footnote_ref(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return f"<sup>{escape(tokens[index].content)}</sup>"


def _footnote_open(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return f'<div class="footnote"><sup>{escape(tokens[index].meta["label"])}</sup>\n'


def _footnote_close(_tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
    return "</div>\n"


def _image_text(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """Return the description of an image, with a link to it: pages fetch nothing."""
    before = [token.type for token in tokens[:index]]
    is_linked = before.count("link_open") > before.count("link_close")
    return f"<em>{image_html(tokens[index], is_linked=is_linked)}</em>"
