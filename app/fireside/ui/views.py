"""What a window shows: its sidebar, its header, its pages, and where it says things."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMainWindow, QMenu

from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.commands import Commands
from fireside.ui.download_coordinator import DownloadCoordinator
from fireside.ui.hardware import HardwarePage
from fireside.ui.header import Header
from fireside.ui.library import LibraryPage
from fireside.ui.models_view import ModelsView
from fireside.ui.navigation import Navigation
from fireside.ui.notices import WindowNotices
from fireside.ui.page import Page
from fireside.ui.settings import SettingsPage
from fireside.ui.sidebar import Sidebar
from fireside.ui.taskbar import Taskbar
from fireside.ui.widgets.banner import BannerArea
from fireside.ui.widgets.toast import Toast
from fireside.ui.window_body import WindowBody
from fireside.ui.window_context import WindowContext


class Views:
    """Makes everything that is seen. What it shows and what happens on a click is the desks' business."""

    def __init__(
        self,
        around: WindowContext,
        *,
        commands: Commands,
        menu: QMenu,
        taskbar: Taskbar,
        window: QMainWindow,
    ) -> None:
        self.commands = commands
        client, tasks, theme = around.client, around.tasks, around.theme
        self.models = ModelsView(window)
        self.sidebar = Sidebar(theme=theme)
        self.header = Header(models=self.models, theme=theme, menu=menu)
        self.banners = BannerArea(theme=theme)
        self.navigation = Navigation(sidebar=self.sidebar, header=self.header, parent=window)
        self.body = WindowBody(
            sidebar=self.sidebar, header=self.header, banners=self.banners, navigation=self.navigation
        )
        window.setCentralWidget(self.body)
        self.toast = Toast(theme=theme, parent=self.body.right, free_above=self._free_above)
        self.notices = WindowNotices(
            area=self.banners,
            toast=self.toast,
            client=client,
            tasks=tasks,
            open_settings=lambda: self.navigation.show(Page.SETTINGS),
            window=window,
        )
        self.chat = ChatPane(client=client, tasks=tasks, theme=theme, open_url=around.open_url)
        self.library = LibraryPage(models=self.models, theme=theme, reveal=around.reveal)
        self.settings = SettingsPage(client=client, tasks=tasks, models=self.models, theme=theme)
        self.hardware = HardwarePage(theme=theme)
        self.supply = DownloadCoordinator(
            client=client,
            tasks=tasks,
            theme=theme,
            models=self.models,
            button=self.sidebar.downloads,
            taskbar=taskbar,
            toast=self.toast,
            on_error=self.notices.show_error,
            open_url=around.open_url,
            reveal=around.reveal,
            window=window,
        )
        self._add_pages()

    def _add_pages(self) -> None:
        add = self.navigation.add
        add(Page.CHAT, self.chat)
        add(Page.DISCOVER, self.supply.discover, on_shown=self.supply.discover.take_focus)
        add(Page.MODELS, self.library, on_shown=self.library.focus_first)
        add(Page.DOWNLOADS, self.supply.downloads, on_shown=self.supply.downloads.take_focus)
        add(Page.HARDWARE, self.hardware, on_shown=self.hardware.take_focus)
        add(Page.SETTINGS, self.settings)

    def _free_above(self) -> int:
        """Return down to where a note may lie over the page: the composer and its chips stay free."""
        if self.navigation.page is not Page.CHAT:
            return self.body.right.height()
        highest = self.chat.chips if self.chat.chips.isVisible() else self.chat.composer
        return highest.mapTo(self.body.right, QPoint(0, 0)).y()
