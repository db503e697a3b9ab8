"""The window: put the parts together and send what is wanted to whoever does it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final, assert_never

from PySide6.QtCore import QByteArray, QPoint, Qt, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QMainWindow, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from fireside.bridge.client import EngineClient, Snapshot
from fireside.core.errors import NextStep
from fireside.core.events import AppEvent, SettingsChanged, StorageFailed, StorageRecovered
from fireside.core.ids import ModelId
from fireside.core.status import Broken, Unloaded
from fireside.settings.state import WindowState
from fireside.ui.appearance import Appearance
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.chat.links import OpenUrl
from fireside.ui.commands import Command, Commands
from fireside.ui.desk import Desk
from fireside.ui.drop_overlay import DropOverlay
from fireside.ui.header import Header
from fireside.ui.library import LibraryPage
from fireside.ui.model_desk import ModelDesk
from fireside.ui.models_view import ModelsView
from fireside.ui.notices import WindowNotices
from fireside.ui.settings import SettingsPage
from fireside.ui.settings.scope import Scope
from fireside.ui.sheets.about import AboutSheet, AboutText
from fireside.ui.sheets.shortcuts import ShortcutsSheet
from fireside.ui.sidebar import Sidebar
from fireside.ui.sidebar.sidebar import WIDTH, Page
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme
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
        on_close: Callable[[WindowState], None],
    ) -> None:
        """Take ``reveal`` as what shows a file in the file manager, and ``on_close`` as what ends the
        program; it gets the state to restore next time."""
        super().__init__()
        self._client = client
        self._tasks = tasks
        self._theme = theme
        self._state = state
        self._about = about
        self._on_close = on_close
        self.setWindowTitle("Fireside")
        self.setMinimumSize(*_LEAST)
        self.commands = Commands(window=self, theme=theme)
        self.commands.wanted.connect(self._on_command)
        self.models = ModelsView(self)
        self.sidebar = Sidebar(theme=theme)
        self.header = Header(models=self.models, theme=theme, menu=self._make_menu())
        self.chat = ChatPane(client=client, tasks=tasks, theme=theme, open_url=open_url)
        self.library = LibraryPage(models=self.models, theme=theme, reveal=reveal)
        self.settings = SettingsPage(client=client, tasks=tasks, models=self.models, theme=theme)
        self.banners = BannerArea(theme=theme)
        self._lay_out()
        self.toast = Toast(theme=theme, parent=self._right, free_above=self._free_above)
        self._drop = DropOverlay(theme=theme, window=self)
        self._drop.dropped.connect(self._on_dropped)
        self.notices = WindowNotices(
            area=self.banners,
            toast=self.toast,
            client=client,
            tasks=tasks,
            open_settings=lambda: self.show_page(Page.SETTINGS),
            window=self,
        )
        self._make_desks()
        self._connect()
        self._restore()
        self.show_page(Page.CHAT)

    # Start and end

    def start(self) -> None:
        """Ask for everything there is to show, and follow what happens from then on."""
        self._client.frame.connect(self._on_frame)
        self.appearance.read()
        self._tasks.run(self._client.snapshot(), on_done=self._on_snapshot, on_error=self.notices.show_error)

    def window_state(self) -> WindowState:
        """Return what to remember until the next start."""
        return WindowState(
            geometry=bytes(self.saveGeometry().data()),
            sidebar_width=self._sidebar_width() if self.sidebar.isVisibleTo(self) else 0,
            last_conversation=self.desk.conversation_id,
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        self.chat.composer.flush_draft()
        event.accept()
        self._on_close(self.window_state())

    # Pages

    @property
    def page(self) -> Page:
        return list(Page)[self._pages.currentIndex()]

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""
        self._pages.setCurrentIndex(list(Page).index(page))
        self.sidebar.set_page(page)
        match page:
            case Page.CHAT:
                self.header.show_title("")
            case Page.MODELS:
                self.header.show_title("Models")
                self.library.filter.setFocus(Qt.FocusReason.OtherFocusReason)
            case Page.SETTINGS:
                self.header.show_title("Settings")
                self.settings.set_subject(self.desk.subject)
                self.settings.refresh()
                self.settings.filter.setFocus(Qt.FocusReason.OtherFocusReason)
            case _:
                assert_never(page)

    def toggle_sidebar(self) -> None:
        """Show the sidebar or give its room to the page."""
        shown = not self.sidebar.isVisibleTo(self)
        self.sidebar.setVisible(shown)
        self.header.sidebar_button.setVisible(not shown)

    # Building

    def _make_menu(self) -> QMenu:
        if sys.platform == "darwin":
            self.commands.fill(self.menuBar().addMenu)
        menu = QMenu(self)
        self.commands.fill_compact(menu)
        return menu

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        for page in (self.chat, self.library, self.settings):
            self._pages.addWidget(page)
        self._right = QWidget()
        column = QVBoxLayout(self._right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.banners)
        column.addWidget(self._pages, 1)
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
        self.model_desk = ModelDesk(
            client=self._client, tasks=self._tasks, page=self.library, on_error=on_error, parent=self
        )
        self.appearance = Appearance(
            client=self._client, tasks=self._tasks, look=self._theme, on_error=on_error, parent=self
        )

    def _connect(self) -> None:
        self.sidebar.page_wanted.connect(lambda page: self._toggle_page(Page(page)))
        self.sidebar.hide_wanted.connect(self.toggle_sidebar)
        self.header.sidebar_wanted.connect(self.toggle_sidebar)
        self.header.model_chosen.connect(self._on_model_chosen)
        self.header.load_wanted.connect(self._load)
        self.header.unload_wanted.connect(self.model_desk.unload)
        self.header.library_wanted.connect(lambda: self.show_page(Page.MODELS))
        self.header.parameters_wanted.connect(lambda: self._on_command(Command.CHAT_SETTINGS))
        self.library.load_wanted.connect(self._load)
        self.library.use_wanted.connect(self._on_use_model)
        self.settings.reload_wanted.connect(self._load)
        self.desk.subject_changed.connect(self._on_subject_changed)
        self.desk.chat_shown.connect(lambda: self.show_page(Page.CHAT))
        self.chat.step_requested.connect(self._on_step)

    def _restore(self) -> None:
        self.resize(*_SIZE)
        if self._state.geometry:
            self.restoreGeometry(QByteArray(self._state.geometry))
        width = self._state.sidebar_width
        if width == 0:
            self.toggle_sidebar()
        side = min(max(width or WIDTH, _SIDEBAR_LEAST), _SIDEBAR_MOST)
        self._splitter.setSizes([side, max(1, self.width() - side)])

    def _sidebar_width(self) -> int:
        return self._splitter.sizes()[0]

    def _free_above(self) -> int:
        """Return down to where a note may lie over the page: the composer stays free."""
        if self.page is not Page.CHAT:
            return self._right.height()
        return self.chat.composer.mapTo(self._right, QPoint(0, 0)).y()

    # What happened

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        for event in events:
            self.chat.handle(event)
            self.desk.handle(event)
            match event:
                case SettingsChanged(keys=keys):
                    self.appearance.settings_changed(keys)
                    if self.page is Page.SETTINGS:
                        self.settings.refresh()
                case StorageFailed(error=error):
                    self.notices.show_storage_failure(error)
                case StorageRecovered():
                    self.notices.show_storage_recovery()
                case _:
                    pass

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        self.models.set_entries(snapshot.models)
        for status in snapshot.statuses:
            self.models.set_status(status)
        self.desk.start(snapshot, last=self._state.last_conversation)
        if snapshot.problem is not None:
            self.notices.show_session_problem(snapshot.problem)
        for warning in snapshot.warnings:
            self.notices.show_warning(warning)
        self.chat.focus_composer()

    def _on_subject_changed(self) -> None:
        subject = self.desk.subject
        self.header.set_model(subject.model_id)
        self.setWindowTitle(f"{subject.title} – Fireside" if subject.title else "Fireside")
        if self.page is Page.SETTINGS:
            self.settings.set_subject(subject)

    # What is wanted

    def _load(self, model_id: str) -> None:
        self.model_desk.load(ModelId(model_id), conversation_id=self.desk.conversation_id)

    def _on_model_chosen(self, model_id: str) -> None:
        chosen = ModelId(model_id)
        self.desk.choose_model(chosen)
        # Loading while the message is being written makes the first answer come sooner.
        if isinstance(self.models.state(chosen), Unloaded | Broken):
            self._load(chosen)
        self.chat.focus_composer()

    def _on_use_model(self, model_id: str) -> None:
        self.show_page(Page.CHAT)
        self._on_model_chosen(model_id)

    def _on_dropped(self, paths: list[str]) -> None:
        self.show_page(Page.MODELS)
        self.model_desk.add(paths)

    def _toggle_page(self, page: Page) -> None:
        self.show_page(Page.CHAT if self.page is page else page)

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

    def _on_command(self, command: Command) -> None:
        match command:
            case Command.NEW_CHAT:
                self.desk.new_chat()
            case Command.FIND_CHAT:
                self._find_chat()
            case Command.NEXT_CHAT:
                self.desk.step(1)
            case Command.PREVIOUS_CHAT:
                self.desk.step(-1)
            case Command.RENAME_CHAT:
                self._rename()
            case Command.PIN_CHAT:
                self.desk.toggle_pin()
            case Command.DELETE_CHAT:
                if self.desk.conversation_id is not None:
                    self.desk.delete(self.desk.conversation_id)
            case Command.UNDO_DELETE:
                self.desk.undo_delete()
            case Command.WRITE:
                self.show_page(Page.CHAT)
                self.chat.focus_composer()
            case Command.COPY_ANSWER:
                self._copy_answer()
            case Command.CHOOSE_MODEL:
                self.show_page(Page.CHAT)
                self.header.open_picker()
            case Command.CHAT_SETTINGS:
                self._show_chat_settings()
            case Command.MODELS:
                self._toggle_page(Page.MODELS)
            case Command.SETTINGS:
                self._toggle_page(Page.SETTINGS)
            case Command.SIDEBAR:
                self.toggle_sidebar()
            case Command.LARGER_TEXT:
                self.appearance.change_text_size(1)
            case Command.SMALLER_TEXT:
                self.appearance.change_text_size(-1)
            case Command.USUAL_TEXT:
                self.appearance.reset_text_size()
            case Command.FULL_SCREEN:
                self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
            case Command.SHORTCUTS:
                ShortcutsSheet(theme=self._theme, parent=self).open()
            case Command.ABOUT:
                AboutSheet(self._about(), theme=self._theme, parent=self).open()
            case Command.QUIT:
                self.close()
            case _:
                assert_never(command)

    def _show_sidebar(self) -> None:
        if not self.sidebar.isVisibleTo(self):
            self.toggle_sidebar()

    def _find_chat(self) -> None:
        self._show_sidebar()
        self.sidebar.focus_search()

    def _rename(self) -> None:
        if self.desk.conversation_id is not None:
            self._show_sidebar()
            self.sidebar.filter.clear()
            self.sidebar.list.rename(self.desk.conversation_id)

    def _copy_answer(self) -> None:
        text = self.desk.last_answer()
        if text:
            QGuiApplication.clipboard().setText(text)
            self.toast.show_note("The last answer is copied.")

    def _show_chat_settings(self) -> None:
        self.show_page(Page.SETTINGS)
        in_chat = self.desk.conversation_id is not None
        self.settings.show_scope(Scope.CHAT if in_chat else Scope.EVERYWHERE)
