"""The search pane: filters and results, shown in place of the list of chats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.core.chat import Folder
from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import FolderId, ModelId
from fireside.core.message import Role
from fireside.core.search import SearchQuery, SearchResult
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.search.results_list import ChatResultsList, SearchResultModel
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, escape_mnemonic


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


# The filters of a search


class Age(StrEnum):
    """The age of a message."""

    ANY = "any"
    TODAY = "today"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    OLDER = "older"


_ROLES: Final = (
    (None, tr_noop("Anyone")),
    (Role.USER, tr_noop("You")),
    (Role.ASSISTANT, tr_noop("The model")),
)
_AGES: Final = (
    (Age.ANY, tr_noop("Any time")),
    (Age.TODAY, tr_noop("Today")),
    (Age.WEEK, tr_noop("7 days")),
    (Age.MONTH, tr_noop("30 days")),
    (Age.YEAR, tr_noop("12 months")),
    (Age.OLDER, tr_noop("Older")),
)
_DAYS: Final = {Age.TODAY: 0, Age.WEEK: 7, Age.MONTH: 30, Age.YEAR: 365, Age.OLDER: 365}
_ARCHIVED: Final = (
    (None, tr_noop("Include archived")),
    (False, tr_noop("Without archived")),
    (True, tr_noop("Archived only")),
)
_ALL_MODELS: Final = tr_noop("Any model")
_ALL_FOLDERS: Final = tr_noop("Any folder")


class Filters(QWidget):
    """Five combo boxes; the first entry of each does not filter."""

    changed = Signal()

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        self.role = ComboBox(name=tr("Author"))
        self.age = ComboBox(name=tr("Date"))
        self.model = ComboBox(name=tr("Model"))
        self.folder = ComboBox(name=tr("Folder"))
        self.archived = ComboBox(name=tr("Archive"))
        for select, choices in ((self.role, _ROLES), (self.age, _AGES), (self.archived, _ARCHIVED)):
            for value, label in choices:
                select.addItem(tr(label), value)
        self.model.addItem(tr(_ALL_MODELS), None)
        self.folder.addItem(tr(_ALL_FOLDERS), None)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(SPACE_XS)
        cells = ((self.role, 0, 0), (self.age, 0, 1), (self.model, 1, 0), (self.folder, 1, 1))
        for select, at_row, at_column in cells:
            grid.addWidget(select, at_row, at_column)
        grid.addWidget(self.archived, 2, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for select in self._all:
            select.setProperty("kind", "small")
            select.setMinimumWidth(0)
            select.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            select.setMinimumContentsLength(4)
            select.currentIndexChanged.connect(self.changed)

    @property
    def _all(self) -> tuple[ComboBox, ...]:
        return (self.role, self.age, self.model, self.folder, self.archived)

    @property
    def n_active(self) -> int:
        """The number of active filters."""
        return sum(select.currentIndex() > 0 for select in self._all)

    def query_for(self, text: str) -> SearchQuery:
        """Return a query for ``text`` with these filters."""
        since, before = self._span()
        return SearchQuery(
            text=text,
            role=self.role.currentData(),
            model_id=self.model.currentData(),
            folder_id=self.folder.currentData(),
            archived=self.archived.currentData(),
            since=since,
            before=before,
        )

    def set_models(self, models: Sequence[tuple[ModelId, str]]) -> None:
        """Offer ``models``, each with its name; keep the selection if it is among them."""
        _refill(self.model, models)

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """Offer ``folders``; keep the selection if it is among them."""
        _refill(self.folder, [(folder.id, folder.name) for folder in folders])

    @Slot()
    def clear(self) -> None:
        """Remove all filters."""
        if self.n_active:
            for select in self._all:
                select.blockSignals(True)
                select.setCurrentIndex(0)
                select.blockSignals(False)
            self.changed.emit()

    def _span(self) -> tuple[float | None, float | None]:
        age = Age(self.age.currentData())
        if age is Age.ANY:
            return None, None
        now = self._now()
        midnight = datetime.combine(now.date(), datetime.min.time(), tzinfo=now.tzinfo)
        limit = (midnight - timedelta(days=_DAYS[age])).timestamp()
        return (None, limit) if age is Age.OLDER else (limit, None)


def _refill(select: ComboBox, choices: Sequence[tuple[ModelId | FolderId, str]]) -> None:
    """Replace the choices below the first; emit a change only if the selected one is missing."""
    selected = select.currentData()
    select.blockSignals(True)
    while select.count() > 1:
        select.removeItem(1)
    for value, name in choices:
        select.addItem(escape_mnemonic(name), value)
    index = select.findData(selected) if selected is not None else 0
    select.setCurrentIndex(index if index >= 0 else select.currentIndex())
    select.blockSignals(False)
    if index < 0:
        select.setCurrentIndex(0)
        select.currentIndexChanged.emit(0)
