"""Messages: sent, streamed, finished, and the branches they form."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fireside.core.chat import ConversationSummary, GenerationRecord, MessageState, StoredMessage
from fireside.core.constraint import Constraint
from fireside.core.errors import RecordNotFound
from fireside.core.generation import OutputKind, Overflow, WhenFull
from fireside.core.ids import ConversationId, DraftId, MessageId
from fireside.core.message import ChatMessage, MessagePart, PassagesPart, Role, TextPart
from fireside.core.options import NO_SETTINGS, LoadOptions, SamplingParams, SettingValue
from fireside.core.prompt_input import Reasoning
from fireside.storage.conversations import insert_conversation, write_overrides
from fireside.storage.database import Database, Durability, Repository, in_storage_thread
from fireside.storage.drafts import clear_draft
from fireside.storage.row_lookup import (
    active_leaf,
    find_message,
    find_messages,
    find_summary,
    live_parents,
    path_ids,
)
from fireside.storage.rows import read_text
from fireside.storage.text import storable, to_json


class StoredTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What one send committed."""

    summary: ConversationSummary
    question: StoredMessage
    answer: StoredMessage
    """Empty and streaming: the place where the answer goes."""


class RunParameters(msgspec.Struct, frozen=True, kw_only=True):
    """How a model was run for one answer, after all layers of settings were resolved."""

    load: LoadOptions
    sampling: SamplingParams
    reasoning: Reasoning = Reasoning.DEFAULT
    thinking_budget: int | None = None
    constraint: Constraint | None = None
    overflow: Overflow = Overflow.DROP_OLDEST
    when_full: WhenFull = WhenFull.STOP
    system_prompt: str | None = None
    """What the model was told first; ``None`` where that was not kept."""
    tokens: bytes = b""
    """The answer's tokens as they were generated, packed; empty where they are not known."""
    probabilities: bytes = b""
    """What the model thought of them, packed, if that was wanted."""


class Messages(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``; ``RecordNotFound`` among
    them for a message that was never there, and ``InvalidText`` for text that no database can hold."""

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
    ) -> StoredTurn:
        """Commit, as one, everything that a send changes.

        That is the user's message at the end of the active branch, the empty answer after it, the cleared
        draft with its files, the conversation's model, and the conversation itself where ``conversation_id``
        is ``None`` (only then ``title``, ``overrides``, its own settings, and ``draft_id``, the new chat that
        it was written in, are used).
        """
        db, now = self._database, self._clock()
        with db.transaction():
            if (place := conversation_id if conversation_id is not None else draft_id) is not None:
                clear_draft(db, place, now=now)
            if conversation_id is None:
                conversation_id = insert_conversation(
                    db, title=title, model_id=generation.model_id, now=now
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

        Beside a message with the same parent it makes a new branch.
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
        """Save text that streamed in: of the answer, or of the reasoning before it.

        Only this piece is written, however long the answer is already.

        With ``Durability.PROCESS`` it outlives the program at once and a power cut from the next commit on
        that is made with ``POWER_CUT``.
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
        """Give a message its final contents, state, error and record, and drop its streamed pieces.

        ``raw`` is what the model wrote, to the letter, where that is not simply the answer's text. Doing it
        again with the same values changes nothing, so it may be tried again after an error.
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
        """Put what was found for a question in front of its words, in place of what was found before."""
        with self._database.transaction():
            old = find_message(self._database, message_id).message
            parts: list[MessagePart] = [each for each in old.parts if not isinstance(each, PassagesPart)]
            place = next((n for n, each in enumerate(parts) if isinstance(each, TextPart)), len(parts))
            parts.insert(place, part)
            self._database.rows("UPDATE message SET parts = ? WHERE id = ?", to_json(parts), message_id)
            return find_message(self._database, message_id)

    @in_storage_thread
    def get(self, message_id: MessageId) -> StoredMessage:
        """Return one message, with all text that has been saved for it."""
        return find_message(self._database, message_id)

    @in_storage_thread
    def path_to(self, message_id: MessageId) -> tuple[StoredMessage, ...]:
        """Return the branch that ends in a message, first message first."""
        conversation_id = find_message(self._database, message_id).conversation_id
        return find_messages(self._database, path_ids(self._database, conversation_id, leaf=message_id))

    @in_storage_thread
    def siblings(self, message_id: MessageId) -> tuple[MessageId, ...]:
        """Return the messages that share a parent with this one and this one, oldest first."""
        message = find_message(self._database, message_id)
        parents = live_parents(self._database, message.conversation_id)
        return tuple(id_ for id_, parent in parents.items() if parent == message.parent_id)

    @in_storage_thread
    def answers_to(self, message_id: MessageId) -> tuple[MessageId, ...]:
        """Return the messages that follow this one directly, oldest first."""
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
        """Return the options that an answer was made with, if they were kept."""
        row = self._database.row(
            "SELECT CAST(parameters AS BLOB) FROM generation WHERE message_id = ?", message_id
        )
        if row is None or not isinstance(row[0], bytes):
            return None
        try:
            return msgspec.json.decode(row[0], type=RunParameters)
        except msgspec.MsgspecError:
            return None

    @in_storage_thread
    def raw_output(self, message_id: MessageId) -> str | None:
        """Return what the model wrote, to the letter, where it is not simply the answer's text."""
        row = self._database.row(
            "SELECT CAST(raw AS BLOB) FROM generation WHERE message_id = ? AND raw IS NOT NULL", message_id
        )
        return read_text(row[0]) if row is not None else None


def end_of_branch(db: Database, conversation_id: ConversationId) -> MessageId | None:
    """Return the last message of the active branch, ``None`` in an empty conversation."""
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
    """Add a question after ``parent_id`` and the place for its answer, inside a transaction."""
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
    """Add a message that becomes the active leaf, inside a transaction."""
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
    """Make a message the end of the branch that is shown, inside a transaction."""
    db.rows("UPDATE conversation SET active_leaf = ? WHERE id = ?", message_id, conversation_id)


def touch(db: Database, conversation_id: ConversationId, *, now: float) -> None:
    """Make ``now`` the time of a conversation's last change, inside a transaction."""
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
