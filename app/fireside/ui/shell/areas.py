"""Moves the keyboard focus between the areas of the window (F6): sidebar, header, messages, message field,
what is beside the chat."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from fireside.ui.page import Page
from fireside.ui.shell.window import Window
from fireside.ui.widgets.tab_stops import is_tab_stop

Area = tuple[QWidget, Callable[[], None]]
"""A part of the window, and a function that gives it the keyboard focus."""


class FocusAreas:
    """The areas that F6 cycles through. GUI thread only."""

    def __init__(self, window: Window) -> None:
        self._window = window

    def move_focus(self, offset: int) -> None:
        """Focus the next (1) or previous (-1) visible area."""
        areas = [area for area in self._areas() if area[0].isVisible()]
        focus = QApplication.focusWidget()
        current = [n for n, (area, _) in enumerate(areas) if focus is not None and area.isAncestorOf(focus)]
        start = current[0] if current else (-1 if offset > 0 else 0)
        areas[(start + offset) % len(areas)][1]()

    def _areas(self) -> tuple[Area, ...]:
        window = self._window
        common = (_widget_area(window.sidebar), _widget_area(window.header))
        if window.navigation.page is not Page.CHAT:
            return (*common, _widget_area(window.navigation.stack))
        chat, panel = window.chat, window.chat_area.shown
        return (
            *common,
            (chat.transcript, chat.transcript.focus_last_visible),
            (chat.foot, chat.focus_composer),
            _widget_area(chat.start),
            *(() if panel is None else (_widget_area(panel),)),
        )


def _widget_area(area: QWidget) -> Area:
    """Return an area that focuses the control last focused in it, else its first one."""

    def enter() -> None:
        widget: QWidget | None = area.focusWidget()
        if widget is None or widget is area or not is_tab_stop(widget):
            widget = area.nextInFocusChain()
        while widget is not None and widget is not area and not is_tab_stop(widget):
            widget = widget.nextInFocusChain()
        if widget is not None:
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    return area, enter
