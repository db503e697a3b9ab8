"""The main window: routes between its features, events to its parts, and its state for the next start."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, assert_never

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from fireside.core.about import UpdateFound
from fireside.core.errors import EngineStopped, FiresideError, NextStep
from fireside.core.events import AppEvent, ProblemFound, Snapshot, StorageFailed, StorageRecovered
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId, ConversationId, FolderId, ModelId, is_temporary
from fireside.core.runtime import RuntimesChanged
from fireside.core.status import Broken, Unloaded
from fireside.settings.window_state import WindowState
from fireside.ui.kit.dropped_files import DropArea, could_be_models
from fireside.ui.kit.side_area import SidePanel
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope
from fireside.ui.shell.answer_notes import Notifier
from fireside.ui.shell.command_controller import CommandController
from fireside.ui.shell.notices import READ_ONLY_CODES
from fireside.ui.shell.window import ProgramContext, Window
from fireside.ui.taskbar import Taskbar
from fireside.ui.window_context import UPDATE_ROW, Router

if TYPE_CHECKING:
    from fireside.ui.library.library_page import LibraryPage
    from fireside.ui.settings.settings_page import SettingsPage
    from fireside.ui.side_panel.panel import ChatSettingsPanel

# The ways from one feature of a window to another.


def routes(window: Window) -> Router:
    """Return the routes between the parts of a window, which need not exist before one is used."""
    return Router(
        show_page=lambda page: window.navigation.show(page),
        toggle_page=lambda page: window.navigation.toggle(page),
        show_setting=lambda key: settings_page(window, Scope.EVERYWHERE).show_setting(key),
        show_settings_section=lambda group: settings_page(window, Scope.EVERYWHERE).show_section(group),
        show_chat_setting=lambda key: _chat_settings(window).show_setting(key),
        toggle_chat_settings=partial(_toggle_chat_settings, window),
        show_model_settings=partial(_show_model_settings, window),
        show_disk_use=lambda: _library_page(window).show_disk_use(),
        choose_model=partial(_choose_model, window),
        use_model=partial(_use_model, window),
        load_model=lambda model_id: window.model_controller.load(model_id),
        unload_model=lambda model_id: window.model_controller.unload(model_id),
        show_load_details=lambda model_id: window.model_controller.show_details(model_id),
        add_files=lambda paths: _library_page(window).controller.add(paths),
        new_chat=partial(_new_chat, window),
        new_chat_in=lambda folder_id: window.conversations.new_chat_in(folder_id),
        write_in=partial(_write_in, window),
        show_project=partial(_show_project, window),
        show_memory=partial(_show_memory, window),
        show_collection=partial(_show_collection, window),
        open_chat=lambda conversation_id: window.conversations.open(conversation_id),
        open_message=lambda *place: window.conversations.open_at(*place),
        open_window=lambda conversation_id: window.window_requested.emit(conversation_id),
        export_chats=partial(_export_chats, window),
        show_speech_models=lambda: window.show_speech_models(),
        show_backups=lambda: window.transfers.show_backups(),
        lock=lambda: window.lock_controller.lock(),
        lock_now=lambda: window.lock_requested.emit(),
        reopen=lambda: window.reopen_requested.emit(),
        quit=lambda: window.quit_requested.emit(),
    )


def settings_page(window: Window, scope: Scope) -> SettingsPage:
    """Show the settings page in a scope, and return it."""
    window.navigation.show(Page.SETTINGS)
    window.pages.settings.show_scope(scope)
    return window.pages.settings


def _show_model_settings(window: Window, model_id: str) -> None:
    if (subject := window.pages.settings.subject_of(model_id)) is not None:
        window.navigation.show(Page.SETTINGS)
        window.pages.settings.set_subject(subject)
        window.pages.settings.show_scope(Scope.MODEL)


def _library_page(window: Window) -> LibraryPage:
    window.navigation.show(Page.MODELS)
    return window.pages.library


def _chat_settings(window: Window) -> ChatSettingsPanel:
    window.navigation.show(Page.CHAT)
    return window.chat_area.open()


def _toggle_chat_settings(window: Window) -> None:
    area, is_chat = window.chat_area, window.navigation.page is Page.CHAT
    window.navigation.show(Page.CHAT)
    if area.is_open and is_chat:
        area.close_panel()
    else:
        area.open().focus_first_field()


def _new_chat(window: Window) -> None:
    if (folder_id := window.pages.project_in_front) is not None:
        window.conversations.new_chat_in(folder_id)
    else:
        window.conversations.new_chat()


def _write_in(window: Window, folder_id: FolderId, content: str | list[str] | bytes) -> None:
    def write() -> None:
        match content:
            case str():
                window.chat.composer.insert_text(content)
            case bytes():
                window.chat.attachments.add_image(content)
            case _:
                window.chat.attachments.add_files(content)

    window.conversations.new_chat_in(folder_id, then=write)


def _show_project(window: Window, folder_id: FolderId) -> None:
    window.navigation.show(Page.PROJECTS)
    window.pages.projects.open_project(folder_id)


def _show_memory(window: Window, folder_id: FolderId) -> None:
    window.navigation.show(Page.MEMORY)
    window.pages.memory.show_project(folder_id)


def _show_collection(window: Window, collection_id: CollectionId) -> None:
    window.navigation.show(Page.DOCUMENTS)
    window.pages.documents.open_collection(collection_id)


def _use_model(window: Window, model_id: str) -> None:
    window.navigation.show(Page.CHAT)
    _choose_model(window, model_id)


def _choose_model(window: Window, model_id: str) -> None:
    selected = ModelId(model_id)
    window.conversations.choose_model(selected)
    # Loading while the user writes makes the first answer come sooner.
    if isinstance(window.models.state(selected), Unloaded | Broken):
        window.model_controller.load(selected)
    window.chat.focus_composer()


def _export_chats(window: Window, ids: tuple[ConversationId, ...]) -> None:
    model = window.sidebar.model
    summary = model.summary(ids[0]) if len(ids) == 1 else None
    title = summary.title if summary is not None else ""
    window.transfers.show_export(ids, title=title, n_all=model.n_conversations)


_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MIN_SIZE: Final = (640, 340)
"""Pixels; what fits a screen of 1280 by 800 at 200 %."""


class MainWindow(Window):
    """A window of the program. It owns no data: it shows what the client reports. GUI thread only."""

    def __init__(
        self,
        program: ProgramContext,
        *,
        state: WindowState,
        make_taskbar: Callable[[QWidget], Taskbar],
        make_notifier: Callable[[QWidget], Notifier],
        on_close: Callable[[WindowState], None],
    ) -> None:
        """``make_taskbar`` makes the progress display of the window's taskbar icon. ``on_close`` is called
        when the window closes, with the state to restore next time."""
        super().__init__(program, make_router=routes, make_taskbar=make_taskbar, make_notifier=make_notifier)
        self._state = state
        self._on_close = on_close
        self.number = 1
        """The open window with the lowest number shows the program's taskbar progress and notifications."""
        self.hides_on_close: Callable[[], bool] = lambda: False
        """Returns whether closing the window only hides it."""
        self.asks_on_close: Callable[[], bool] = lambda: True
        """Returns whether a temporary chat may keep the window open until the user has decided."""
        self.setWindowTitle("Fireside")
        self.setMinimumSize(*_MIN_SIZE)
        self._connect_features()
        self.command_controller = CommandController(self, about=program.about)
        self.drop = DropArea(self, icon="file-plus", describe=_drop_text, on_dropped=self._on_dropped)
        self.transfers.restored.connect(self._reload)
        self.body.restore(self, state)
        self.pages.library_view_state = state.library
        self.open_groups.update(state.open_groups)
        self.sidebar.restore_sort_order(state.chat_order)
        self.show_page(Page.CHAT)
        self.chat.focus_composer()
        if state.last_conversation is not None:
            self.conversations.wait_for_last()

    # Start and end

    def start(self) -> None:
        """Request the snapshot, and handle events from now on."""
        client = self.context.client
        client.frame.connect(self._on_frame)
        self.context.settings.read()
        self.presets.start()
        self.collections.start()
        self.context.tasks.run(client.snapshot(), on_done=self._on_snapshot, on_error=self._on_no_snapshot)

    def window_state(self) -> WindowState:
        """Return the state to restore at the next start."""
        open_id = self.conversations.conversation_id
        return WindowState(
            geometry=bytes(self.saveGeometry().data()),
            sidebar_width=self.body.sidebar_width,
            panel_width=self.chat_area.preferred_width,
            is_panel_open=self.chat_area.is_requested,
            open_groups=tuple(sorted(self.open_groups)),
            last_conversation=None if is_temporary(open_id) else open_id,
            new_draft=self.conversations.draft_id,
            chat_order=self.sidebar.model.sort_order,
            library=self.pages.shown_library_view_state,
            recent_targets=self.command_palette.recent,
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        self.flush_drafts()
        self.pages.apply_typed()
        if self.hides_on_close():
            event.ignore()
            self.hide()
            return
        if self.asks_on_close() and self.conversations.has_unkept:
            event.ignore()
            self.conversations.leave(self.close)
            return
        self.download_indicator.close()
        self.talk.stop()
        self.read_aloud.stop()
        event.accept()
        self._on_close(self.window_state())

    # Pages

    @property
    def page(self) -> Page:
        """The current page."""
        return self.navigation.page

    def show_page(self, page: Page) -> None:
        """Show a page."""
        self.navigation.show(page)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter press the focused button, as Space does."""
        focused = self.focusWidget()
        if event.key() in _ENTER and isinstance(focused, QPushButton | QToolButton):
            if event.isAutoRepeat():
                return
            if isinstance(focused, QToolButton) and focused.menu() is not None:
                focused.showMenu()  # a click would be one more, after the menu has closed
            else:
                focused.click()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002  # Qt's own name
        """Focus the next or previous control; on the chat page the message field, if the focused control is
        hidden or disabled."""
        focus = QApplication.focusWidget()
        if focus is None or (focus.isVisible() and focus.isEnabled()) or self.page is not Page.CHAT:
            return super().focusNextPrevChild(next)
        self.chat.focus_composer()
        return True

    # Features that follow each other

    def _connect_features(self) -> None:
        chat, conversations = self.chat, self.conversations
        conversations.chat_shown.connect(self._on_chat_shown)
        conversations.chat_shown.connect(self.chat_area.close_reader)
        conversations.subject_changed.connect(self._on_subject_changed)
        for changed in (
            self.chat.composer.editor.textChanged,
            self.chat.attachments.draft_changed,
            self.chat.transcript.messages_changed,
        ):
            changed.connect(self._show_keep)
        chat.step_requested.connect(self._on_step)
        chat.setting_requested.connect(self.router.show_setting)
        chat.branch_controller.set_models(lambda: self.models.usable)
        chat.branch_controller.chat_requested.connect(conversations.open)
        chat.branch_controller.note_requested.connect(self._on_note_requested)
        chat.context_controller.notice.offer_larger(self.header.show_details)
        self.presets.settings.changed.connect(self._on_chat_settings)
        self.navigation.page_shown.connect(self._on_page_shown)
        self.navigation.renamed.connect(self._name_window)

    @Slot()
    def _on_chat_shown(self) -> None:
        self.show_page(Page.CHAT)

    @Slot()
    def _on_chat_settings(self) -> None:
        """Disable remote models where the open chat is set to stay on this computer."""
        stays_local = bool(self.presets.settings.value("chat.stays_local"))
        self.header.popup.local_only = stays_local
        self.chat.set_stays_local(stays_local)

    @Slot()
    def _on_page_shown(self) -> None:
        if self.page is Page.SETTINGS:
            settings = self.pages.settings
            settings.set_subject(self.conversations.subject)
            settings.show_scope(Scope.EVERYWHERE)
            settings.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        self._name_window()
        # After the page has been laid out.
        QTimer.singleShot(0, self.toast, self.toast.reposition)

    @Slot()
    def _on_subject_changed(self) -> None:
        subject = self.conversations.subject
        if self.chat_area.panel is not None:
            self.chat_area.panel.apply_pending_edit()
        self.presets.settings.refresh()
        self.header.set_model(subject.model_id)
        open_id = subject.conversation_id
        self.header.show_chat(is_new=open_id is None, is_temporary=is_temporary(open_id))
        self._show_keep()
        self._name_window()
        if self.page is Page.SETTINGS:
            self.pages.settings.set_subject(subject)

    @Slot()
    def _show_keep(self) -> None:
        self.header.keep.setVisible(self.conversations.has_unkept)

    @Slot()
    def _name_window(self) -> None:
        """Name the window after what its page shows, or the open chat; Qt appends the program's name."""
        self.setWindowTitle(self.navigation.window_title or self.conversations.subject.title or "Fireside")

    @Slot(str, str, object)
    def _on_note_requested(self, text: str, action: str, on_action: Callable[[], None] | None) -> None:
        self.toast.show_message(text, action=action, on_action=on_action)

    @Slot(object)
    def _on_step(self, step: NextStep) -> None:
        match step:
            case NextStep.CHOOSE_MODEL:
                self.header.open_picker(self.chat.attachments.wanted_ability)
            case NextStep.OPEN_MODEL_SETTINGS:
                settings_page(self, Scope.MODEL)
            case NextStep.OPEN_SETTINGS:
                self.show_page(Page.SETTINGS)
            case NextStep.NEW_CHAT:
                self.conversations.new_chat()
            case NextStep.CHOOSE_DATA_FOLDER:
                self.notices.choose_data_folder()
            case NextStep.UPDATE:
                self.router.show_setting(UPDATE_ROW)
            case NextStep.RESTORE_BACKUP:
                self.router.show_backups()
            case NextStep.ADD_COMPONENT:
                self.router.show_speech_models()
            case NextStep.RETRY | NextStep.NONE:
                pass
            case _:
                assert_never(step)

    # Events

    def _on_dropped(self, paths: list[str]) -> None:
        (self.transfers.import_dropped if could_be_chats(paths) else self.router.add_files)(paths)

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        with self.sidebar.model.batch_changes():
            for event in events:
                self._handle(event)

    def _handle(self, event: AppEvent) -> None:
        for handle in self.handlers:
            handle(event)
        match event:
            case UpdateFound(release=release):
                self.notices.show_update(release)
            case RuntimesChanged(note=note) if note:
                self.toast.show_message(note)
            case StorageFailed(error=error):
                self.notices.show_storage_failure(error)
            case ProblemFound(error=error):
                self.notices.show_warning(error)
            case StorageRecovered():
                self.notices.show_storage_recovery()
            case _:
                pass

    def _on_no_snapshot(self, error: FiresideError) -> None:
        """Say what failed; nothing of the program can be shown."""
        if self.chat.is_waiting:
            self.conversations.new_chat()
        if not isinstance(error, EngineStopped):
            self.sidebar.set_unavailable()
            self.context.show_error(error)

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        is_temporary = snapshot.problem is not None and snapshot.problem.code not in READ_ONLY_CODES
        if is_temporary or not snapshot.has_chats:
            self.sidebar.set_unavailable()
        self.conversations.start(snapshot, last=self._state.last_conversation)
        self.downloads_view.set_initial(snapshot.downloads)
        self.download_controller.start()
        self.dictation.offer_recordings()
        self.command_palette.start(snapshot.conversations, recent=self._state.recent_targets)
        if snapshot.problem is not None:
            self.notices.show_session_problem(snapshot.problem)
        for warning in snapshot.warnings:
            self.notices.show_warning(warning)
        # After the first frame, since creating the panel takes a moment.
        QTimer.singleShot(0, self.chat_area, self._restore_panel)
        self.chat.focus_composer()

    def _restore_panel(self) -> None:
        width = self._state.panel_width or SidePanel.USUAL_WIDTH
        self.chat_area.restore(is_open=self._state.is_panel_open, width=width)

    def _reload(self) -> None:
        """Show the conversations of a restored backup, which replace all others."""

        def on_done(snapshot: Snapshot) -> None:
            self.conversations.start(snapshot, last=None)

        self.context.tasks.run(self.context.client.snapshot(), on_done=on_done)


def could_be_chats(paths: list[str]) -> bool:
    """Return whether the file names alone suggest exported chats."""
    return bool(paths) and all(p.lower().endswith((".json", ".zip")) for p in paths)


def _drop_text(paths: list[str]) -> tuple[str, str] | None:
    """Return title and text that say what dropping these files does; ``None`` to refuse them."""
    if could_be_chats(paths):
        return tr("Drop to import chats"), tr("Files stay where they are.")
    if could_be_models(paths):
        return tr("Drop to add models"), tr("Files stay where they are.")
    return None
