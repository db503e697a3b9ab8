"""Do what a key or a menu asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.ui.chat.actions import MessageAction
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.commands import Command, Commands
from fireside.ui.conversation_controller import ConversationController
from fireside.ui.ease import Ease
from fireside.ui.folder_controller import FolderController
from fireside.ui.header import Header
from fireside.ui.navigation import Navigation
from fireside.ui.page import Page
from fireside.ui.presets.preset_controller import PresetController
from fireside.ui.settings import SettingsPage
from fireside.ui.settings.scope import Scope
from fireside.ui.sheets.about_sheet import AboutSheet, AboutText
from fireside.ui.shortcuts import ShortcutsSheet
from fireside.ui.sidebar import Sidebar
from fireside.ui.theme import Theme
from fireside.ui.transfer import TransferController
from fireside.ui.widgets.toast import Toast


class CommandController(QObject):
    """Sends each command to the part that does it. GUI thread only."""

    window_wanted = Signal(object)
    """Carries the ``ConversationId`` to show in another window; ``None`` for a new chat."""
    ask_wanted = Signal()
    quit_wanted = Signal()

    def __init__(
        self,
        *,
        commands: Commands,
        navigation: Navigation,
        desk: ConversationController,
        keeping: FolderController,
        sidebar: Sidebar,
        header: Header,
        chat: ChatPane,
        settings: SettingsPage,
        ease: Ease,
        transfers: TransferController,
        presets: PresetController,
        toast: Toast,
        theme: Theme,
        about: Callable[[], AboutText],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._navigation = navigation
        self._desk = desk
        self._keeping = keeping
        self._sidebar = sidebar
        self._header = header
        self._chat = chat
        self._settings = settings
        self._ease = ease
        self._transfers = transfers
        self._presets = presets
        self._toast = toast
        self._theme = theme
        self._about = about
        self._window = window
        self._commands = commands
        commands.wanted.connect(self.do)
        desk.deleted_changed.connect(self._name_undo)
        sidebar.wishes.export.connect(self.export_chats)

    @Slot(object)
    def do(self, command: Command) -> None:
        """Do what ``command`` says."""
        match command:
            case (
                Command.NEW_CHAT
                | Command.NEXT_CHAT
                | Command.PREVIOUS_CHAT
                | Command.RENAME_CHAT
                | Command.PIN_CHAT
                | Command.ARCHIVE_CHAT
                | Command.DELETE_CHAT
                | Command.UNDO_DELETE
                | Command.NEW_FOLDER
                | Command.COPY_ANSWER
                | Command.COPY_PLAIN
            ):
                self._do_with_chats(command)
            case Command.EDIT_LAST:
                self._navigation.show(Page.CHAT)
                self._chat.transcript.editor.begin_last()
            case Command.ANSWER_AGAIN | Command.CONTINUE_ANSWER:
                self._navigation.show(Page.CHAT)
                self._chat.steering.act_on_last(
                    MessageAction.CONTINUE if command is Command.CONTINUE_ANSWER else MessageAction.AGAIN
                )
            case (
                Command.PRESETS
                | Command.SAVE_PRESET
                | Command.LEAVE_PRESET
                | Command.SYSTEM_PROMPT
                | Command.ANSWER_FORMAT
                | Command.KEEP_SEED
                | Command.RANDOM_SEED
            ):
                self._do_with_presets(command)
            case Command.COMPARE:
                self._navigation.show(Page.CHAT)  # and ``ui.compare`` does the rest
            case Command.BRANCHES:
                self._navigation.show(Page.CHAT)
                self._chat.steering.show_tree()
            case (
                Command.FIND_CHAT
                | Command.FIND_HERE
                | Command.WRITE
                | Command.CHOOSE_MODEL
                | Command.HOW_IT_LOADS
                | Command.CHAT_SETTINGS
                | Command.DISCOVER
                | Command.MODELS
                | Command.DOWNLOADS
                | Command.HARDWARE
                | Command.SETTINGS
                | Command.SIDEBAR
            ):
                self._go(command)
            case Command.EXPORT_CHAT | Command.EXPORT_ALL | Command.IMPORT_CHATS | Command.BACKUPS:
                self._transfer(command)
            case Command.PALETTE:
                self._ease.palette.open()
            case Command.LARGER_TEXT:
                self._ease.appearance.change_text_size(1)
            case Command.SMALLER_TEXT:
                self._ease.appearance.change_text_size(-1)
            case Command.USUAL_TEXT:
                self._ease.appearance.reset_text_size()
            case Command.FULL_SCREEN:
                self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)
            case Command.SHORTCUTS:
                ShortcutsSheet(desk=self._ease.shortcuts, theme=self._theme, parent=self._window).open()
            case Command.ABOUT:
                AboutSheet(self._about(), theme=self._theme, parent=self._window).open()
            case Command.NEW_WINDOW:
                self.window_wanted.emit(None)
            case Command.CHAT_WINDOW:
                self.window_wanted.emit(self._desk.conversation_id)
            case Command.QUICK_QUESTION:
                self.ask_wanted.emit()
            case Command.CLOSE_WINDOW:
                self._window.close()
            case Command.QUIT:
                self.quit_wanted.emit()
            case _:
                assert_never(command)

    def export_chat(self) -> None:
        """Ask how to export the chat in front."""
        subject = self._desk.subject
        ids = () if subject.conversation_id is None else (subject.conversation_id,)
        self._transfers.show_export(ids, title=subject.title, n_all=self._sidebar.model.n_conversations)

    @Slot(object)
    def export_chats(self, ids: tuple[ConversationId, ...]) -> None:
        """Ask how to export these chats."""
        model = self._sidebar.model
        summary = model.summary(ids[0]) if len(ids) == 1 else None
        title = summary.title if summary is not None else ""
        self._transfers.show_export(ids, title=title, n_all=model.n_conversations)

    def show_chat_settings(self) -> None:
        """Show the settings of the chat in front, or those of all chats in a new one."""
        self._navigation.show(Page.SETTINGS)
        in_chat = self._desk.conversation_id is not None
        self._settings.show_scope(Scope.CHAT if in_chat else Scope.EVERYWHERE)

    def show_model_settings(self, model_id: str) -> None:
        """Show what is set for one model alone, whichever is in front."""
        if (subject := self._settings.subject_of(model_id)) is not None:
            self._navigation.show(Page.SETTINGS)
            self._settings.set_subject(subject)
            self._settings.show_scope(Scope.MODEL)

    def _do_with_chats(self, command: Command) -> None:
        open_id = self._desk.conversation_id
        match command:
            case Command.NEW_CHAT:
                self._desk.new_chat()
            case Command.NEXT_CHAT:
                self._desk.step(1)
            case Command.PREVIOUS_CHAT:
                self._desk.step(-1)
            case Command.RENAME_CHAT if open_id is not None:
                self._navigation.show_sidebar()
                self._sidebar.filter.clear()
                self._sidebar.list.rename(open_id)
            case Command.PIN_CHAT:
                self._desk.toggle_pin()
            case Command.ARCHIVE_CHAT if open_id is not None:
                self._keeping.toggle_archived(open_id)
            case Command.NEW_FOLDER:
                self._navigation.show_sidebar()
                self._keeping.create_folder()
            case Command.DELETE_CHAT if open_id is not None:
                self._desk.delete(open_id)
            case Command.UNDO_DELETE:
                self._desk.undo()
            case Command.COPY_ANSWER:
                self._copy_answer()
            case Command.COPY_PLAIN:
                if self._chat.transcript.selection.copy_plain():
                    self._toast.show_note(tr("Copied as plain text."))
            case _:
                pass

    def _do_with_presets(self, command: Command) -> None:
        self._navigation.show(Page.CHAT)
        ways: dict[Command, Callable[[], None]] = {
            Command.PRESETS: self._presets.show_library,
            Command.SAVE_PRESET: self._presets.save_chat,
            Command.LEAVE_PRESET: self._presets.settings.leave,
            Command.SYSTEM_PROMPT: self._presets.show_system_prompt,
            Command.ANSWER_FORMAT: self._presets.show_rule,
            Command.KEEP_SEED: self._presets.keep_last_seed,
            Command.RANDOM_SEED: self._presets.free_seed,
        }
        ways[command]()

    def _transfer(self, command: Command) -> None:
        match command:
            case Command.EXPORT_CHAT:
                self.export_chat()
            case Command.EXPORT_ALL:
                self._transfers.show_export((), n_all=self._sidebar.model.n_conversations)
            case Command.IMPORT_CHATS:
                self._transfers.show_import()
            case Command.BACKUPS:
                self._transfers.show_backups()
            case _:
                pass

    def _go(self, command: Command) -> None:
        match command:
            case Command.FIND_CHAT:
                self._navigation.show_sidebar()
                self._sidebar.focus_search()
            case Command.FIND_HERE:
                self._navigation.show(Page.CHAT)
                self._chat.transcript.finder.open()
            case Command.WRITE:
                self._navigation.show(Page.CHAT)
                self._chat.focus_composer()
            case Command.CHOOSE_MODEL:
                self._navigation.show(Page.CHAT)
                self._header.open_picker()
            case Command.HOW_IT_LOADS:
                self._header.show_details()
            case Command.CHAT_SETTINGS:
                self.show_chat_settings()
            case Command.SIDEBAR:
                self._navigation.toggle_sidebar()
            case Command.DISCOVER:
                self._navigation.toggle(Page.DISCOVER)
            case Command.MODELS:
                self._navigation.toggle(Page.MODELS)
            case Command.DOWNLOADS:
                self._navigation.toggle(Page.DOWNLOADS)
            case Command.HARDWARE:
                self._navigation.toggle(Page.HARDWARE)
            case Command.SETTINGS:
                self._navigation.toggle(Page.SETTINGS)
            case _:
                pass

    @Slot(str)
    def _name_undo(self, named: str) -> None:
        """Say what Ctrl+Z brings back."""
        words = tr("Bring back {chats}").format(chats=named) if named else ""
        self._commands.set_words(Command.UNDO_DELETE, words)

    def _copy_answer(self) -> None:
        text = self._desk.last_answer()
        if text:
            QGuiApplication.clipboard().setText(text)
            self._toast.show_note(tr("The last answer is copied."))
