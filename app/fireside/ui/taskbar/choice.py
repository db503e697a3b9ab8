"""Select the taskbar implementation for the platform."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from fireside.ui.taskbar.launcher_entry import LauncherEntryTaskbar, send_on_session_bus
from fireside.ui.taskbar.taskbar import Taskbar, TaskbarProgress
from fireside.ui.taskbar.taskbar_list import ListTaskbar, make_taskbar_list


class BadgeTaskbar:
    """The fallback, and macOS: a badge with the number of running downloads."""

    def __init__(self, *, set_number: Callable[[int], None]) -> None:
        self._set_number = set_number

    def show(self, progress: TaskbarProgress) -> None:
        self._set_number(progress.n_downloads)

    def clear(self) -> None:
        self._set_number(0)


def make_taskbar(window: QWidget) -> Taskbar:
    """Return the taskbar for the icon of ``window``."""
    if sys.platform == "win32" and (taskbar_list := make_taskbar_list()) is not None:
        return ListTaskbar(taskbar_list, handle=lambda: int(window.winId()))
    if sys.platform == "linux":
        return LauncherEntryTaskbar(desktop_file=QGuiApplication.desktopFileName(), send=send_on_session_bus)
    return BadgeTaskbar(set_number=_set_badge)


def _set_badge(number: int) -> None:
    application = QGuiApplication.instance()
    if isinstance(application, QGuiApplication):
        application.setBadgeNumber(number)
