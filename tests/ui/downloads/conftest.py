"""The downloads page with its controller, over a client in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import entry_of, starter_spec
from fakes.window import RouterLog, WindowLog, window_context
from fireside.core.events import AppEvent
from fireside.core.hub import Download, DownloadProgressed, DownloadsChanged, DownloadState
from fireside.core.ids import ModelId
from fireside.core.library import ModelOrigin
from fireside.core.options import Purpose
from fireside.ui.downloads.download_controller import DownloadController
from fireside.ui.downloads.download_row import DownloadRow
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner


class Harness:
    """The page with its controller, over a client in memory."""

    def __init__(self, qtbot: QtBot, *, tasks: TaskRunner) -> None:
        self.client = AppClient()
        self._qtbot, self._tasks = qtbot, tasks
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.window.resize(900, 900)
        self.view = DownloadsView(self.window)
        self.models = ModelsView(self.window)
        log = WindowLog()
        self.urls, self.revealed = log.urls, log.revealed
        self.n_alerts = 0
        context = window_context(self.client, tasks=tasks, window=self.window, models=self.models, log=log)
        assert isinstance(context.router, RouterLog)
        self.asked = context.router.calls
        self.toast = context.toast
        self.controller = DownloadController(context, downloads=self.view, draw_attention=self._alert)
        self.page = self.controller.page
        self.window.setCentralWidget(self.page)
        self.client.frame.connect(self._on_frame)
        self.window.show()
        qtbot.waitExposed(self.window)

    def fill(self, *downloads: Download) -> None:
        """Put downloads into the queue before the window opens."""
        self.client.keep_downloads(*downloads)
        self.view.set_initial(downloads)

    def tell(self, *downloads: Download) -> None:
        """Emit the current queue."""
        self.client.publish(DownloadsChanged(downloads=downloads))

    def store(self, download: Download, *, purpose: Purpose = Purpose.GENERATE) -> None:
        """Let the library hold the model of ``download``, and no other."""
        file = download.files[0]
        origin = ModelOrigin(
            repo=file.repo, commit=file.commit, path=file.file.path, digest="0" * 64, downloaded_at=""
        )
        spec = replace(starter_spec(), id=ModelId("arrived"), path="/library/arrived.gguf", purpose=purpose)
        self.models.set_entries([replace(entry_of(spec), origin=origin)])

    def row(self, download_id: str) -> DownloadRow:
        row = self.page.queue.row(download_id)
        assert row is not None
        return row

    def states(self) -> dict[str, DownloadState]:
        return {download.id: download.state for download in self.view.downloads}

    def requested(self) -> list[tuple[object, ...]]:
        """Return what the page has requested of the downloads, when all of it is answered."""
        self._qtbot.waitUntil(lambda: self._tasks.n_running == 0)
        return self.client.asked("downloads")

    def _alert(self) -> None:
        self.n_alerts += 1

    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        for event in events:
            match event:
                case DownloadsChanged(downloads=downloads):
                    self.view.set_downloads(downloads)
                case DownloadProgressed(download=download):
                    self.view.set_progress(download)
                case _:
                    pass


@pytest.fixture
def harness(qtbot: QtBot, tasks: TaskRunner) -> Iterator[Harness]:
    made = Harness(qtbot, tasks=tasks)
    yield made
    made.client.frame.disconnect(made._on_frame)
