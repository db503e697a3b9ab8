"""The page of one hub model: facts, files with their fit, and the model card."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QTextBrowser, QWidget

from fireside.core.discovery import Access, CatalogueModel, HubAdvice, HubModel
from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.markup.markdown import destination, safe_link
from fireside.ui.chat.answer.block_column import BlockColumn
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.chat.answer.text_view import RichText
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.discover.availability import Availability
from fireside.ui.discover.discover_text import (
    PURPOSE_NOTES,
    badges,
    catalogue_accessible_text,
    licence_text,
    model_facts,
    name_of,
    owner_of,
)
from fireside.ui.discover.offer_note import opens_settings, token_actions
from fireside.ui.discover.quant_table import QuantTable
from fireside.ui.discover.state_pane import OFFLINE_CODES, Action, StateNote, StatePane, error_note
from fireside.ui.downloads.recovery_actions import licence_page
from fireside.ui.kit.layout import at_top, boxed, card, column, destroy, row, space, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS, theme
from fireside.ui.theme.stylesheet import fill
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line, plain_tooltip

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController

# View of a model card: text, tables and code; nothing is fetched from elsewhere.

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


class ModelHead(QWidget):
    """Shows the facts, and who may download the model."""

    def __init__(self, model: HubModel, *, actions: DiscoverController, now: datetime) -> None:
        super().__init__()
        self._actions = actions
        self._model = model
        layout = column(self._make_title(), spacing=SPACE_M, on=self)
        if labels := badges(model.found):
            badge_row, _ = flow_row(*(Label(tr(label), role="badge") for label in labels), spacing=SPACE_XS)
            layout.addWidget(badge_row)
        layout.addWidget(self._make_facts(now))
        if note := PURPOSE_NOTES.get(model.found.purpose):
            layout.addWidget(self._make_note("info", tr(note)))
        if model.found.access is Access.GATED:
            layout.addWidget(self._make_gate())

    def _make_title(self) -> QHBoxLayout:
        self.on_hub = Button(tr("Open on Hugging Face"), icon="external-link", kind="quiet")
        self.on_hub.clicked.connect(lambda: self._actions.open_link(self._model.address))
        return row(
            stretch(ElidedLabel(tr("by {owner}").format(owner=owner_of(self._model.repo)), role="mute")),
            self.on_hub,
            spacing=SPACE_M,
        )

    def _make_facts(self, now: datetime) -> QWidget:
        facts, line = flow_row(spacing=SPACE_L)
        line.addWidget(self._make_licence())
        for name, value in model_facts(self._model, now=now):
            line.addWidget(_fact(name, ElidedLabel(value, role="strong")))
        return facts

    def _make_licence(self) -> QWidget:
        text = licence_text(self._model.found.licence) or tr("Not specified")
        self.licence: QWidget = ElidedLabel(text, role="strong")
        if self._model.licence_address:
            link = Button(text, kind="link")
            link.setAccessibleName(tr("Read licence: {words}").format(words=text))
            link.clicked.connect(lambda: self._actions.open_link(self._model.licence_address))
            self.licence = link
        return _fact(tr("Licence"), self.licence)

    def _make_gate(self) -> QFrame:
        owner = owner_of(self._model.repo)
        if self._model.has_access:
            return self._make_note(
                "check",
                tr("Gated by {owner}; you have access.").format(owner=owner),
            )
        text = tr(
            "Gated model: accept {owner}’s terms on the model’s page, then set an access token "
            "in the settings."
        ).format(owner=owner)
        buttons, line = flow_row(spacing=SPACE_S)
        self.accept = Button(tr("Open licence page"), icon="external-link")
        self.accept.clicked.connect(lambda: self._actions.open_link(self._model.address))
        self.token = Button(tr("Set access token"), icon="settings")
        self.token.clicked.connect(self._actions.open_hub_settings)
        line.addWidget(self.accept)
        line.addWidget(self.token)
        return self._make_note("lock", text, buttons)

    def _make_note(self, icon: str, text: str, *below: QWidget) -> QFrame:
        picture = Picture(icon, size=16)
        return card(row(at_top(picture), stretch(WrappedLabel(text, role="body"))), *below)


def _fact(name: str, value: QWidget) -> QWidget:
    return boxed(column(Label(name, role="small"), value, spacing=2))


_NARROW: Final = 880
"""Width in pixels below which each file is shown in two lines."""


class ModelPage(QWidget):
    """Shows a model of the hub, or why it cannot be shown."""

    def __init__(self, actions: DiscoverController, *, go_back: Callable[[], None]) -> None:
        super().__init__()
        self._actions = actions
        self._go_back = go_back
        self.model: HubModel | None = None
        """The model shown; ``None`` while it is loading."""
        self.has_failed = False
        """Whether an error is shown in place of a model."""
        self.head: ModelHead | None = None
        self.table: QuantTable | None = None
        self.readme: ReadmeView | None = None
        self._scroll = PageScroll()
        self.state = StatePane(self._scroll)
        column(self._make_top(), stretch(self.state), spacing=0, on=self)
        theme().changed.connect(self._fold)

    def focus_back_button(self) -> None:
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _show_name(self, name: str) -> None:
        self.name.set_full_text(name)
        self.setWindowTitle(name)

    def show_loading(self, name: str) -> None:
        self._clear()
        self._show_name(one_line(name))
        self.state.show_note(StateNote(icon="box", title=tr("Loading {name}…").format(name=one_line(name))))

    def show_error(self, name: str, error: ErrorInfo, *, known: CatalogueModel | None = None) -> None:
        """Show why the model ``name`` cannot be shown, and what the catalogue knows of it."""
        self._clear()
        self.has_failed = True
        self._show_name(one_line(name))
        actions: list[Action] = []
        if page := licence_page(error):
            actions.append((tr("Open licence page"), lambda: self._actions.open_link(page)))
        if opens_settings(error):
            actions.append((tr("Open settings"), self._actions.open_hub_settings))
        actions += token_actions(error, self._actions, again=self._actions.reopen_model)
        if error.retryable or error.code == "hub_offline":
            actions.append((tr("Try again"), self._actions.reopen_model))
        if error.code in OFFLINE_CODES:
            actions.append((tr("Add a file you have…"), self._actions.add_own_files))
        actions.append((tr("Back"), self._go_back))
        note = error_note(error, title=tr("Model unavailable"))
        if known is not None:
            text = f"{catalogue_accessible_text(known)}\n\n{error.sentence}"
            note = StateNote(icon=note.icon, title=known.name, text=text)
        self.state.show_note(note, actions=actions)

    def show_model(self, model: HubModel, *, now: datetime) -> None:
        """Show the model; the advice follows later."""
        self._clear()
        self.model = model
        self._show_name(name_of(model.repo))
        self.head = ModelHead(model, actions=self._actions, now=now)
        self.table = QuantTable(model, actions=self._actions)
        layout = column(self.head, space(SPACE_S), self.table, spacing=SPACE_M)
        if model.card.strip():
            layout.addSpacing(SPACE_L)
            layout.addWidget(Label(tr("Model card"), role="heading"))
            self.readme = ReadmeView(self._actions.open_link)
            layout.addWidget(self.readme)
        layout.addStretch()
        self._scroll.setWidget(centred(layout, bottom=SPACE_XL, in_page_scroll=True))
        self._scroll.verticalScrollBar().setValue(0)
        self.state.show_content()
        self._fold()
        if self.readme is not None:
            self.readme.set_card(model.card)

    def show_advice(self, advice: HubAdvice) -> None:
        if self.table is not None:
            self.table.show_advice(advice)

    def show_no_advice(self, error: ErrorInfo) -> None:
        """Show that it is unknown which file fits; all can still be downloaded."""
        if self.table is not None:
            self.table.show_no_advice(error)

    def show_availability(
        self,
        availability: Mapping[str, Availability],
        *,
        requested: frozenset[str],
        problems: Mapping[str, ErrorInfo],
    ) -> None:
        """Show the availability of each file, by its path."""
        if self.table is not None:
            self.table.show_availability(availability, requested=requested, problems=problems)

    def _make_top(self) -> QWidget:
        self.back = IconButton("arrow-left", name=tr("Back"), on_click=self._go_back)
        self.name = ElidedLabel(role="title")
        return centred(row(self.back, stretch(self.name)), top=SPACE_M, bottom=SPACE_S)

    def _fold(self) -> None:
        # Measured here: a row never gets narrower than the minimum width of its widgets.
        if self.table is not None:
            self.table.fold(folded=self.width() < theme().scaled(_NARROW))

    def _clear(self) -> None:
        self.model, self.head, self.table, self.readme = None, None, None, None
        self.has_failed = False
        if (content := self._scroll.takeWidget()) is not None:
            destroy(content)
