"""Request the collections while their page is open, and carry out the page's actions."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtWidgets import QWidget

from fireside.core.citations import matching_sentences
from fireside.core.collection import (
    Collection,
    CollectionSearchResult,
    Passage,
    Source,
)
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, CollectionProgressed, CollectionsChanged
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId, ModelId
from fireside.ui.documents.documents_text import suggested_name
from fireside.ui.documents.reader import MarkedPassage
from fireside.ui.kit.file_dialogs import choose_files, choose_folder
from fireside.ui.kit.line_fields import line_field
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.page import Page
from fireside.ui.tasks import LatestRequest, task
from fireside.ui.widgets.text import WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.documents.documents_page import DocumentsPage


class CollectionRemovalSheet(Sheet):
    """Enter and Escape both keep the collection."""

    def __init__(
        self, collection: Collection, on_confirmed: Callable[[], object], *, parent: QWidget
    ) -> None:
        super().__init__(tr("Remove collection"), parent=parent, size=SheetSize.SMALL)
        explanation = tr(
            "Its files stay. Chats that use it stop searching it; citations in answers are kept."
        )
        self.keep = self.make_button(tr("Keep"), self.reject, is_default=True)
        self.confirm = self.make_button(tr("Remove"), self.accept, kind="danger")
        self.set_content(
            WrappedLabel(explanation, role="body"),
            heading=tr("Remove “{name}”?").format(name=one_line(collection.name)),
            buttons=(self.keep, self.confirm),
        )
        self.accepted.connect(on_confirmed)
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)


_MAX_LENGTH: Final = 200


class NameSheet(Sheet):
    """A text field for the name; Enter accepts it unless it is empty."""

    def __init__(
        self,
        title: str,
        on_named: Callable[[str], object],
        *,
        action_label: str,
        name: str = "",
        parent: QWidget,
    ) -> None:
        """``action_label`` is the button's text, ``name`` the initial text of the field."""
        super().__init__(title, parent=parent, size=SheetSize.SMALL)
        self._on_named = on_named
        self.field = line_field(tr("Name"), max_length=_MAX_LENGTH, placeholder=tr("Name"))
        self.field.setText(name)
        self.confirm = self.make_button(action_label, self._on_confirmed, kind="primary", is_default=True)
        self.set_content(self.field, buttons=(self.make_cancel(), self.confirm))
        self.field.textChanged.connect(self._update_confirm)
        self._update_confirm()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _update_confirm(self) -> None:
        self.confirm.setEnabled(bool(self.field.text().strip()))

    def _on_confirmed(self) -> None:
        self.accept()
        self._on_named(self.field.text().strip())


_FILES_MS: Final = 700
"""Milliseconds after which files are requested again whose collection is being read."""


class DocumentsController(QObject):
    """The controller of the ``DocumentsPage``. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        page: DocumentsPage,
        ask: Callable[[CollectionId], object],
        parent: QObject,
    ) -> None:
        """``ask`` starts a chat with a collection."""
        super().__init__(parent)
        self._context = context
        self._client = context.client.collections
        self._tasks = context.tasks
        self._page = page
        self.ask = ask
        self._refresh_request = LatestRequest(context.tasks)
        self._search_request = LatestRequest(context.tasks)
        self._files_request = LatestRequest(context.tasks)
        self._shown_id: CollectionId | None = None
        """The collection whose files are shown."""
        self._files_pause = QTimer(self, singleShot=True, interval=_FILES_MS)
        self._files_pause.timeout.connect(self._request_files)
        self._query = ""
        self.collections: tuple[Collection, ...] = ()

    def collection(self, collection_id: CollectionId) -> Collection | None:
        return next((collection for collection in self.collections if collection.id == collection_id), None)

    # Display

    def refresh(self) -> None:
        """Request everything shown: the page has become visible."""
        self._refresh_request.run(self._read(), on_done=lambda _: None, on_error=self._on_error)

    def handle(self, event: AppEvent) -> None:
        """Apply an event of the engine thread."""
        match event:
            case CollectionsChanged(collections=collections):
                self._set_collections(collections)
                self._request_files()
                for collection in self.collections:
                    self._tasks.run(self._read_state(collection.id), on_error=self._on_error)
            case CollectionProgressed(collection_id=collection_id, state=state):
                self._page.show_state(collection_id, state)
                if collection_id == self._shown_id and not self._files_pause.isActive():
                    self._files_pause.start()
            case _:
                pass

    async def _read(self) -> None:
        self._set_collections(await self._client.collections())
        for collection in self.collections:
            await self._read_state(collection.id)

    async def _read_state(self, collection_id: CollectionId) -> None:
        self._page.show_state(collection_id, await self._client.state(collection_id))

    def _set_collections(self, collections: Sequence[Collection]) -> None:
        self.collections = tuple(each for each in collections if not each.is_of_chat)
        if self._shown_id not in [each.id for each in self.collections]:
            self._shown_id = None
        self._page.show_collections(self.collections)

    # Actions

    def prompt_new_collection(self, paths: Sequence[str] = ()) -> NameSheet:
        """Ask for the name of a new collection, created from ``paths`` if there are any."""
        roots = list(paths)
        return self._ask_name(
            tr("New collection"),
            lambda name: self._create(name, roots),
            action_label=tr("Create"),
            name=suggested_name(roots),
        )

    def prompt_rename(self, collection: Collection) -> NameSheet:
        """Ask for another name for a collection."""
        return self._ask_name(
            tr("Rename collection"),
            lambda name: self._do(self._client.rename(collection.id, name=name)),
            action_label=tr("Rename"),
            name=collection.name,
        )

    def prompt_removal(self, collection: Collection) -> CollectionRemovalSheet:
        """Ask whether to remove a collection, and remove it on confirmation."""
        sheet = CollectionRemovalSheet(
            collection, lambda: self._do(self._client.remove(collection.id)), parent=self._context.window
        )
        sheet.open()
        return sheet

    def add(self, collection_id: CollectionId, paths: Sequence[str]) -> None:
        """Add files and folders to a collection."""
        self._do(self._client.add_roots(collection_id, paths))

    def choose_folder(self, collection_id: CollectionId) -> None:
        """Ask for a folder to add."""
        choose_folder(self._context.window, tr("Add folder"), lambda path: self.add(collection_id, [path]))

    def choose_files(self, collection_id: CollectionId) -> None:
        """Ask for files to add."""
        choose_files(self._context.window, tr("Add files"), lambda paths: self.add(collection_id, paths))

    def remove_root(self, collection_id: CollectionId, root: str) -> None:
        """Remove a file or folder from a collection."""
        self._do(self._client.remove_root(collection_id, root))

    def pause(self, collection_id: CollectionId, *, is_paused: bool) -> None:
        """Pause or resume indexing."""
        self._do(self._client.pause(collection_id, is_paused=is_paused))

    def rescan(self, collection_id: CollectionId) -> None:
        """Scan for changes now, and retry the files that could not be read."""
        self._do(self._client.rescan(collection_id))

    def choose_model(self, collection_id: CollectionId, model_id: ModelId | None) -> None:
        """Search with an embedding model; ``None`` for keywords only."""
        self._do(self._client.choose_model(collection_id, model_id=model_id))

    def choose_vision_model(self, collection_id: CollectionId, model_id: ModelId | None) -> None:
        """Have a vision model read pages and images without text; ``None`` leaves those unread."""
        self._do(self._client.choose_vision_model(collection_id, model_id=model_id))

    def find_models(self) -> None:
        """Open the models page where embedding models are found."""
        self._context.router.show_page(Page.DISCOVER)

    def find_speech_models(self) -> None:
        """Show what transcribes recordings, to be downloaded."""
        self._context.router.show_speech_models()

    # Files of the collection in front

    def show_files(self, collection_id: CollectionId) -> None:
        """Show the files of a collection, and follow what becomes of them."""
        self._shown_id = collection_id
        self._request_files()

    def open_file(self, source: Source) -> None:
        """Open a file with its program."""
        self._context.open_url(QUrl.fromLocalFile(source.path).toString())

    def reveal(self, source: Source) -> None:
        """Show a file in its folder."""
        self._context.reveal(source.path)

    def reread(self, source: Source) -> None:
        """Read a file again."""
        self._do(self._client.reread_file(source.collection_id, source.path))

    @task
    async def remove_file(self, source: Source) -> None:
        """Remove a file from its collection, which can be undone."""

        def undo() -> None:
            self._do(self._client.restore_file(source.collection_id, source.path))

        await self._client.remove_file(source.collection_id, source.path)
        text = tr("Removed “{name}” from the collection").format(name=one_line(source.name))
        self._context.toast.show_message(text, action=tr("Undo"), on_action=undo)

    def _request_files(self) -> None:
        if (collection_id := self._shown_id) is not None:
            self._files_request.run(
                self._client.sources(collection_id),
                on_done=lambda sources: self._page.show_files(collection_id, sources),
                on_error=self._on_error,
            )

    def search(self, collection_id: CollectionId, query: str) -> None:
        """Search a collection and show the results; an empty query clears them."""
        self._query = query
        if not query.strip():
            self._search_request.cancel()
            self._page.show_results(CollectionSearchResult())
            return
        self._search_request.run(
            self._client.search(query, collection_ids=(collection_id,), matches_prefix=True),
            on_done=self._page.show_results,
            on_error=lambda error: self._page.show_search_problem(error.sentence()),
        )

    def read(self, passages: Sequence[Passage], index: int) -> None:
        """Open the reader at one of the passages found, at the sentences with the words searched for."""
        marked = [MarkedPassage(each, matching_sentences(each, self._query)) for each in passages]
        self._page.read(marked, index)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.run(work, on_error=self._on_error)

    def _ask_name(self, title: str, on_named: Any, *, action_label: str, name: str) -> NameSheet:
        sheet = NameSheet(title, on_named, action_label=action_label, name=name, parent=self._context.window)
        sheet.open()
        return sheet

    @task
    async def _create(self, name: str, roots: Sequence[str]) -> None:
        collection = await self._client.create(name=name, roots=roots)
        self._page.open_collection(collection.id)

    def _on_error(self, error: FiresideError) -> None:
        self._page.show_problem(error.sentence())
