"""Rename, pin, colour, move, archive and delete the chats and folders of the list."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from fireside.core.chat import Colour, ConversationSummary, Folder
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import CollectionId, ConversationId, FolderId
from fireside.core.project import MoveEffect
from fireside.settings.definitions import BY_KEY
from fireside.ui.collection_offer import CollectionOffer
from fireside.ui.sidebar.model import ConversationModel, chat_count
from fireside.ui.tasks import task
from fireside.ui.widgets.text import one_line, truncate_text
from fireside.ui.window_context import WindowContext

_NEW_FOLDER = tr_noop("New folder")
_MAX_NAME_CHARS = 32
"""Maximum length, in characters, of a chat's title in a notification."""
Ids = tuple[ConversationId, ...]


class FolderController(QObject):
    """Changes chats and folders, and offers to undo it in a notification where possible. GUI thread only."""

    folder_created = Signal(object)
    """Carries the ``FolderId`` of a new folder whose name is to be typed."""
    deleted_changed = Signal(str)
    """Carries the text for what undo restores next (“Bread” in quotation marks, 3 chats); empty for nothing.
    """

    def __init__(self, context: WindowContext, model: ConversationModel) -> None:
        super().__init__(context.window)
        self._client = context.client
        self._tasks = context.tasks
        self._toast = context.toast
        self._on_error = context.show_error
        self._router = context.router
        self._window = context.window
        self._model = model
        self.collections = CollectionOffer()
        """The collections of documents that a folder can have attached."""
        self._deleted: list[tuple[Ids, str]] = []
        """What was deleted, each with its text for the user; the last is restored first."""

    # Folders

    @task
    async def create_folder(self, ids: Ids = ()) -> None:
        """Create a folder, move ``ids`` into it, and have its name edited."""
        folder = await self._client.folders.create_folder(name=tr(_NEW_FOLDER))
        if ids:
            await self._client.folders.move_conversations(ids, folder_id=folder.id)
        self.folder_created.emit(folder.id)

    @task
    async def delete_folder(self, folder_id: FolderId) -> None:
        """Delete a folder and offer to undo that; its chats return to the list."""
        model = self._model
        folder = model.folder(folder_id)
        if folder is None:
            return
        inside = tuple(s.id for s in model.summaries() if s.folder_id == folder_id)

        async def restore() -> None:
            remaining = tuple(id_ for id_ in inside if model.summary(id_) is not None)
            await self._client.folders.restore_folder(folder_id, remaining)

        name = truncate_text(one_line(folder.name), length=_MAX_NAME_CHARS)
        text = tr("Folder “{name}” deleted").format(name=name)
        if folder.is_project:
            text = tr("Project “{name}” deleted with its instructions and settings").format(name=name)
            if inside:
                text = tr(
                    "Project “{name}” deleted with its instructions and settings; its chat was kept|"
                    "Project “{name}” deleted with its instructions and settings; its %n chats were kept",
                    "",
                    len(inside),
                ).format(name=name)
        elif inside:
            text = tr(
                "Folder “{name}” deleted; its chat was kept|Folder “{name}” deleted; its %n chats were kept",
                "",
                len(inside),
            ).format(name=name)
        facts = [fact for fact in await self._client.facts.facts() if fact.place.folder_id == folder_id]
        await self._client.folders.delete_folder(folder_id)
        self._offer_undo(_with_facts(text, len(facts)), restore)

    def rename_folder(self, folder_id: FolderId, name: str) -> None:
        """Rename a folder."""
        self._tasks.run(self._client.folders.rename_folder(folder_id, name=name))

    def set_folder_colour(self, folder_id: FolderId, colour: Colour | None) -> None:
        """Set a folder's colour; ``None`` removes it."""
        self._tasks.run(self._client.folders.set_folder_colour(folder_id, colour=colour))

    def attach_files(self, folder: Folder) -> None:
        """Let the user select files, and attach them to the folder so that all of its chats use them."""
        self.collections.from_files(
            self._window,
            lambda id_: self.set_folder_collections(
                folder.id, tuple(dict.fromkeys((*folder.collections, id_)))
            ),
        )

    def set_folder_collections(self, folder_id: FolderId, collections: Sequence[CollectionId]) -> None:
        """Replace the collections of documents that all chats of a folder are answered from."""
        self._tasks.run(self._client.folders.set_folder_collections(folder_id, collections))

    def open_folder(self, folder_id: FolderId, is_open: bool) -> None:
        """Expand or collapse a folder."""
        self._tasks.run(self._client.folders.open_folder(folder_id, is_open=is_open))

    def move_folder(self, folder_id: FolderId, position: int) -> None:
        """Move a folder to a position among the folders, from 0."""
        self._tasks.run(self._client.folders.move_folder(folder_id, position=position))

    # Chats

    @task
    async def move(self, ids: Ids, folder_id: FolderId | None) -> None:
        """Move chats into a folder, or with ``None`` out of folder and archive."""
        before = self._known_summaries(ids)
        folder = self._model.folder(folder_id)
        moved = tuple(s.id for s in before if s.folder_id != folder_id or s.archived)
        if not moved or (folder_id is not None and folder is None):
            return
        archived = tuple(s.id for s in before if s.archived)

        async def restore() -> None:
            await self._move_back(before)
            if archived:
                await self._client.folders.set_archived(archived, archived=True)

        if folder is not None:
            name = truncate_text(one_line(folder.name), length=_MAX_NAME_CHARS)
            text = tr("{chats} moved to “{folder}”").format(chats=self._chats_text(moved), folder=name)
        else:
            text = tr("{chats} moved out of the folder").format(chats=self._chats_text(moved))
        effect = await self._client.projects.effect_of_move(moved, folder_id=folder_id)
        await self._client.folders.move_conversations(moved, folder_id=folder_id)
        if archived:
            await self._client.folders.set_archived(archived, archived=False)
        self._offer_undo(". ".join(filter(None, (text, effect_text(effect)))), restore)

    async def _move_back(self, before: Sequence[ConversationSummary]) -> None:
        for folder_id in {summary.folder_id for summary in before}:
            ids = tuple(summary.id for summary in before if summary.folder_id == folder_id)
            await self._client.folders.move_conversations(ids, folder_id=folder_id)

    @task
    async def archive(self, ids: Ids) -> None:
        """Archive chats and offer to undo that."""
        ids = tuple(summary.id for summary in self._known_summaries(ids) if not summary.archived)
        if not ids:
            return
        text = tr("{chats} archived").format(chats=self._chats_text(ids))
        await self._client.folders.set_archived(ids, archived=True)
        self._offer_undo(text, lambda: self._client.folders.set_archived(ids, archived=False))

    def toggle_archived(self, conversation_id: ConversationId) -> None:
        """Archive a chat, or unarchive it if it is archived."""
        summary = self._model.summary(conversation_id)
        if summary is not None:
            (self.unarchive if summary.archived else self.archive)((conversation_id,))

    def unarchive(self, ids: Ids) -> None:
        """Take chats out of the archive."""
        self._tasks.run(self._client.folders.set_archived(ids, archived=False))

    def colour(self, ids: Ids, colour: Colour | None) -> None:
        """Set the colour of chats; ``None`` removes it."""
        self._tasks.run(self._client.folders.colour_conversations(ids, colour=colour))

    def rename(self, conversation_id: ConversationId, title: str) -> None:
        """Rename a chat."""
        self._tasks.run(self._client.conversations.rename(conversation_id, title=title))

    def toggle_pin(self, conversation_id: ConversationId) -> None:
        """Pin a chat, or unpin it if it is pinned."""
        summary = self._model.summary(conversation_id)
        if summary is not None:
            self.pin((conversation_id,), pinned=not summary.pinned)

    @task
    async def pin(self, ids: Ids, *, pinned: bool) -> None:
        """Pin or unpin chats."""
        for summary in self._known_summaries(ids):
            if summary.pinned is not pinned:
                await self._client.conversations.set_pinned(summary.id, pinned=pinned)

    @task
    async def delete(self, ids: Ids) -> None:
        """Delete chats and offer to undo that; undo reopens the chat that was open."""
        chats = self._chats_text(ids)
        text = tr("{chats} deleted").format(chats=chats)
        reopen = ids == (self._model.active,)
        facts = [fact for fact in await self._client.facts.facts() if fact.place.chat_id in ids]
        text = _with_facts(text, len(facts))
        await self._client.folders.delete_conversations(ids)
        self._deleted.append((ids, chats))
        self._report_deleted()
        self._toast.show_message(text, action=tr("Undo"), on_action=lambda: self._restore(ids, reopen=reopen))

    def undo(self) -> None:
        """Undo what the notification offers to undo, otherwise restore what was deleted last."""
        if self._toast.offers_undo:
            self._toast.trigger_action()
        elif self._deleted:
            ids, _ = self._deleted[-1]
            self._restore(ids, reopen=len(ids) == 1)

    def _restore(self, ids: Ids, *, reopen: bool) -> None:
        def on_done(_none: None) -> None:
            if reopen:
                # Leaves the keyboard focus in the list, so that the next Ctrl+Z restores the deletion before.
                self._router.open_message(ids[0], None, "")

        self._deleted = [deleted for deleted in self._deleted if deleted[0] != ids]
        self._report_deleted()
        self._tasks.run(self._client.folders.restore_conversations(ids), on_done=on_done)

    def _report_deleted(self) -> None:
        self.deleted_changed.emit(self._deleted[-1][1] if self._deleted else "")

    def _known_summaries(self, ids: Ids) -> list[ConversationSummary]:
        return [s for s in map(self._model.summary, ids) if s is not None]

    def _chats_text(self, ids: Ids) -> str:
        summary = self._model.summary(ids[0])
        if len(ids) == 1 and summary:
            # The sentence continues after the title and must not be cut off.
            return tr("“{name}”").format(name=truncate_text(one_line(summary.title), length=_MAX_NAME_CHARS))
        return chat_count(len(ids))

    def _offer_undo(self, text: str, restore: Callable[[], Coroutine[Any, Any, None]]) -> None:
        def undo() -> None:
            self._tasks.run(restore())

        self._toast.show_message(text, action=tr("Undo"), on_action=undo)


def _with_facts(text: str, n_facts: int) -> str:
    """Return the note of a deletion, with the remembered facts that held only there."""
    went = tr("%n remembered fact went with it|%n remembered facts went with it", "", n_facts)
    return f"{text}. {went}" if n_facts else text


# What moving chats between folders changes for them, in words. Pure


def effect_text(effect: MoveEffect) -> str:
    """Return what is different for moved chats, as sentences; empty where nothing is."""
    parts: list[str] = []
    if effect.gains_instructions:
        parts.append(
            tr("other instructions") if effect.loses_instructions else tr("instructions of the project")
        )
    elif effect.loses_instructions:
        parts.append(tr("no instructions of a project"))
    if effect.gained_collections:
        parts.append(tr("documents from {names}").format(names=_quoted(effect.gained_collections)))
    if effect.lost_collections:
        parts.append(tr("no documents from {names}").format(names=_quoted(effect.lost_collections)))
    if n := effect.n_gained_facts:
        parts.append(tr("%n remembered fact of the project|%n remembered facts of the project", "", n))
    if n := effect.n_lost_facts:
        parts.append(tr("without %n remembered fact|without %n remembered facts", "", n))
    if effect.tools_on:
        parts.append(tr("tools on: {names}").format(names=_labels(effect.tools_on)))
    if effect.tools_off:
        parts.append(tr("tools off: {names}").format(names=_labels(effect.tools_off)))
    if effect.changed:
        parts.append(tr("other values: {names}").format(names=_labels(effect.changed)))
    sentences = [tr("From the next answer on: {changes}.").format(changes="; ".join(parts))] if parts else []
    if effect.keeps_model:
        sentences.append(tr("The model stays.") if parts else tr("The chat keeps its model."))
    return " ".join(sentences)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(tr("“{name}”").format(name=name) for name in names)


def _labels(keys: Sequence[str]) -> str:
    return ", ".join(tr(BY_KEY[key].label) for key in keys)
