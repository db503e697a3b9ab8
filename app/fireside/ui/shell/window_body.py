"""Layout of a window: the sidebar, and to its right header, banners and the current page."""

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

_DEFAULT_SIZE: Final = (1180, 800)
_FRAME_PX: Final = 32
"""Approximate height of a title bar."""
_SIDEBAR_MIN_PX: Final = 216
_SIDEBAR_MAX_PX: Final = 420
_PAGE_MIN_PX: Final = 420
"""In a small window the sidebar shrinks before the page does."""
_COLLAPSES_BELOW_PX: Final = 720
"""A narrower window hides the sidebar until it is wider again or the user shows the sidebar."""


class WindowBody(QSplitter):
    """The central widget of a window. Keeps and restores the width of the sidebar."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, window)
        self._is_narrow = False
        self._width_before = 0
        """Width of a sidebar that was hidden automatically; 0 where the user decided."""
        self.right = QWidget(self)
        """All but the sidebar."""
        self.right.setMinimumWidth(_PAGE_MIN_PX)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def fill(self, *, sidebar: Sidebar, header: Header, banners: BannerArea, navigation: Navigation) -> None:
        """Arrange the parts, which are children of this widget and of ``right``."""
        self._sidebar = sidebar
        self._navigation = navigation
        column(header, banners, stretch(navigation.stack), spacing=0, on=self.right)
        sidebar.setMinimumWidth(_SIDEBAR_MIN_PX)
        sidebar.setMaximumWidth(_SIDEBAR_MAX_PX)
        self.insertWidget(0, sidebar)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)

    @property
    def sidebar_width(self) -> int:
        """In device-independent pixels; 0 where the user has hidden it."""
        if self._width_before:  # also where it is shown again in a narrow window, narrower
            return self._width_before
        return self.sizes()[0] if self._is_sidebar_shown else 0

    @property
    def _is_sidebar_shown(self) -> bool:
        return self._sidebar.isVisibleTo(self.window())

    def resizeEvent(self, event: QResizeEvent) -> None:
        width = self.sizes()[0]
        super().resizeEvent(event)
        is_narrow = event.size().width() < _COLLAPSES_BELOW_PX
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
        """Restore position and size of ``window``, and the width of the sidebar."""
        screen_size = window.screen().availableSize()
        # A window larger than the screen could not be moved or resized.
        window.resize(
            min(_DEFAULT_SIZE[0], screen_size.width()),
            min(_DEFAULT_SIZE[1], screen_size.height() - _FRAME_PX),
        )
        if state.geometry:
            window.restoreGeometry(QByteArray(state.geometry))
        if state.sidebar_width == 0:
            self._navigation.toggle_sidebar()
        sidebar_width = min(max(state.sidebar_width or WIDTH, _SIDEBAR_MIN_PX), _SIDEBAR_MAX_PX)
        self.setSizes([sidebar_width, max(1, window.width() - sidebar_width)])
        self._is_narrow = window.width() < _COLLAPSES_BELOW_PX
        if self._is_narrow and self._is_sidebar_shown:
            # Now, before a width that has no room is taken for the user's.
            self._width_before = sidebar_width
            self._navigation.toggle_sidebar()
