"""The whole window over a ``FakeClient``, for tests and for screenshots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from fakes.client import FakeClient
from fireside.settings.paths import resources_folder
from fireside.settings.window_state import WindowState
from fireside.ui.application import make_theme
from fireside.ui.main_window import MainWindow
from fireside.ui.page import Page
from fireside.ui.sheets.about_sheet import read_about
from fireside.ui.taskbar import TaskbarProgress
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.theme import Theme, load_fonts
from fireside.ui.window_context import WindowContext
from fireside.ui.windows import Windows

RESOURCES: Path = resources_folder()


def dress(application: QApplication) -> Theme:
    """Give the application its style and fonts, and return the theme."""
    application.setStyle("Fusion")
    load_fonts(RESOURCES)
    return make_theme(application, resources=RESOURCES)


class TaskbarLog:
    """A taskbar that keeps what it was told; ``None`` is nothing."""

    def __init__(self) -> None:
        self.shown: list[TaskbarProgress | None] = []

    def show(self, progress: TaskbarProgress) -> None:
        self.shown.append(progress)

    def clear(self) -> None:
        self.shown.append(None)


class NotifierLog:
    """A notifier that keeps what it was told; ``None`` is that it was taken back."""

    def __init__(self) -> None:
        self.shown: list[str | None] = []

    def show(self, *, title: str, text: str) -> None:
        self.shown.append(f"{title}: {text}")

    def clear(self) -> None:
        self.shown.append(None)


class WindowLog:
    """What the window asked of the system."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.revealed: list[str] = []
        self.closed: list[WindowState] = []
        self.taskbar = TaskbarLog()
        self.notifier = NotifierLog()


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
    around = surroundings(client, tasks=tasks, theme=theme, log=log)
    window = MainWindow(
        around,
        state=state or WindowState(),
        make_taskbar=lambda _window: log.taskbar,
        make_notifier=lambda _window: log.notifier,
        on_close=log.closed.append,
    )
    window.quit_wanted.connect(window.close)
    prepare(window)
    window.start()
    return window


def surroundings(client: FakeClient, *, tasks: TaskRunner, theme: Theme, log: WindowLog) -> WindowContext:
    return WindowContext(
        client=client,
        tasks=tasks,
        theme=theme,
        about=lambda: read_about(RESOURCES, version="0.1.0"),
        open_url=log.urls.append,
        reveal=log.revealed.append,
    )


def build_windows(
    client: FakeClient, *, loop: asyncio.AbstractEventLoop, theme: Theme, state: WindowState, log: WindowLog
) -> Windows:
    """Return the windows of ``state``, not yet shown."""

    def fail(error: BaseException) -> None:
        raise error

    def make_tasks(on_error: OnError) -> TaskRunner:
        return TaskRunner(loop, on_error=on_error, on_bug=fail)

    return Windows(
        surroundings(client, tasks=make_tasks(fail), theme=theme, log=log),
        state=state,
        make_tasks=make_tasks,
        make_taskbar=lambda _window: log.taskbar,
        notifier=log.notifier,
        on_end=log.closed.append,
    )


def page_of(window: MainWindow) -> Page:
    """Return the page that is shown, read anew: a comparison before narrows no type."""
    return window.page
