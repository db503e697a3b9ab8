"""Page navigation of a window, and the visibility of its sidebar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.header import Header
from fireside.ui.page import PARENTS, Page
from fireside.ui.sidebar import Sidebar
from fireside.ui.theme import theme
from fireside.ui.widgets.centred import ASIDE_WIDTH, COLUMN_WIDTH, PAGE_SIDE

_TITLES: Final = {
    Page.CHAT: "",
    Page.DISCOVER: tr_noop("Find models"),
    Page.MODELS: tr_noop("Models"),
    Page.DOCUMENTS: tr_noop("Documents"),
    Page.DOWNLOADS: tr_noop("Downloads"),
    Page.TOOLS: tr_noop("Tools"),
    Page.HARDWARE: tr_noop("Hardware"),
    Page.SETTINGS: tr_noop("Settings"),
}
"""Titles in the header and of the window; the chat page shows the model and the chat's name instead."""


class PageStack(QStackedWidget):
    """Shows one page; emits ``escape_pressed`` where no control of the page handles Escape."""

    escape_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escape_pressed.emit()
        else:
            super().keyPressEvent(event)


class Navigation(QObject):
    """Shows pages, and updates sidebar and header. GUI thread only."""

    page_shown = Signal()
    """The current page has changed."""

    def __init__(
        self, *, sidebar: Sidebar, header: Header, make: Callable[[Page], object], parent: QWidget
    ) -> None:
        """``make`` adds a page when it is first shown; ``parent`` is the parent widget of the stack."""
        super().__init__(parent)
        self._make = make
        self._sidebar = sidebar
        self._header = header
        self.stack = PageStack(parent)
        self.stack.escape_pressed.connect(self._leave_page)
        self._pages: list[Page] = []
        self._on_shown: dict[Page, Callable[[], None]] = {}

    def add(self, page: Page, widget: QWidget, *, on_shown: Callable[[], None] = lambda: None) -> None:
        """Add the widget of a page; ``on_shown`` is called whenever the page is shown."""
        self._pages.append(page)
        self._on_shown[page] = on_shown
        self.stack.addWidget(widget)

    @property
    def page(self) -> Page:
        return self._pages[self.stack.currentIndex()]

    @property
    def title(self) -> str:
        """The name of the current page; empty for the chat."""
        return tr(_TITLES[self.page]) if _TITLES[self.page] else ""

    def _content_width(self, page: Page) -> int:
        match page:
            case Page.MODELS:
                return 0  # a table, which uses all of it
            case Page.SETTINGS:
                return COLUMN_WIDTH + PAGE_SIDE + theme().scaled(ASIDE_WIDTH)
            case _:
                return COLUMN_WIDTH

    def show(self, page: Page) -> None:
        """Show a page."""
        if page not in self._pages:
            self._make(page)
        self.stack.setCurrentIndex(self._pages.index(page))
        self._sidebar.set_page(page)
        parent = PARENTS.get(page)
        self._header.show_title(
            self.title,
            content_width=self._content_width(page),
            parent=(parent, tr(_TITLES[parent])) if parent is not None else None,
        )
        self._on_shown[page]()
        self.page_shown.emit()

    def toggle(self, page: Page) -> None:
        """Show a page, or the chat if the page is current already."""
        self.show(Page.CHAT if self.page is page else page)

    def _leave_page(self) -> None:
        if self.page is not Page.CHAT:
            self.show(Page.CHAT)
            if (chat := self.stack.currentWidget()) is not None:
                chat.setFocus(Qt.FocusReason.OtherFocusReason)

    def toggle_sidebar(self) -> None:
        """Show or hide the sidebar."""
        is_visible = not self._sidebar.isVisibleTo(self._sidebar.window())
        self._sidebar.setVisible(is_visible)
        self._header.sidebar_button.setVisible(not is_visible)

    def show_sidebar(self) -> None:
        if not self._sidebar.isVisibleTo(self._sidebar.window()):
            self.toggle_sidebar()
