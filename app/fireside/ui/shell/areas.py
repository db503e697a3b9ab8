"""Take the keyboard from one area of the window to the next: sidebar, header, messages, message field,
the chat's settings."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from fireside.ui.page import Page
from fireside.ui.shell.window_parts import WindowParts
from fireside.ui.widgets.tab_stops import is_tab_stop

Area = tuple[QWidget, Callable[[], None]]
"""A part of the window, and what gives it the keyboard."""


class Areas:
    """What F6 goes through. GUI thread only."""

    def __init__(self, parts: WindowParts) -> None:
        self._parts = parts

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) area that is shown."""
        areas = [area for area in self._all() if area[0].isVisible()]
        focus = QApplication.focusWidget()
        here = [n for n, (area, _) in enumerate(areas) if focus is not None and area.isAncestorOf(focus)]
        start = here[0] if here else (-1 if by > 0 else 0)
        areas[(start + by) % len(areas)][1]()

    def _all(self) -> tuple[Area, ...]:
        parts = self._parts
        around = (_plain(parts.sidebar), _plain(parts.header))
        if parts.navigation.page is not Page.CHAT:
            return (*around, _plain(parts.navigation.stack))
        chat, panel = parts.chat, parts.chat_area.panel
        return (
            *around,
            _plain(chat.empty),
            (chat.stack, chat.transcript.focus_last_visible),
            (chat.foot, chat.focus_composer),
            *(() if panel is None else (_plain(panel),)),
        )


def _plain(area: QWidget) -> Area:
    """Return an area that is entered where the user left it, else at its first control."""

    def enter() -> None:
        at: QWidget | None = area.focusWidget()
        if at is None or at is area or not is_tab_stop(at):
            at = area.nextInFocusChain()
        while at is not None and at is not area and not is_tab_stop(at):
            at = at.nextInFocusChain()
        if at is not None:
            at.setFocus(Qt.FocusReason.ShortcutFocusReason)

    return area, enter
