"""Fixtures: the discover page over a client in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import FakeHub
from fakes.fake_machine import GIB
from fakes.hub_models import OTHER, REPO, catalogue_model, hub_repo, write_catalogue
from fakes.library_harness import LibraryHarness, Trash
from fakes.window import RouterLog, WindowLog, window_context
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, LibraryChanged, SettingsChanged
from fireside.core.hub import DownloadProgressed, DownloadsChanged
from fireside.ui.discover import DiscoverController, DiscoverPage
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner
from fireside.ui.window_context import WindowContext

NOW = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, hub: FakeHub, tmp_path: Path) -> AppClient:
    """A client of a hub with two similar models, one of them in the catalogue.

    Its computer has 8 GiB of free memory and no GPU.
    """
    hub.repos[REPO] = hub_repo()
    hub.repos[OTHER] = hub_repo(trending=1)
    catalogue = write_catalogue(
        tmp_path / "catalogue.json",
        catalogue_model(),
        catalogue_model("google/gemma-3-4b-it-GGUF", name="Gemma 3 4B", purpose="Small", sees_images=True),
    )
    library = LibraryHarness(root=tmp_path, trash=Trash(tmp_path)).library()
    app_client = AppClient(models=library, hub=hub.endpoint, catalogue=catalogue)
    app_client.machine.has_card = False
    app_client.machine.memory_free_bytes = 8 * GIB
    return app_client


@pytest.fixture
def models() -> ModelsView:
    return ModelsView()


@pytest.fixture
def opened() -> list[str]:
    """Addresses that were opened in the browser."""
    return []


@pytest.fixture
def context(
    qtbot: QtBot,
    client: AppClient,
    models: ModelsView,
    tasks: TaskRunner,
    opened: list[str],
    errors: list[FiresideError],
) -> Iterator[WindowContext]:
    """The controller's context, with a hidden window."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1040, 800)
    log = WindowLog()
    log.urls = opened
    made = window_context(client, tasks=tasks, window=window, models=models, log=log)
    yield replace(made, show_error=errors.append)
    # Now, not when Qt comes to it: timers of a page must not outlive the loop.
    if shiboken6.isValid(window):
        shiboken6.delete(window)


@pytest.fixture
def router_calls(context: WindowContext) -> list[tuple[object, ...]]:
    """Calls of the router."""
    assert isinstance(context.router, RouterLog)
    return context.router.calls


@pytest.fixture
def downloads(context: WindowContext) -> DownloadsView:
    return DownloadsView(context.window)


@pytest.fixture
def controller(context: WindowContext, downloads: DownloadsView) -> DiscoverController:
    discover_controller = DiscoverController(context, downloads=downloads, now=lambda: NOW)
    discover_controller.page.setParent(context.window)
    discover_controller.page.resize(1040, 800)
    return discover_controller


@pytest.fixture
def page(controller: DiscoverController) -> DiscoverPage:
    return controller.page


@pytest.fixture
def visible_controller(
    qtbot: QtBot,
    client: AppClient,
    controller: DiscoverController,
    downloads: DownloadsView,
    models: ModelsView,
) -> Iterator[DiscoverController]:
    """The controller of a visible page that has received all events."""

    def on_frame(events: tuple[AppEvent, ...]) -> None:
        for event in events:
            match event:
                case DownloadsChanged(downloads=queue):
                    downloads.set_downloads(queue)
                case DownloadProgressed(download=download):
                    downloads.set_progress(download)
                case LibraryChanged(entries=entries):
                    models.set_entries(entries)
                case SettingsChanged() if controller.page.isVisible():
                    controller.handle(event)

    client.frame.connect(on_frame)
    window = controller.page.window()
    window.show()
    controller.page.show()
    qtbot.waitExposed(window)
    settled()
    assert client.called("hub.suggestions")
    yield controller
    client.frame.disconnect(on_frame)


@pytest.fixture
def open_model(visible_controller: DiscoverController) -> Callable[..., None]:
    """Open a model's page and wait until it is loaded."""

    def do(name: str = REPO) -> None:
        visible_controller.open_model(name)
        settled()

    return do
