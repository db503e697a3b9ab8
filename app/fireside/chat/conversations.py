"""Conversations: list, open, rename, pin, delete, and their drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from fireside.chat.change_counter import ChangeCounter
from fireside.chat.generation_service import GenerationService
from fireside.chat.user_message import title_from
from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation, ConversationSummary, TitleSource
from fireside.core.events import ConversationChanged, ConversationDeleted
from fireside.core.for_window import for_window
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, DraftId, DraftKey, FolderId, ModelId
from fireside.core.options import SettingValue
from fireside.core.project import DEFAULT_MODEL_KEY
from fireside.services.service_context import ServiceContext
from fireside.settings.values import AppLayer


class ConversationService:
    """The conversations of the list. Each change is stored before it is reported.

    Changes arrive as ``ConversationChanged``. All raise ``StorageError``, which includes ``RecordNotFound``.
    ``FolderService`` archives, deletes and restores conversations.
    """

    def __init__(
        self, context: ServiceContext, *, generations: GenerationService, changes: ChangeCounter
    ) -> None:
        self._store = context.store
        self._engine = context.engine
        self._models = context.models
        self._preferences = context.preferences
        self._emit = context.emit
        self._generations = generations
        self._changes = changes

    async def summaries(self) -> tuple[ConversationSummary, ...]:
        """Return all conversations that are not deleted, the latest first."""
        return await self._store.conversations.all()

    @for_window
    async def open(self, conversation_id: ConversationId) -> Conversation:
        """Return the active branch as of the events so far, and give its requests priority from now on."""
        stored = await self._changes.unchanged(lambda: self._store.conversations.open(conversation_id))
        self._engine.set_priority_owner(self._store.name_of(conversation_id))
        return self._generations.with_running(stored)

    @for_window
    async def begin_temporary(self, *, model_id: ModelId | None) -> Conversation:
        """Begin a chat that is in memory alone: it is in no list and gone once it is closed."""
        return await self._store.begin_temporary(title=tr("Temporary chat"), model_id=model_id)

    @for_window
    async def close_temporary(self, conversation_id: ConversationId) -> None:
        """Stop the answers of a temporary chat and remove it for good."""
        await self._generations.stop(conversation_id)
        await self._store.close_temporary(conversation_id)
        self._emit(ConversationDeleted(conversation_id=conversation_id))

    @for_window
    async def keep_temporary(self, conversation_id: ConversationId) -> ConversationId:
        """Store a temporary chat among the others, with all that is written for it; close the temporary one.

        Running answers are stopped. Returns the stored chat.
        """
        await self._generations.stop(conversation_id)
        before = await self._store.conversations.open(conversation_id)
        transcript = await self._store.transcripts.get(conversation_id)
        first = next((stored.message for stored in transcript.messages), None)
        title = "" if first is None else first.text or next((part.name for part in first.attached), "")
        stored = await self._store.transcripts.add(
            replace(transcript, title=title_from(title), title_by=TitleSource.START)
        )
        kept = await self._store.conversations.open(stored.summary.id)
        await self._store.drafts.save_files(kept.summary.id, attached=before.attached)
        for old, new in zip(before.messages, kept.messages, strict=False):
            if (edit := before.edits.get(old.id)) is not None:
                await self._store.drafts.save_edit(new.id, text=edit)
        for queued in before.waiting:
            await self._store.queue.add(kept.summary.id, message=queued.message, model_id=queued.model_id)
        self._emit_changed(stored.summary)
        await self.close_temporary(conversation_id)
        return kept.summary.id

    @for_window
    async def rename(self, conversation_id: ConversationId, *, title: str) -> None:
        """Rename a conversation; an empty title is ignored."""
        title = " ".join(title.split())
        if title:
            self._emit_changed(await self._store.conversations.rename(conversation_id, title=title))

    @for_window
    async def set_pinned(self, conversation_id: ConversationId, *, pinned: bool) -> None:
        self._emit_changed(await self._store.conversations.set_pinned(conversation_id, pinned=pinned))

    @for_window
    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        """Set the model of a conversation and of new ones. Raises ``ModelNotFound``."""
        self._models.answering_spec(model_id)
        await self._preferences.change(AppLayer(), key=DEFAULT_MODEL_KEY, value=model_id)
        if conversation_id is not None:
            self._emit_changed(await self._store.conversations.set_model(conversation_id, model_id=model_id))

    @for_window
    async def save_draft(self, key: DraftKey, *, text: str) -> None:
        """Store the text of a draft."""
        await self._store.drafts.save_text(key, text=text)

    @for_window
    async def save_draft_files(self, key: DraftKey, *, attached: Sequence[Attachment]) -> None:
        """Store the files of a draft, in place of the ones before."""
        await self._store.drafts.save_files(key, attached=attached)

    @for_window
    async def save_draft_settings(self, draft_id: DraftId, *, settings: Mapping[str, SettingValue]) -> None:
        """Store what a new chat sets itself, in place of what it set before."""
        await self._store.drafts.save_settings(draft_id, settings)

    @for_window
    async def save_draft_folder(self, draft_id: DraftId, *, folder_id: FolderId | None) -> None:
        """Store the folder that a new chat begins in."""
        await self._store.drafts.save_folder(draft_id, folder_id)

    def _emit_changed(self, summary: ConversationSummary) -> None:
        self._emit(ConversationChanged(summary=summary))
