"""Where models come from: finding them, downloading them, and the ways between both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from fireside.bridge.client import EngineClient
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.hub import Download, DownloadProgressed, DownloadsChanged
from fireside.ui.chat.links import OpenUrl
from fireside.ui.discover import DiscoverController, DiscoverPage
from fireside.ui.downloads.download_controller import DownloadController
from fireside.ui.downloads.downloads_page import DownloadsPage
from fireside.ui.downloads.indicator import DownloadIndicator
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.settings.hub_rows import ACCESS_ROW
from fireside.ui.sidebar.download_button import DownloadButton
from fireside.ui.taskbar import Taskbar
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.theme import Theme
from fireside.ui.widgets.toast import Toast


class DownloadCoordinator(QObject):
    """Owns both pages and what stands behind them. GUI thread only."""

    chat_wanted = Signal(str)
    """Carries the id of a model that is here."""
    page_wanted = Signal(object)
    """Carries a ``Page``."""
    room_wanted = Signal()
    """The person wants to see what takes room on the disk."""
    setting_wanted = Signal(str)
    """Carries the setting that a person should look at."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        theme: Theme,
        models: ModelsView,
        button: DownloadButton,
        taskbar: Taskbar,
        toast: Toast,
        on_error: OnError,
        open_url: OpenUrl,
        reveal: Callable[[str], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.taskbar = taskbar
        self.queue = DownloadsView(self)
        self.discover = DiscoverPage(theme=theme, open_url=open_url)
        self.downloads = DownloadsPage(downloads=self.queue, models=models, theme=theme)
        self._indicator = DownloadIndicator(downloads=self.queue, button=button, taskbar=taskbar, parent=self)
        self.discover_desk = DiscoverController(
            client=client,
            tasks=tasks,
            page=self.discover,
            models=models,
            downloads=self.queue,
            on_error=on_error,
            parent=self,
        )
        self.download_desk = DownloadController(
            client=client.downloads,
            tasks=tasks,
            page=self.downloads,
            downloads=self.queue,
            models=models,
            toast=toast,
            open_url=open_url,
            reveal=reveal,
            draw_attention=lambda: QApplication.alert(window),
            parent=self,
        )
        self._connect()

    def start(self, downloads: Sequence[Download]) -> None:
        """Take the queue as it was when the window opened."""
        self.queue.start(downloads)
        self.download_desk.greet()

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        match event:
            case DownloadsChanged(downloads=downloads):
                self.queue.set_downloads(downloads)
            case DownloadProgressed(download=download):
                self.queue.set_progress(download)
            case SettingsChanged(keys=keys):
                self.discover_desk.settings_changed(keys)
            case _:
                pass

    def close(self) -> None:
        """Leave nothing behind where the system shows it."""
        self._indicator.close()

    def _connect(self) -> None:
        discover, downloads, desk = self.discover, self.downloads, self.download_desk
        downloads.discover_wanted.connect(lambda: self.page_wanted.emit(Page.DISCOVER))
        discover.library_wanted.connect(lambda: self.page_wanted.emit(Page.MODELS))
        for downloads_wanted in (discover.downloads_wanted, desk.downloads_wanted):
            downloads_wanted.connect(lambda: self.page_wanted.emit(Page.DOWNLOADS))
        for chat_wanted in (discover.use_wanted, desk.chat_wanted):
            chat_wanted.connect(self.chat_wanted)
        downloads.settings_wanted.connect(self.setting_wanted)
        downloads.room_wanted.connect(self.room_wanted)
        discover.settings_wanted.connect(lambda: self.setting_wanted.emit(ACCESS_ROW))
