"""The menu of all actions for one collection."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from fireside.core.collection import Collection
from fireside.core.i18n import tr
from fireside.ui.documents.documents_controller import DocumentsController
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu


def collection_menu(collection: Collection, *, controller: DocumentsController, parent: QWidget) -> QMenu:
    """Return the menu of a collection; it is deleted when it closes."""
    menu = Menu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setAccessibleName(tr("Actions"))
    for label, icon, act in (
        (tr("Add folder…"), "folder-plus", lambda: controller.choose_folder(collection.id)),
        (tr("Add files…"), "file-plus", lambda: controller.choose_files(collection.id)),
        (tr("Check for changes"), "refresh-cw", lambda: controller.rescan(collection.id)),
        (tr("Rename…"), "pencil", lambda: controller.prompt_rename(collection)),
        (tr("Remove…"), "trash-2", lambda: controller.prompt_removal(collection)),
    ):
        action = QAction(theme().icon(icon, "mute", 16), label, menu)
        # Deferred until the menu has closed, otherwise it takes the focus from what the action opens.
        action.triggered.connect(lambda _checked=False, act=act: QTimer.singleShot(0, parent, act))
        menu.addAction(action)
    return menu
