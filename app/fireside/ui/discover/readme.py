"""Show what a model's owner says about it: text, tables and code, and nothing from anywhere else."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QTextBrowser, QWidget

from fireside.core.i18n import tr
from fireside.markup.markdown import safe_link
from fireside.ui.chat.block_column import BlockColumn
from fireside.ui.chat.highlight import Lexers
from fireside.ui.chat.links import destination
from fireside.ui.chat.text_view import RichText
from fireside.ui.chat.transcript_style import TranscriptStyle
from fireside.ui.discover.card_text import card_markdown
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.theme.stylesheet import fill
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import plain_tooltip

_SLICE: Final = 4_000
"""Characters laid out at once, about; the rest follows in turns of the event loop."""
_LONGEST_SLICE: Final = 10 * _SLICE
_SHOWN: Final = 40_000
"""Characters that are laid out unasked."""
_CHIP: Final = "i { font-style: normal; color: $mute; background: $card2; font-size: 12tx; }\n"


class ReadmeStyle(TranscriptStyle):
    """As in the conversation, but what stands for a picture is a quiet chip."""

    @cached_property
    def css(self) -> str:
        return super().css + fill(_CHIP, self.theme.tokens, scaled=self.theme.scaled)


class ReadmeView(QWidget):
    """A card as tall as it is, filled in small steps. Follows no link by itself."""

    def __init__(self, open_link: Callable[[str], None], *, theme: Theme) -> None:
        """Take ``open_link`` as what is told an address of a kind that may be opened."""
        super().__init__()
        self._open_link = open_link
        self._theme = theme
        self._lexers = Lexers()
        self._column = BlockColumn(ReadmeStyle(theme, self._lexers), self)
        self._source = ""
        self._n_fed = 0
        self._n_wanted = 0
        self._finished = True
        self._prepared: set[RichText] = set()
        self._more = Button(tr("Show the rest"), theme=theme, kind="link", parent=self)
        self._more.clicked.connect(self._on_more)
        self._more.hide()
        self._fill = QTimer(self, interval=0)
        self._fill.timeout.connect(self._feed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Model card"))
        theme.changed.connect(self._on_theme_changed)

    @property
    def is_filled(self) -> bool:
        """Whether all that is to be shown unasked is laid out."""
        return not self._fill.isActive()

    @property
    def more(self) -> Button:
        return self._more

    @property
    def texts(self) -> tuple[str, ...]:
        """What stands in each block, as plain text."""
        return tuple(edit.toPlainText() for edit in self._column.text_views)

    def set_card(self, card: str) -> None:
        """Show another card, from its beginning."""
        self._column.clear()
        self._prepared.clear()
        self._source = card_markdown(card).strip()
        self._n_fed, self._n_wanted = 0, min(len(self._source), _SHOWN)
        self._finished = False
        self._feed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def _feed(self) -> None:
        """Take the next part of the text; come back if that is not all."""
        if self._column.is_built and self._n_fed < self._n_wanted:
            until = _cut(self._source, start=self._n_fed, end=self._n_wanted)
            self._column.append(self._source[self._n_fed : until])
            self._n_fed = until
        if self._n_fed == len(self._source) and not self._finished:
            self._finished = True
            self._column.finish()
        self._column.build()
        self._prepare()
        if self._n_fed < self._n_wanted or not self._column.is_built:
            self._fill.start()
        else:
            self._fill.stop()
        self._arrange()

    def _prepare(self) -> None:
        """Let text be selected and links be followed, which the conversation does in its own way."""
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
        n_left = len(self._source) - self._n_wanted + self._column.n_hidden
        self._more.setVisible(n_left > 0 and self.is_filled)
        if n_left > 0:
            self._more.set_label(tr("Show the rest (%n character)|Show the rest (%n characters)", "", n_left))
            size = self._more.sizeHint()
            self._more.setGeometry(0, bottom, min(width, size.width()), size.height())
            bottom += size.height() + SPACE_S
        self.setFixedHeight(max(1, bottom))

    def _on_more(self) -> None:
        if self._column.n_hidden:
            self._column.allow_more()
        else:
            self._n_wanted = min(len(self._source), self._n_wanted + 10 * _SHOWN)
        self._feed()

    def _on_anchor_clicked(self, url: QUrl) -> None:
        address = url.toString()
        if safe_link(address):
            self._open_link(address)

    def _on_highlighted(self, browser: QTextBrowser, url: QUrl) -> None:
        address = url.toString()
        browser.setToolTip(plain_tooltip(f"{destination(address)}\n{address}") if safe_link(address) else "")

    def _on_theme_changed(self) -> None:
        self._column.restyle(ReadmeStyle(self._theme, self._lexers))
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to the page: a text that never scrolls would still zoom with it."""
        if event.type() is QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _cut(text: str, *, start: int, end: int) -> int:
    """Return where the slice from ``start`` ends: at a line's end, and not in a table if it is of a sane
    length, since one of which more follows would be laid out again and again."""
    until = start + _SLICE
    while until < min(end, start + _LONGEST_SLICE):
        line_end = text.find("\n", until, end)
        if line_end < 0:
            break
        until = line_end + 1
        if not text.startswith("|", until):
            return until
    return min(end, start + _LONGEST_SLICE)
