"""Render Markdown as HTML for exported pages. ``markup.markdown`` decides what is allowed in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from html import escape
from typing import Final
from xml.etree import ElementTree

from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound

from fireside.markup.direction import with_directions
from fireside.markup.formula import CannotDraw, Drawing, Outline, draw
from fireside.markup.formula_delimiters import split_formula
from fireside.markup.markdown import is_plain, make_parser, nests_too_deep, used_labels
from fireside.markup.rich_text import code_info, image_html, link_html, with_bare_links

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


# Render formulas as inline SVG for HTML pages, or as their source text


MAX_DRAWN: Final = 1_000
"""Distinct formulas rendered on one page; more stay source text."""
_TAGS: Final = frozenset({"svg", "g", "path", "rect", "text"})
_ATTRIBUTES: Final = frozenset(
    {"width", "height", "viewBox", "d", "fill", "x", "y", "stroke", "stroke-width", "transform"}
    | {"font-size", "textLength", "lengthAdjust"}
)
_TEXT_SIZE: Final = 90.0
"""Size of text within formulas, in hundredths of their em."""
_BLACK: Final = re.compile(r'(fill|stroke)="(?:black|#000000)"')
_SIZE: Final = re.compile(r'(<svg\b[^>]*?) width="[^"]*" height="[^"]*"')
_UNUSED: Final = ' xmlns:xlink="http://www.w3.org/1999/xlink"'
_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"


class FormulaHtml:
    """Renders the formulas of one page, each once. Any thread."""

    def __init__(self) -> None:
        self._drawn: dict[str, str | None] = {}

    def inline(self, raw: str) -> str:
        """Return an inline formula; ``raw`` is its source with delimiters."""
        svg = self._svg_of(raw)
        return f"<code>{escape(raw)}</code>" if svg is None else _wrapped("span", svg, raw)

    def block(self, raw: str) -> str:
        """Return a display formula."""
        svg = self._svg_of(raw)
        if svg is None:
            return f"<pre><code>{escape(raw)}</code></pre>\n"
        return _wrapped("div", svg, raw) + "\n"

    def _svg_of(self, raw: str) -> str | None:
        if raw not in self._drawn:
            if len(self._drawn) >= MAX_DRAWN:
                return None
            self._drawn[raw] = _svg(raw)
        return self._drawn[raw]


def _wrapped(tag: str, svg: str, raw: str) -> str:
    """Add the source as tooltip and as text for screen readers."""
    source = escape(raw)
    return f'<{tag} class="formula" role="img" aria-label="{source}" title="{source}">{svg}</{tag}>'


def _svg(raw: str) -> str | None:
    tex, is_display = split_formula(raw)
    try:
        return _for_page(draw(tex, is_display=is_display, outline=_fitted_text))
    except CannotDraw:
        return None


def _fitted_text(text: str, *, is_bold: bool) -> Outline:  # noqa: ARG001 - an Outliner's
    """Return text for the fonts of the browser, which fits it to the width that is estimated here."""
    width = sum(_width(char) for char in text)
    return Outline(
        path="",
        width=max(0.1, width) * _TEXT_SIZE,
        ascent=0.88 * _TEXT_SIZE,
        descent=0.12 * _TEXT_SIZE,
        size=_TEXT_SIZE,
    )


def _width(char: str) -> float:
    """Return about how wide ``char`` is, in ems."""
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    category = unicodedata.category(char)
    return 0.0 if category in {"Mn", "Me", "Cf"} else 0.3 if category == "Zs" else 0.6


def _for_page(drawing: Drawing) -> str | None:
    """Return a drawing in the size and colour of the surrounding text; ``None`` if it has unexpected
    elements."""
    for element in ElementTree.fromstring(drawing.svg).iter():  # noqa: S314 - made by the renderer
        if element.tag.removeprefix(_NAMESPACE) not in _TAGS or not _ATTRIBUTES.issuperset(element.attrib):
            return None
    width, height = drawing.width, drawing.ascent + drawing.descent
    style = f"width:{width:.3f}em;height:{height:.3f}em;vertical-align:{-drawing.descent:.3f}em"
    svg = _BLACK.sub(r'\1="currentColor"', drawing.svg.replace(_UNUSED, ""))
    # Paths without a colour are black, whatever the text colour is.
    return _SIZE.sub(rf'\1 fill="currentColor" aria-hidden="true" style="{style}"', svg, count=1)
