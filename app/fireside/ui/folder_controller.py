"""Do what is asked of folders, the archive and several chats at once; search, and open what was found."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer

from fireside.bridge.client import EngineClient
from fireside.core.chat import Colour, ConversationSummary
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId, FolderId
from fireside.core.model import display_name
from fireside.core.search import SearchQuery, SearchResult
from fireside.ui.conversation_controller import ConversationController
from fireside.ui.models_view import ModelsView
from fireside.ui.search.filters import Model
from fireside.ui.sidebar import Sidebar
from fireside.ui.sidebar.model import chats_words
from fireside.ui.tasks import OnError, Result, TaskRunner
from fireside.ui.widgets.text import one_line
from fireside.ui.widgets.toast import Toast

_AGAIN_MS = 1_000
"""After so long the same words are looked for again while older chats are still being read."""
_NEW_FOLDER = tr_noop("New folder")
Ids = tuple[ConversationId, ...]


class FolderController(QObject):
    """Between the sidebar and ``client.folders``. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        sidebar: Sidebar,
        desk: ConversationController,
        models: ModelsView,
        toast: Toast,
        on_error: OnError,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._sidebar = sidebar
        self._desk = desk
        self._models = models
        self._toast = toast
        self._on_error = on_error
        self._is_searching = False
        self._waits: SearchQuery | None = None
        """What to look for once the search that runs has its answer."""
        self._again = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._again.timeout.connect(self._search_again)
        self._connect()

    def _connect(self) -> None:
        wishes = self._sidebar.wishes
        wishes.new_folder.connect(self.create_folder)
        wishes.rename_folder.connect(self._rename_folder)
        wishes.colour_folder.connect(self._colour_folder)
        wishes.open_folder.connect(self._open_folder)
        wishes.place_folder.connect(self._place_folder)
        wishes.delete_folder.connect(self.delete_folder)
        wishes.move.connect(self.move)
        wishes.archive.connect(self.archive)
        wishes.unarchive.connect(self.unarchive)
        wishes.colour.connect(self._colour)
        wishes.pin.connect(lambda ids: self._pin(ids, pinned=True))
        wishes.unpin.connect(lambda ids: self._pin(ids, pinned=False))
        wishes.delete.connect(self._desk.delete_all)
        self._sidebar.search.wanted.connect(self._search)
        self._sidebar.search.opened.connect(
            lambda id_, at: self._desk.open_at(id_, at, self._sidebar.search.query.words)
        )
        self._models.entries_changed.connect(self._show_models)

    def _show_models(self) -> None:
        """Offer the models that there are to narrow a search to."""
        named = [
            Model(id=entry.spec.id, name=display_name(entry))
            for entry in self._models.usable
            if entry.spec is not None
        ]
        self._sidebar.search.filters.set_models(named)

    # Folders

    def create_folder(self, ids: Ids = ()) -> None:
        """Make a folder, put chats into it, and let its name be typed."""

        async def work() -> FolderId:
            made = await self._client.folders.create_folder(name=tr(_NEW_FOLDER))
            if ids:
                await self._client.folders.move_conversations(ids, folder_id=made.id)
            return made.id

        def on_done(folder_id: FolderId) -> None:
            self._sidebar.list.setFocus()
            self._sidebar.list.rename_folder(folder_id)

        self._sidebar.end_search()
        self._run(work(), on_done=on_done)

    def delete_folder(self, folder_id: FolderId) -> None:
        """Remove a folder and offer to bring it back; its chats go back to the list."""
        model = self._sidebar.model
        folder = model.folder(folder_id)
        if folder is None:
            return
        inside = tuple(s.id for s in model.summaries() if s.folder_id == folder_id)
        place = model.folders.index(folder)

        async def restore() -> None:
            keeping = self._client.folders
            made = await keeping.create_folder(name=folder.name)
            await keeping.colour_folder(made.id, colour=folder.colour)
            await keeping.move_folder(made.id, position=place)
            still_there = tuple(id_ for id_ in inside if model.summary(id_) is not None)
            if still_there:
                await keeping.move_conversations(still_there, folder_id=made.id)

        name = one_line(folder.name)
        words = tr("Deleted the folder “{name}”.").format(name=name)
        if inside:
            words = tr(
                "Deleted the folder “{name}”. Its chat is back in the list."
                "|Deleted the folder “{name}”. Its %n chats are back in the list.",
                "",
                len(inside),
            ).format(name=name)
        self._run(
            self._client.folders.delete_folder(folder_id),
            on_done=lambda _: self._offer_undo(words, restore),
        )

    def _rename_folder(self, folder_id: FolderId, name: str) -> None:
        self._run(self._client.folders.rename_folder(folder_id, name=name))

    def _colour_folder(self, folder_id: FolderId, colour: Colour | None) -> None:
        self._run(self._client.folders.colour_folder(folder_id, colour=colour))

    def _open_folder(self, folder_id: FolderId, is_open: bool) -> None:
        self._run(self._client.folders.open_folder(folder_id, is_open=is_open))

    def _place_folder(self, folder_id: FolderId, position: int) -> None:
        self._run(self._client.folders.move_folder(folder_id, position=position))

    # Chats

    def move(self, ids: Ids, folder_id: FolderId | None) -> None:
        """Put chats into a folder, or back into the list; out of the archive too."""
        before = self._known(ids)
        folder = self._sidebar.model.folder(folder_id)
        moved = tuple(s.id for s in before if s.folder_id != folder_id or s.archived)
        if not moved or (folder_id is not None and folder is None):
            return
        archived = tuple(s.id for s in before if s.archived)

        async def work() -> None:
            await self._client.folders.move_conversations(moved, folder_id=folder_id)
            if archived:
                await self._client.folders.unarchive_conversations(archived)

        async def restore() -> None:
            await self._put_back(before)
            if archived:
                await self._client.folders.archive_conversations(archived)

        if folder is not None:
            words = tr("Moved {chats} to “{folder}”.").format(
                chats=self._named(moved), folder=one_line(folder.name)
            )
        else:
            words = tr("Moved {chats} back to the list.").format(chats=self._named(moved))
        self._run(work(), on_done=lambda _: self._offer_undo(words, restore))

    async def _put_back(self, before: Sequence[ConversationSummary]) -> None:
        for folder_id in {summary.folder_id for summary in before}:
            ids = tuple(summary.id for summary in before if summary.folder_id == folder_id)
            await self._client.folders.move_conversations(ids, folder_id=folder_id)

    def archive(self, ids: Ids) -> None:
        """Put chats away and offer to bring them back."""
        ids = tuple(summary.id for summary in self._known(ids) if not summary.archived)
        if not ids:
            return
        words = tr("Archived {chats}.").format(chats=self._named(ids))
        self._run(
            self._client.folders.archive_conversations(ids),
            on_done=lambda _: self._offer_undo(
                words, lambda: self._client.folders.unarchive_conversations(ids)
            ),
        )

    def toggle_archived(self, conversation_id: ConversationId) -> None:
        """Put a chat away, or back if it is away."""
        summary = self._sidebar.model.summary(conversation_id)
        if summary is not None:
            (self.unarchive if summary.archived else self.archive)((conversation_id,))

    def unarchive(self, ids: Ids) -> None:
        """Put chats back among the others."""
        self._run(self._client.folders.unarchive_conversations(ids))

    def _colour(self, ids: Ids, colour: Colour | None) -> None:
        self._run(self._client.folders.colour_conversations(ids, colour=colour))

    def _pin(self, ids: Ids, *, pinned: bool) -> None:
        async def work() -> None:
            change = self._client.conversations.pin if pinned else self._client.conversations.unpin
            for summary in self._known(ids):
                if summary.pinned is not pinned:
                    await change(summary.id)

        self._run(work())

    def _known(self, ids: Ids) -> list[ConversationSummary]:
        return [s for s in map(self._sidebar.model.summary, ids) if s is not None]

    def _named(self, ids: Ids) -> str:
        summary = self._sidebar.model.summary(ids[0])
        if len(ids) == 1 and summary:
            return tr("“{name}”").format(name=one_line(summary.title))
        return chats_words(len(ids))

    def _offer_undo(self, words: str, restore: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._toast.show_note(words, action=tr("Undo"), on_action=lambda: self._run(restore()))

    # Search

    def _search(self, query: SearchQuery) -> None:
        """Ask at once; while there is no answer yet, only the last of what is asked meanwhile counts."""
        self._again.stop()
        if self._is_searching:
            self._waits = query
            return
        self._is_searching = True

        async def work() -> SearchResult:
            try:
                return await self._client.folders.search(query)
            finally:
                self._is_searching = False

        def on_done(result: SearchResult) -> None:
            if not self._goes_on() and self._sidebar.is_searching:
                self._sidebar.search.show_result(result)
                if result.n_unread:
                    self._again.start()

        def on_error(error: FiresideError) -> None:
            if not self._goes_on() and self._sidebar.is_searching:
                self._sidebar.search.show_error(error.info())

        self._tasks.run(work(), on_done=on_done, on_error=on_error)

    def _goes_on(self) -> bool:
        """Look for what was asked meanwhile; return whether there was anything."""
        waits, self._waits = self._waits, None
        if waits is not None:
            self._search(waits)
        return waits is not None

    def _search_again(self) -> None:
        if self._sidebar.is_searching:
            self._search(self._sidebar.search.query)

    def _run(
        self, work: Coroutine[Any, Any, Result], *, on_done: Callable[[Result], None] | None = None
    ) -> None:
        self._tasks.run(work, on_done=on_done, on_error=self._on_error)
