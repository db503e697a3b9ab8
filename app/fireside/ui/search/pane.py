"""The search pane: filters and results, shown in place of the list of chats."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.core.search import SearchQuery, SearchResult
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.search.filters import Filters
from fireside.ui.search.results_list import ChatResultsList, SearchResultModel
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel


class SearchPane(QWidget):
    """Emits queries and shows results; ``SearchController`` runs the queries."""

    query_changed = Signal(object)
    """Carries a ``SearchQuery`` after each change of text or filters."""

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._text = ""
        self._is_answered = True
        self._opens_first = False
        self.model = SearchResultModel(self)
        self.list = ChatResultsList(model=self.model, now=now)
        self.filters = Filters(now=now)
        self.count = ElidedLabel(role="small")
        self.filter_button = IconButton("list-filter", name=tr("Filters"), size=16)
        self.filter_button.setCheckable(True)
        self.clear_button = Button(tr("Clear filters"), kind="link")
        self.note = WrappedLabel(role="mute")
        self._build()
        self._connect()
        self._on_filters_changed()

    def _build(self) -> None:
        head = row(
            stretch(self.count),
            self.clear_button,
            self.filter_button,
            spacing=SPACE_XS,
            margins=(SPACE_S + 4, 0, 0, 0),
        )
        top = column(head, self.filters, spacing=SPACE_XS, margins=(0, SPACE_XS, SCROLL_BAR_PX, SPACE_XS))
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.note.setContentsMargins(SPACE_M, SPACE_M * 2, SPACE_M + SCROLL_BAR_PX, 0)
        column(top, stretch(self.note), stretch(self.list), spacing=0, on=self)
        self.filters.hide()
        self.note.hide()

    def _connect(self) -> None:
        self.filter_button.toggled.connect(self.filters.setVisible)
        self.filters.changed.connect(self._on_filters_changed)
        self.clear_button.clicked.connect(self.filters.clear)

    def open_first(self) -> None:
        """Open the best result, once there is one for the current text."""
        if self._is_answered:
            self.list.open_first()
        else:
            self._opens_first = True

    @property
    def query(self) -> SearchQuery:
        """The current query."""
        return self.filters.query_for(self._text)

    @property
    def is_searching(self) -> bool:
        """Whether the query has a text."""
        return bool(self._text.strip())

    def set_text(self, text: str) -> None:
        """Search for ``text``; the last results stay until the new ones arrive."""
        self._text = text
        self._opens_first = False
        if self.is_searching:
            self._request()
        else:
            self.model.set_active(None)
            self.model.show_result(SearchResult())

    def show_result(self, result: SearchResult) -> None:
        """Show the results."""
        self.model.show_result(result)
        self._show_note("" if result.matches else self._no_results_text(result))
        before = self.count.text()
        self.count.set_full_text(hit_count_text(result))
        if self.count.text() != before:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.count.text()))
        self._is_answered = True
        if self._opens_first:
            self._opens_first = False
            self.list.open_first()

    def show_error(self, error: ErrorInfo) -> None:
        """Show why the search failed."""
        self.model.show_result(SearchResult())
        self.count.set_full_text("")
        self._show_note(error.sentence)

    def _show_note(self, text: str) -> None:
        self.note.show_text(text)
        self.list.setVisible(not text)

    def _no_results_text(self, result: SearchResult) -> str:
        if result.n_not_indexed:
            return tr("No results yet; still searching older chats")
        if self.filters.n_active:
            return tr("No results with these filters")
        return tr("No matching chats")

    @Slot()
    def _on_filters_changed(self) -> None:
        n_active = self.filters.n_active
        self.clear_button.setVisible(n_active > 0)
        self.filter_button.set_icon("list-filter", tint="accent" if n_active else "mute")
        self.filter_button.set_name(
            tr("Filters, %n active|Filters, %n active", "", n_active) if n_active else tr("Filters")
        )
        if self.is_searching:
            self._request()

    def _request(self) -> None:
        self._is_answered = False
        self.query_changed.emit(self.query)


def hit_count_text(result: SearchResult) -> str:
    """Return the number of results: “3 messages in 2 chats”, “More than 1,000 messages”."""
    n_chats = len(result.matches)
    if not n_chats:
        return ""
    if not result.n_hits:
        count = tr("%n chat|%n chats", "", n_chats)
    elif result.is_truncated:
        count = tr("Best matches of %n message|Best matches of %n messages", "", result.n_hits)
    else:
        count = tr("%n message in {chats}|%n messages in {chats}", "", result.n_hits).format(
            chats=tr("%n chat|%n chats", "in so many of them", n_chats)
        )
    return tr("{found} · still searching").format(found=count) if result.n_not_indexed else count
