"""The whole window over a ``AppClient``, for tests and for screenshots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, handing_on
from fireside.core.errors import FiresideError
from fireside.settings.paths import resources_folder
from fireside.settings.window_state import WindowState
from fireside.ui.app_settings import AppSettings
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.commands import Commands
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.shell.about_sheet import read_about
from fireside.ui.shell.application import install_roles, make_theme
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shell.window import ProgramContext
from fireside.ui.shell.windows import Windows
from fireside.ui.taskbar import TaskbarProgress
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.theme import Theme, load_fonts
from fireside.ui.widgets.toast import Toast
from fireside.ui.window_context import Router, WindowContext

RESOURCES: Path = resources_folder()


def dress(application: QApplication) -> Theme:
    """Give the application its style, roles and fonts, and return the theme."""
    application.setStyle("Fusion")
    install_roles()
    load_fonts(RESOURCES)
    return make_theme(application, resources=RESOURCES)


def shown_pane(
    client: AppClient,
    *,
    tasks: TaskRunner,
    qtbot: QtBot,
    open_url: Callable[[str], None] = lambda _: None,
) -> ChatPane:
    """Return a chat pane on the screen that hears of what happens."""
    pane = ChatPane(client=client, tasks=tasks, open_url=open_url)
    handing_on(client, pane.handle)
    qtbot.addWidget(pane)
    pane.resize(900, 700)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


class TaskbarLog:
    """A taskbar that records the progress it is shown; ``None`` where it was cleared."""

    def __init__(self) -> None:
        self.shown: list[TaskbarProgress | None] = []

    def show(self, progress: TaskbarProgress) -> None:
        self.shown.append(progress)

    def clear(self) -> None:
        self.shown.append(None)


class NotifierLog:
    """A notifier that records its notifications; ``None`` where it was cleared."""

    def __init__(self) -> None:
        self.shown: list[str | None] = []

    def show(self, *, title: str, text: str) -> None:
        self.shown.append(f"{title}: {text}")

    def clear(self) -> None:
        self.shown.append(None)


class WindowLog:
    """Records what a window requested of the system."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.revealed: list[str] = []
        self.closed: list[WindowState] = []
        self.taskbar = TaskbarLog()
        self.notifier = NotifierLog()


class RouterLog:
    """A ``Router`` that records its calls: the route and its arguments."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name not in Router.__dataclass_fields__:
            raise AttributeError(name)
        return lambda *given: self.calls.append((name, *given))


def program_context(
    client: AppClient,
    *,
    tasks: TaskRunner,
    make_tasks: Callable[[OnError], TaskRunner],
    log: WindowLog,
) -> ProgramContext:
    """Return what windows share; the system's ways out end in ``log``."""
    return ProgramContext(
        client=client,
        tasks=tasks,
        make_tasks=make_tasks,
        about=lambda: read_about(RESOURCES, version="0.1.0"),
        open_url=log.urls.append,
        reveal=log.revealed.append,
    )


def window_context(
    client: AppClient,
    *,
    tasks: TaskRunner,
    window: QWidget,
    models: ModelsView | None = None,
    log: WindowLog | None = None,
) -> WindowContext:
    """Return what the parts of ``window`` may use; its router is a ``RouterLog``."""
    log = log or WindowLog()

    def fail(error: FiresideError) -> None:
        raise error

    return WindowContext(
        client=client,
        tasks=tasks,
        models=models or ModelsView(window),
        commands=Commands(window=window),
        settings=AppSettings(client=client, tasks=tasks, parent=window),
        toast=Toast(parent=window),
        router=cast("Router", RouterLog()),
        show_error=fail,
        open_url=log.urls.append,
        reveal=log.revealed.append,
        window=window,
    )


def router_calls(context: WindowContext) -> list[tuple[Any, ...]]:
    """Return the calls of the router of a ``window_context``: each a method's name and its arguments."""
    return cast("RouterLog", context.router).calls


def build_window(
    client: AppClient,
    *,
    tasks: TaskRunner,
    state: WindowState | None = None,
    log: WindowLog | None = None,
    prepare: Callable[[MainWindow], None] = lambda _window: None,
) -> MainWindow:
    """Return a window that has begun to ask ``client``; the answers come with the event loop."""
    log = log or WindowLog()

    def make_tasks(on_error: OnError) -> TaskRunner:
        tasks._on_error = on_error
        return tasks

    window = MainWindow(
        program_context(client, tasks=tasks, make_tasks=make_tasks, log=log),
        state=state or WindowState(),
        make_taskbar=lambda _window: log.taskbar,
        make_notifier=lambda _window: log.notifier,
        on_close=log.closed.append,
    )
    window.quit_requested.connect(window.close)
    prepare(window)
    window.start()
    return window


def build_windows(
    client: AppClient, *, loop: asyncio.AbstractEventLoop, state: WindowState, log: WindowLog
) -> Windows:
    """Return the windows of ``state``, not yet shown."""

    def fail(error: BaseException) -> None:
        raise error

    def make_tasks(on_error: OnError) -> TaskRunner:
        return TaskRunner(loop, on_error=on_error, on_bug=fail)

    return Windows(
        program_context(client, tasks=make_tasks(fail), make_tasks=make_tasks, log=log),
        state=state,
        make_taskbar=lambda _window: log.taskbar,
        notifier=log.notifier,
        on_last_closed=log.closed.append,
    )


def page_of(window: MainWindow) -> Page:
    """Return the page that is shown, read anew: a comparison before narrows no type."""
    return window.page
