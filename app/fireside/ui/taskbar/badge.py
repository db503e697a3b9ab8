"""macOS, and whatever has nothing better: how many downloads are under way, as the icon's number."""

from __future__ import annotations

from collections.abc import Callable

from fireside.ui.taskbar.taskbar import TaskbarProgress


class BadgeTaskbar:
    """Gives the number to Qt, which knows the dock."""

    def __init__(self, *, set_number: Callable[[int], None]) -> None:
        self._set_number = set_number

    def show(self, progress: TaskbarProgress) -> None:
        self._set_number(progress.n_downloads)

    def clear(self) -> None:
        self._set_number(0)
