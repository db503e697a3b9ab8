"""Fixtures of the library's pages: over given entries, or over files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.fake_hub import FakeHub
from fakes.library_files import LibraryFiles, library_files
from fakes.library_models import one_of_each
from fakes.window import RouterLog, WindowLog, window_context
from fireside.core.events import AppEvent, LibraryChanged, ModelStatusChanged
from fireside.ui.library.library_page import LibraryPage
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner
from fireside.ui.widgets.toast import Toast
from fireside.ui.window_context import WindowContext


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, hub: FakeHub) -> AppClient:
    return AppClient(models=one_of_each(), hub=hub.endpoint)


@pytest.fixture
def files(tmp_path: Path) -> LibraryFiles:
    """A library on the disk. Modules that use it have a ``client`` of their own."""
    return library_files(tmp_path)


@pytest.fixture
def models(client: AppClient) -> ModelsView:
    made = ModelsView()
    made.set_entries(client.entries)
    return made


@pytest.fixture
def revealed() -> list[str]:
    """Paths that were shown in the file manager."""
    return []


@pytest.fixture
def context(
    qtbot: QtBot, client: AppClient, models: ModelsView, tasks: TaskRunner, revealed: list[str]
) -> Iterator[WindowContext]:
    """What the page is given, with a window on the screen."""
    window = QWidget()
    qtbot.addWidget(window)
    log = WindowLog()
    log.revealed = revealed
    yield window_context(client, tasks=tasks, window=window, models=models, log=log)
    # Now, not when Qt comes to it: timers must not outlive the loop.
    shiboken6.delete(window)


@pytest.fixture
def asked(context: WindowContext) -> list[tuple[object, ...]]:
    """What was asked of the other parts of the window."""
    assert isinstance(context.router, RouterLog)
    return context.router.calls


@pytest.fixture
def page(
    qtbot: QtBot, context: WindowContext, client: AppClient, models: ModelsView
) -> Iterator[LibraryPage]:
    """The page on the screen, told what happens."""
    made = LibraryPage(context, parent=context.window)

    def on_frame(events: tuple[AppEvent, ...]) -> None:
        for event in events:
            if isinstance(event, LibraryChanged):
                models.set_entries(event.entries)
            elif isinstance(event, ModelStatusChanged):
                models.set_status(event.status)
            made.controller.handle(event)

    client.frame.connect(on_frame)
    context.window.resize(1180, 800)
    made.resize(1180, 800)
    context.window.show()
    qtbot.waitExposed(context.window)
    context.window.activateWindow()
    yield made
    client.frame.disconnect(on_frame)


@pytest.fixture
def toast(context: WindowContext) -> Toast:
    return context.toast
