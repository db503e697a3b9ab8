"""Messages in the queue, stored from the moment the user sends them."""

from __future__ import annotations

from fireside.core.attachment import as_attachment
from fireside.core.chat import GenerationRecord, QueuedMessage
from fireside.core.errors import RecordNotFound
from fireside.core.ids import ConversationId, ModelId, QueuedMessageId
from fireside.core.message import ChatMessage
from fireside.storage.database import Repository, in_storage_thread
from fireside.storage.drafts import (
    clear_draft,
    find_draft_files,
    find_draft_text,
    write_draft_files,
    write_draft_text,
)
from fireside.storage.messages import StoredTurn, end_of_branch, insert_turn
from fireside.storage.rows import SELECT_QUEUED, find_queued, find_summary, read_queued
from fireside.storage.text import storable, to_json


class QueuedMessages(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``, which includes
    ``RecordNotFound`` for a message that is not in the queue."""

    @in_storage_thread
    def all(self, conversation_id: ConversationId) -> tuple[QueuedMessage, ...]:
        """Return the queue of a conversation, in the order of sending."""
        find_summary(self._database, conversation_id)
        return find_queued(self._database, conversation_id)

    @in_storage_thread
    def get(self, queued_id: QueuedMessageId) -> QueuedMessage:
        """Return a queued message."""
        return self._find(queued_id)

    @in_storage_thread
    def add(
        self, conversation_id: ConversationId, *, message: ChatMessage, model_id: ModelId
    ) -> tuple[QueuedMessage, ...]:
        """Commit, as one, a message at the end of the queue and the cleared draft; return the queue."""
        with self._database.transaction():
            clear_draft(self._database, conversation_id, now=self._clock())
            self._database.rows(
                "INSERT INTO waiting_message (conversation_id, position, parts, model_id, created_at) "
                "SELECT ?1, coalesce(max(position), 0) + 1, ?2, ?3, ?4 "
                "FROM waiting_message WHERE conversation_id = ?1",
                conversation_id,
                to_json(message.parts),
                storable(model_id),
                self._clock(),
            )
            return find_queued(self._database, conversation_id)

    @in_storage_thread
    def change(self, queued_id: QueuedMessageId, *, message: ChatMessage) -> tuple[QueuedMessage, ...]:
        """Replace the contents of a queued message; return the queue."""
        with self._database.transaction():
            queued = self._find(queued_id)
            self._database.rows(
                "UPDATE waiting_message SET parts = ?, edit = NULL WHERE id = ?",
                to_json(message.parts),
                queued_id,
            )
            return find_queued(self._database, queued.conversation_id)

    @in_storage_thread
    def remove(self, queued_id: QueuedMessageId) -> tuple[QueuedMessage, ...]:
        """Move a message and its files back to the draft; return the rest of the queue."""
        with self._database.transaction():
            queued = self._find(queued_id)
            self._database.rows("DELETE FROM waiting_message WHERE id = ?", queued_id)
            key = queued.conversation_id
            texts = (find_draft_text(self._database, key), queued.message.text)
            joined = "\n\n".join(text for text in texts if text.strip())
            write_draft_text(self._database, key, joined, now=self._clock())
            if queued.message.attached:
                returned = tuple(map(as_attachment, queued.message.attached))
                attached = (*find_draft_files(self._database, key), *returned)
                write_draft_files(self._database, key, attached, now=self._clock())
            return find_queued(self._database, queued.conversation_id)

    @in_storage_thread
    def send(self, queued_id: QueuedMessageId, *, generation: GenerationRecord) -> StoredTurn:
        """Commit, as one, a message's move from the queue to the active branch, and its empty answer."""
        with self._database.transaction():
            queued = self._find(queued_id)
            self._database.rows("DELETE FROM waiting_message WHERE id = ?", queued_id)
            return insert_turn(
                self._database,
                queued.conversation_id,
                parent_id=end_of_branch(self._database, queued.conversation_id),
                message=queued.message,
                generation=generation,
                now=self._clock(),
            )

    @in_storage_thread
    def save_edit(self, queued_id: QueuedMessageId, *, text: str | None) -> None:
        """Store the unsaved edit of a queued message; ``None`` deletes it."""
        with self._database.transaction():
            self._database.rows(
                "UPDATE waiting_message SET edit = ? WHERE id = ?",
                storable(text) if text is not None else None,
                queued_id,
            )
            if not self._database.connection.changes():
                raise RecordNotFound(what="message", id=queued_id)

    def _find(self, queued_id: QueuedMessageId) -> QueuedMessage:
        row = self._database.row(f"{SELECT_QUEUED} WHERE id = ?", queued_id)
        if row is None:
            raise RecordNotFound(what="message", id=queued_id)
        queued = read_queued(row)
        find_summary(self._database, queued.conversation_id)
        return queued
