"""The documents page: the list of all collections, or one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from fireside.core.collection import Collection, CollectionSearchResult, CollectionState
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId
from fireside.ui.documents.collection_card import CollectionCard
from fireside.ui.documents.collection_page import CollectionPage
from fireside.ui.documents.documents_controller import DocumentsController
from fireside.ui.kit.dropped_files import DropArea
from fireside.ui.kit.layout import boxed, column, destroy, row, scrolled, stacked, stretch
from fireside.ui.theme import SPACE_M, SPACE_XL
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.text import ElidedLabel
from fireside.ui.window_context import WindowContext


class DocumentsPage(QWidget):
    """Shows the collections; the controller carries out the actions."""

    def __init__(
        self,
        context: WindowContext,
        *,
        ask: Callable[[CollectionId], object],
        parent: QWidget | None = None,
    ) -> None:
        """``ask`` starts a chat with a collection."""
        super().__init__(parent)
        self.setObjectName("page")
        theme = self._theme = context.theme
        self.controller = DocumentsController(context, page=self, ask=ask, parent=self)
        self._states: dict[CollectionId, CollectionState] = {}
        self._cards: dict[CollectionId, CollectionCard] = {}
        self._wanted: CollectionId | None = None
        """A collection to open as soon as it is in the list."""
        self.notices = BannerArea(theme=theme)
        self.summary = ElidedLabel(tr("Loading…"), role="mute")
        self.new = Button(tr("New collection"), theme=theme, icon="folder-plus", on_click=self._on_new)
        self.empty = EmptyState(
            "file-text",
            title=tr("No collections yet"),
            text=tr(
                "Collect folders and files, search them, and let chats answer from them with citations. "
                "Everything stays on this computer."
            ),
            theme=theme,
        )
        self.empty_new = Button(
            tr("New collection"),
            theme=theme,
            icon="folder-plus",
            kind="primary",
            tint="on_accent",
            on_click=self._on_new,
        )
        self.empty.add_button(self.empty_new)
        self.one = CollectionPage(controller=self.controller, models=context.models, theme=theme)
        self.one.closed.connect(self.show_all)
        self.drop = DropArea(
            self, icon="file-plus", describe=self._drop_words, on_dropped=self._on_dropped, theme=theme
        )
        self._lay_out()

    def focus_first_field(self) -> None:
        """Give the keyboard focus to the first control of the visible part."""
        match self._pages.currentWidget():
            case self.one:
                self.one.focus_first_field()
            case self.empty:
                self.empty_new.setFocus(Qt.FocusReason.OtherFocusReason)
            case _:
                first = next(iter(self._cards.values()), None)
                (self.new if first is None else first.open).setFocus(Qt.FocusReason.OtherFocusReason)

    # Display

    def show_collections(self, collections: Sequence[Collection]) -> None:
        """Show all collections; existing cards are updated instead of replaced."""
        self.notices.remove("problem")
        had_keys = self.isAncestorOf(self.focusWidget() or self)
        ids = {collection.id for collection in collections}
        for gone in [known for known in self._cards if known not in ids]:
            destroy(self._cards.pop(gone))
            self._states.pop(gone, None)
        for place, collection in enumerate(collections):
            made = self._cards.get(collection.id) or self._make_card(collection)
            made.show_collection(collection)
            self._list.insertWidget(place, made)
        self.summary.set_full_text(tr("%n collection|%n collections", "", len(collections)))
        self._show_one(collections)
        if self._pages.currentWidget() is not self.one:
            self._pages.setCurrentWidget(self._all if collections else self.empty)
            if had_keys and not collections:
                self.focus_first_field()

    def show_state(self, collection_id: CollectionId, state: CollectionState) -> None:
        """Show a collection's indexing state."""
        self._states[collection_id] = state
        if collection_id in self._cards:
            self._cards[collection_id].state.show_state(state)
        if self.one.collection is not None and self.one.collection.id == collection_id:
            self.one.show_state(state)

    def show_results(self, result: CollectionSearchResult) -> None:
        """Show the search results of the collection in front."""
        self.one.show_results(result)

    def show_search_problem(self, sentence: str) -> None:
        """Show why the search failed."""
        self.one.found.show_problem(sentence)

    def show_problem(self, sentence: str) -> None:
        """Show that an action of this page failed."""
        if not self._cards:
            self.summary.set_full_text("")
        self.notices.show_banner(
            "problem", sentence, tone=Tone.DANGER, actions=((tr("Reload"), self.controller.refresh),)
        )

    def open_collection(self, collection_id: CollectionId) -> None:
        """Open a collection, as soon as it is in the list."""
        collection = self.controller.collection(collection_id)
        if collection is None:
            self._wanted = collection_id
            return
        self._wanted = None
        self.one.show_collection(collection)
        if collection_id in self._states:
            self.one.show_state(self._states[collection_id])
        self._pages.setCurrentWidget(self.one)
        self.one.focus_first_field()

    @Slot()
    def show_all(self) -> None:
        """Return to the list of all collections, with the focus on the one that was open."""
        self._pages.setCurrentWidget(self._all if self._cards else self.empty)
        was = self.one.collection
        if was is not None and was.id in self._cards:
            self._cards[was.id].open.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_first_field()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.refresh()

    # Private

    def _lay_out(self) -> None:
        self._list = column(stretch(), spacing=SPACE_M)
        self._all = boxed(
            column(
                centred(row(stretch(self.summary), self.new), top=SPACE_XL, bottom=SPACE_M),
                stretch(scrolled(centred(self._list, bottom=SPACE_XL, in_page_scroll=True))),
                spacing=0,
            )
        )
        self._pages = stacked(self._all, self.empty, self.one)
        column(self.notices, stretch(self._pages), spacing=0, on=self)

    def _make_card(self, collection: Collection) -> CollectionCard:
        made = CollectionCard(collection, controller=self.controller, theme=self._theme)
        made.open.clicked.connect(lambda: self.open_collection(collection.id))
        self._cards[collection.id] = made
        return made

    def _show_one(self, collections: Sequence[Collection]) -> None:
        if self._wanted is not None:
            self.open_collection(self._wanted)
        if self.one.collection is None:
            return
        now = next((known for known in collections if known.id == self.one.collection.id), None)
        if now is not None:
            self.one.show_collection(now)
        elif self._pages.currentWidget() is self.one:
            self.show_all()

    def _on_new(self) -> None:
        self.controller.prompt_new_collection()

    def _drop_words(self, paths: list[str]) -> tuple[str, str] | None:  # noqa: ARG002 - all are taken
        about = tr("Files stay where they are.")
        if self._pages.currentWidget() is self.one and self.one.collection is not None:
            return tr("Drop to add to “{name}”").format(name=self.one.collection.name), about
        return tr("Drop to make a collection"), about

    def _on_dropped(self, paths: list[str]) -> None:
        if self._pages.currentWidget() is self.one and self.one.collection is not None:
            self.controller.add(self.one.collection.id, paths)
        else:
            self.controller.prompt_new_collection(paths)
