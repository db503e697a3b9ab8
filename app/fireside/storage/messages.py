"""Messages: sent, streamed, finished, and the branches they form."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fireside.core.chat import ConversationSummary, GenerationRecord, MessageState, StoredMessage
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import RecordNotFound
from fireside.core.generation import OutputKind, Overflow, WhenFull
from fireside.core.ids import ConversationId, DraftId, FolderId, MessageId
from fireside.core.message import ChatMessage, PassagesPart, Role, with_passages
from fireside.core.options import NO_SETTINGS, LoadOptions, SamplingParams, SettingValue
from fireside.core.prompt_input import ReasoningEffort
from fireside.core.task import Constraint
from fireside.storage.conversations import insert_conversation, write_overrides
from fireside.storage.database import Database, Durability, Repository, in_storage_thread
from fireside.storage.drafts import clear_draft, find_draft_folder
from fireside.storage.rows import (
    active_leaf,
    find_message,
    find_messages,
    find_summary,
    live_parents,
    path_ids,
    read_text,
)
from fireside.storage.text import storable, to_json


class StoredTurn(msgspec.Struct, frozen=True, kw_only=True):
    """The result of sending a message."""

    summary: ConversationSummary
    question: StoredMessage
    answer: StoredMessage
    """Empty, in the state ``STREAMING``."""


class RunParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The options of one answer, resolved from all layers of settings."""

    load: LoadOptions
    sampling: SamplingParams
    reasoning: ReasoningEffort = ReasoningEffort.DEFAULT
    thinking_budget: int | None = None
    constraint: Constraint | None = None
    overflow: Overflow = Overflow.DROP_OLDEST
    when_full: WhenFull = WhenFull.STOP
    system_prompt: str | None = None
    """The system prompt; ``None`` where it was not recorded."""
    tokens: bytes = b""
    """The answer's tokens as generated, packed; empty where they were not recorded."""
    probabilities: bytes = b""
    """The probabilities of the tokens, packed; empty where they were not requested."""


class Messages(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``, which includes
    ``RecordNotFound``, and ``InvalidText`` for text that cannot be stored."""

    @in_storage_thread
    def add_turn(
        self,
        conversation_id: ConversationId | None,
        *,
        title: str,
        message: ChatMessage,
        generation: GenerationRecord,
        overrides: Mapping[str, SettingValue] = NO_SETTINGS,
        draft_id: DraftId | None = None,
        folder_id: FolderId | None = None,
    ) -> StoredTurn:
        """Commit, as one, everything that changes when a message is sent.

        That is the user's message at the end of the active branch, the empty answer after it, the cleared
        draft with its files, and the conversation's model. Where ``conversation_id`` is ``None``, also a new
        conversation with ``title`` and the settings ``overrides``, from the new chat ``draft_id``,
        in ``folder_id``, else the folder of that draft. A folder that is gone is none.
        """
        db, now = self._database, self._clock()
        with db.transaction():
            if conversation_id is None and folder_id is None and draft_id is not None:
                folder_id = find_draft_folder(db, draft_id)
            if (key := conversation_id if conversation_id is not None else draft_id) is not None:
                clear_draft(db, key, now=now)
            if conversation_id is None:
                conversation_id = insert_conversation(
                    db, title=title, model_id=generation.model_id, folder_id=folder_id, now=now
                ).id
                if overrides:
                    write_overrides(db, conversation_id, overrides)
            parent_id = end_of_branch(db, conversation_id)
            return insert_turn(
                db, conversation_id, parent_id=parent_id, message=message, generation=generation, now=now
            )

    @in_storage_thread
    def add(
        self,
        conversation_id: ConversationId,
        *,
        parent_id: MessageId | None,
        message: ChatMessage,
        state: MessageState = MessageState.COMPLETE,
        generation: GenerationRecord | None = None,
    ) -> StoredMessage:
        """Add a message after ``parent_id``, or at the root for ``None``; it becomes the active leaf.

        It begins a new branch if the parent has other children.
        """
        with self._database.transaction():
            find_summary(self._database, conversation_id)
            if parent_id is not None:
                parent = find_message(self._database, parent_id)
                if parent.conversation_id != conversation_id:
                    raise RecordNotFound(what="message", id=parent_id)
            added = insert_message(
                self._database,
                conversation_id,
                parent_id=parent_id,
                message=message,
                state=state,
                generation=generation,
                now=self._clock(),
            )
            return find_message(self._database, added)

    @in_storage_thread
    def append_text(
        self,
        message_id: MessageId,
        text: str,
        *,
        kind: OutputKind = OutputKind.ANSWER,
        durability: Durability = Durability.POWER_CUT,
    ) -> None:
        """Append streamed text of the answer or its reasoning; only this piece is written.

        With ``Durability.PROCESS`` it survives the program at once, and a power cut after the next commit
        with ``POWER_CUT``.
        """
        with self._database.transaction(durability):
            if self._database.row("SELECT 1 FROM message WHERE id = ?", message_id) is None:
                raise RecordNotFound(what="message", id=message_id)
            self._database.rows(
                "INSERT INTO chunk (message_id, seq, text, kind) "
                "SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3 FROM chunk WHERE message_id = ?1",
                message_id,
                storable(text),
                kind.value,
            )

    @in_storage_thread
    def finish(
        self, final: StoredMessage, *, parameters: RunParameters | None = None, raw: str | None = None
    ) -> None:
        """Store the final contents, state, error and record of a message, in place of its streamed pieces.

        ``raw`` is the model's verbatim output where that differs from the answer's text. The call is
        idempotent, so it may be repeated after an error.
        """
        with self._database.transaction():
            old = find_message(self._database, final.id)
            self._database.rows(
                "UPDATE message SET parts = ?, state = ?, error = ? WHERE id = ?",
                to_json(final.message.parts),
                final.state.value,
                to_json(final.error) if final.error is not None else None,
                final.id,
            )
            self._database.rows("DELETE FROM chunk WHERE message_id = ?", final.id)
            if final.generation is not None:
                _write_generation(self._database, final.id, final.generation, parameters=parameters, raw=raw)
            touch(self._database, old.conversation_id, now=self._clock())
        self._database.locks.release(final.id)

    @in_storage_thread
    def set_passages(self, message_id: MessageId, part: PassagesPart) -> StoredMessage:
        """Replace the passages of a question."""
        with self._database.transaction():
            message = with_passages(find_message(self._database, message_id).message, part)
            self._database.rows(
                "UPDATE message SET parts = ? WHERE id = ?", to_json(message.parts), message_id
            )
            return find_message(self._database, message_id)

    @in_storage_thread
    def get(self, message_id: MessageId) -> StoredMessage:
        """Return a message with all text saved so far."""
        return find_message(self._database, message_id)

    @in_storage_thread
    def path_to(self, message_id: MessageId) -> tuple[StoredMessage, ...]:
        """Return the branch that ends in a message, from its root."""
        conversation_id = find_message(self._database, message_id).conversation_id
        return find_messages(self._database, path_ids(self._database, conversation_id, leaf=message_id))

    @in_storage_thread
    def siblings(self, message_id: MessageId) -> tuple[MessageId, ...]:
        """Return the messages with the same parent, this one included, oldest first."""
        message = find_message(self._database, message_id)
        parents = live_parents(self._database, message.conversation_id)
        return tuple(id_ for id_, parent in parents.items() if parent == message.parent_id)

    @in_storage_thread
    def answers_to(self, message_id: MessageId) -> tuple[MessageId, ...]:
        """Return the children of a message, oldest first."""
        conversation_id = find_message(self._database, message_id).conversation_id
        parents = live_parents(self._database, conversation_id)
        return tuple(id_ for id_, parent in parents.items() if parent == message_id)

    @in_storage_thread
    def set_active_leaf(self, message_id: MessageId) -> None:
        """Show the branch that ends in this message."""
        with self._database.transaction():
            message = find_message(self._database, message_id)
            write_leaf(self._database, message.conversation_id, message_id)

    @in_storage_thread
    def run_parameters(self, message_id: MessageId) -> RunParameters | None:
        """Return the recorded options of an answer, if any."""
        row = self._database.row(
            "SELECT CAST(parameters AS BLOB) FROM generation WHERE message_id = ?", message_id
        )
        if row is None or not isinstance(row[0], bytes):
            return None
        try:
            return decode_json(row[0], kind=RunParameters)
        except JsonInvalid:
            return None

    @in_storage_thread
    def raw_output(self, message_id: MessageId) -> str | None:
        """Return the model's verbatim output; ``None`` where it equals the answer's text."""
        row = self._database.row(
            "SELECT CAST(raw AS BLOB) FROM generation WHERE message_id = ? AND raw IS NOT NULL", message_id
        )
        return read_text(row[0]) if row is not None else None


def end_of_branch(db: Database, conversation_id: ConversationId) -> MessageId | None:
    """Return the last message of the active branch; ``None`` in an empty conversation."""
    path = path_ids(db, conversation_id, leaf=active_leaf(db, conversation_id))
    return path[-1] if path else None


def insert_turn(
    db: Database,
    conversation_id: ConversationId,
    *,
    parent_id: MessageId | None,
    message: ChatMessage,
    generation: GenerationRecord,
    now: float,
) -> StoredTurn:
    """Add a question after ``parent_id`` and its empty answer, inside a transaction."""
    question = insert_message(db, conversation_id, parent_id=parent_id, message=message, now=now)
    answer = insert_message(
        db,
        conversation_id,
        parent_id=question,
        message=ChatMessage(role=Role.ASSISTANT, parts=()),
        state=MessageState.STREAMING,
        generation=generation,
        now=now,
    )
    db.rows(
        "UPDATE conversation SET model_id = ? WHERE id = ?", storable(generation.model_id), conversation_id
    )
    return StoredTurn(
        summary=find_summary(db, conversation_id),
        question=find_message(db, question),
        answer=find_message(db, answer),
    )


def insert_message(
    db: Database,
    conversation_id: ConversationId,
    *,
    parent_id: MessageId | None,
    message: ChatMessage,
    state: MessageState = MessageState.COMPLETE,
    generation: GenerationRecord | None = None,
    now: float,
) -> MessageId:
    """Add a message as the active leaf, inside a transaction."""
    message_id = MessageId(
        db.insert(
            "INSERT INTO message (conversation_id, parent_id, role, parts, state, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            conversation_id,
            parent_id,
            message.role.value,
            to_json(message.parts),
            state.value,
            now,
        )
    )
    if state is MessageState.STREAMING:
        db.locks.take(message_id)
    if generation is not None:
        _write_generation(db, message_id, generation)
    write_leaf(db, conversation_id, message_id)
    touch(db, conversation_id, now=now)
    return message_id


def write_leaf(db: Database, conversation_id: ConversationId, message_id: MessageId | None) -> None:
    """Make a message the leaf of the active branch, inside a transaction."""
    db.rows("UPDATE conversation SET active_leaf = ? WHERE id = ?", message_id, conversation_id)


def touch(db: Database, conversation_id: ConversationId, *, now: float) -> None:
    """Set the time of a conversation's last change, inside a transaction."""
    db.rows("UPDATE conversation SET updated_at = ? WHERE id = ?", now, conversation_id)


def _write_generation(
    db: Database,
    message_id: MessageId,
    record: GenerationRecord,
    *,
    parameters: RunParameters | None = None,
    raw: str | None = None,
) -> None:
    db.rows(
        "INSERT INTO generation (message_id, record, parameters, raw) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (message_id) DO UPDATE SET record = excluded.record, "
        "parameters = coalesce(excluded.parameters, parameters), raw = coalesce(excluded.raw, raw)",
        message_id,
        to_json(record),
        to_json(parameters) if parameters is not None else None,
        storable(raw) if raw is not None else None,
    )
