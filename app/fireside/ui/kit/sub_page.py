"""Frames of pages: one with a way back to the page it was opened from, one with a search above its list."""

from __future__ import annotations

import sys
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from fireside.ui.kit.layout import column, scrolled, stretch
from fireside.ui.theme import SPACE_M, SPACE_XL, theme
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.search_field import SearchField

# Alt+Left goes back a word in a text on macOS.
_KEY = "Ctrl+[" if sys.platform == "darwin" else "Alt+Left"
_SEARCH_WIDTH: Final = 240


def take_titles(page: QWidget, stack: QStackedWidget, *named: QWidget) -> None:
    """Give ``page`` the window title of what its ``stack`` shows, also when one of ``named`` changes it."""

    def take() -> None:
        if (shown := stack.currentWidget()) is not None:
            page.setWindowTitle(shown.windowTitle())

    stack.currentChanged.connect(take)
    for part in named:
        part.windowTitleChanged.connect(take)


class SubPage(QWidget):
    """Its button, Escape, the system's key and the mouse's back button lead back."""

    closed = Signal()

    def __init__(self, *, back: str, parent: QWidget | None = None) -> None:
        """``back`` is the accessible name of the back button."""
        super().__init__(parent)
        self.back = IconButton("arrow-left", name=back)
        self.back.clicked.connect(self.closed)
        # A shortcut, since buttons handle arrow keys themselves.
        shortcut = QShortcut(QKeySequence(_KEY), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.closed)

    def focus_first_field(self) -> None:
        """Focus the back button."""
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Back):
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.BackButton:
            self.closed.emit()
        else:
            super().mousePressEvent(event)


class SearchPage(QWidget):
    """Its search stands beside its tools, banners above both; Escape clears the search first."""

    def __init__(self, *, search: str, parent: QWidget | None = None) -> None:
        """``search`` is the accessible name of the search field."""
        super().__init__(parent)
        self.setObjectName("page")
        self.notices = BannerArea()
        self.search = SearchField(search)
        self.search.setMinimumWidth(theme().scaled(_SEARCH_WIDTH))

    def arrange(self, body: QVBoxLayout, *, tools: QWidget) -> None:
        """Lay out the page, with ``body`` as what scrolls."""
        head = column(ResponsiveRow(self.search, tools, spacing=SPACE_M))
        column(
            self.notices,
            centred(head, top=SPACE_XL, bottom=SPACE_M),
            stretch(scrolled(centred(body, bottom=SPACE_XL, in_page_scroll=True))),
            spacing=0,
            on=self,
        )

    def focus_first_field(self) -> None:
        """Give the keyboard focus to the search, where nothing is changed by mistake."""
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_problem(self, sentence: str) -> None:
        """Show an error, until the next action."""
        self.notices.show_banner("problem", sentence, tone=Tone.DANGER)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        else:
            super().keyPressEvent(event)
