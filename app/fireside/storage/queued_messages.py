"""Messages that wait to be sent: kept in the database from the moment in which a person sends them."""

from __future__ import annotations

from fireside.core.attachment import as_attachment
from fireside.core.chat import GenerationRecord, WaitingMessage
from fireside.core.errors import NotStored
from fireside.core.ids import ConversationId, ModelId, WaitingId
from fireside.core.message import ChatMessage
from fireside.storage.drafts import find_draft_files
from fireside.storage.messages import Messages, StoredTurn
from fireside.storage.repository import in_storage_thread
from fireside.storage.row_lookup import find_summary, find_waiting
from fireside.storage.rows import SELECT_WAITING, read_waiting
from fireside.storage.text import storable, to_json


class WaitingMessages(Messages):
    """Each change is committed when its method returns. All raise ``StorageError``; ``NotStored`` among them
    for a message that is sent, taken back or was never there."""

    @in_storage_thread
    def waiting(self, conversation_id: ConversationId) -> tuple[WaitingMessage, ...]:
        """Return what waits in a conversation, in the order in which it is sent."""
        find_summary(self._database, conversation_id)
        return find_waiting(self._database, conversation_id)

    @in_storage_thread
    def waiting_message(self, waiting_id: WaitingId) -> WaitingMessage:
        """Return one of them."""
        return self._waiting(waiting_id)

    @in_storage_thread
    def add_waiting(
        self, conversation_id: ConversationId, *, message: ChatMessage, model_id: ModelId
    ) -> tuple[WaitingMessage, ...]:
        """Commit a message behind those that wait, and the cleared draft, as one; returns all that wait."""
        with self._database.transaction():
            self._clear_draft(conversation_id)
            self._database.rows(
                "INSERT INTO waiting_message (conversation_id, position, parts, model_id, created_at) "
                "SELECT ?1, coalesce(max(position), 0) + 1, ?2, ?3, ?4 "
                "FROM waiting_message WHERE conversation_id = ?1",
                conversation_id,
                to_json(message.parts),
                storable(model_id),
                self._clock(),
            )
            return find_waiting(self._database, conversation_id)

    @in_storage_thread
    def change_waiting(self, waiting_id: WaitingId, *, message: ChatMessage) -> tuple[WaitingMessage, ...]:
        """Give a message that waits other contents; returns all that wait."""
        with self._database.transaction():
            waiting = self._waiting(waiting_id)
            self._database.rows(
                "UPDATE waiting_message SET parts = ?, edit = NULL WHERE id = ?",
                to_json(message.parts),
                waiting_id,
            )
            return find_waiting(self._database, waiting.conversation_id)

    @in_storage_thread
    def remove_waiting(self, waiting_id: WaitingId) -> tuple[WaitingMessage, ...]:
        """Take a message back; returns those that still wait. Its words and files go on as the draft's."""
        with self._database.transaction():
            waiting = self._waiting(waiting_id)
            self._database.rows("DELETE FROM waiting_message WHERE id = ?", waiting_id)
            place = waiting.conversation_id
            texts = (self._draft_text(place), waiting.message.text)
            self._set_draft(place, "\n\n".join(text for text in texts if text.strip()))
            if waiting.message.attached:
                returned = tuple(map(as_attachment, waiting.message.attached))
                self._set_files(place, (*find_draft_files(self._database, place), *returned))
            return find_waiting(self._database, waiting.conversation_id)

    @in_storage_thread
    def send_waiting(self, waiting_id: WaitingId, *, generation: GenerationRecord) -> StoredTurn:
        """Commit, as one, that a message waits no longer but ends the active branch, and its empty answer."""
        with self._database.transaction():
            waiting = self._waiting(waiting_id)
            self._database.rows("DELETE FROM waiting_message WHERE id = ?", waiting_id)
            return self._put_turn(waiting.conversation_id, message=waiting.message, generation=generation)

    def _waiting(self, waiting_id: WaitingId) -> WaitingMessage:
        row = self._database.row(f"{SELECT_WAITING} WHERE id = ?", waiting_id)
        if row is None:
            raise NotStored(what="message", id=waiting_id)
        waiting = read_waiting(row)
        find_summary(self._database, waiting.conversation_id)
        return waiting
