"""Write CommonMark tokens as the small HTML that Qt's rich text understands.

Everything a model writes is hostile input. Only tags written here reach Qt: text is escaped, images become
words, and a link keeps its address only where its scheme is one that ``safe_link`` allows.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from fireside.core.i18n import tr
from fireside.markup.escape import escape
from fireside.markup.formula_delimiters import split_formula
from fireside.markup.markdown import MAX_PARAGRAPH, is_plain, safe_link

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from fireside.markup.formula import Drawing

MAX_RUN = 5_000
"""Characters without a space in one paragraph. Qt lays out 100,000 in 1.4 s and hangs on a million."""
_KNOWN = 5_000
"""Runs of text whose HTML is kept while a text streams: the rows at its end are parsed again each time."""
FORMULA_EM = 1.12
"""An em of formula to an em of text: the small letters of the two fonts are then of one height."""
FORMULA = re.compile(r'<img src="(math:[\w=-]*)">')
"""A formula in the HTML that is written here, by its name."""
_STRUT = "math:"
"""Name of the picture that keeps the room below a formula free."""
STRUT_PX = 1
"""Its width."""
MAX_COLUMNS = 400
"""Columns of a table; what has more is shown as it was written."""

_BARE_URL = re.compile(
    r"(?<![\w/@.])(?:https?://|www\.)[^\s<>\"“”]{1,2000}"
    r"|(?<![\w.+%/:@-])[\w.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w@-])"
)
_SENTENCE_END = re.compile(r"[.!?…][\"”’»)\]]*\s+|[。！？]")
_LINE_BREAK = re.compile(r"&lt;br ?/?&gt;", re.IGNORECASE)
"""The one tag that tables in Markdown cannot do without."""
_OWN_LINE = "\x1e"
"""Where a formula wants a line of its own, until it is known whether it has one anyway."""
_BREAKS = re.compile(rf"\s*(?:{_OWN_LINE}|<br>)*{_OWN_LINE}(?:{_OWN_LINE}|<br>)*\s*")
_URL_TAIL = ".,;:!?'’*_~"
_TASK = re.compile(r"\[([ xX])\][ \n]")
_REPLACED = [0, 0x1E, 0xFFFC, 0xFFFE, 0xFFFF]
_REPLACED += range(0xFDD0, 0xFDF0)  # Qt's own frame marks are among these
_REPLACED += range(0xD800, 0xE000)  # a lone surrogate cannot cross into Qt
_INVISIBLE = dict.fromkeys(_REPLACED, 0xFFFD) | {0x2028: 0x20, 0x2029: 0x20}

_SILENT = frozenset(
    {"paragraph_open", "paragraph_close", "heading_open", "heading_close", "footnote_reference_close"}
)
"""Tokens that say nothing by themselves."""

Env = dict[str, dict[str, object]]


def formula_html(raw: str) -> str:
    """Return the place of a formula in HTML: a picture whose name holds its source, with its signs."""
    return f'<img src="math:{base64.urlsafe_b64encode(raw.encode()).decode()}">'


@lru_cache(maxsize=2048)
def formula_source(name: str) -> str | None:
    """Return the source of the formula whose picture is called ``name``; ``None`` if it is no formula's."""
    if not name.startswith("math:"):
        return None
    return base64.urlsafe_b64decode(name.removeprefix("math:")).decode()


def formula_place(name: str, drawing: Drawing, *, em: float) -> str:
    """Return HTML that keeps the room of a formula drawn ``em`` pixels large, on the baseline of its line.

    Qt lets a picture stand on the baseline and leaves no room below it, or centres it on the line. So a
    formula is a picture as high as what is above the baseline and is drawn beyond its lower edge, where a
    clear strut, centred, keeps the room free.
    """
    width, ascent, descent = (ceil(ems * em) for ems in (drawing.width, drawing.ascent, drawing.descent))
    strut = f'<img src="{_STRUT}" width="{STRUT_PX}" height="{2 * descent}" style="vertical-align:middle">'
    return (
        f'<span style="font-size:2px">{strut if descent > 0 else ""}</span>'
        f'<img src="{name}" width="{width}" height="{max(1, ascent)}">'
    )


def clean(text: str) -> str:
    """Return ``text`` without characters that Qt would take for its own structure. Same length."""
    return text.translate(_INVISIBLE)


def pieces(text: str, *, limit: int = MAX_RUN) -> Iterator[str]:
    """Cut ``text`` into runs of at most ``limit`` characters: at the end of a sentence, else of a word."""
    start = 0
    while len(text) - start > limit:
        half, end = start + limit // 2, start + limit
        sentences = [found.end() for found in _SENTENCE_END.finditer(text, half, end)]
        space = max(text.rfind("\n", half, end), text.rfind(" ", half, end)) + 1
        cut = sentences[-1] if sentences else space or end
        yield text[start:cut]
        start = cut
    yield text[start:]


def paragraphs(text: str) -> Iterator[str]:
    """Return ``text`` whole unless it is so long that laying it out would hold the window up."""
    for piece in pieces(text, limit=MAX_PARAGRAPH):
        longest = max(map(len, piece.split()), default=0)
        yield from pieces(piece) if longest > MAX_RUN else (piece,)


def plain_html(text: str) -> str:
    """Return ``text`` as paragraphs, one a line, nothing interpreted."""
    lines = (piece for line in text.rstrip("\n").split("\n") for piece in paragraphs(line))
    shown = (_keep_spaces(escape(line, quote=False)) or "&nbsp;" for line in lines)
    return "".join(f'<p class="plain">{line}</p>' for line in shown)


def _keep_spaces(text: str) -> str:
    return text.replace("\t", "    ").replace("  ", "&nbsp; ")


class HtmlWriter:
    """Writes the tokens of one block. ``env`` holds the link definitions seen so far."""

    def __init__(
        self, parser: MarkdownIt, env: Env, *, known: dict[tuple[str, int], str] | None = None
    ) -> None:
        """``known`` keeps what runs of text became, by the text and the number of definitions then."""
        self._parser = parser
        self._env = env
        self._known = {} if known is None else known

    def write(self, tokens: Sequence[Token]) -> str:
        """Return the HTML of block tokens (with balanced opens and closes)."""
        out: list[str] = []
        first_in_item = False
        note = ""
        for index, token in enumerate(tokens):
            if token.type == "inline":
                text = self._paragraphs(tokens, index, in_item=first_in_item)
                out.append(text.replace("<p>", note, 1) if note else text)
                first_in_item, note = False, ""
            elif token.type == "footnote_reference_open":
                note = f'<p class="footnote"><sup>{escape(token.meta["label"], quote=False)}</sup> '
            elif token.type == "list_item_open":
                out.append(_item_tag(tokens, index))
                first_in_item = True
            elif token.type not in _SILENT:
                out.append(_block_tag(token))
        return "".join(out)

    def _paragraphs(self, tokens: Sequence[Token], index: int, *, in_item: bool) -> str:
        opener = tokens[index - 1]
        content = tokens[index].content
        if opener.type == "list_item_open" or in_item:
            content = _TASK.sub("", content, count=1) if _TASK.match(content) else content
        shown = self.inline if len(content) <= MAX_PARAGRAPH else _unmarked
        runs = [shown(run) for run in paragraphs(content)]
        if opener.type in {"th_open", "td_open"}:
            return "<br>".join(runs)
        if opener.type == "heading_open":
            return "".join(f'<p class="{opener.tag}">{run}</p>' for run in runs)
        head = runs.pop(0) if in_item else ""
        return head + "".join(f"<p>{run}</p>" for run in runs)

    def inline(self, content: str) -> str:
        """Return one paragraph's text with its emphasis, code and links."""
        key = (content, len(self._env.get("references", ())))
        made = self._known.get(key)
        if made is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            made = self._known[key] = self._written(content)
        return made

    def _written(self, content: str) -> str:
        if is_plain(content):
            return _unmarked(content)
        children: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._env, children)
        return _BREAKS.sub("<br>", _spans(children).strip(_OWN_LINE))


def _unmarked(content: str) -> str:
    return escape(content, quote=False).replace("\n", "<br>")


def _block_tag(token: Token) -> str:
    match token.type:
        case "fence" | "code_block":
            lines = (piece for line in token.content.rstrip("\n").split("\n") for piece in pieces(line))
            return "".join(f"<pre>{escape(line, quote=False) or ' '}</pre>" for line in lines)
        case "hr":
            return '<p class="rule">⁂</p>'
        case "math_block" if token.meta["closed"]:
            return f'<p align="center">{formula_html(token.content)}</p>'
        case "math_block":
            return f"<p><code>{escape(token.content, quote=False).replace(chr(10), '<br>')}</code></p>"
        case "ordered_list_open":
            return f'<ol start="{int(token.attrs.get("start", 1))}">'
        case "th_open" | "td_open":
            side = re.search(r"left|right|center", str(token.attrs.get("style", "")))
            return f'<{token.tag} align="{side.group() if side else "left"}">'
        case "table_open" | "table_close" | "thead_open" | "thead_close" | "tbody_open" | "tbody_close":
            return ""
        case _:
            return f"</{token.tag}>" if token.nesting < 0 else f"<{token.tag}>"


def _item_tag(tokens: Sequence[Token], index: int) -> str:
    ahead = tokens[index + 2] if index + 2 < len(tokens) else None
    if ahead is not None and ahead.type == "inline" and (task := _TASK.match(ahead.content)):
        return '<li class="unchecked">' if task.group(1) == " " else '<li class="checked">'
    return "<li>"


def _spans(tokens: Sequence[Token]) -> str:
    out: list[str] = []
    links: list[str] = []
    """Closing text of each open link."""
    for token in tokens:
        match token.type:
            case "text" | "text_special":
                out.append(_escaped(token.content) if links else _with_bare_links(token.content))
            case "math_inline":
                out.append(_formula(token.content))
            case "footnote_ref":
                out.append(f"<sup>{escape(token.content, quote=False)}</sup>")
            case "softbreak" | "hardbreak":
                out.append("<br>")
            case "code_inline":
                out.append(f"<code>{_keep_spaces(escape(token.content, quote=False))}</code>")
            case "link_open":
                url = str(token.attrs.get("href", ""))
                out.append(f'<a href="{escape(url)}">' if safe_link(url) else "")
                links.append("</a>" if safe_link(url) else _blocked_link(url))
            case "link_close":
                out.append(links.pop())
            case "image":
                out.append(_blocked_image(token))
            case "em_open" | "strong_open" | "s_open" | "em_close" | "strong_close" | "s_close":
                out.append(f"</{token.tag}>" if token.nesting < 0 else f"<{token.tag}>")
            case _:
                out.append(escape(token.content, quote=False))
    return "".join(out)


def _formula(raw: str) -> str:
    _, is_display = split_formula(raw)
    return f"{_OWN_LINE}{formula_html(raw)}{_OWN_LINE}" if is_display else formula_html(raw)


def _escaped(text: str) -> str:
    return _LINE_BREAK.sub("<br>", escape(text, quote=False))


def _blocked_link(url: str) -> str:
    words = tr("(link blocked: {url})").format(url=url)
    return f" {escape(words, quote=False)}"


def _blocked_image(token: Token) -> str:
    name = token.content or str(token.attrs.get("src", ""))
    name = name if len(name) <= 120 else name[:119] + "…"
    words = tr("[image blocked: {name}]").format(name=name) if name else tr("[image blocked]")
    return f"<i>{escape(words, quote=False)}</i>"


def _with_bare_links(text: str) -> str:
    out: list[str] = []
    done = 0
    for found in _BARE_URL.finditer(text):
        shown = found.group().rstrip(_URL_TAIL)
        while shown.endswith(")") and shown.count(")") > shown.count("("):
            shown = shown[:-1].rstrip(_URL_TAIL)
        url = _address(shown)
        if not safe_link(url):
            continue
        end = found.start() + len(shown)
        out.append(_escaped(text[done : found.start()]))
        out.append(f'<a href="{escape(url)}">{escape(shown, quote=False)}</a>')
        done = end
    out.append(_escaped(text[done:]))
    return "".join(out)


def _address(shown: str) -> str:
    if shown.lower().startswith(("http://", "https://")):
        return shown
    return f"https://{shown}" if shown.lower().startswith("www.") else f"mailto:{shown}"
