"""The menus of chats and folders: everything that dragging does, and more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QActionGroup, QIcon
from PySide6.QtWidgets import QMenu, QWidget

from fireside.core.chat import Colour, ConversationSummary, Folder
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId
from fireside.ui.commands import Command
from fireside.ui.sidebar.colours import colour_name, dot_icon
from fireside.ui.sidebar.folder_controller import FolderController
from fireside.ui.sidebar.groups import Sort
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.text import escape_mnemonic, truncate_text
from fireside.ui.window_context import WindowContext

Action = Callable[[], object]
_SORTS: Final = (
    (Sort.USED, tr_noop("Last used")),
    (Sort.CREATED, tr_noop("Created")),
    (Sort.NAME, tr_noop("Name")),
)
_MAX_CHARS: Final = 40


class Menus:
    """Creates the menus for the widget that owns them."""

    def __init__(self, context: WindowContext, *, folders: FolderController, owner: QWidget) -> None:
        self._router, self._commands = context.router, context.commands
        self._folders = folders
        self._owner = owner

    def for_chat(self, summary: ConversationSummary, *, folders: Sequence[Folder], rename: Action) -> QMenu:
        """Return the menu of one chat."""
        menu = self._menu()
        ids = (summary.id,)
        self._add(menu, tr("Open"), "message-square", lambda: self._router.open_chat(summary.id))
        self._add(menu, tr("Open in new window"), "app-window", lambda: self._router.open_window(summary.id))
        self._add(menu, tr("Rename"), "pencil", rename)
        self._add_pin(menu, ids, is_pinned=summary.pinned)
        menu.addMenu(self.move_menu(ids, folders=folders, current_folder=summary.folder_id, parent=menu))
        menu.addMenu(self._colours(menu, lambda c: self._folders.colour(ids, c), selected={summary.colour}))
        menu.addSeparator()
        self._add(menu, tr("Export…"), "export", lambda: self._router.export_chats(ids))
        self._add_archive(menu, ids, is_archived=summary.archived)
        self._add(menu, tr("Delete"), "trash-2", lambda: self._folders.delete(ids))
        return menu

    def for_chats(self, summaries: Sequence[ConversationSummary], *, folders: Sequence[Folder]) -> QMenu:
        """Return the menu of several selected chats."""
        menu = self._menu()
        ids = tuple(summary.id for summary in summaries)
        self._add_pin(menu, ids, is_pinned=all(summary.pinned for summary in summaries))
        menu.addMenu(self.move_menu(ids, folders=folders, current_folder=None, parent=menu))
        colours = {summary.colour for summary in summaries}
        menu.addMenu(
            self._colours(
                menu,
                lambda colour: self._folders.colour(ids, colour),
                selected=colours if len(colours) == 1 else set(),
            )
        )
        menu.addSeparator()
        self._add(
            menu,
            tr("Export %n chat…|Export %n chats…", "", len(ids)),
            "export",
            lambda: self._router.export_chats(ids),
        )
        self._add_archive(menu, ids, is_archived=all(summary.archived for summary in summaries))
        self._add(
            menu,
            tr("Delete %n chat|Delete %n chats", "", len(ids)),
            "trash-2",
            lambda: self._folders.delete(ids),
        )
        return menu

    def for_folder(self, folder: Folder, *, position: int, n_folders: int, rename: Action) -> QMenu:
        """Return the menu of the folder at ``position`` of ``n_folders``."""
        menu = self._menu()
        closed = not folder.is_open
        self._add(
            menu,
            tr("Open") if closed else tr("Close"),
            "chevron-down" if closed else "chevron-right",
            lambda: self._folders.open_folder(folder.id, closed),
        )
        self._add(menu, tr("Project…"), "sliders-horizontal", lambda: self._router.show_project(folder.id))
        self._add(menu, tr("New chat"), "square-pen", lambda: self._router.new_chat_in(folder.id))
        menu.addSeparator()
        self._add(menu, tr("Rename"), "pencil", rename)
        menu.addMenu(
            self._colours(
                menu,
                lambda colour: self._folders.set_folder_colour(folder.id, colour),
                selected={folder.colour},
            )
        )
        menu.addMenu(self._collections(menu, folder))
        menu.addSeparator()
        up = self._add(
            menu, tr("Move up"), "arrow-up", lambda: self._folders.move_folder(folder.id, position - 1)
        )
        up.setEnabled(position > 0)
        down = self._add(
            menu, tr("Move down"), "arrow-down", lambda: self._folders.move_folder(folder.id, position + 1)
        )
        down.setEnabled(position < n_folders - 1)
        menu.addSeparator()
        self._add(menu, tr("New folder"), "folder-plus", lambda: self._folders.create_folder(()))
        label = tr("Delete folder, keep its chats")
        self._add(menu, label, "trash-2", lambda: self._folders.delete_folder(folder.id))
        return menu

    def for_list(self, *, sort: Sort, on_sort: Callable[[Sort], None], on_select_all: Action | None) -> QMenu:
        """Return the menu of the whole list: what is new, where chats come from and go to, their order."""
        menu = self._menu()
        self._commands.add_to(menu, ((Command.NEW_CHAT, Command.TEMPORARY_CHAT, Command.NEW_FOLDER),))
        if on_select_all is not None:
            self._add(menu, tr("Select all chats"), "", on_select_all)
            menu.addSeparator()
        self._commands.add_to(menu, ((Command.IMPORT_CHATS, Command.EXPORT_ALL, Command.BACKUPS),))
        title = menu.addAction(tr("Sort by"))
        title.setEnabled(False)
        group = QActionGroup(menu)
        for value, label in _SORTS:
            action = self._add(menu, tr(label), "", partial(on_sort, value))
            action.setCheckable(True)
            action.setChecked(value is sort)
            group.addAction(action)
        return menu

    def move_menu(
        self,
        ids: tuple[ConversationId, ...],
        *,
        folders: Sequence[Folder],
        current_folder: object,
        parent: QWidget,
    ) -> QMenu:
        """Return the menu of folders to move chats to; they are in ``current_folder`` now."""
        menu = Menu(tr("Move to"), parent)
        menu.setIcon(theme().icon("folder-input", "mute", 16))
        for folder in folders:
            name = escape_mnemonic(folder.name)
            label = truncate_text(name, length=_MAX_CHARS)
            action = self._add(menu, label, "folder", partial(self._folders.move, ids, folder.id))
            action.setEnabled(folder.id != current_folder)
        if folders:
            menu.addSeparator()
        self._add(menu, tr("New folder…"), "folder-plus", lambda: self._folders.create_folder(ids))
        if current_folder is not None or len(ids) > 1:
            self._add(menu, tr("Remove from folder"), "x", lambda: self._folders.move(ids, None))
        return menu

    def _add_pin(self, menu: QMenu, ids: tuple[ConversationId, ...], *, is_pinned: bool) -> None:
        label, icon = (tr("Unpin"), "pin-off") if is_pinned else (tr("Pin"), "pin")
        self._add(menu, label, icon, lambda: self._folders.pin(ids, pinned=not is_pinned))

    def _add_archive(self, menu: QMenu, ids: tuple[ConversationId, ...], *, is_archived: bool) -> None:
        if is_archived:
            self._add(
                menu,
                tr("Unarchive"),
                "archive-restore",
                lambda: self._folders.unarchive(ids),
            )
        else:
            self._add(menu, tr("Archive", "verb"), "archive", lambda: self._folders.archive(ids))

    def _colours(
        self, parent: QMenu, choose: Callable[[Colour | None], None], *, selected: set[Colour | None]
    ) -> QMenu:
        menu = Menu(tr("Colour"), parent)
        menu.setIcon(theme().icon("palette", "mute", 16))
        ring = theme().colour("dim")
        for colour in (None, *Colour):
            label = colour_name(colour)
            # The tick is part of the text: a menu item shows either an icon or a tick.
            label += "  ✓" if colour in selected else ""
            icon = dot_icon(colour, scheme=theme().scheme, ring=ring)
            self._add_action(menu, label, icon, partial(choose, colour))
        return menu

    def _collections(self, parent: QMenu, folder: Folder) -> QMenu:
        menu = Menu(tr("Answer from collections"), parent)
        menu.setIcon(theme().icon("file-text", "mute", 16))
        for collection in self._folders.collections.known():
            others = tuple(id_ for id_ in folder.collections if id_ != collection.id)
            is_on = collection.id in folder.collections
            label = truncate_text(escape_mnemonic(collection.name), length=_MAX_CHARS)
            changed = others if is_on else (*others, collection.id)
            action = self._add(
                menu, label, "", partial(self._folders.set_folder_collections, folder.id, changed)
            )
            action.setCheckable(True)
            action.setChecked(is_on)
        menu.addSeparator()
        self._add(menu, tr("Add files…"), "file-plus", partial(self._folders.attach_files, folder))
        return menu

    def _menu(self) -> QMenu:
        menu = Menu(self._owner)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _add(self, menu: QMenu, label: str, icon: str, act: Action) -> QAction:
        return self._add_action(menu, label, theme().icon(icon, "mute", 16) if icon else QIcon(), act)

    def _add_action(self, menu: QMenu, label: str, icon: QIcon, act: Action) -> QAction:
        action = QAction(icon, label, menu)
        # Deferred until the menu has closed, otherwise it takes the focus from the name editor.
        action.triggered.connect(lambda _checked=False: QTimer.singleShot(0, self._owner, act))
        menu.addAction(action)
        return action
