"""Attach collections to the chat in front, and show before sending which passages would be sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

from fireside.core.chat import Folder
from fireside.core.collection import COLLECTIONS_KEY, Collection, CollectionState, TextExtent
from fireside.core.errors import FiresideError
from fireside.core.events import (
    AppEvent,
    CollectionProgressed,
    CollectionsChanged,
    ConversationChanged,
    FoldersChanged,
)
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId, ModelId
from fireside.core.message import PassagesPart
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.chat.pane.chips import ChipContent
from fireside.ui.documents.documents_text import attached_cost_text, attached_text, suggested_name
from fireside.ui.kit.file_dialogs import choose_files
from fireside.ui.palette.targets import Target, TargetKind
from fireside.ui.presets.chat_settings import ChatSettings
from fireside.ui.tasks import LatestRequest
from fireside.ui.widgets.popup import Menu
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.documents.reader import MarkedPassage

GROUP: Final = "collections"
_PAUSE_MS: Final = 500
"""Milliseconds without typing before the draft is searched for."""
READ_ALL: Final = "read-all"
_UNKNOWN_CONTEXT: Final = 4096
_UNKNOWN_BUDGET: Final = 2400
"""Token budget for passages while the context length is unknown."""


class ChatCollections(QObject):
    """Connects the chat in front, its settings and the collections. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        chat: ChatPane,
        settings: ChatSettings,
        read: Callable[[Sequence[MarkedPassage], int], object],
    ) -> None:
        """``read`` shows a passage in its document."""
        super().__init__(context.window)
        self._read = read
        self._context = context
        self._client = context.client.collections
        self._chat = chat
        self._settings = settings
        self.known: tuple[Collection, ...] = ()
        self.preview: PassagesPart | None = None
        """The passages that would be sent with the message being written; ``None`` for none."""
        self._folder: Folder | None = None
        """The folder of the chat in front."""
        self._states: dict[CollectionId, CollectionState] = {}
        """Of the collections that are or were attached."""
        self._passages_request = LatestRequest(context.tasks)
        self._folder_request = LatestRequest(context.tasks)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._request_passages)
        self._extent_request = LatestRequest(context.tasks)
        chat.composer.editor.textChanged.connect(self._on_changed)
        chat.chips.chip_clicked.connect(self._on_chip)
        chat.chips.chip_removed.connect(self._on_removed)
        chat.transcript.message_actions.register(MessageAction.READ_ALL, self._read_all)
        settings.changed.connect(self._on_settings)
        chat.context_controller.notice.offer_search(self._search_attached)

    def start(self) -> None:
        """Request the list of collections."""
        self._context.tasks.run(self._client.collections(), on_done=self._apply_collections, on_error=_silent)

    def handle(self, event: AppEvent) -> None:
        """Apply an event of the engine thread."""
        match event:
            case CollectionsChanged(collections=collections):
                self._apply_collections(collections)
            case FoldersChanged() | ConversationChanged():
                self._refresh_folder()
            case CollectionProgressed(collection_id=id_, state=state) if id_ in self._all_ids:
                self._states[id_] = state
                self._show()
                self._on_changed()
            case _:
                pass

    @property
    def kept(self) -> tuple[Collection, ...]:
        """The collections that are offered in all chats."""
        return tuple(collection for collection in self.known if not collection.is_of_chat)

    @property
    def attached(self) -> tuple[Collection, ...]:
        """The collections that the chat in front is answered from: its own and those of its folder."""
        ids = self._all_ids
        return tuple(collection for collection in self.known if collection.id in ids)

    def targets(self) -> tuple[Target, ...]:
        """Return the collections as targets of palette and slash menu, which attach or detach them."""
        ids = self._attached_ids
        return tuple(
            Target(
                kind=TargetKind.COLLECTION,
                key=collection.id,
                label=collection.name,
                location=tr("Detach collection") if collection.id in ids else tr("Attach collection"),
                icon="file-text",
                keywords=tr("Documents"),
                action=partial(self.toggle, collection.id),
            )
            for collection in self.kept
        )

    def attach(self, collection_id: CollectionId) -> None:
        """Attach a collection to the chat in front."""
        if collection_id not in self._attached_ids:
            self.toggle(collection_id)

    def toggle(self, collection_id: CollectionId) -> None:
        """Attach a collection to the chat in front, or detach it if it is attached."""
        ids = self._attached_ids
        others = tuple(id_ for id_ in ids if id_ != collection_id)
        self._change(others if collection_id in ids else (*ids, collection_id))

    def from_files(self, parent: QWidget, on_created: Callable[[CollectionId], object]) -> None:
        """Ask for files over ``parent``; call ``on_created`` with the collection of exactly these.

        An existing collection of the same files is used.
        """
        choose_files(parent, tr("Add files"), lambda paths: self._collect(paths, on_created))

    def confirm_read_all(self, on_confirmed: Callable[[ModelId], object]) -> None:
        """Show what reading everything attached costs, and call ``on_confirmed`` once the user confirms."""
        from fireside.core.token_estimate import measured_speed, reading_cost
        from fireside.ui.documents.chat_sheets import WholeReadingSheet

        model = self._chat.model
        if model is None or model.spec is None:
            self._chat.prompt_for_model()
            return
        model_id, plan = model.spec.id, self._chat.context_controller.plan
        host = model.spec.remote.host if model.spec.remote is not None else ""
        records = [entry.message.generation for entry in reversed(self._chat.transcript.entries)]
        speed = measured_speed(
            (record.usage, record.timings)
            for record in records
            if record is not None and record.model_id == model_id and record.usage and record.timings
        )

        def show(extent: TextExtent) -> None:
            n_ctx = plan.n_ctx if plan is not None else _UNKNOWN_CONTEXT
            cost = reading_cost(extent, n_ctx=n_ctx, speed=speed)
            WholeReadingSheet(
                extent, cost, lambda: on_confirmed(model_id), host=host, parent=self._context.window
            ).open()

        work = self._client.extent([collection.id for collection in self.attached])
        self._extent_request.run(work, on_done=show, on_error=self._context.show_error)

    # Private

    def _collect(
        self, paths: Sequence[str], on_created: Callable[[CollectionId], object], *, is_of_chat: bool = False
    ) -> None:
        """Call ``on_created`` with the collection of exactly these files; ``is_of_chat``: made for this chat
        alone, if there is none."""
        existing = next((collection for collection in self.kept if set(collection.roots) == set(paths)), None)
        if existing is not None:
            on_created(existing.id)
            return

        def on_done(collection: Collection) -> None:
            on_created(collection.id)

        self._context.tasks.run(
            self._client.create(name=suggested_name(paths), roots=paths, is_of_chat=is_of_chat),
            on_done=on_done,
            on_error=self._context.show_error,
        )

    @property
    def _attached_ids(self) -> tuple[CollectionId, ...]:
        value = self._settings.value(COLLECTIONS_KEY)
        return tuple(CollectionId(str(id_)) for id_ in value) if isinstance(value, tuple) else ()

    @property
    def _all_ids(self) -> tuple[CollectionId, ...]:
        folder_ids = () if self._folder is None else self._folder.collections
        return (*self._attached_ids, *folder_ids)

    def _refresh_folder(self) -> None:
        """Request the collections of the folder of the chat in front."""
        conversation_id = self._chat.conversation_id
        if conversation_id is None or not self.known:
            self._folder_request.cancel()
            self._apply_folder(self._settings.folder if self.known else None)
            return
        work = self._context.client.folders.folder_of(conversation_id)
        self._folder_request.run(work, on_done=self._apply_folder, on_error=_silent)

    def _apply_folder(self, folder: Folder | None) -> None:
        before, self._folder = self._all_ids, folder
        if self._all_ids != before:
            self.preview = None
            self._show()
            self._on_changed()

    def _change(self, ids: Sequence[CollectionId]) -> None:
        self._settings.change({COLLECTIONS_KEY: tuple(ids) or None})

    def _apply_collections(self, collections: Sequence[Collection]) -> None:
        self.known = tuple(collections)
        self._chat.attach_menu.set_group(GROUP, self._fill_menu if self.kept else None)
        self._on_settings()

    @Slot()
    def _on_settings(self) -> None:
        self.preview = None
        self._show()
        self._on_changed()
        self._request_states()
        self._refresh_folder()

    def _request_states(self) -> None:
        """Request how far attached collections are read that no event has told of."""
        for collection in self.attached:
            if collection.id not in self._states:
                on_done = partial(self._apply_state, collection.id)
                self._context.tasks.run(self._client.state(collection.id), on_done=on_done, on_error=_silent)

    def _apply_state(self, collection_id: CollectionId, state: CollectionState) -> None:
        self._states.setdefault(collection_id, state)
        self._show()

    @Slot()
    def _on_changed(self) -> None:
        if self.attached:
            self._pause.start()
        else:
            self._pause.stop()
            self._passages_request.cancel()

    @Slot()
    def _request_passages(self) -> None:
        question = self._chat.composer.text()
        # An empty draft is no follow-up question, so the earlier messages are not needed.
        history = self._chat.transcript.entries if question.strip() else ()
        plan = self._chat.context_controller.plan
        n_tokens = _UNKNOWN_BUDGET if plan is None else plan.n_for_passages
        work = self._client.passages_for(
            question,
            collection_ids=[collection.id for collection in self.attached],
            n_tokens=n_tokens,
            history=[entry.message.message for entry in history],
        )
        self._passages_request.run(work, on_done=self._apply_passages, on_error=_silent)

    def _apply_passages(self, part: PassagesPart) -> None:
        self.preview = part
        self._show()

    def _show(self) -> None:
        self._chat.context_controller.set_passages(self.preview)
        self._chat.start.set_material("collections", has_any=bool(self.attached))
        read_all_chips = (_read_all_chip(),) if self.preview is not None and self.preview.is_about_all else ()
        self._chat.chips.set_chips(
            read_all_chips + tuple(map(self._chip, self.attached)),
            group=GROUP,
        )

    def _chip(self, collection: Collection) -> ChipContent:
        about = attached_text(collection, self._states.get(collection.id), self.preview)
        if len(self.attached) > 1 and self.preview is not None and about == attached_cost_text(self.preview):
            about = ""  # of all of them together
        name = tr("{name}, in this chat only") if collection.is_of_chat else "{name}"
        # The name leaves no space for the tokens.
        short = about.partition(" · ")[0] if collection.is_of_chat else about
        label = " · ".join(part for part in (name.format(name=collection.name), short) if part)
        remove = (
            tr("Detach {name}") if collection.id in self._attached_ids else tr("Detach {name} from folder")
        )
        return ChipContent(
            kind=f"{GROUP}:{collection.id}",
            label=label,
            icon="file-text",
            tooltip=about or tr("Questions are answered from this collection; click to see what is sent"),
            remove_label=remove.format(name=collection.name),
        )

    @Slot(str)
    def _on_chip(self, kind: str) -> None:
        if kind == READ_ALL:
            self.confirm_read_all(
                lambda _: self._chat.send_controller.send(self._chat.composer.text(), reads_all=True)
            )
        elif kind.startswith(f"{GROUP}:") and self.preview is not None:
            from fireside.ui.documents.chat_sheets import SentSheet

            collection_id = CollectionId(kind.removeprefix(f"{GROUP}:"))
            of_chat = {each.id for each in self.attached if each.is_of_chat}
            keep = partial(self._keep, collection_id) if collection_id in of_chat else None
            SentSheet(self.preview, read=self._read, keep=keep, context=self._context).open()

    def _keep(self, collection_id: CollectionId) -> None:
        """Offer a collection that was made for this chat in all chats."""
        self._context.tasks.run(self._client.keep(collection_id), on_error=self._context.show_error)

    def _search_attached(self) -> None:
        """Search attached files that do not fit, instead of sending them."""
        paths = self._chat.attachments.searchable_paths

        def on_created(collection_id: CollectionId) -> None:
            self._chat.attachments.remove_paths(paths)
            self.attach(collection_id)

        self._collect(paths, on_created, is_of_chat=True)

    @Slot(str)
    def _on_removed(self, kind: str) -> None:
        if kind == READ_ALL and self.preview is not None:
            self.preview = replace(self.preview, is_about_all=False)
            self._show()
            return
        group, _, collection_id = kind.partition(":")
        if group == GROUP and collection_id in self._attached_ids:
            self.toggle(CollectionId(collection_id))
        elif group == GROUP:
            self._detach_from_folder(CollectionId(collection_id))

    def _detach_from_folder(self, collection_id: CollectionId) -> None:
        """Detach a collection from the folder of the chat in front, and so from all of its chats."""
        if self._folder is not None:
            remaining = tuple(id_ for id_ in self._folder.collections if id_ != collection_id)
            self._context.tasks.run(
                self._context.client.folders.set_folder_collections(self._folder.id, remaining),
                on_error=self._context.show_error,
            )

    def _read_all(self, entry: Entry) -> None:
        branches, message_id = self._context.client.branches, entry.message.id
        self.confirm_read_all(
            lambda model_id: self._chat.pane_context.run(
                branches.read_everything(message_id, model_id=model_id)
            )
        )

    def _fill_menu(self, menu: Menu) -> None:
        ids = self._attached_ids
        for collection in self.kept:
            action = menu.addAction(collection.name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(collection.id in ids)
            action.triggered.connect(partial(self._on_picked, collection.id))

    def _on_picked(self, collection_id: CollectionId, _checked: bool = False) -> None:
        self.toggle(collection_id)


def _read_all_chip() -> ChipContent:
    return ChipContent(
        kind=READ_ALL,
        label=tr("Read everything…"),
        icon="scroll-text",
        tooltip=tr("A summary, list or count needs all documents; only the best passages would be sent"),
        remove_label=tr("Send only the best passages"),
    )


def _silent(_error: FiresideError) -> None:
    """Ignore the error of a preview: sending reports the same problem."""
