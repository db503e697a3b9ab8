"""View of a model card: text, tables and code; nothing is fetched from elsewhere."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QTextBrowser, QWidget

from fireside.core.i18n import tr
from fireside.markup.markdown import destination, safe_link
from fireside.ui.chat.answer.block_column import BlockColumn
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.chat.answer.text_view import RichText
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.theme.stylesheet import fill
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import plain_tooltip

_SLICE: Final = 4_000
"""Approximate number of characters laid out at once; the rest follows in later turns of the event loop."""
_LONGEST_SLICE: Final = 10 * _SLICE
_INITIAL_CHARACTERS: Final = 40_000
"""Characters that are laid out without the user asking for more."""
_CHIP: Final = "i { font-style: normal; color: $mute; background: $card2; font-size: 12tx; }\n"


class ReadmeStyle(TranscriptStyle):
    """The style of a conversation, with muted chips in place of pictures."""

    @cached_property
    def css(self) -> str:
        return super().css + fill(_CHIP, theme().tokens, scaled=theme().scaled)


class ReadmeView(QWidget):
    """A Markdown view of full height, filled in small steps. Opens no link by itself."""

    def __init__(self, open_link: Callable[[str], None]) -> None:
        """``open_link`` is called with URLs of permitted schemes."""
        super().__init__()
        self._open_link = open_link
        self._lexers = Lexers()
        self._column = BlockColumn(ReadmeStyle(self._lexers), self)
        self._source = ""
        self._n_laid_out = 0
        self._n_requested = 0
        self._finished = True
        self._prepared: set[RichText] = set()
        self.more = Button(tr("Show the rest"), kind="link", parent=self)
        self.more.clicked.connect(self._on_more)
        self.more.hide()
        self._fill = QTimer(self, interval=0)
        self._fill.timeout.connect(self._feed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Model card"))
        theme().changed.connect(self._on_theme_changed)

    @property
    def is_complete(self) -> bool:
        """Whether everything up to the initial limit is laid out."""
        return not self._fill.isActive()

    @property
    def texts(self) -> tuple[str, ...]:
        """The plain text of each block."""
        return tuple(edit.toPlainText() for edit in self._column.text_views)

    def set_card(self, card: str) -> None:
        """Show another card from its start."""
        self._column.clear()
        self._prepared.clear()
        self._source = card_markdown(card).strip()
        self._n_laid_out, self._n_requested = 0, min(len(self._source), _INITIAL_CHARACTERS)
        self._finished = False
        self._feed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def _feed(self) -> None:
        """Lay out the next slice of the text; reschedule if there is more."""
        if self._column.is_built and self._n_laid_out < self._n_requested:
            until = _slice_end(self._source, start=self._n_laid_out, end=self._n_requested)
            self._column.append(self._source[self._n_laid_out : until])
            self._n_laid_out = until
        if self._n_laid_out == len(self._source) and not self._finished:
            self._finished = True
            self._column.finish()
        self._column.build()
        self._prepare()
        if self._n_laid_out < self._n_requested or not self._column.is_built:
            self._fill.start()
        else:
            self._fill.stop()
        self._arrange()

    def _prepare(self) -> None:
        """Make the text selectable and its links clickable, as the conversation does itself."""
        for edit in self._column.text_views:
            if not isinstance(edit, RichText) or edit in self._prepared:
                continue
            self._prepared.add(edit)
            edit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
            browser = edit.browser
            browser.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus if edit.has_links else Qt.FocusPolicy.ClickFocus
            )
            browser.setAccessibleName(tr("Model card"))
            browser.viewport().installEventFilter(self)
            browser.anchorClicked.connect(self._on_anchor_clicked)
            browser.highlighted.connect(lambda url, browser=browser: self._on_highlighted(browser, url))

    def _arrange(self) -> None:
        width = self.width()
        bottom = self._column.layout(x=0, y=0, width=width)
        n_left = len(self._source) - self._n_requested + self._column.n_hidden
        self.more.setVisible(n_left > 0 and self.is_complete)
        if n_left > 0:
            self.more.set_label(tr("Show the rest (%n character)|Show the rest (%n characters)", "", n_left))
            size = self.more.sizeHint()
            self.more.setGeometry(0, bottom, min(width, size.width()), size.height())
            bottom += size.height() + SPACE_S
        self.setFixedHeight(max(1, bottom))

    def _on_more(self) -> None:
        if self._column.n_hidden:
            self._column.allow_more()
        else:
            self._n_requested = min(len(self._source), self._n_requested + 10 * _INITIAL_CHARACTERS)
        self._feed()

    def _on_anchor_clicked(self, url: QUrl) -> None:
        address = url.toString()
        if safe_link(address):
            self._open_link(address)

    def _on_highlighted(self, browser: QTextBrowser, url: QUrl) -> None:
        address = url.toString()
        browser.setToolTip(plain_tooltip(f"{destination(address)}\n{address}") if safe_link(address) else "")

    def _on_theme_changed(self) -> None:
        self._column.restyle(ReadmeStyle(self._lexers))
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the wheel to the page: a text view that never scrolls would still zoom."""
        if event.type() is QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _slice_end(text: str, *, start: int, end: int) -> int:
    """Return where the slice from ``start`` ends: at the end of a line, and not within a table of sane
    length, which would be laid out again with each further part."""
    until = start + _SLICE
    while until < min(end, start + _LONGEST_SLICE):
        line_end = text.find("\n", until, end)
        if line_end < 0:
            break
        until = line_end + 1
        if not text.startswith("|", until):
            return until
    return min(end, start + _LONGEST_SLICE)


# Conversion of a model card with HTML to plain Markdown; text is kept, HTML removed. Pure.
#
# Many cards are half HTML. Shown as text it would be noise, and none of it is ever interpreted: tags become
# the Markdown that comes nearest, or nothing. What is in code stays as it is.


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
