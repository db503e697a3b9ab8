"""Do what a key or a menu asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication

from fireside.core.i18n import tr
from fireside.ui.chat.actions import MessageAction
from fireside.ui.commands import Command
from fireside.ui.page import Page
from fireside.ui.sheets.about_sheet import AboutSheet, AboutText
from fireside.ui.shortcuts import ShortcutsSheet
from fireside.ui.window_parts import WindowParts
from fireside.ui.window_router import WindowRouter


class CommandController(QObject):
    """Sends each command to the part that does it. GUI thread only."""

    def __init__(self, parts: WindowParts, *, router: WindowRouter, about: Callable[[], AboutText]) -> None:
        super().__init__(parts)
        self._parts = parts
        self._router = router
        self._about = about
        self._theme = parts.context.theme
        parts.commands.wanted.connect(self.do)
        parts.conversations.deleted_changed.connect(self._name_undo)

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
                self._parts.navigation.show(Page.CHAT)
                self._parts.chat.transcript.edit_last()
            case Command.ANSWER_AGAIN | Command.CONTINUE_ANSWER:
                self._parts.navigation.show(Page.CHAT)
                self._parts.chat.steering.act_on_last(
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
                self._parts.navigation.show(Page.CHAT)  # and ``ui.compare`` does the rest
            case Command.BRANCHES:
                self._parts.navigation.show(Page.CHAT)
                self._parts.chat.steering.show_tree()
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
                self._parts.command_palette.open()
            case Command.LARGER_TEXT:
                self._parts.appearance.change_text_size(1)
            case Command.SMALLER_TEXT:
                self._parts.appearance.change_text_size(-1)
            case Command.USUAL_TEXT:
                self._parts.appearance.reset_text_size()
            case Command.FULL_SCREEN:
                self._parts.setWindowState(self._parts.windowState() ^ Qt.WindowState.WindowFullScreen)
            case Command.SHORTCUTS:
                ShortcutsSheet(self._parts.shortcuts, theme=self._theme, parent=self._parts).open()
            case Command.ABOUT:
                AboutSheet(self._about(), theme=self._theme, parent=self._parts).open()
            case Command.NEW_WINDOW:
                self._router.open_window(None)
            case Command.CHAT_WINDOW:
                self._router.open_window(self._parts.conversations.conversation_id)
            case Command.QUICK_QUESTION:
                self._parts.ask_wanted.emit()
            case Command.CLOSE_WINDOW:
                self._parts.close()
            case Command.QUIT:
                self._router.quit()
            case _:
                assert_never(command)

    def _do_with_chats(self, command: Command) -> None:
        open_id = self._parts.conversations.conversation_id
        match command:
            case Command.NEW_CHAT:
                self._parts.conversations.new_chat()
            case Command.NEXT_CHAT:
                self._parts.conversations.step(1)
            case Command.PREVIOUS_CHAT:
                self._parts.conversations.step(-1)
            case Command.RENAME_CHAT if open_id is not None:
                self._parts.navigation.show_sidebar()
                self._parts.sidebar.filter.clear()
                self._parts.sidebar.list.rename(open_id)
            case Command.PIN_CHAT if open_id is not None:
                self._parts.sidebar.folders.toggle_pin(open_id)
            case Command.ARCHIVE_CHAT if open_id is not None:
                self._parts.sidebar.folders.toggle_archived(open_id)
            case Command.NEW_FOLDER:
                self._parts.navigation.show_sidebar()
                self._parts.sidebar.folders.create_folder()
            case Command.DELETE_CHAT if open_id is not None:
                self._router.delete_chats((open_id,))
            case Command.UNDO_DELETE:
                self._parts.conversations.undo()
            case Command.COPY_ANSWER:
                self._copy_answer()
            case Command.COPY_PLAIN:
                if self._parts.chat.transcript.copy_plain():
                    self._parts.toast.show_note(tr("Copied as plain text."))
            case _:
                pass

    def _do_with_presets(self, command: Command) -> None:
        self._parts.navigation.show(Page.CHAT)
        ways: dict[Command, Callable[[], None]] = {
            Command.PRESETS: self._parts.presets.show_library,
            Command.SAVE_PRESET: self._parts.presets.save_chat,
            Command.LEAVE_PRESET: self._parts.presets.settings.leave,
            Command.SYSTEM_PROMPT: self._parts.presets.show_system_prompt,
            Command.ANSWER_FORMAT: self._parts.presets.show_rule,
            Command.KEEP_SEED: self._parts.presets.keep_last_seed,
            Command.RANDOM_SEED: self._parts.presets.free_seed,
        }
        ways[command]()

    def _transfer(self, command: Command) -> None:
        match command:
            case Command.EXPORT_CHAT:
                open_id = self._parts.conversations.conversation_id
                self._router.export_chats(() if open_id is None else (open_id,))
            case Command.EXPORT_ALL:
                self._router.export_chats(())
            case Command.IMPORT_CHATS:
                self._parts.transfers.show_import()
            case Command.BACKUPS:
                self._parts.transfers.show_backups()
            case _:
                pass

    def _go(self, command: Command) -> None:
        match command:
            case Command.FIND_CHAT:
                self._parts.navigation.show_sidebar()
                self._parts.sidebar.focus_search()
            case Command.FIND_HERE:
                self._parts.navigation.show(Page.CHAT)
                self._parts.chat.transcript.open_find()
            case Command.WRITE:
                self._parts.navigation.show(Page.CHAT)
                self._parts.chat.focus_composer()
            case Command.CHOOSE_MODEL:
                self._parts.navigation.show(Page.CHAT)
                self._parts.header.open_picker()
            case Command.HOW_IT_LOADS:
                self._parts.header.show_details()
            case Command.CHAT_SETTINGS:
                self._router.show_chat_settings()
            case Command.SIDEBAR:
                self._parts.navigation.toggle_sidebar()
            case Command.DISCOVER:
                self._parts.navigation.toggle(Page.DISCOVER)
            case Command.MODELS:
                self._parts.navigation.toggle(Page.MODELS)
            case Command.DOWNLOADS:
                self._parts.navigation.toggle(Page.DOWNLOADS)
            case Command.HARDWARE:
                self._parts.navigation.toggle(Page.HARDWARE)
            case Command.SETTINGS:
                self._parts.navigation.toggle(Page.SETTINGS)
            case _:
                pass

    @Slot(str)
    def _name_undo(self, named: str) -> None:
        """Say what Ctrl+Z brings back."""
        words = tr("Bring back {chats}").format(chats=named) if named else ""
        self._parts.commands.set_words(Command.UNDO_DELETE, words)

    def _copy_answer(self) -> None:
        text = self._parts.conversations.last_answer()
        if text:
            QGuiApplication.clipboard().setText(text)
            self._parts.toast.show_note(tr("The last answer is copied."))
