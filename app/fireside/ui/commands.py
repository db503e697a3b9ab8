"""The window's commands, declared once: labels, menus, keys and icons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.page import PAGES, Page
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu


class Command(StrEnum):
    """What the user can have the window do, besides to show a page."""

    PALETTE = "palette"
    NEW_CHAT = "new_chat"
    TEMPORARY_CHAT = "temporary_chat"
    KEEP_CHAT = "keep_chat"
    FIND_CHAT = "find_chat"
    NEXT_CHAT = "next_chat"
    PREVIOUS_CHAT = "previous_chat"
    RENAME_CHAT = "rename_chat"
    PIN_CHAT = "pin_chat"
    ARCHIVE_CHAT = "archive_chat"
    DELETE_CHAT = "delete_chat"
    UNDO_DELETE = "undo_delete"
    EXPORT_CHAT = "export_chat"
    EXPORT_ALL = "export_all"
    IMPORT_CHATS = "import_chats"
    BACKUPS = "backups"
    NEW_FOLDER = "new_folder"
    FIND_HERE = "find_here"
    WRITE = "write"
    DICTATE = "dictate"
    TALK = "talk"
    READ_ALOUD = "read_aloud"
    COPY_ANSWER = "copy_answer"
    COPY_PLAIN = "copy_plain"
    EDIT_LAST = "edit_last"
    DELETE_LAST = "delete_last"
    BRANCHES = "branches"
    COMPARE = "compare"
    ARTIFACTS = "artifacts"
    ANSWER_AGAIN = "answer_again"
    CONTINUE_ANSWER = "continue_answer"
    PRESETS = "presets"
    SAVE_PRESET = "save_preset"
    LEAVE_PRESET = "leave_preset"
    SYSTEM_PROMPT = "system_prompt"
    ANSWER_FORMAT = "answer_format"
    KEEP_SEED = "keep_seed"
    RANDOM_SEED = "random_seed"
    CHOOSE_MODEL = "choose_model"
    HOW_IT_LOADS = "how_it_loads"
    CHAT_SETTINGS = "chat_settings"
    SIDEBAR = "sidebar"
    NEXT_AREA = "next_area"
    PREVIOUS_AREA = "previous_area"
    LARGER_TEXT = "larger_text"
    SMALLER_TEXT = "smaller_text"
    USUAL_TEXT = "usual_text"
    FULL_SCREEN = "full_screen"
    SHORTCUTS = "shortcuts"
    ABOUT = "about"
    NEW_WINDOW = "new_window"
    CHAT_WINDOW = "chat_window"
    CLOSE_WINDOW = "close_window"
    QUICK_QUESTION = "quick_question"
    LOCK = "lock"
    QUIT = "quit"


CommandId = Command | Page
"""A page is the command that shows it."""


class CommandSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Label, icon, keys and menu of a command. Only the first key is displayed."""

    command: CommandId
    label: str
    menu: str
    keys: tuple[str, ...] = ()
    icon: str = ""


CHAT: Final = tr_noop("Chat")
VIEW: Final = tr_noop("View")
HELP: Final = tr_noop("Help")


def _spec(command: CommandId, label: str, menu: str, *keys: str, icon: str = "") -> CommandSpec:
    return CommandSpec(command=command, label=label, menu=menu, keys=keys, icon=icon)


COMMANDS: Final = (
    _spec(Command.NEW_CHAT, tr_noop("New chat"), CHAT, "Ctrl+N", icon="square-pen"),
    _spec(
        Command.TEMPORARY_CHAT, tr_noop("Temporary chat"), CHAT, "Ctrl+Alt+N", icon="message-circle-dashed"
    ),
    _spec(Command.KEEP_CHAT, tr_noop("Keep this chat"), CHAT, icon="check"),
    _spec(Command.FIND_CHAT, tr_noop("Search chats"), CHAT, "Ctrl+Shift+F", icon="search"),
    _spec(Command.FIND_HERE, tr_noop("Find in chat"), CHAT, "Ctrl+F", icon="text-search"),
    _spec(Command.PREVIOUS_CHAT, tr_noop("Previous chat"), CHAT, "Ctrl+PgUp", "Alt+Up", icon="arrow-up"),
    _spec(Command.NEXT_CHAT, tr_noop("Next chat"), CHAT, "Ctrl+PgDown", "Alt+Down", icon="arrow-down"),
    _spec(Command.WRITE, tr_noop("Focus message field"), CHAT, "Ctrl+L", icon="text-cursor"),
    _spec(Command.DICTATE, tr_noop("Dictate"), CHAT, "Ctrl+Shift+S", icon="mic"),
    _spec(Command.TALK, tr_noop("Talk"), CHAT, "Ctrl+Alt+S", icon="audio-lines"),
    _spec(Command.READ_ALOUD, tr_noop("Read last answer aloud"), CHAT, "Ctrl+Shift+U", icon="volume-2"),
    _spec(Command.COPY_ANSWER, tr_noop("Copy last answer"), CHAT, "Ctrl+Shift+C", icon="copy"),
    _spec(Command.COPY_PLAIN, tr_noop("Copy as plain text"), CHAT, "Ctrl+Alt+C", icon="copy"),
    _spec(Command.EDIT_LAST, tr_noop("Edit last message"), CHAT, "Ctrl+E", icon="pencil"),
    _spec(Command.DELETE_LAST, tr_noop("Delete last message"), CHAT, icon="trash-2"),
    _spec(Command.BRANCHES, tr_noop("Show all branches"), CHAT, "Ctrl+Shift+B", icon="git-branch"),
    _spec(Command.ANSWER_AGAIN, tr_noop("Regenerate"), CHAT, "Ctrl+R", icon="refresh-cw"),
    _spec(Command.CONTINUE_ANSWER, tr_noop("Continue last answer"), CHAT, "Ctrl+Shift+Return", icon="play"),
    _spec(Command.PRESETS, tr_noop("Presets…"), CHAT, "Ctrl+Shift+L", icon="bookmark"),
    _spec(Command.SAVE_PRESET, tr_noop("Save settings as preset"), CHAT, icon="bookmark"),
    _spec(Command.LEAVE_PRESET, tr_noop("Remove preset"), CHAT, icon="x"),
    _spec(Command.SYSTEM_PROMPT, tr_noop("System prompt…"), CHAT, "Ctrl+Shift+Y", icon="scroll-text"),
    _spec(Command.ANSWER_FORMAT, tr_noop("Response format…"), CHAT, "Ctrl+Shift+J", icon="braces"),
    _spec(Command.KEEP_SEED, tr_noop("Reuse last seed"), CHAT, icon="dices"),
    _spec(Command.RANDOM_SEED, tr_noop("Use random seed"), CHAT, icon="dices"),
    _spec(Command.COMPARE, tr_noop("Compare answers…"), CHAT, "Ctrl+Shift+K", icon="columns-2"),
    _spec(Command.ARTIFACTS, tr_noop("Artifacts"), CHAT, "Ctrl+Shift+X", icon="boxes"),
    _spec(Command.RENAME_CHAT, tr_noop("Rename chat"), CHAT, "F2", icon="pencil"),
    _spec(Command.PIN_CHAT, tr_noop("Pin or unpin chat"), CHAT, "Ctrl+Shift+P", icon="pin"),
    _spec(Command.ARCHIVE_CHAT, tr_noop("Archive or unarchive chat"), CHAT, "Ctrl+Shift+A", icon="archive"),
    _spec(Command.DELETE_CHAT, tr_noop("Delete chat"), CHAT, "Ctrl+Shift+Backspace", icon="trash-2"),
    _spec(Command.UNDO_DELETE, tr_noop("Undo delete"), CHAT, "Ctrl+Z", icon="undo-2"),
    _spec(Command.NEW_FOLDER, tr_noop("New folder"), CHAT, "Ctrl+Alt+F", icon="folder-plus"),
    _spec(Command.EXPORT_CHAT, tr_noop("Export chat…"), CHAT, "Ctrl+Shift+E", icon="export"),
    _spec(Command.EXPORT_ALL, tr_noop("Export all chats…"), CHAT),
    _spec(Command.IMPORT_CHATS, tr_noop("Import chats…"), CHAT, "Ctrl+Shift+I", icon="import"),
    _spec(Command.BACKUPS, tr_noop("Backups…"), CHAT, icon="history"),
    _spec(Command.PALETTE, tr_noop("Command palette"), VIEW, "Ctrl+K", icon="command"),
    _spec(Command.CHOOSE_MODEL, tr_noop("Choose model"), VIEW, "Ctrl+J", icon="box"),
    _spec(Command.HOW_IT_LOADS, tr_noop("Load settings…"), VIEW, icon="zap"),
    _spec(Command.CHAT_SETTINGS, tr_noop("Chat settings"), VIEW, "Ctrl+I", icon="sliders-horizontal"),
    *(_spec(each.page, each.title, VIEW, each.key, icon=each.icon) for each in PAGES.values()),
    _spec(Command.SIDEBAR, tr_noop("Toggle sidebar"), VIEW, "Ctrl+B", icon="panel-left"),
    _spec(Command.NEXT_AREA, tr_noop("Next area"), VIEW, "F6"),
    _spec(Command.PREVIOUS_AREA, tr_noop("Previous area"), VIEW, "Shift+F6"),
    _spec(Command.LARGER_TEXT, tr_noop("Larger text"), VIEW, "Ctrl++", "Ctrl+="),
    _spec(Command.SMALLER_TEXT, tr_noop("Smaller text"), VIEW, "Ctrl+-"),
    _spec(Command.USUAL_TEXT, tr_noop("Reset text size"), VIEW, "Ctrl+0"),
    _spec(Command.FULL_SCREEN, tr_noop("Full screen"), VIEW, "F11"),
    _spec(Command.NEW_WINDOW, tr_noop("New window"), VIEW, "Ctrl+Shift+N", icon="app-window"),
    _spec(Command.CHAT_WINDOW, tr_noop("Open chat in new window"), VIEW, icon="app-window"),
    _spec(Command.CLOSE_WINDOW, tr_noop("Close window"), VIEW, "Ctrl+W"),
    _spec(
        Command.QUICK_QUESTION, tr_noop("Quick question…"), VIEW, "Ctrl+Shift+Space", icon="message-square"
    ),
    _spec(Command.LOCK, tr_noop("Lock"), VIEW, "Ctrl+Alt+L", icon="lock"),
    _spec(Command.SHORTCUTS, tr_noop("Keyboard shortcuts"), HELP, "Ctrl+/", "F1", icon="keyboard"),
    _spec(Command.ABOUT, tr_noop("About Fireside"), HELP, icon="info"),
    _spec(Command.QUIT, tr_noop("Quit"), HELP, "Ctrl+Q", icon="power"),
)
CommandGroups = tuple[tuple[CommandId, ...], ...]
PRIMARY_GROUPS: Final[CommandGroups] = (
    (Command.RENAME_CHAT, Command.PIN_CHAT, Command.ARCHIVE_CHAT, Command.CHAT_WINDOW),
    (Command.FIND_HERE, Command.BRANCHES, Command.COMPARE, Command.ARTIFACTS),
    (Command.EXPORT_CHAT, Command.DELETE_CHAT),
)
"""The most frequent commands for the open chat."""
COMPACT_MENUS: Final[Mapping[str, CommandGroups]] = {
    tr_noop("Window"): (
        (Command.NEW_WINDOW, Command.QUICK_QUESTION),
        (Command.SIDEBAR, Command.FULL_SCREEN),
        (Command.LARGER_TEXT, Command.SMALLER_TEXT, Command.USUAL_TEXT),
        (Command.LOCK, Command.CLOSE_WINDOW, Command.QUIT),
    ),
    HELP: ((Command.PALETTE, Command.SHORTCUTS), (Command.ABOUT,)),
}
"""Menus below them where the system has no menu bar; all other commands are in the palette."""
MENUS: Final[Mapping[str, CommandGroups]] = {
    CHAT: (
        (Command.NEW_CHAT, Command.TEMPORARY_CHAT, Command.KEEP_CHAT),
        (Command.CHOOSE_MODEL,),
        (Command.FIND_CHAT, Command.PREVIOUS_CHAT, Command.NEXT_CHAT),
        (Command.NEW_FOLDER, Command.UNDO_DELETE),
        (Command.EXPORT_ALL, Command.IMPORT_CHATS, Command.BACKUPS),
    ),
    tr_noop("Message"): (
        (Command.WRITE, Command.DICTATE, Command.TALK),
        (Command.EDIT_LAST, Command.ANSWER_AGAIN, Command.CONTINUE_ANSWER),
        (Command.DELETE_LAST,),
        (Command.COPY_ANSWER, Command.COPY_PLAIN, Command.READ_ALOUD),
        (Command.KEEP_SEED, Command.RANDOM_SEED),
    ),
    tr_noop("Settings"): (
        (Command.CHAT_SETTINGS, Command.SYSTEM_PROMPT, Command.ANSWER_FORMAT),
        (Command.PRESETS, Command.SAVE_PRESET, Command.LEAVE_PRESET),
        (Command.HOW_IT_LOADS,),
        tuple(each.page for each in PAGES.values() if each.is_for_settings),
    ),
    VIEW: (
        (Command.PALETTE, *(each.page for each in PAGES.values() if not each.is_for_settings)),
        (Command.SIDEBAR, Command.LARGER_TEXT, Command.SMALLER_TEXT, Command.USUAL_TEXT),
        (Command.NEXT_AREA, Command.PREVIOUS_AREA),
    ),
    HELP: (
        (Command.NEW_WINDOW, Command.QUICK_QUESTION, Command.FULL_SCREEN, Command.CLOSE_WINDOW),
        (Command.SHORTCUTS, Command.ABOUT),
        (Command.LOCK, Command.QUIT),
    ),
}
"""The other commands in the menu bar of macOS, with a dozen entries a menu at most."""
_ROLES: Final[Mapping[CommandId, QAction.MenuRole]] = {
    Command.ABOUT: QAction.MenuRole.AboutRole,
    Page.SETTINGS: QAction.MenuRole.PreferencesRole,
    Command.QUIT: QAction.MenuRole.QuitRole,
}


class Commands(QObject):
    """The commands as actions of the window, so that their keys work on every page."""

    triggered = Signal(object)
    """Carries a ``CommandId``."""

    def __init__(self, *, window: QWidget) -> None:
        super().__init__(window)
        self.actions: dict[CommandId, QAction] = {}
        for spec in COMMANDS:
            action = QAction(tr(spec.label), self)
            action.setShortcuts([QKeySequence(key) for key in spec.keys])
            action.setMenuRole(_ROLES.get(spec.command, QAction.MenuRole.NoRole))
            action.triggered.connect(lambda _checked=False, c=spec.command: self.triggered.emit(c))
            window.addAction(action)
            self.actions[spec.command] = action

    def add_menus(self, add_menu: Callable[[str], QMenu]) -> None:
        """Add all commands to menus that ``add_menu`` makes by name."""
        for name, groups in MENUS.items():
            self.add_to(add_menu(tr(name)), groups)

    def add_compact_menu(self, menu: QMenu) -> None:
        """Put what the open chat is asked for most into one menu, and what concerns the window below it."""
        self.add_to(menu, PRIMARY_GROUPS)
        for name, groups in COMPACT_MENUS.items():
            submenu = Menu(tr(name), menu)
            self.add_to(submenu, groups)
            menu.addMenu(submenu)

    def add_to(self, menu: QMenu, groups: CommandGroups) -> None:
        """Add commands to a menu, with a line after each group."""
        menu.aboutToShow.connect(self._draw_icons)
        for group in groups:
            menu.addActions([self.actions[command] for command in group])
            menu.addSeparator()

    def set_shortcuts(self, command: CommandId, keys: Sequence[str]) -> None:
        """Replace a command's keys; only the first is displayed."""
        self.actions[command].setShortcuts([QKeySequence(key) for key in keys])

    def set_label(self, command: CommandId, label: str) -> None:
        """Change a command's label for now; an empty one restores the declared label."""
        declared = next(tr(spec.label) for spec in COMMANDS if spec.command is command)
        self.actions[command].setText((label or declared).replace("&", "&&"))

    def label(self, command: CommandId) -> str:
        """Return a command's current label."""
        return self.actions[command].text().replace("&&", "&")

    def shortcut_text(self, command: CommandId) -> str:
        """Return the command's first key as this system writes it: ``Ctrl+N``, ``⌘N``; empty for none."""
        return self.actions[command].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def _draw_icons(self) -> None:
        """Draw icons only when a menu opens: the window appears sooner, and the icons match the theme."""
        for spec in COMMANDS:
            if spec.icon:
                self.actions[spec.command].setIcon(theme().icon(spec.icon, "mute", 16))
