"""The page to find models on the hub: start page, search results, one model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import shiboken6
from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from fireside.core.discovery import HubSearchHit
from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr, tr_noop
from fireside.ui.discover.discover_text import is_repository
from fireside.ui.discover.model_page import ModelPage
from fireside.ui.discover.offer_note import token_actions
from fireside.ui.discover.results_list import ResultsList, ResultsModel
from fireside.ui.discover.search_bar import SearchBar
from fireside.ui.discover.start_page import StartPage
from fireside.ui.discover.state_pane import (
    OFFLINE_CODES,
    Action,
    StatePane,
    empty_note,
    error_note,
    searching_note,
)
from fireside.ui.kit.layout import boxed, column, row, stacked, stretch
from fireside.ui.kit.sub_page import take_titles
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import COLUMN_WIDTH, centred
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import ElidedLabel, truncate_text

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController


_OFFLINE: Final = "offline"
_OFFLINE_MESSAGE: Final = tr_noop("Offline mode is on: search and downloads are disabled.")


class View(IntEnum):
    """The views of the page; values are indexes of the stack."""

    START = 0
    RESULTS = 1
    MODEL = 2


class DiscoverPage(QWidget):
    """Shows the start page, search results or one model; its controller sends the requests. GUI thread
    only."""

    page_shown = Signal()

    def __init__(self, actions: DiscoverController, *, now: Callable[[], datetime]) -> None:
        """``now`` is what relative times such as “3 days ago” count from."""
        super().__init__()
        self.setObjectName("page")
        self._actions = actions
        self._before = View.START
        self._came_from: QWidget | None = None
        self.notices = BannerArea()
        self.search = SearchBar(actions)
        self.start = StartPage(actions)
        self.results = ResultsPane(actions, now=now())
        self.model_page = ModelPage(actions, go_back=self.go_back)
        self.search.show_filters(has_results=False)
        self._head = centred(column(self.search), top=SPACE_XL, bottom=SPACE_M)
        self._views = stacked(self.start, self.results, self.model_page)
        take_titles(self, self._views, self.model_page)
        column(self.notices, self._head, stretch(self._views), spacing=0, on=self)
        self._connect()

    @property
    def view(self) -> View:
        return View(self._views.currentIndex())

    def focus_main_control(self) -> None:
        """Focus the search field, or the back button of a model's page."""
        if self.view is View.MODEL:
            self.model_page.focus_back_button()
        else:
            self.search.focus_field()

    def show_view(self, view: View) -> None:
        previous = self.view
        if view is View.MODEL and previous is not View.MODEL:
            self._before = previous
            focus = QApplication.focusWidget()
            self._came_from = focus if focus is not None and self.isAncestorOf(focus) else None
        self._views.setCurrentIndex(view)
        if view is not View.MODEL:
            self.search.show_filters(has_results=view is View.RESULTS)
        if view is View.MODEL and previous is not View.MODEL and self.isVisible():
            self.model_page.focus_back_button()
        # Hidden last: Qt moves the focus of a hidden field to the next widget and scrolls there.
        self._head.setVisible(view is not View.MODEL)
        if previous is View.MODEL and view is not View.MODEL:
            self._actions.on_model_left()

    def go_back(self) -> None:
        """Leave the model's page for the view it was opened from."""
        if self.view is not View.MODEL:
            return
        self.show_view(self._before)
        came_from = self._came_from
        if came_from is not None and shiboken6.isValid(came_from) and came_from.isVisible():
            came_from.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.search.focus_field()

    def show_offline(self, *, offline: bool) -> None:
        """Show or remove the notice that offline mode is on."""
        if not offline:
            self.notices.remove(_OFFLINE)
        elif not self.notices.has(_OFFLINE):
            actions = ((tr("Open settings"), self._actions.open_hub_settings),)
            self.notices.show_banner(_OFFLINE, tr(_OFFLINE_MESSAGE), tone=Tone.INFO, actions=actions)

    def retry_failed(self) -> None:
        """Repeat the request that failed last, if its error is shown."""
        if self.view is View.RESULTS and self.results.has_failed:
            self._actions.repeat_search()
        elif self.view is View.MODEL and self.model_page.has_failed:
            self._actions.reopen_model()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go back on the mouse's back button."""
        if event.button() is Qt.MouseButton.BackButton:
            self.go_back()
        else:
            super().mousePressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.page_shown.emit()

    def _connect(self) -> None:
        self.search.list_focus_requested.connect(self._on_list_focus_requested)
        for signal in (self.results.list.focus_field_requested, self.results.list.cancelled):
            signal.connect(self.search.focus_field)
        for keys in ("Esc", "Alt+Left"):
            shortcut = QShortcut(QKeySequence(keys), self.model_page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self.go_back)

    def _on_list_focus_requested(self) -> None:
        if self.view is View.RESULTS:
            self.results.focus_list()
        elif self.start.cards:
            self.start.cards[0].setFocus(Qt.FocusReason.TabFocusReason)


# The search results: the list, a note in its place, and the state of paging


_MAX_EMPTY_PAGES: Final = 5
"""Empty pages requested in a row before the user is asked whether to continue."""
_LONGEST_NAME: Final = 36
"""Characters of a name on a button."""


class ResultsPane(QWidget):
    """The list of results, or a note in its place."""

    def __init__(self, actions: DiscoverController, *, now: datetime) -> None:
        super().__init__()
        self._actions = actions
        self._has_more = False
        self._n_empty_pages = 0
        """Pages in a row without results: a filter may exclude nearly everything."""
        self.has_failed = False
        """Whether the error of a search is shown."""
        self.model = ResultsModel(now=now, parent=self)
        self.list = ResultsList(model=self.model)
        self.list.picked.connect(self._open_model)
        self.list.more_requested.connect(self._on_more_requested)
        self._foot = self._make_foot()
        self.state = StatePane(
            centred(
                column(stretch(self.list), self._foot, spacing=SPACE_XS),
                width=COLUMN_WIDTH + SCROLL_BAR_PX,
                in_page_scroll=True,
            )
        )
        column(self.state, on=self)

    def focus_list(self) -> None:
        """Focus the list, or the default button of the note."""
        if self.state.note is None:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.state.buttons:
            self.state.buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def show_searching(self) -> None:
        """Show that a search runs; earlier results stay until it is answered."""
        self.has_failed = False
        if self.state.note is not None or not self.model.rowCount():
            self.state.show_note(searching_note())
        else:
            self._show_footer(tr("Searching…"))

    def show_results(self, hits: Sequence[HubSearchHit], *, text: str, has_more: bool, now: datetime) -> None:
        """Show the first page of results for ``text``."""
        self._has_more = has_more
        self._n_empty_pages = 0
        self.model.show_results(hits, now=now)
        self.list.scroll_to_top()
        self._show_footer("" if has_more else self._end_text())
        self._show_or_load_more(text)

    def show_more(self, hits: Sequence[HubSearchHit], *, text: str, has_more: bool) -> None:
        """Append a page of results."""
        self._has_more = has_more
        n_before = self.model.rowCount()
        self.model.extend(hits)
        self._n_empty_pages = self._n_empty_pages + 1 if self.model.rowCount() == n_before else 0
        self._show_footer("" if has_more else self._end_text())
        self._show_or_load_more(text)

    def show_loading_more(self) -> None:
        self._show_footer(tr("Loading more…"))

    def show_error(self, error: ErrorInfo) -> None:
        self.has_failed = True
        actions: list[Action] = []
        if error.code == "hub_offline":
            actions.append((tr("Open settings"), self._actions.open_hub_settings))
        actions += token_actions(error, self._actions, again=self._actions.repeat_search)
        actions.append((tr("Try again"), self._actions.repeat_search))
        if error.code in OFFLINE_CODES:
            actions.append((tr("Add a file you have…"), self._actions.add_own_files))
        self.model.replace(())
        self.state.show_note(error_note(error, title=tr("Search failed")), actions=actions)

    def show_more_error(self, error: ErrorInfo) -> None:
        """Show below the list why the next page failed."""
        self._has_more = False
        self._show_footer(error.sentence, can_retry=True)

    def _show_or_load_more(self, text: str) -> None:
        if self.model.rowCount():
            self.state.show_content()
            if self._has_more and self._has_too_many_empty_pages:
                self._show_footer(tr("No more matches in the latest results"), can_retry=True)
            # A page may be short or hold only duplicates; then no scrolling would request the next.
            QTimer.singleShot(0, self.list, self.list.request_more_near_end)
        elif self._has_more and not self._has_too_many_empty_pages:
            self.state.show_note(searching_note())
            self._actions.load_more()
        elif self._has_more:
            self.state.show_note(empty_note(text), actions=[(tr("Load more"), self._on_again)])
        else:
            name = text.strip()
            # The search lists neither private models nor those without a label of their format.
            label = tr("Open {name}").format(name=truncate_text(name, length=_LONGEST_NAME))
            actions = [(label, lambda: self._actions.open_model(name))] if is_repository(name) else []
            self.state.show_note(empty_note(text), actions=actions)

    def _open_model(self, index: QModelIndex) -> None:
        if (hit := self.model.item(index)) is not None:
            self._actions.open_model(hit.repo)

    def _on_more_requested(self) -> None:
        if self._has_more and self.state.note is None and not self._has_too_many_empty_pages:
            self._actions.load_more()

    @property
    def _has_too_many_empty_pages(self) -> bool:
        return self._n_empty_pages >= _MAX_EMPTY_PAGES

    def _end_text(self) -> str:
        n = self.model.rowCount()
        return tr("%n model|%n models", "", n) if n else ""

    def _make_foot(self) -> QWidget:
        self.footer_text = ElidedLabel(role="small")
        self.retry = Button(tr("Try again"), kind="link", on_click=self._on_again)
        self.retry.setAccessibleName(tr("Load more"))
        foot = boxed(row(self.footer_text, self.retry, stretch(factor=1), margins=(0, 0, 0, SPACE_S)))
        foot.hide()
        return foot

    def _on_again(self) -> None:
        self._has_more, self._n_empty_pages = True, 0
        self._actions.load_more()

    def _show_footer(self, text: str, *, can_retry: bool = False) -> None:
        self.footer_text.set_full_text(text)
        self.retry.setVisible(can_retry)
        self._foot.setVisible(bool(text))
