"""Implements ``Router``: forwards requests between the features of a window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from PySide6.QtCore import Qt, QTimer

from fireside.core.errors import NextStep
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.status import Broken, Unloaded
from fireside.settings.values import Group
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope
from fireside.ui.shell.window_parts import WindowParts
from fireside.ui.window_context import UPDATE_ROW


class WindowRouter:
    """The ``Router`` of one window, see ``ui/window_context.py``. GUI thread only."""

    def connect(self, parts: WindowParts) -> None:
        """Route between these parts. Must be called before any other method."""
        self._parts = parts
        self._connect_chat()
        parts.conversations.subject_changed.connect(self._on_subject_changed)
        parts.navigation.page_shown.connect(self._on_page_shown)

    # Pages

    def show_page(self, page: Page) -> None:
        """Show a page."""
        self._parts.navigation.show(page)

    def toggle_page(self, page: Page) -> None:
        """Show a page, or the chat if the page is current already."""
        self._parts.navigation.toggle(page)

    def show_setting(self, key: str) -> None:
        """Show one setting in the scope of all chats, or a row that ``window_context`` names."""
        self._show_settings(Scope.EVERYWHERE)
        self._parts.settings.show_setting(key)

    def show_settings_section(self, group: Group) -> None:
        """Show a section of the settings in the scope of all chats."""
        self._show_settings(Scope.EVERYWHERE)
        self._parts.settings.show_section(group)

    def toggle_chat_settings(self) -> None:
        """Open or close the side panel with the settings of the open chat."""
        area, is_chat = self._parts.chat_area, self._parts.navigation.page is Page.CHAT
        self.show_page(Page.CHAT)
        if area.is_open and is_chat:
            area.close_panel()
        else:
            area.open().focus_first_field()

    def show_chat_setting(self, key: str) -> None:
        """Show one setting of the open chat in the side panel."""
        self.show_page(Page.CHAT)
        self._parts.chat_area.open().show_setting(key)

    def show_model_settings(self, model_id: str) -> None:
        """Show the settings of one model, whichever is selected."""
        if (subject := self._parts.settings.subject_of(model_id)) is not None:
            self.show_page(Page.SETTINGS)
            self._parts.settings.set_subject(subject)
            self._parts.settings.show_scope(Scope.MODEL)

    def show_disk_use(self) -> None:
        """Show the disk use of the library."""
        self.show_page(Page.MODELS)
        self._parts.library.show_disk_use()

    # Models

    def choose_model(self, model_id: str) -> None:
        """Select a model, and load it."""
        selected = ModelId(model_id)
        self._parts.conversations.choose_model(selected)
        # Loading while the user writes makes the first answer come sooner.
        if isinstance(self._parts.models.state(selected), Unloaded | Broken):
            self.load_model(selected)
        self._parts.chat.focus_composer()

    def use_model(self, model_id: str) -> None:
        """Show the chat and select this model."""
        self.show_page(Page.CHAT)
        self.choose_model(model_id)

    def load_model(self, model_id: str) -> None:
        """Load or reload a model with the settings of the open conversation."""
        self._parts.model_controller.load(model_id)

    def unload_model(self, model_id: str) -> None:
        """Unload a model, or cancel its load."""
        self._parts.model_controller.unload(model_id)

    def show_load_details(self, model_id: str) -> None:
        """Open the load settings of a model."""
        self._parts.model_controller.show_details(model_id)

    def add_files(self, paths: Sequence[str]) -> None:
        """Add files and folders to the library, and show it."""
        self.show_page(Page.MODELS)
        self._parts.library.controller.add(paths)

    # Chats

    def new_chat(self) -> None:
        """Show the new chat."""
        self._parts.conversations.new_chat()

    def open_chat(self, conversation_id: ConversationId) -> None:
        """Open a conversation."""
        self._parts.conversations.open(conversation_id)

    def open_message(
        self, conversation_id: ConversationId, message_id: MessageId | None, *, highlight: str
    ) -> None:
        """Bring a conversation to the front at one of its messages, with ``highlight`` marked there."""
        self._parts.conversations.open_at(conversation_id, message_id, highlight)

    def open_window(self, conversation_id: ConversationId | None) -> None:
        """Open another window with a conversation, or with a new chat for ``None``."""
        self._parts.window_requested.emit(conversation_id)

    def export_chats(self, ids: tuple[ConversationId, ...]) -> None:
        """Open the export dialog for these conversations; an empty tuple stands for all."""
        model = self._parts.sidebar.model
        summary = model.summary(ids[0]) if len(ids) == 1 else None
        title = summary.title if summary is not None else ""
        self._parts.transfers.show_export(ids, title=title, n_all=model.n_conversations)

    def show_backups(self) -> None:
        """Open the list of backups, one of which can be restored."""
        self._parts.transfers.show_backups()

    def quit(self) -> None:
        """Quit the program."""
        self._parts.quit_requested.emit()

    # Internals

    def _connect_chat(self) -> None:
        chat, conversations = self._parts.chat, self._parts.conversations
        conversations.chat_shown.connect(self._page_opener(Page.CHAT))
        conversations.chat_shown.connect(self._parts.chat_area.close_reader)
        chat.step_requested.connect(self._on_step)
        chat.branch_controller.set_models(lambda: self._parts.models.usable)
        chat.branch_controller.chat_requested.connect(self.open_chat)
        self._parts.presets.settings.changed.connect(self._on_chat_settings)
        chat.branch_controller.note_requested.connect(self._on_note_requested)
        chat.context_controller.notice.offer_larger(self._parts.header.show_details)

    def _on_chat_settings(self) -> None:
        """Disable remote models where the open chat is set to stay on this computer."""
        stays_local = bool(self._parts.presets.settings.value("chat.stays_local"))
        self._parts.header.popup.local_only = stays_local
        self._parts.chat.set_stays_local(stays_local)

    def _page_opener(self, page: Page) -> Callable[[], None]:
        return lambda: self.show_page(page)

    def _show_settings(self, scope: Scope) -> None:
        self.show_page(Page.SETTINGS)
        self._parts.settings.show_scope(scope)

    def _on_page_shown(self) -> None:
        parts = self._parts
        if parts.navigation.page is Page.SETTINGS:
            parts.settings.set_subject(parts.conversations.subject)
            parts.settings.show_scope(Scope.EVERYWHERE)
            parts.settings.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        self._name_window()
        # After the page has been laid out.
        QTimer.singleShot(0, parts.toast, parts.toast.reposition)

    def _on_subject_changed(self) -> None:
        parts, subject = self._parts, self._parts.conversations.subject
        if parts.chat_area.panel is not None:
            parts.chat_area.panel.apply_pending_edit()
        parts.presets.settings.refresh()
        parts.header.set_model(subject.model_id)
        self._name_window()
        if parts.navigation.page is Page.SETTINGS:
            parts.settings.set_subject(subject)

    def _name_window(self) -> None:
        """Name the window after its page, or after the open chat; Qt appends the program's name."""
        parts = self._parts
        parts.setWindowTitle(parts.navigation.title or parts.conversations.subject.title or "Fireside")

    def _on_note_requested(self, text: str, action: str, on_action: Callable[[], None] | None) -> None:
        self._parts.toast.show_message(text, action=action, on_action=on_action)

    def _on_step(self, step: NextStep) -> None:
        match step:
            case NextStep.CHOOSE_MODEL:
                self._parts.header.open_picker()
            case NextStep.OPEN_MODEL_SETTINGS:
                self._show_settings(Scope.MODEL)
            case NextStep.OPEN_SETTINGS:
                self.show_page(Page.SETTINGS)
            case NextStep.NEW_CHAT:
                self.new_chat()
            case NextStep.CHOOSE_DATA_FOLDER:
                self._parts.notices.choose_data_folder()
            case NextStep.UPDATE:
                self.show_setting(UPDATE_ROW)
            case NextStep.RESTORE_BACKUP:
                self.show_backups()
            case NextStep.RETRY | NextStep.NONE:
                pass
            case _:
                assert_never(step)
