"""The window: put the parts together and send what is wanted to whoever does it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final, assert_never

from PySide6.QtCore import QByteArray, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QSplitter, QVBoxLayout, QWidget

from fireside.bridge.client import EngineClient, Snapshot
from fireside.core.errors import NextStep
from fireside.core.events import AppEvent, SettingsChanged, StorageFailed, StorageRecovered
from fireside.core.ids import ModelId
from fireside.core.status import Broken, Unloaded
from fireside.core.wording import tr
from fireside.settings.state import WindowState
from fireside.ui.answer_desks import AnswerDesks
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.chat.links import OpenUrl
from fireside.ui.command_desk import CommandDesk
from fireside.ui.commands import Commands
from fireside.ui.desk import Desk
from fireside.ui.drop_overlay import DropOverlay
from fireside.ui.ease import Ease
from fireside.ui.hardware import HardwareDesk, HardwarePage, show_runtimes
from fireside.ui.header import Header
from fireside.ui.keeping_desk import KeepingDesk
from fireside.ui.library import LibraryDesk, LibraryPage
from fireside.ui.model_desk import ModelDesk
from fireside.ui.models_view import ModelsView
from fireside.ui.navigation import Navigation
from fireside.ui.notices import WindowNotices
from fireside.ui.notifier import Notifier
from fireside.ui.page import Page
from fireside.ui.settings import SettingsPage
from fireside.ui.settings.scope import Scope
from fireside.ui.sheets.about import AboutText
from fireside.ui.sidebar import Sidebar
from fireside.ui.sidebar.sidebar import WIDTH
from fireside.ui.slash.making import make_writing_desks
from fireside.ui.supply import Supply
from fireside.ui.taskbar import Taskbar
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme
from fireside.ui.transfer import TransferDesk
from fireside.ui.widgets.banner import BannerArea
from fireside.ui.widgets.toast import Toast

_SIZE: Final = (1180, 800)
_LEAST: Final = (640, 480)
_SIDEBAR_LEAST: Final = 216
_SIDEBAR_MOST: Final = 420


class MainWindow(QMainWindow):
    """Everything a person sees. Owns no truth: it shows what the client says. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        theme: Theme,
        state: WindowState,
        about: Callable[[], AboutText],
        open_url: OpenUrl,
        reveal: Callable[[str], None],
        make_taskbar: Callable[[QWidget], Taskbar],
        make_notifier: Callable[[QWidget], Notifier],
        on_close: Callable[[WindowState], None],
    ) -> None:
        """Take ``reveal`` as what shows a file in the file manager, ``make_taskbar`` as what shows progress
        at the window's icon, and ``on_close`` as what ends the program; it gets the state to restore next
        time."""
        super().__init__()
        self._client = client
        self._tasks = tasks
        self._theme = theme
        self._state = state
        self._about = about
        self._on_close = on_close
        self._reveal = reveal
        self._open_url = open_url
        self.setWindowTitle("Fireside")
        self.setMinimumSize(*_LEAST)
        self._notifier = make_notifier(self)
        self.commands = Commands(window=self, theme=theme)
        self.models = ModelsView(self)
        self.sidebar = Sidebar(theme=theme)
        self.header = Header(models=self.models, theme=theme, menu=self._make_menu())
        self.banners = BannerArea(theme=theme)
        self.navigation = Navigation(sidebar=self.sidebar, header=self.header, parent=self)
        self._lay_out()
        self.toast = Toast(theme=theme, parent=self._right, free_above=self._free_above)
        self.notices = WindowNotices(
            area=self.banners,
            toast=self.toast,
            client=client,
            tasks=tasks,
            open_settings=lambda: self.show_page(Page.SETTINGS),
            window=self,
        )
        self.chat = ChatPane(client=client, tasks=tasks, theme=theme, open_url=open_url)
        self.library = LibraryPage(models=self.models, theme=theme, reveal=reveal)
        self.settings = SettingsPage(client=client, tasks=tasks, models=self.models, theme=theme)
        self.hardware = HardwarePage(theme=theme)
        self.supply = Supply(
            client=client,
            tasks=tasks,
            theme=theme,
            models=self.models,
            button=self.sidebar.downloads,
            taskbar=make_taskbar(self),
            toast=self.toast,
            on_error=self.notices.show_error,
            open_url=open_url,
            reveal=reveal,
            window=self,
        )
        self._add_pages()
        self._drop = DropOverlay(theme=theme, window=self)
        self._drop.dropped.connect(self.open_files)
        self._make_desks()
        self._connect()
        self._restore()
        self.show_page(Page.CHAT)

    # Start and end

    def start(self) -> None:
        """Ask for everything there is to show, and follow what happens from then on."""
        self._client.frame.connect(self._on_frame)
        self.ease.read()
        self.presets.start()
        self._tasks.run(self._client.snapshot(), on_done=self._on_snapshot, on_error=self.notices.show_error)

    def window_state(self) -> WindowState:
        """Return what to remember until the next start."""
        return WindowState(
            geometry=bytes(self.saveGeometry().data()),
            sidebar_width=self._sidebar_width() if self.sidebar.isVisibleTo(self) else 0,
            last_conversation=self.desk.conversation_id,
            chat_order=self.sidebar.model.order,
            library=self.library.look,
            recent_targets=self.ease.palette.recent,
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        self.chat.composer.flush_draft()
        self.supply.close()
        event.accept()
        self._on_close(self.window_state())

    # Pages

    @property
    def page(self) -> Page:
        return self.navigation.page

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""
        self.navigation.show(page)

    def _add_pages(self) -> None:
        add = self.navigation.add
        add(Page.CHAT, self.chat)
        add(Page.DISCOVER, self.supply.discover, on_shown=self.supply.discover.take_focus)
        add(Page.MODELS, self.library, on_shown=self.library.focus_first)
        add(Page.DOWNLOADS, self.supply.downloads, on_shown=self.supply.downloads.take_focus)
        add(Page.HARDWARE, self.hardware, on_shown=self.hardware.take_focus)
        add(Page.SETTINGS, self.settings, on_shown=self._on_settings_shown)

    def _on_settings_shown(self) -> None:
        self.settings.set_subject(self.desk.subject)
        self.settings.refresh()
        self.settings.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    # Building

    def _make_menu(self) -> QMenu:
        if sys.platform == "darwin":
            self.commands.fill(self.menuBar().addMenu)
        menu = QMenu(self)
        self.commands.fill_compact(menu)
        return menu

    def _lay_out(self) -> None:
        self._right = QWidget()
        column = QVBoxLayout(self._right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.banners)
        column.addWidget(self.navigation.stack, 1)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        self.sidebar.setMinimumWidth(_SIDEBAR_LEAST)
        self.sidebar.setMaximumWidth(_SIDEBAR_MOST)
        self._splitter.addWidget(self.sidebar)
        self._splitter.addWidget(self._right)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        self.setCentralWidget(self._splitter)

    def _make_desks(self) -> None:
        on_error = self.notices.show_error
        self.desk = Desk(
            client=self._client,
            tasks=self._tasks,
            sidebar=self.sidebar,
            chat=self.chat,
            models=self.models,
            toast=self.toast,
            on_error=on_error,
            parent=self,
        )
        self.answers = AnswerDesks(
            self, client=self._client, tasks=self._tasks, theme=self._theme, open_url=self._open_url
        )
        self.keeping_desk = KeepingDesk(
            client=self._client,
            tasks=self._tasks,
            sidebar=self.sidebar,
            desk=self.desk,
            models=self.models,
            toast=self.toast,
            on_error=on_error,
            parent=self,
        )
        self.model_desk = ModelDesk(
            client=self._client,
            tasks=self._tasks,
            theme=self._theme,
            models=self.models,
            desk=self.desk,
            header=self.header,
            library=self.library,
            settings=self.settings,
            chat=self.chat,
            on_error=on_error,
            window=self,
        )
        self.library_desk = LibraryDesk(
            client=self._client,
            tasks=self._tasks,
            page=self.library,
            models=self.models,
            toast=self.toast,
            parent=self,
        )
        self.hardware_desk = HardwareDesk(
            client=self._client.machine,
            tasks=self._tasks,
            page=self.hardware,
            toast=self.toast,
            parent=self,
        )
        self.runtimes_desk = show_runtimes(
            self.hardware,
            client=self._client.runtimes,
            tasks=self._tasks,
            look_at_devices=self.hardware_desk.look,
            theme=self._theme,
            toast=self.toast,
        )
        self.transfers = TransferDesk(
            client=self._client.transfer,
            tasks=self._tasks,
            theme=self._theme,
            row=self.settings.backups,
            toast=self.toast,
            reveal=self._reveal,
            on_error=on_error,
            window=self,
        )
        self.ease = Ease(
            client=self._client,
            tasks=self._tasks,
            commands=self.commands,
            models=self.models,
            theme=self._theme,
            notifier=self._notifier,
            open_chat=self.desk.open,
            use_model=self._on_use_model,
            show_setting=self._show_setting,
            on_error=on_error,
            window=self,
        )
        self.presets, self.slash = make_writing_desks(
            client=self._client,
            tasks=self._tasks,
            chat=self.chat,
            desk=self.desk,
            models=self.models,
            commands=self.commands,
            palette=self.ease.palette,
            use_model=self._on_use_model,
            toast=self.toast,
            theme=self._theme,
            on_error=on_error,
            window=self,
        )
        self.command_desk = CommandDesk(
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
            theme=self._theme,
            about=self._about,
            window=self,
        )

    def _connect(self) -> None:
        self.header.model_chosen.connect(self._on_model_chosen)
        self.header.library_wanted.connect(lambda: self.show_page(Page.MODELS))
        self.header.export_wanted.connect(self.command_desk.export_chat)
        self.transfers.restored.connect(self._ask_anew)
        self._drop.chats_dropped.connect(self.transfers.take_files)
        self.header.parameters_wanted.connect(self.command_desk.show_chat_settings)
        self.library.use_wanted.connect(self._on_use_model)
        self.library.settings_wanted.connect(self.command_desk.show_model_settings)
        self.desk.subject_changed.connect(self._on_subject_changed)
        self.desk.chat_shown.connect(lambda: self.show_page(Page.CHAT))
        self.chat.step_requested.connect(self._on_step)
        self.chat.steering.set_models(lambda: self.models.usable)
        self.chat.steering.chat_wanted.connect(self.desk.open)
        self.chat.steering.note_wanted.connect(self._on_note_wanted)
        ways = (self.header.discover_wanted, self.chat.empty.find_wanted, self.library.discover_wanted)
        for discover_wanted in ways:
            discover_wanted.connect(lambda: self.show_page(Page.DISCOVER))
        self.library_desk.downloads_wanted.connect(lambda: self.show_page(Page.DOWNLOADS))
        # Once the page in front has been laid out.
        self.navigation.page_shown.connect(lambda: QTimer.singleShot(0, self.toast, self.toast.place))
        self.supply.page_wanted.connect(self.show_page)
        self.supply.chat_wanted.connect(self._on_use_model)
        self.supply.setting_wanted.connect(self._show_setting)
        self.supply.room_wanted.connect(self._show_disk_use)

    def _restore(self) -> None:
        self.resize(*_SIZE)
        if self._state.geometry:
            self.restoreGeometry(QByteArray(self._state.geometry))
        width = self._state.sidebar_width
        if width == 0:
            self.navigation.toggle_sidebar()
        side = min(max(width or WIDTH, _SIDEBAR_LEAST), _SIDEBAR_MOST)
        self._splitter.setSizes([side, max(1, self.width() - side)])
        self.library.restore(self._state.library)
        self.sidebar.restore_order(self._state.chat_order)

    def _sidebar_width(self) -> int:
        return self._splitter.sizes()[0]

    def _free_above(self) -> int:
        """Return down to where a note may lie over the page: the composer and its chips stay free."""
        if self.page is not Page.CHAT:
            return self._right.height()
        highest = self.chat.chips if self.chat.chips.isVisible() else self.chat.composer
        return highest.mapTo(self._right, QPoint(0, 0)).y()

    # What happened

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        with self.sidebar.model.changing():
            for event in events:
                self._take(event)

    def _take(self, event: AppEvent) -> None:
        self.chat.handle(event)
        self.desk.handle(event)
        self.ease.handle(event)
        self.library_desk.handle(event)
        self.supply.handle(event)
        self.runtimes_desk.handle(event)
        self.transfers.handle(event)
        self.presets.handle(event)
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
        self.desk.start(snapshot, last=self._state.last_conversation)
        self.supply.start(snapshot.downloads)
        self.ease.start(snapshot.conversations, recent=self._state.recent_targets)
        if snapshot.problem is not None:
            self.notices.show_session_problem(snapshot.problem)
        for warning in snapshot.warnings:
            self.notices.show_warning(warning)
        self.chat.focus_composer()

    def _ask_anew(self) -> None:
        """Show the conversations that have taken the place of all others."""
        self._tasks.run(
            self._client.snapshot(),
            on_done=lambda snapshot: self.desk.start(snapshot, last=None),
            on_error=self.notices.show_error,
        )

    def _on_subject_changed(self) -> None:
        subject = self.desk.subject
        self.presets.follow()
        self.header.set_model(subject.model_id)
        self.setWindowTitle(tr("{title} – Fireside").format(title=subject.title) if subject.title else "Fireside")
        if self.page is Page.SETTINGS:
            self.settings.set_subject(subject)

    # What is wanted

    def _on_model_chosen(self, model_id: str) -> None:
        chosen = ModelId(model_id)
        self.desk.choose_model(chosen)
        # Loading while the message is being written makes the first answer come sooner.
        if isinstance(self.models.state(chosen), Unloaded | Broken):
            self.model_desk.load(chosen)
        self.chat.focus_composer()

    def _on_use_model(self, model_id: str) -> None:
        self.show_page(Page.CHAT)
        self._on_model_chosen(model_id)

    def _show_disk_use(self) -> None:
        self.show_page(Page.MODELS)
        self.library.wishes.disk_use.emit()

    def _show_setting(self, key: str) -> None:
        self.show_page(Page.SETTINGS)
        self.settings.show_scope(Scope.EVERYWHERE)
        self.settings.show_setting(key)

    def open_files(self, paths: Sequence[str]) -> None:
        """Add files and folders to the library, and show it."""
        self.show_page(Page.MODELS)
        self.library_desk.add(paths)

    def _on_note_wanted(self, words: str, action: str, on_action: Callable[[], None] | None) -> None:
        self.toast.show_note(words, action=action, on_action=on_action)

    def _on_step(self, step: NextStep) -> None:
        match step:
            case NextStep.CHOOSE_MODEL:
                self.header.open_picker()
            case NextStep.OPEN_MODEL_SETTINGS:
                self.show_page(Page.SETTINGS)
                self.settings.show_scope(Scope.MODEL)
            case NextStep.OPEN_SETTINGS:
                self.show_page(Page.SETTINGS)
            case NextStep.NEW_CHAT:
                self.desk.new_chat()
            case NextStep.CHOOSE_DATA_FOLDER:
                self.notices.choose_data_folder()
            case NextStep.RETRY | NextStep.NONE:
                pass
            case _:
                assert_never(step)
