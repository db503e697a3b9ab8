"""How a window is laid out: the sidebar, and beside it header, notices and the page in front."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from fireside.settings.window_state import WindowState
from fireside.ui.header import Header
from fireside.ui.kit.layout import column, stretch
from fireside.ui.shell.navigation import Navigation
from fireside.ui.sidebar import Sidebar
from fireside.ui.sidebar.sidebar import WIDTH
from fireside.ui.widgets.banner import BannerArea

_SIZE: Final = (1180, 800)
_FRAME_PX: Final = 32
"""About what a title bar takes."""
_SIDEBAR_LEAST: Final = 216
_SIDEBAR_MOST: Final = 420
_PAGE_LEAST: Final = 420
"""In a small window the sidebar gives way before the page does."""
_FOLDS_BELOW: Final = 720
"""A window that is narrower shows its page alone, until it is wider again or the user wants the sidebar."""


class WindowBody(QSplitter):
    """Everything within a window's frame. Knows how wide the sidebar is and gives it that width again."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, window)
        self._is_narrow = False
        self._width_before = 0
        """Of the sidebar that gave way by itself; 0 where the user decides."""
        self.right = QWidget(self)
        """All but the sidebar."""
        self.right.setMinimumWidth(_PAGE_LEAST)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def fill(self, *, sidebar: Sidebar, header: Header, banners: BannerArea, navigation: Navigation) -> None:
        """Lay out the parts, which have been made as children of this and of ``right``."""
        self._sidebar = sidebar
        self._navigation = navigation
        column(header, banners, stretch(navigation.stack), spacing=0, on=self.right)
        sidebar.setMinimumWidth(_SIDEBAR_LEAST)
        sidebar.setMaximumWidth(_SIDEBAR_MOST)
        self.insertWidget(0, sidebar)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)

    @property
    def sidebar_width(self) -> int:
        """Device-independent pixels; 0 where the user has hidden it."""
        return self.sizes()[0] if self._is_sidebar_shown else self._width_before

    @property
    def _is_sidebar_shown(self) -> bool:
        return self._sidebar.isVisibleTo(self.window())

    def resizeEvent(self, event: QResizeEvent) -> None:
        width = self.sizes()[0]
        super().resizeEvent(event)
        is_narrow = event.size().width() < _FOLDS_BELOW
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        if is_narrow and self._is_sidebar_shown:
            self._width_before = width
            self._navigation.toggle_sidebar()
        elif not is_narrow and self._width_before:
            if not self._is_sidebar_shown:
                self._navigation.toggle_sidebar()
                self.setSizes([self._width_before, event.size().width() - self._width_before])
            self._width_before = 0

    def restore(self, window: QMainWindow, state: WindowState) -> None:
        """Give ``window`` the place and size that it had, and the sidebar its width."""
        room = window.screen().availableSize()
        # A window that begins larger than the screen cannot be had hold of.
        window.resize(min(_SIZE[0], room.width()), min(_SIZE[1], room.height() - _FRAME_PX))
        if state.geometry:
            window.restoreGeometry(QByteArray(state.geometry))
        if state.sidebar_width == 0:
            self._navigation.toggle_sidebar()
        side = min(max(state.sidebar_width or WIDTH, _SIDEBAR_LEAST), _SIDEBAR_MOST)
        self.setSizes([side, max(1, window.width() - side)])
