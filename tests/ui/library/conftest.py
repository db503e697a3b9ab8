"""The library's pages over a client in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from fakes.client import FakeClient
from fakes.library_models import one_of_each
from fireside.core.events import AppEvent, LibraryChanged, ModelStatusChanged
from fireside.ui.library import LibraryController, LibraryPage
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme
from fireside.ui.widgets.toast import Toast


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop) -> FakeClient:
    return FakeClient(models=one_of_each())


@pytest.fixture
def models(client: FakeClient) -> ModelsView:
    made = ModelsView()
    made.set_entries(client.entries)
    return made


@pytest.fixture
def revealed() -> list[str]:
    """Paths that were shown in the file manager."""
    return []


@pytest.fixture
def page(
    qtbot: QtBot,
    client: FakeClient,
    models: ModelsView,
    theme: Theme,
    tasks: TaskRunner,
    revealed: list[str],
) -> Iterator[LibraryPage]:
    """The page on the screen, with the desk that does what it wants."""
    made = LibraryPage(models=models, theme=theme, reveal=revealed.append)
    qtbot.addWidget(made)
    toast = Toast(theme=theme, parent=made)
    desk = LibraryController(client=client, tasks=tasks, page=made, models=models, toast=toast, parent=made)

    def on_frame(events: tuple[AppEvent, ...]) -> None:
        for event in events:
            if isinstance(event, LibraryChanged):
                models.set_entries(event.entries)
            elif isinstance(event, ModelStatusChanged):
                models.set_status(event.status)
            desk.handle(event)

    client.frame.connect(on_frame)
    made.resize(1180, 800)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    yield made
    client.frame.disconnect(on_frame)
    # Now, not when Qt comes to it: timers must not outlive the loop.
    shiboken6.delete(made)


@pytest.fixture
def toast(page: LibraryPage) -> Toast:
    found = page.findChild(Toast)
    assert found is not None
    return found


@pytest.fixture
def desk(page: LibraryPage) -> LibraryController:
    found = page.findChild(LibraryController)
    assert found is not None
    return found
