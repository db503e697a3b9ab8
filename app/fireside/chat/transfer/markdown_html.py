"""Write Markdown as HTML for pages.

What models write is hostile: there is no HTML of theirs, and no address but of the web.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound

from fireside.core.wording import tr

SCHEMES: Final = frozenset({"http", "https", "mailto"})
MOST_NESTED: Final = 50
MOST_CHARACTERS: Final = 1_000_000
"""A longer text is shown as it was written."""
MOST_COLOURED: Final = 200_000
MOST_MARKS: Final = 400
"""Brackets, stars and the like in one paragraph; pairing them takes the square of their number."""
_MARKS: Final = "[*_~"


class MarkdownHtml:
    """Renders texts; the colours of code are classes, or written out where ``colours`` names a style."""

    def __init__(self, *, colours: str | None = None) -> None:
        self._formatter = (
            HtmlFormatter(nowrap=True)
            if colours is None
            else HtmlFormatter(nowrap=True, noclasses=True, style=colours)
        )
        self._parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MOST_NESTED})
        self._parser.enable(["table", "strikethrough"])
        self._parser.validateLink = is_safe  # type: ignore[method-assign]
        self._parser.core.ruler.at("inline", _parse_inline)
        for kind, rule in (("fence", self._code), ("code_block", self._code), ("image", _picture)):
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


def _picture(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """Nothing is fetched for a page, so a picture of the web is its name."""
    token = tokens[index]
    name = token.content or str(token.attrs.get("src", ""))
    words = tr("picture: {name}").format(name=escape(name[:200]))
    return f"<em>[{words}]</em>"
