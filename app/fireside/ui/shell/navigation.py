"""Page navigation of a window, and the visibility of its sidebar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from fireside.core.events import AppEvent
from fireside.core.i18n import tr
from fireside.ui.header import Header
from fireside.ui.page import PAGES, Page, PageWidth
from fireside.ui.sidebar import Sidebar
from fireside.ui.theme import theme
from fireside.ui.widgets.centred import ASIDE_WIDTH, COLUMN_WIDTH, PAGE_SIDE

Handle = Callable[[AppEvent], None]


@dataclass(frozen=True)
class _AddedPage:
    widget: QWidget
    on_shown: Callable[[], None]
    handle: Handle
    handle_in_front: Handle


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
    renamed = Signal()
    """``window_title`` may have changed within the page."""

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
        self._pages: dict[Page, _AddedPage] = {}

    def add(
        self,
        page: Page,
        widget: QWidget,
        *,
        on_shown: Callable[[], None] = lambda: None,
        handle: Handle = lambda _event: None,
        handle_in_front: Handle = lambda _event: None,
    ) -> None:
        """Add the widget of a page.

        ``on_shown`` is called whenever it is shown, ``handle`` with every event from now on,
        ``handle_in_front`` with those that arrive while it is shown.
        """
        self._pages[page] = _AddedPage(widget, on_shown, handle, handle_in_front)
        widget.windowTitleChanged.connect(self.renamed)
        self.stack.addWidget(widget)

    def handle(self, event: AppEvent) -> None:
        """Pass an event to the pages that were shown."""
        for page, added in tuple(self._pages.items()):
            added.handle(event)
            if page is self.page:
                added.handle_in_front(event)

    @property
    def page(self) -> Page:
        current = self.stack.currentWidget()
        return next(page for page, added in self._pages.items() if added.widget is current)

    @property
    def title(self) -> str:
        """The name of the current page; empty for the chat."""
        return _title(self.page)

    @property
    def window_title(self) -> str:
        """What the page shows: its own title, as a model's name, else ``title``."""
        return self._pages[self.page].widget.windowTitle() or self.title

    def _content_width(self, page: Page) -> int:
        match PAGES[page].width if page in PAGES else PageWidth.COLUMN:
            case PageWidth.WHOLE:
                return 0
            case PageWidth.COLUMN_AND_ASIDE:
                return COLUMN_WIDTH + PAGE_SIDE + theme().scaled(ASIDE_WIDTH)
            case PageWidth.COLUMN:
                return COLUMN_WIDTH

    def show(self, page: Page) -> None:
        """Show a page."""
        if page not in self._pages:
            self._make(page)
        self.stack.setCurrentWidget(self._pages[page].widget)
        self._sidebar.set_page(page)
        parent = PAGES[page].parent if page in PAGES else None
        self._header.show_title(
            self.title,
            content_width=self._content_width(page),
            parent=(parent, _title(parent)) if parent is not None else None,
        )
        self._pages[page].on_shown()
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


def _title(page: Page) -> str:
    return tr(PAGES[page].title) if page in PAGES else ""
