"""The actions for several selected chats."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Slot
from PySide6.QtWidgets import QFrame, QMenu

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.ui.kit.layout import row, stretch
from fireside.ui.sidebar.folder_controller import FolderController
from fireside.ui.sidebar.menus import Menus
from fireside.ui.sidebar.model import ConversationModel, chat_count
from fireside.ui.theme import SPACE_M, SPACE_XS
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.text import ElidedLabel
from fireside.ui.window_context import WindowContext


class SelectionBar(QFrame):
    """Visible only while several chats are selected."""

    def __init__(
        self, context: WindowContext, *, model: ConversationModel, folders: FolderController
    ) -> None:
        super().__init__()
        self.setObjectName("selectionBar")
        self.setAccessibleName(tr("Selected chats"))
        self._model = model
        self._folders = folders
        self._menus = Menus(context, folders=folders, owner=self)
        self._ids: tuple[ConversationId, ...] = ()
        self._are_archived = False
        self.count = ElidedLabel(role="strong")
        self.move_button = IconButton("folder-input", name=tr("Move to folder"))
        self.move_button.clicked.connect(self.open_move_menu)
        self.archive_button = IconButton("archive", name=tr("Archive", "verb"))
        self.archive_button.clicked.connect(self._on_archive)
        self.delete_button = IconButton("trash-2", name=tr("Delete"))
        self.delete_button.clicked.connect(lambda: folders.delete(self._ids))
        self.cancel_button = IconButton("x", name=tr("Clear selection"), size=16)
        row(
            stretch(self.count),
            self.move_button,
            self.archive_button,
            self.delete_button,
            self.cancel_button,
            spacing=SPACE_XS,
            margins=(SPACE_M, SPACE_XS, SPACE_XS, SPACE_XS),
            on=self,
        )
        self.hide()

    def show_selection(self, ids: tuple[ConversationId, ...]) -> None:
        """Show the actions for ``ids``; hide where there are none."""
        self._ids = ids
        summaries = [s for s in map(self._model.summary, ids) if s is not None]
        self._are_archived = bool(summaries) and all(summary.archived for summary in summaries)
        self.archive_button.set_icon("archive-restore" if self._are_archived else "archive")
        self.archive_button.set_name(tr("Unarchive") if self._are_archived else tr("Archive", "verb"))
        self.count.set_full_text(chat_count(len(ids)))
        self.setVisible(bool(ids))

    @Slot()
    def open_move_menu(self) -> QMenu:
        """Open the menu of folders to move the selected chats to."""
        menu = self._menus.move_menu(self._ids, folders=self._model.folders, current_folder=None, parent=self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.move_button.mapToGlobal(QPoint(0, self.move_button.height())))
        return menu

    @Slot()
    def _on_archive(self) -> None:
        change = self._folders.unarchive if self._are_archived else self._folders.archive
        change(self._ids)
