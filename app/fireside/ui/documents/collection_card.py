"""One collection in the list of all: its name, indexing state and actions."""

from __future__ import annotations

from PySide6.QtCore import Qt

from fireside.core.collection import Collection
from fireside.core.i18n import tr
from fireside.ui.documents.documents_controller import DocumentsController
from fireside.ui.documents.menu import collection_menu
from fireside.ui.documents.state_box import StateBox
from fireside.ui.kit.click_card import ClickCard
from fireside.ui.kit.layout import make_card, row, stretch
from fireside.ui.widgets.buttons import Button, IconButton


class CollectionCard(ClickCard):
    """A click on the card, or on its name, opens the collection; the owner connects ``open``."""

    def __init__(self, collection: Collection, *, controller: DocumentsController) -> None:
        super().__init__()
        self.collection = collection
        self._controller = controller
        self.open = Button("", kind="heading", icon="file-text")
        self.more = IconButton("ellipsis", name="", on_click=self._on_more)
        self.state = StateBox()
        self.state.pause_button.clicked.connect(
            lambda: controller.pause(collection.id, is_paused=not self.state.is_paused)
        )
        self.state.problems.clicked.connect(self.open.click)
        self.clicked.connect(self.open.click)
        for part in (self.more, self.state.pause_button, self.state.problems):
            part.setCursor(Qt.CursorShape.ArrowCursor)  # a click here does not open the collection
        make_card(self, row(self.open, stretch(), self.more), self.state)
        self.show_collection(collection)

    def show_collection(self, collection: Collection) -> None:
        """Show the current name of the collection."""
        self.collection = collection
        self.open.set_label(collection.name)
        self.more.set_name(tr("Actions for {name}").format(name=collection.name))
        self.setAccessibleName(collection.name)

    def _on_more(self) -> None:
        menu = collection_menu(self.collection, controller=self._controller, parent=self)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))
