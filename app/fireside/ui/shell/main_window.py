"""The main window: dispatches events to its parts and keeps its state for the next start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from fireside.core.about import UpdateFound, UpdateProgressed
from fireside.core.errors import EngineStopped, FiresideError
from fireside.core.events import (
    AppEvent,
    CollectionProgressed,
    CollectionsChanged,
    ProblemFound,
    SettingsChanged,
    StorageFailed,
    StorageRecovered,
    ToolCallProgressed,
    ToolServersChanged,
)
from fireside.core.hub import CheckEnded, CheckProgressed
from fireside.core.i18n import tr
from fireside.core.library import MoveEnded, MoveProgressed
from fireside.core.runtime import RuntimeProgressed, RuntimesChanged
from fireside.core.snapshot import Snapshot
from fireside.settings.window_state import WindowState
from fireside.ui.kit.dropped_files import DropArea, could_be_models
from fireside.ui.kit.side_area import SidePanel
from fireside.ui.page import Page
from fireside.ui.shell.answer_notes import Notifier
from fireside.ui.shell.command_controller import CommandController
from fireside.ui.shell.notices import READ_ONLY_CODES
from fireside.ui.shell.program_context import ProgramContext
from fireside.ui.shell.window_parts import WindowParts
from fireside.ui.shell.window_router import WindowRouter
from fireside.ui.taskbar import Taskbar

_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MIN_SIZE: Final = (640, 340)
"""Pixels; what fits a screen of 1280 by 800 at 200 %."""


class MainWindow(WindowParts):
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
        self.router = WindowRouter()
        super().__init__(program, router=self.router, make_taskbar=make_taskbar, make_notifier=make_notifier)
        self._state = state
        self._on_close = on_close
        self.number = 1
        """The open window with the lowest number shows the program's taskbar progress and notifications."""
        self.hides_on_close: Callable[[], bool] = lambda: False
        """Returns whether closing the window only hides it."""
        self.setWindowTitle("Fireside")
        self.setMinimumSize(*_MIN_SIZE)
        self.router.connect(self)
        self.command_controller = CommandController(self, router=self.router, about=program.about)
        self.drop = DropArea(self, icon="file-plus", describe=_drop_text, on_dropped=self._on_dropped)
        self.transfers.restored.connect(self._reload)
        self.body.restore(self, state)
        self.library_view_state = state.library
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
        return WindowState(
            geometry=bytes(self.saveGeometry().data()),
            sidebar_width=self.body.sidebar_width,
            panel_width=self.chat_area.preferred_width,
            is_panel_open=self.chat_area.is_requested,
            open_groups=tuple(sorted(self.open_groups)),
            last_conversation=self.conversations.conversation_id,
            new_draft=self.conversations.draft_id,
            chat_order=self.sidebar.model.sort_order,
            library=self.library.view_state if "library" in vars(self) else self.library_view_state,
            recent_targets=self.command_palette.recent,
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        self.chat.flush_drafts()
        if self.hides_on_close():
            event.ignore()
            self.hide()
            return
        self.download_indicator.close()
        if self.read_aloud is not None:
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
            case SettingsChanged():
                self._notify_current_page(event)
            case CheckProgressed() | CheckEnded() | MoveProgressed() | MoveEnded():
                self.library.controller.handle(event)
            case UpdateProgressed():
                if self.page is Page.SETTINGS:
                    self.settings.about.handle(event)
            case UpdateFound(release=release):
                self.notices.show_update(release)
            case ToolServersChanged():
                if self.page is Page.TOOLS:
                    self.tools.controller.refresh()
            case ToolCallProgressed():
                self.tools.controller.show_progress(event)
            case CollectionsChanged() | CollectionProgressed():
                if self.page is Page.DOCUMENTS:
                    self.documents.controller.handle(event)
            case RuntimeProgressed() | RuntimesChanged():
                self.hardware.runtimes.handle(event)
            case StorageFailed(error=error):
                self.notices.show_storage_failure(error)
            case ProblemFound(error=error):
                self.notices.show_warning(error)
            case StorageRecovered():
                self.notices.show_storage_recovery()
            case _:
                pass

    def _notify_current_page(self, event: SettingsChanged) -> None:
        """Notify the current page of changed settings; other pages read them when they are shown."""
        match self.page:
            case Page.DISCOVER:
                self.discover_controller.on_settings_changed(event.keys)
            case Page.HARDWARE:
                self.hardware.runtimes.handle(event)
            case Page.SETTINGS:
                self.settings.refresh()
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
