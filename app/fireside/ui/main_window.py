"""The window: put its parts together, tell them what happens, and remember how it looked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from fireside.bridge.client import Snapshot
from fireside.core.events import AppEvent, SettingsChanged, StorageFailed, StorageRecovered
from fireside.settings.window_state import WindowState
from fireside.ui.command_controller import CommandController
from fireside.ui.commands import Commands
from fireside.ui.controllers import Controllers
from fireside.ui.drop_overlay import DropOverlay
from fireside.ui.notifier import Notifier
from fireside.ui.page import Page
from fireside.ui.taskbar import Taskbar
from fireside.ui.views import Views
from fireside.ui.window_context import WindowContext
from fireside.ui.window_router import WindowWays

_LEAST: Final = (640, 340)
"""A screen of 1280 by 800 at 200 % has no more room."""


class MainWindow(QMainWindow):
    """Everything a person sees. Owns no truth: it shows what the client says. GUI thread only."""

    window_wanted = Signal(object)
    """Carries the ``ConversationId`` to show in another window; ``None`` for a new chat."""
    ask_wanted = Signal()
    """A person wants to ask something without going to a window."""
    quit_wanted = Signal()

    def __init__(
        self,
        around: WindowContext,
        *,
        state: WindowState,
        make_taskbar: Callable[[QWidget], Taskbar],
        make_notifier: Callable[[QWidget], Notifier],
        on_close: Callable[[WindowState], None],
    ) -> None:
        """Take ``make_taskbar`` as what shows progress at the window's icon, and ``on_close`` as what is
        done when it closes; it gets the state to restore next time."""
        super().__init__()
        self.around = around
        self._state = state
        self._on_close = on_close
        self.number = 1
        """Of the windows that are open, the first one speaks for the program."""
        self.stays: Callable[[], bool] = lambda: False
        """What says whether closing only hides it."""
        self.setWindowTitle("Fireside")
        self.setMinimumSize(*_LEAST)
        self.commands = Commands(window=self, theme=around.theme)
        self.panes = Views(
            around, commands=self.commands, menu=self._make_menu(), taskbar=make_taskbar(self), window=self
        )
        self.ways = WindowWays(self.panes)
        self.drop = DropOverlay(theme=around.theme, window=self)
        self.desks = Controllers(
            around,
            panes=self.panes,
            notifier=make_notifier(self),
            use_model=self.ways.use_model,
            show_setting=self.ways.show_setting,
            window=self,
        )
        self._name_parts()
        self.command_desk = self._make_command_desk()
        self.ways.connect(self.desks, commands=self.command_desk, drop=self.drop, window=self)
        self.desks.transfers.restored.connect(self._ask_anew)
        self.sidebar.wishes.window.connect(self.window_wanted)
        self.command_desk.window_wanted.connect(self.window_wanted)
        self.command_desk.ask_wanted.connect(self.ask_wanted)
        self.command_desk.quit_wanted.connect(self.quit_wanted)
        self.notices.quit_wanted.connect(self.quit_wanted)
        self.panes.body.restore(self, state)
        self.library.restore(state.library)
        self.sidebar.restore_order(state.chat_order)
        self.show_page(Page.CHAT)

    # Start and end

    def start(self) -> None:
        """Ask for everything there is to show, and follow what happens from then on."""
        client = self.around.client
        client.frame.connect(self._on_frame)
        self.desks.start()
        self.around.tasks.run(client.snapshot(), on_done=self._on_snapshot, on_error=self.notices.show_error)

    def window_state(self) -> WindowState:
        """Return what to remember until the next start."""
        return WindowState(
            geometry=bytes(self.saveGeometry().data()),
            sidebar_width=self.panes.body.sidebar_width,
            last_conversation=self.desk.conversation_id,
            new_draft=self.desk.draft_id,
            chat_order=self.sidebar.model.order,
            library=self.library.look,
            recent_targets=self.ease.palette.recent,
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        self.chat.flush_drafts()
        if self.stays():
            event.ignore()
            self.hide()
            return
        self.supply.close()
        self.desks.close()
        event.accept()
        self._on_close(self.window_state())

    # What is wanted

    @property
    def page(self) -> Page:
        return self.navigation.page

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""
        self.ways.show_page(page)

    def open_files(self, paths: Sequence[str]) -> None:
        """Add files and folders to the library, and show it."""
        self.ways.open_files(paths)

    # Building

    def _name_parts(self) -> None:
        """Let the parts be found by whoever has the window."""
        panes, desks = self.panes, self.desks
        self.models = panes.models
        self.sidebar = panes.sidebar
        self.header = panes.header
        self.banners = panes.banners
        self.navigation = panes.navigation
        self.toast = panes.toast
        self.notices = panes.notices
        self.chat = panes.chat
        self.library = panes.library
        self.settings = panes.settings
        self.hardware = panes.hardware
        self.supply = panes.supply
        self.desk = desks.desk
        self.answers = desks.answers
        self.keeping_desk = desks.keeping_desk
        self.model_desk = desks.model_desk
        self.library_desk = desks.library_desk
        self.hardware_desk = desks.hardware_desk
        self.runtimes_desk = desks.runtimes_desk
        self.transfers = desks.transfers
        self.ease = desks.ease
        self.presets = desks.presets
        self.slash = desks.slash

    def _make_menu(self) -> QMenu:
        if sys.platform == "darwin":
            self.commands.fill(self.menuBar().addMenu)
        menu = QMenu(self)
        self.commands.fill_compact(menu)
        return menu

    def _make_command_desk(self) -> CommandController:
        return CommandController(
            commands=self.commands,
            navigation=self.navigation,
            desk=self.desk,
            keeping=self.keeping_desk,
            sidebar=self.sidebar,
            header=self.header,
            chat=self.chat,
            settings=self.settings,
            ease=self.ease,
            transfers=self.transfers,
            presets=self.presets,
            toast=self.toast,
            theme=self.around.theme,
            about=self.around.about,
            window=self,
        )

    # What happened

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        with self.sidebar.model.changing():
            for event in events:
                self._take(event)

    def _take(self, event: AppEvent) -> None:
        self.desks.handle(event)
        match event:
            case SettingsChanged():
                if self.page is Page.SETTINGS:
                    self.settings.refresh()
            case StorageFailed(error=error):
                self.notices.show_storage_failure(error)
            case StorageRecovered():
                self.notices.show_storage_recovery()
            case _:
                pass

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        self.desks.show(snapshot, self._state)
        if snapshot.problem is not None:
            self.notices.show_session_problem(snapshot.problem)
        for warning in snapshot.warnings:
            self.notices.show_warning(warning)
        self.chat.focus_composer()

    def _ask_anew(self) -> None:
        """Show the conversations that have taken the place of all others."""
        self.around.tasks.run(
            self.around.client.snapshot(), on_done=self.desks.show_anew, on_error=self.notices.show_error
        )
