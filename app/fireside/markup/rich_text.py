"""Write CommonMark tokens as the subset of HTML that Qt's rich text supports.

Everything a model writes is hostile input. Only tags written here reach Qt: text is escaped, images become
text, and a link keeps its URL only if ``safe_link`` allows it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fireside.core.graphemes import boundary_before
from fireside.core.i18n import tr
from fireside.markup.escape import escape
from fireside.markup.formula_delimiters import split_formula
from fireside.markup.markdown import MAX_PARAGRAPH, is_plain, safe_link

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from fireside.markup.formula import Drawing

MAX_RUN = 5_000
"""Longest run without a space, in characters. Qt lays out 100,000 in 1.4 s and hangs on a million."""
_MAX_CACHED = 5_000
"""Cached HTML of paragraphs while a text streams, since its last rows are parsed again each time."""
FORMULA_EM = 1.12
"""Ratio of a formula's em to the text's, so that lower-case letters have the same height in both fonts."""
FORMULA = re.compile(r'<img src="(math:[\w=-]*)">')
"""A formula in the HTML written here; the group is its name."""
_STRUT = "math:"
"""Name of the image that reserves the space below a formula."""
STRUT_PX = 1
"""Width of that image."""
MAX_COLUMNS = 400
"""A table with more columns is shown as source."""

_BARE_URL = re.compile(
    r"(?<![\w/@.])(?:https?://|www\.)[^\s<>\"“”]{1,2000}"
    r"|(?<![\w.+%/:@-])[\w.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w@-])"
)
_SENTENCE_END = re.compile(r"[.!?…][\"”’»)\]]*\s+|[。！？]")
_OWN_LINE = "\x1e"
"""Marks where a formula needs a line of its own, until it is known whether it has one anyway."""
_MARKUP = ("em", "strong", "s", "u", "sub", "sup", "kbd", "mark")
_OPENING = {f"{name}_open": f"<{name}>" for name in _MARKUP}
_CLOSING = {f"{name}_close": f"</{name}>" for name in _MARKUP}
_BREAKS = re.compile(rf"\s*(?:{_OWN_LINE}|<br>)*{_OWN_LINE}(?:{_OWN_LINE}|<br>)*\s*")
_MAX_URL = 120
"""An image without a description is shown as so many characters of its URL, which may contain the image."""
_URL_TAIL = ".,;:!?'’*_~"
_UNUSABLE = [0, 0x1E, 0xFFFC, 0xFFFE, 0xFFFF]
_UNUSABLE += range(0xFDD0, 0xFDF0)  # including Qt's own frame markers
_UNUSABLE += range(0xD800, 0xE000)  # Qt accepts no lone surrogates
_SUBSTITUTES = dict.fromkeys(_UNUSABLE, 0xFFFD) | {0x2028: 0x20, 0x2029: 0x20}

_NO_OUTPUT = frozenset(
    {
        "paragraph_open",
        "paragraph_close",
        "heading_open",
        "heading_close",
        "summary_open",
        "summary_close",
        "alert_title_open",
        "alert_title_close",
        "footnote_reference_close",
    }
)
"""Tokens without output of their own."""

_WITHOUT_TEXT = frozenset({"list_item_close", "bullet_list_open", "ordered_list_open"})
"""Tokens that follow the beginning of a list item without text."""
NO_TEXT = "\u200b"
"""Stands where a list item has no text: else Qt would neither show nor count its number."""

_ITEMS = {"": "<li>", " ": '<li class="unchecked">', "x": '<li class="checked">'}

Env = dict[str, Any]


def formula_html(raw: str) -> str:
    """Return a formula as HTML: an image whose name encodes its source, with delimiters."""
    return f'<img src="math:{base64.urlsafe_b64encode(raw.encode()).decode()}">'


@lru_cache(maxsize=2048)
def formula_source(name: str) -> str | None:
    """Return the source of the formula whose image is called ``name``; ``None`` if it is no formula's."""
    if not name.startswith("math:"):
        return None
    return base64.urlsafe_b64decode(name.removeprefix("math:")).decode()


def formula_image(name: str, drawing: Drawing, *, em: float) -> str:
    """Return HTML that reserves the space of a formula with an em of ``em`` pixels, aligned to the baseline.

    Qt places an image on the baseline, without space below it, or centres it on the line. So a formula is an
    image as high as its part above the baseline, and is drawn beyond its lower edge, where a transparent
    strut, centred on the line, reserves the space.
    """
    width, ascent, descent = (ceil(ems * em) for ems in (drawing.width, drawing.ascent, drawing.descent))
    strut = f'<img src="{_STRUT}" width="{STRUT_PX}" height="{2 * descent}" style="vertical-align:middle">'
    return (
        f'<span style="font-size:2px">{strut if descent > 0 else ""}</span>'
        f'<img src="{name}" width="{width}" height="{max(1, ascent)}">'
    )


def clean(text: str) -> str:
    """Replace characters that Qt would interpret as its own structure. The length stays the same."""
    return text.translate(_SUBSTITUTES)


def pieces(text: str, *, limit: int = MAX_RUN) -> Iterator[str]:
    """Split ``text`` into runs of at most ``limit`` characters: at the end of a sentence, else of a word."""
    start = 0
    while len(text) - start > limit:
        half, end = start + limit // 2, start + limit
        sentences = [match.end() for match in _SENTENCE_END.finditer(text, half, end)]
        space = max(text.rfind("\n", half, end), text.rfind(" ", half, end)) + 1
        cut = sentences[-1] if sentences else space or boundary_before(text, end)
        yield text[start:cut]
        start = cut
    yield text[start:]


def paragraphs(text: str) -> Iterator[str]:
    """Yield ``text``, split if it is so long that its layout would block the window."""
    for piece in pieces(text, limit=MAX_PARAGRAPH):
        longest = max(map(len, piece.split()), default=0)
        yield from pieces(piece) if longest > MAX_RUN else (piece,)


def plain_html(text: str) -> str:
    """Return ``text`` as one paragraph per line, without interpreting it."""
    lines = (piece for line in text.rstrip("\n").split("\n") for piece in paragraphs(line))
    escaped = (_keep_spaces(escape(line, quote=False)) or "&nbsp;" for line in lines)
    return "".join(f'<p class="plain">{line}</p>' for line in escaped)


def _keep_spaces(text: str) -> str:
    return text.replace("\t", "    ").replace("  ", "&nbsp; ")


class HtmlWriter:
    """Writes the tokens of one block. ``env`` contains the link definitions so far."""

    def __init__(
        self, parser: MarkdownIt, env: Env, *, cache: dict[tuple[str, int], str] | None = None
    ) -> None:
        """``cache`` stores the HTML of paragraphs, by their text and the number of definitions so far."""
        self._parser = parser
        self._env = env
        self._cache = {} if cache is None else cache

    def write(self, tokens: Sequence[Token]) -> str:
        """Return the HTML of block tokens, whose opening and closing ones are balanced."""
        html: list[str] = []
        first_in_item = False
        footnote = ""
        for index, token in enumerate(tokens):
            if footnote and token.type not in {"paragraph_open", "inline"}:
                html.append(f"{footnote}</p>")
                footnote = ""
            if token.type == "inline":
                text = self._paragraphs(tokens, index, in_item=first_in_item)
                html.append(text.replace("<p>", footnote, 1) if footnote else text)
                first_in_item, footnote = False, ""
            elif token.type == "footnote_reference_open":
                footnote = f'<p class="footnote">{_footnote_mark(token.meta["label"])} '
                first_in_item = False
            elif token.type == "list_item_open":
                html.append(_ITEMS[token.meta.get("task", "")])
                if tokens[index + 1].type in _WITHOUT_TEXT:
                    html.append(NO_TEXT)
                first_in_item = True
            elif token.type == "math_block" and token.meta["closed"] and first_in_item:
                html.append(formula_html(token.content))  # beside the marker of its item
                first_in_item = False
            elif token.type not in _NO_OUTPUT:
                html.append(_block_tag(token))
        return "".join(html)

    def _paragraphs(self, tokens: Sequence[Token], index: int, *, in_item: bool) -> str:
        opener = tokens[index - 1]
        content = tokens[index].content
        write_run = self.inline if len(content) <= MAX_PARAGRAPH else _plain_paragraph
        runs = [write_run(run) for run in paragraphs(content)]
        if opener.type in {"th_open", "td_open"}:
            return runs[0] if len(runs) == 1 else "".join(f"<p>{run}</p>" for run in runs)
        if opener.type == "heading_open":
            return "".join(f'<p class="{opener.tag}">{run}</p>' for run in runs)
        if opener.type == "summary_open":
            return "".join(f"<p><b>{run}</b></p>" for run in runs)
        if opener.type == "alert_title_open":
            return f'<p class="alert-{opener.meta["kind"]}">{runs[0]}</p>'
        first = runs.pop(0) if in_item else ""
        return first + "".join(f"<p>{run}</p>" for run in runs)

    def inline(self, content: str) -> str:
        """Return one paragraph's text with its emphasis, code and links."""
        key = (content, len(self._env.get("references", ())))
        html = self._cache.get(key)
        if html is None:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            html = self._cache[key] = self._write_inline(content)
        return html

    def _write_inline(self, content: str) -> str:
        if is_plain(content):
            return _plain_paragraph(content)
        children: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._env, children)
        return _BREAKS.sub("<br>", _spans(children).strip(_OWN_LINE))


def _plain_paragraph(content: str) -> str:
    return escape(content, quote=False).replace("\n", "<br>")


def code_info(token: Token) -> str:
    """Return what the first line of a code block says of it: its language, and whatever follows."""
    from markdown_it.common.utils import unescapeAll  # imported with the first text

    return unescapeAll(token.info).strip()


def _block_tag(token: Token) -> str:
    match token.type:
        case "fence" | "code_block":
            lines = (piece for line in token.content.rstrip("\n").split("\n") for piece in pieces(line))
            code = "".join(f"<pre>{escape(line, quote=False) or ' '}</pre>" for line in lines)
            info = escape(code_info(token), quote=False)
            return f'<p class="language">{info}</p>{code}' if info else code
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
        case "thead_open" | "thead_close" | "tbody_open" | "tbody_close":
            return ""
        case "details_open":
            return "<blockquote>"
        case "details_close":
            return "</blockquote>"
        case _:
            return f"</{token.tag}>" if token.nesting < 0 else f"<{token.tag}>"


def _spans(tokens: Sequence[Token]) -> str:
    html: list[str] = []
    links: list[str] = []
    """Closing text of each open link."""
    for index, token in enumerate(tokens):
        match token.type:
            case "text" | "text_special":
                html.append(escape(token.content, quote=False) if links else with_bare_links(token.content))
            case "math_inline":
                html.append(_formula(token.content))
            case "footnote_ref":
                html.append(_footnote_mark(token.content))
            case "softbreak" | "hardbreak":
                html.append("<br>")
            case "code_inline":
                html.append(f"<code>{_keep_spaces(escape(token.content, quote=False))}</code>")
            case "link_open":
                opening, closing = link_html(token, is_empty=tokens[index + 1].type == "link_close")
                html.append(opening)
                links.append(closing)
            case "link_close":
                html.append(links.pop())
            case "image":
                html.append(f"<i>{image_html(token, is_linked=bool(links))}</i>")
            case _ if token.type in _OPENING:
                html.append(_OPENING[token.type])
            case _ if token.type in _CLOSING:
                html.append(_CLOSING[token.type])
            case _:
                html.append(escape(token.content, quote=False))
    return "".join(html)


def link_html(token: Token, *, is_empty: bool) -> tuple[str, str]:
    """Return the HTML before and after the text of a link; one without text shows its URL."""
    url, title = str(token.attrs.get("href", "")), str(token.attrs.get("title", ""))
    label = escape(url, quote=False) if is_empty else ""
    if safe_link(url):
        hint = f' title="{escape(title)}"' if title else ""
        return f'<a href="{escape(url)}"{hint}>{label}', "</a>"
    if token.markup == "autolink":
        return "&lt;", "&gt;"
    if not url:
        return "[", "]()"
    blocked = tr("(link blocked: {url})").format(url=" ".join(filter(None, (url, title))))
    return "", f" {escape(blocked, quote=False)}"


def _footnote_mark(label: str) -> str:
    return f'<sup class="note">{escape(label, quote=False)}</sup>'


def _formula(raw: str) -> str:
    _, is_display = split_formula(raw)
    return f"{_OWN_LINE}{formula_html(raw)}{_OWN_LINE}" if is_display else formula_html(raw)


def image_name(token: Token) -> str:
    """Return the description of an image, or its URL, of which a long one is cut."""
    url = str(token.attrs.get("src", ""))
    return token.content or (url if len(url) <= _MAX_URL else f"{url[:_MAX_URL]}…")


def image_html(token: Token, *, is_linked: bool) -> str:
    """Return what stands for an image: its description and host, as a link to it unless it is in one."""
    url = str(token.attrs.get("src", ""))
    host = (urlsplit(url).hostname or "") if safe_link(url) else ""
    names = ", ".join(filter(None, (image_name(token), host if token.content else "")))
    text = escape(tr("[image: {name}]").format(name=names) if names else tr("[image]"), quote=False)
    return f'<a href="{escape(url)}" class="image">{text}</a>' if safe_link(url) and not is_linked else text


def with_bare_links(text: str) -> str:
    """Return ``text`` as HTML in which web and mail addresses are links."""
    html: list[str] = []
    done = 0
    for match in _BARE_URL.finditer(text):
        label = match.group().rstrip(_URL_TAIL)
        while label.endswith(")") and label.count(")") > label.count("("):
            label = label[:-1].rstrip(_URL_TAIL)
        url = _url_of(label)
        if not safe_link(url):
            continue
        html.append(escape(text[done : match.start()], quote=False))
        html.append(f'<a href="{escape(url)}">{escape(label, quote=False)}</a>')
        done = match.start() + len(label)
    html.append(escape(text[done:], quote=False))
    return "".join(html)


def _url_of(label: str) -> str:
    if label.lower().startswith(("http://", "https://")):
        return label
    return f"https://{label}" if label.lower().startswith("www.") else f"mailto:{label}"
