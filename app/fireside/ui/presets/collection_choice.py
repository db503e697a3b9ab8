"""Select the collections of documents that chats with a preset are answered from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal

from fireside.core.i18n import tr
from fireside.core.ids import CollectionId
from fireside.ui.collection_offer import CollectionOffer
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.text import escape_mnemonic, one_line


class CollectionChoice(Button):
    """A button with the names of the selected collections, and a menu of all.

    The menu can also make a new collection from files.
    """

    ids_chosen = Signal(object)
    """Carries a tuple of ``CollectionId``: the whole new selection."""

    def __init__(self, *, offer: CollectionOffer) -> None:
        super().__init__("", kind="value")
        self._offer = offer
        self._ids: tuple[CollectionId, ...] = ()
        self.setMenu(Menu(self))
        self.menu().aboutToShow.connect(self._fill)
        self.show_ids(())

    def show_ids(self, ids: Sequence[CollectionId]) -> None:
        """Show the selection; a collection that no longer exists is still counted."""
        self._ids = tuple(ids)
        names = {collection.id: one_line(collection.name) for collection in self._offer.known()}
        names_text = ", ".join(names.get(id_, tr("Removed collection")) for id_ in self._ids) or tr("None")
        self.set_label(names_text)
        self.setText(f"\N{EN SPACE}{self.text()}")  # Qt leaves out the padding of a button with a menu
        self.setAccessibleName(tr("Collections: {names}").format(names=names_text))

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        for collection in self._offer.known():
            action = menu.addAction(escape_mnemonic(one_line(collection.name)))
            action.setCheckable(True)
            action.setChecked(collection.id in self._ids)
            action.triggered.connect(partial(self._toggle, collection.id))
        menu.addSeparator()
        menu.addAction(tr("Add files…")).triggered.connect(self._ask_for_files)

    def _toggle(self, id_: CollectionId, _checked: bool = False) -> None:
        others = tuple(selected for selected in self._ids if selected != id_)
        self.show_ids(others if id_ in self._ids else (*others, id_))
        self.ids_chosen.emit(self._ids)

    def _ask_for_files(self, _checked: bool = False) -> None:
        self._offer.from_files(self.window(), self._add)

    def _add(self, id_: CollectionId) -> None:
        if id_ not in self._ids:
            self._toggle(id_)
