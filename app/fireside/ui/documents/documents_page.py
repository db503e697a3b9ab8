"""The documents page: the list of all collections with their actions, or one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from fireside.core.collection import Collection, CollectionSearchResult, CollectionState, Source
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId
from fireside.ui.documents.collection_page import CollectionPage, StateBox, collection_menu
from fireside.ui.documents.documents_controller import DocumentsController
from fireside.ui.documents.reader import MarkedPassage, Reader
from fireside.ui.kit.click_card import ClickCard
from fireside.ui.kit.dropped_files import DropArea
from fireside.ui.kit.layout import boxed, column, destroy, make_card, row, scrolled, stacked, stretch
from fireside.ui.kit.side_area import SideArea
from fireside.ui.kit.sub_page import take_titles
from fireside.ui.theme import SPACE_M, SPACE_XL
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.text import ElidedLabel
from fireside.ui.window_context import WindowContext


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
        self.controller = DocumentsController(context, page=self, ask=ask, parent=self)
        self._states: dict[CollectionId, CollectionState] = {}
        self._cards: dict[CollectionId, CollectionCard] = {}
        self._pending_id: CollectionId | None = None
        """A collection to open as soon as it is in the list."""
        self.notices = BannerArea()
        self.summary = ElidedLabel(tr("Loading…"), role="mute")
        self.new = Button(tr("New collection"), icon="folder-plus", on_click=self._on_new)
        self.empty = EmptyState(
            "file-text",
            title=tr("No collections yet"),
            text=tr(
                "Collect folders and files, search them, and let chats answer from them with citations. "
                "Everything stays on this computer."
            ),
        )
        self.empty_new = Button(
            tr("New collection"), icon="folder-plus", kind="primary", tint="on_accent", on_click=self._on_new
        )
        self.empty.add_button(self.empty_new)
        self.collection_page = CollectionPage(controller=self.controller, models=context.models)
        self.collection_page.closed.connect(self.show_all)
        self.area = SideArea(make_page=self._make_pages, parent=self)
        self._context = context
        self._reader: Reader | None = None
        self.drop = DropArea(self, icon="file-plus", describe=self._drop_text, on_dropped=self._on_dropped)
        self._arrange()

    def focus_first_field(self) -> None:
        """Give the keyboard focus to the first control of the visible part."""
        match self._pages.currentWidget():
            case self.collection_page:
                self.collection_page.focus_first_field()
            case self.empty:
                self.empty_new.setFocus(Qt.FocusReason.OtherFocusReason)
            case _:
                first = next(iter(self._cards.values()), None)
                (self.new if first is None else first.open).setFocus(Qt.FocusReason.OtherFocusReason)

    # Display

    def show_collections(self, collections: Sequence[Collection]) -> None:
        """Show all collections; existing cards are updated instead of replaced."""
        self.notices.remove("problem")
        had_focus = self.isAncestorOf(self.focusWidget() or self)
        ids = {collection.id for collection in collections}
        for removed_id in [collection_id for collection_id in self._cards if collection_id not in ids]:
            destroy(self._cards.pop(removed_id))
            self._states.pop(removed_id, None)
        for index, collection in enumerate(collections):
            card = self._cards.get(collection.id) or self._make_card(collection)
            card.show_collection(collection)
            self._list.insertWidget(index, card)
        self.summary.set_full_text(tr("%n collection|%n collections", "", len(collections)))
        self._refresh_page()
        if self._pages.currentWidget() is not self.collection_page:
            self._pages.setCurrentWidget(self._all if collections else self.empty)
            if had_focus and not collections:
                self.focus_first_field()

    def show_state(self, collection_id: CollectionId, state: CollectionState) -> None:
        """Show a collection's indexing state."""
        self._states[collection_id] = state
        if collection_id in self._cards:
            self._cards[collection_id].state.show_state(state)
        opened = self.collection_page.collection
        if opened is not None and opened.id == collection_id:
            self.collection_page.show_state(state)

    def show_files(self, collection_id: CollectionId, sources: Sequence[Source]) -> None:
        """Show the files of the collection in front."""
        opened = self.collection_page.collection
        if opened is not None and opened.id == collection_id:
            self.collection_page.show_files(sources)

    def show_results(self, result: CollectionSearchResult) -> None:
        """Show the search results of the collection in front."""
        self.collection_page.show_results(result)

    def show_search_problem(self, sentence: str) -> None:
        """Show why the search failed."""
        self.collection_page.results.show_problem(sentence)

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
            self._pending_id = collection_id
            return
        self._pending_id = None
        self.collection_page.show_collection(collection)
        if collection_id in self._states:
            self.collection_page.show_state(self._states[collection_id])
        self._pages.setCurrentWidget(self.collection_page)
        self.controller.show_files(collection_id)
        self.collection_page.focus_first_field()

    def read(self, passages: Sequence[MarkedPassage], index: int) -> None:
        """Show a passage in its document, beside the page."""
        if self._reader is None:
            self._reader = Reader(self._context, parent=self.area)
            self.area.connect_panel(self._reader)
        self._reader.show_passages(passages, index)
        self.area.show_panel(self._reader)
        self._reader.focus_document()

    @Slot()
    def show_all(self) -> None:
        """Return to the list of all collections, with the focus on the one that was open."""
        self.area.close_panel()
        self._pages.setCurrentWidget(self._all if self._cards else self.empty)
        previous = self.collection_page.collection
        if previous is not None and previous.id in self._cards:
            self._cards[previous.id].open.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_first_field()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.refresh()

    # Private

    def _make_pages(self, parent: QWidget) -> QWidget:
        self._list = column(stretch(), spacing=SPACE_M)
        self._all = boxed(
            column(
                centred(row(stretch(self.summary), self.new), top=SPACE_XL, bottom=SPACE_M),
                stretch(scrolled(centred(self._list, bottom=SPACE_XL, in_page_scroll=True))),
                spacing=0,
            )
        )
        self._pages = stacked(self._all, self.empty, self.collection_page)
        take_titles(self, self._pages, self.collection_page)
        self._pages.setParent(parent)
        return self._pages

    def _arrange(self) -> None:
        column(self.notices, stretch(self.area), spacing=0, on=self)

    def _make_card(self, collection: Collection) -> CollectionCard:
        card = CollectionCard(collection, controller=self.controller)
        card.open.clicked.connect(lambda: self.open_collection(collection.id))
        self._cards[collection.id] = card
        return card

    def _refresh_page(self) -> None:
        if self._pending_id is not None:
            self.open_collection(self._pending_id)
        if self.collection_page.collection is None:
            return
        current = self.controller.collection(self.collection_page.collection.id)
        if current is not None:
            self.collection_page.show_collection(current)
        elif self._pages.currentWidget() is self.collection_page:
            self.show_all()

    def _on_new(self) -> None:
        self.controller.prompt_new_collection()

    @property
    def _in_front(self) -> Collection | None:
        """The collection whose page is in front."""
        is_open = self._pages.currentWidget() is self.collection_page
        return self.collection_page.collection if is_open else None

    def _drop_text(self, paths: list[str]) -> tuple[str, str]:  # noqa: ARG002 - any path is accepted
        about = tr("Files stay where they are.")
        if (collection := self._in_front) is not None:
            return tr("Drop to add to “{name}”").format(name=collection.name), about
        return tr("Drop to make a collection"), about

    def _on_dropped(self, paths: list[str]) -> None:
        if (collection := self._in_front) is not None:
            self.controller.add(collection.id, paths)
        else:
            self.controller.prompt_new_collection(paths)
