"""The page to find models on the hub: start page, search results, one model."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.discover.model_page import ModelPage
from fireside.ui.discover.results_pane import ResultsPane
from fireside.ui.discover.search_bar import SearchBar
from fireside.ui.discover.start_page import StartPage
from fireside.ui.kit.layout import column, stacked, stretch
from fireside.ui.kit.sub_page import take_titles
from fireside.ui.theme import SPACE_M, SPACE_XL
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.centred import centred

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
