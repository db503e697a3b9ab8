"""View of a model card: text, tables and code; nothing is fetched from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
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
from fireside.ui.discover.card_text import card_markdown
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
