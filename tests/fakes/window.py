"""The whole window over a ``FakeClient``, for tests and for screenshots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from fakes.client import FakeClient
from fireside.settings.paths import resources_folder
from fireside.settings.state import WindowState
from fireside.ui.application import make_theme
from fireside.ui.main_window import MainWindow
from fireside.ui.sheets.about import read_about
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme, load_fonts

RESOURCES: Path = resources_folder()


def dress(application: QApplication) -> Theme:
    """Give the application its style and fonts, and return the theme."""
    application.setStyle("Fusion")
    load_fonts(RESOURCES)
    return make_theme(application, resources=RESOURCES)


class WindowLog:
    """What the window asked of the system."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.revealed: list[str] = []
        self.closed: list[WindowState] = []


def build_window(
    client: FakeClient,
    *,
    tasks: TaskRunner,
    theme: Theme,
    state: WindowState | None = None,
    log: WindowLog | None = None,
    prepare: Callable[[MainWindow], None] = lambda _window: None,
) -> MainWindow:
    """Return a window that has begun to ask ``client``; the answers come with the event loop."""
    log = log or WindowLog()
    window = MainWindow(
        client=client,
        tasks=tasks,
        theme=theme,
        state=state or WindowState(),
        about=lambda: read_about(RESOURCES, version="0.1.0"),
        open_url=log.urls.append,
        reveal=log.revealed.append,
        on_close=log.closed.append,
    )
    prepare(window)
    window.start()
    return window
