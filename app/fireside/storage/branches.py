"""Branches of a conversation: created, hidden and restored, continued, copied, listed."""

from __future__ import annotations

import re
from collections.abc import Callable

from fireside.core.chat import ConversationSummary, GenerationRecord, MessageState, StoredMessage, TreeNode
from fireside.core.errors import InvalidParameter, RecordNotFound
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import ChatMessage, Role
from fireside.storage.artifact_edits import copy_notes
from fireside.storage.database import Database, Repository, Row, StorageThread, in_storage_thread
from fireside.storage.drafts import write_edit
from fireside.storage.messages import StoredTurn, insert_turn, touch, write_leaf
from fireside.storage.rows import (
    active_leaf,
    chunk_parts,
    find_message,
    find_messages,
    find_summary,
    live_parents,
    path_ids,
    read_text,
)
from fireside.storage.text import storable, to_json

EXCERPT_CHARACTERS = 160

_STATES = {state.value: state for state in MessageState}
_NUMBERED = re.compile(r"(?P<stem>.+) \((?P<number>[0-9]{1,4})\)")
_BELOW = """
    WITH RECURSIVE below (id) AS (
      SELECT ?1
      UNION SELECT message.id FROM message JOIN below ON message.parent_id = below.id
      WHERE message.conversation_id = ?2
    )
"""
_NODES = """
    SELECT message.id, CAST(role AS BLOB), CAST(state AS BLOB), created_at, pinned_at IS NOT NULL,
      CASE WHEN json_valid(parts) THEN (
        SELECT CAST(substr(group_concat(value ->> 'text', ''), 1, 2000) AS BLOB)
        FROM json_each(parts) WHERE value ->> 'type' = 'text'
      ) END,
      CASE WHEN json_valid(record) THEN CAST(record ->> 'model_name' AS BLOB) END
    FROM message LEFT JOIN generation ON message_id = message.id
    WHERE conversation_id = ? AND deleted_at IS NULL ORDER BY message.id
"""


class BranchRepository(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``, which includes
    ``RecordNotFound`` for a message that does not exist or is deleted."""

    def __init__(self, thread: StorageThread, database: Database, clock: Callable[[], float]) -> None:
        super().__init__(thread, database, clock)
        self._former_leaves: dict[MessageId, MessageId] = {}
        """For each message that was hidden while on the active branch: the leaf of that branch."""

    @in_storage_thread
    def add_sibling_turn(
        self, message_id: MessageId, *, message: ChatMessage, generation: GenerationRecord
    ) -> StoredTurn:
        """Commit, as one, a sibling of a question and its empty answer, which becomes the active branch."""
        with self._database.transaction():
            sibling = self._live(message_id)
            write_edit(self._database, message_id, None)
            return insert_turn(
                self._database,
                sibling.conversation_id,
                parent_id=sibling.parent_id,
                message=message,
                generation=generation,
                now=self._clock(),
            )

    @in_storage_thread
    def replace_message(self, message_id: MessageId, *, message: ChatMessage) -> ConversationId:
        """Commit a sibling of a message with new contents, with a copy of the active branch below it.

        The new branch becomes the active one. Returns the conversation.
        """
        with self._database.transaction():
            old = self._live(message_id)
            conversation_id = old.conversation_id
            path = path_ids(
                self._database, conversation_id, leaf=active_leaf(self._database, conversation_id)
            )
            below = path[path.index(message_id) + 1 :] if message_id in path else ()
            write_edit(self._database, message_id, None)
            end = self._copy_message(message_id, into=conversation_id, parent_id=old.parent_id)
            self._database.rows("UPDATE message SET parts = ? WHERE id = ?", to_json(message.parts), end)
            for id_ in below:
                end = self._copy_message(id_, into=conversation_id, parent_id=end)
            write_leaf(self._database, conversation_id, end)
            touch(self._database, conversation_id, now=self._clock())
            return conversation_id

    @in_storage_thread
    def reopen_answer(self, message_id: MessageId) -> tuple[StoredMessage, bool]:
        """Set an answer to streaming again and show it; return it, and whether it was the active leaf before.

        Raises ``InvalidParameter`` where other messages follow it.
        """
        with self._database.transaction():
            answer = self._live(message_id)
            self._database.locks.take(message_id)
            was_shown = active_leaf(self._database, answer.conversation_id) == message_id
            if message_id in live_parents(self._database, answer.conversation_id).values():
                raise InvalidParameter(name="message", reason=tr_noop("other messages follow it."))
            self._database.rows(
                "UPDATE message SET parts = ?, state = ?, error = NULL WHERE id = ?",
                to_json(answer.message.parts),
                MessageState.STREAMING.value,
                message_id,
            )
            self._database.rows("DELETE FROM chunk WHERE message_id = ?", message_id)
            write_leaf(self._database, answer.conversation_id, message_id)
            touch(self._database, answer.conversation_id, now=self._clock())
        self._database.reopened.add(message_id)
        return find_message(self._database, message_id), was_shown

    @in_storage_thread
    def set_pinned(self, message_id: MessageId, *, pinned: bool) -> ConversationId:
        """Pin or unpin a message; return its conversation."""
        with self._database.transaction():
            conversation_id = self._live(message_id).conversation_id
            self._database.rows(
                "UPDATE message SET pinned_at = ? WHERE id = ?",
                self._clock() if pinned else None,
                message_id,
            )
            return conversation_id

    @in_storage_thread
    def delete_from(self, message_id: MessageId) -> ConversationId:
        """Hide a message and its descendants, which are removed for good when the store is next opened.

        If they were shown, the newest branch of the nearest sibling becomes active, else the parent.
        """
        with self._database.transaction():
            message = self._live(message_id)
            conversation_id = message.conversation_id
            leaf = active_leaf(self._database, conversation_id)
            was_shown = message_id in path_ids(self._database, conversation_id, leaf=leaf)
            self._database.rows(
                f"{_BELOW} UPDATE message SET deleted_at = ?3 "  # noqa: S608  # constants
                "WHERE id IN below AND deleted_at IS NULL",
                message_id,
                conversation_id,
                self._distinct_time(),
            )
            if was_shown and leaf is not None:
                self._former_leaves[message_id] = leaf
                write_leaf(self._database, conversation_id, self._leaf_without(message))
            touch(self._database, conversation_id, now=self._clock())
            return conversation_id

    @in_storage_thread
    def delete_only(self, message_id: MessageId) -> ConversationId:
        """Hide one message; its children become children of its parent. See ``delete_from``."""
        with self._database.transaction():
            message = self._live(message_id)
            conversation_id = message.conversation_id
            leaf = active_leaf(self._database, conversation_id)
            if leaf is not None and message_id in path_ids(self._database, conversation_id, leaf=leaf):
                self._former_leaves[message_id] = leaf
            self._database.rows(
                "UPDATE message SET deleted_at = ? WHERE id = ?", self._distinct_time(), message_id
            )
            if leaf == message_id:
                write_leaf(self._database, conversation_id, self._leaf_without(message))
            touch(self._database, conversation_id, now=self._clock())
            return conversation_id

    @in_storage_thread
    def restore_from(self, message_id: MessageId) -> ConversationId:
        """Restore what ``delete_from`` or ``delete_only`` hid, and show the branch that was shown then.

        Messages that were hidden at another time stay hidden.
        """
        with self._database.transaction():
            message = find_message(self._database, message_id)
            conversation_id = message.conversation_id
            find_summary(self._database, conversation_id)
            self._database.rows(
                f"{_BELOW} UPDATE message SET deleted_at = NULL WHERE id IN below "  # noqa: S608  # constants
                "AND deleted_at = (SELECT deleted_at FROM message WHERE id = ?1)",
                message_id,
                conversation_id,
            )
            leaf = self._former_leaves.pop(message_id, message_id)
            write_leaf(self._database, conversation_id, self._newest_below(leaf, conversation_id))
            touch(self._database, conversation_id, now=self._clock())
            return conversation_id

    @in_storage_thread
    def show(self, message_id: MessageId) -> tuple[ConversationId, bool]:
        """Make the branch with this message the active one, down to its newest leaf.

        Returns the conversation, and whether another branch was active. Raises ``RecordNotFound``.
        """
        with self._database.transaction():
            row = self._database.row(
                "SELECT conversation_id, active_leaf FROM message JOIN conversation "
                "ON conversation.id = conversation_id WHERE message.id = ? "
                "AND message.deleted_at IS NULL AND conversation.deleted_at IS NULL",
                message_id,
            )
            if row is None or not isinstance(row[0], int):
                raise RecordNotFound(what="message", id=message_id)
            conversation_id = ConversationId(row[0])
            leaf = MessageId(row[1]) if isinstance(row[1], int) else None
            if message_id in path_ids(self._database, conversation_id, leaf=leaf):
                return conversation_id, False
            self._database.rows(
                "UPDATE conversation SET active_leaf = ? WHERE id = ?",
                self._newest_leaf(conversation_id, message_id),
                conversation_id,
            )
            return conversation_id, True

    @in_storage_thread
    def tree(self, conversation_id: ConversationId) -> tuple[TreeNode, ...]:
        """Return every message, oldest first, so each after its parent."""
        find_summary(self._database, conversation_id)
        parents = live_parents(self._database, conversation_id)
        leaf = active_leaf(self._database, conversation_id)
        active = set(path_ids(self._database, conversation_id, leaf=leaf))
        rows = self._database.rows(_NODES, conversation_id)
        return tuple(_read_node(row, parents=parents, active=active) for row in rows)

    @in_storage_thread
    def fork(self, message_id: MessageId) -> ConversationSummary:
        """Copy the branch up to a message into a new conversation, as one commit; return that."""
        with self._database.transaction():
            message = self._live(message_id)
            source = find_summary(self._database, message.conversation_id)
            copy = self._copy_conversation(source)
            parent: MessageId | None = None
            for id_ in path_ids(self._database, source.id, leaf=message_id):
                parent = self._copy_message(id_, into=copy, parent_id=parent)
            write_leaf(self._database, copy, parent)
            return find_summary(self._database, copy)

    def _live(self, message_id: MessageId) -> StoredMessage:
        """Return a message that is not deleted, in a conversation that is not. Raises ``RecordNotFound``."""
        row = self._database.row("SELECT deleted_at FROM message WHERE id = ?", message_id)
        if row is None or row[0] is not None:
            raise RecordNotFound(what="message", id=message_id)
        message = find_message(self._database, message_id)
        find_summary(self._database, message.conversation_id)
        return message

    def _distinct_time(self) -> float:
        """Return a time of deletion that no other message has, so that each deletion is restored on its
        own."""
        (last,) = self._database.row("SELECT max(deleted_at) FROM message") or (None,)
        now = self._clock()
        return last + 0.001 if isinstance(last, float) and last >= now else now

    def _leaf_without(self, message: StoredMessage) -> MessageId | None:
        """Return the leaf to show after ``message`` has been hidden."""
        parents = live_parents(self._database, message.conversation_id)
        siblings = [id_ for id_, parent in parents.items() if parent == message.parent_id]
        if not siblings:
            return message.parent_id
        nearest = min(siblings, key=lambda id_: (id_ > message.id, abs(id_ - message.id)))
        return self._newest_below(nearest, message.conversation_id)

    def _newest_below(self, message_id: MessageId, conversation_id: ConversationId) -> MessageId:
        row = self._database.row(
            f"{_BELOW} SELECT max(id) FROM message WHERE id IN below AND deleted_at IS NULL",  # noqa: S608  # constants
            message_id,
            conversation_id,
        )
        return MessageId(row[0]) if row is not None and isinstance(row[0], int) else message_id

    def _newest_leaf(self, conversation_id: ConversationId, message_id: MessageId) -> MessageId:
        parents = live_parents(self._database, conversation_id)
        newest = {parent: id_ for id_, parent in parents.items()}
        leaf, seen = message_id, {message_id}
        # Damaged links may form a cycle.
        while (child := newest.get(leaf)) is not None and child not in seen:
            leaf = child
            seen.add(leaf)
        return leaf

    def _copy_conversation(self, source: ConversationSummary) -> ConversationId:
        now = self._clock()
        return ConversationId(
            self._database.insert(
                "INSERT INTO conversation "
                "(title, title_by, created_at, updated_at, model_id, overrides, folder_id, colour) "
                "SELECT ?, title_by, ?, ?, model_id, overrides, folder_id, colour "
                "FROM conversation WHERE id = ?",
                storable(numbered(source.title)),
                now,
                now,
                source.id,
            )
        )

    def _copy_message(
        self, message_id: MessageId, *, into: ConversationId, parent_id: MessageId | None
    ) -> MessageId:
        """Copy a message with its row data; a copy of a streaming answer is interrupted."""
        copy = MessageId(
            self._database.insert(
                "INSERT INTO message "
                "(conversation_id, parent_id, role, parts, state, created_at, error, pinned_at) "
                "SELECT ?, ?, role, parts, state, created_at, error, pinned_at FROM message WHERE id = ?",
                into,
                parent_id,
                message_id,
            )
        )
        self._database.rows(
            "INSERT INTO generation (message_id, record, parameters, raw) "
            "SELECT ?, record, parameters, raw FROM generation WHERE message_id = ?",
            copy,
            message_id,
        )
        self._database.rows(
            "INSERT INTO context_summary (message_id, text, n_messages, model_name, edited, created_at) "
            "SELECT ?, text, n_messages, model_name, edited, created_at FROM context_summary "
            "WHERE message_id = ?",
            copy,
            message_id,
        )
        copy_notes(self._database, message_id, copy)
        if chunk_parts(self._database, message_id):
            (streamed,) = find_messages(self._database, [message_id])
            self._database.rows(
                "UPDATE message SET parts = ? WHERE id = ?", to_json(streamed.message.parts), copy
            )
        self._database.rows(
            "UPDATE message SET state = ? WHERE id = ? AND state = ?",
            MessageState.INTERRUPTED.value,
            copy,
            MessageState.STREAMING.value,
        )
        return copy


def numbered(title: str) -> str:
    """Return the title of a copy: “Trees” becomes “Trees (2)”, which becomes “Trees (3)”."""
    match = _NUMBERED.fullmatch(title)
    if match is None:
        return f"{title} (2)"
    return f"{match['stem']} ({int(match['number']) + 1})"


def _read_node(row: Row, *, parents: dict[MessageId, MessageId | None], active: set[MessageId]) -> TreeNode:
    id_, role, state, created_at, pinned, text, model_name = row
    message_id = MessageId(id_ if isinstance(id_, int) else 0)
    return TreeNode(
        id=message_id,
        parent_id=parents.get(message_id),
        role=Role.USER if read_text(role) == Role.USER.value else Role.ASSISTANT,
        excerpt=" ".join(read_text(text).split())[:EXCERPT_CHARACTERS],
        state=_STATES.get(read_text(state), MessageState.FAILED),
        created_at=float(created_at) if isinstance(created_at, int | float) else 0.0,
        model_name=read_text(model_name),
        pinned=bool(pinned),
        active=message_id in active,
    )
