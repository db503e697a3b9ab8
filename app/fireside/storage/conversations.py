"""Conversations: the list, their titles, settings, folders, colours and archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fireside.core.chat import Colour, Conversation, ConversationSummary, TitleSource
from fireside.core.ids import ConversationId, FolderId, ModelId
from fireside.core.options import SettingValue
from fireside.storage.database import Database, Repository, Value, in_storage_thread
from fireside.storage.drafts import find_draft_files, find_edits
from fireside.storage.folders import find_folder
from fireside.storage.rows import (
    SELECT_SUMMARIES,
    active_leaf,
    find_branches,
    find_messages,
    find_overrides,
    find_queued,
    find_summary,
    read_overrides,
    read_summary,
    read_text,
)
from fireside.storage.text import storable, to_json


class ConversationRepository(Repository):
    """Each change is committed when its method returns; a change of several conversations applies to all of
    them or none. All raise ``StorageError``, which includes ``RecordNotFound`` for a conversation or folder
    that does not exist or is deleted."""

    @in_storage_thread
    def all(self) -> tuple[ConversationSummary, ...]:
        """Return all conversations that are not deleted, the last changed first."""
        rows = self._database.rows(f"{SELECT_SUMMARIES} ORDER BY updated_at DESC, id DESC")
        return tuple(read_summary(row) for row in rows)

    @in_storage_thread
    def create(self, *, title: str, model_id: ModelId | None) -> ConversationSummary:
        """Create an empty conversation."""
        with self._database.transaction():
            return insert_conversation(self._database, title=title, model_id=model_id, now=self._clock())

    @in_storage_thread
    def open(self, conversation_id: ConversationId) -> Conversation:
        """Return the active branch. An unreadable message becomes a placeholder with its error."""
        summary = find_summary(self._database, conversation_id)
        row = self._database.row(
            "SELECT CAST(draft AS BLOB), CAST(overrides AS BLOB) FROM conversation WHERE id = ?",
            conversation_id,
        )
        draft, overrides = row if row is not None else (None, None)
        leaf = active_leaf(self._database, conversation_id)
        ids, branches = find_branches(self._database, conversation_id, leaf=leaf)
        return Conversation(
            summary=summary,
            messages=find_messages(self._database, ids),
            draft=read_text(draft),
            overrides=read_overrides(overrides),
            branches=branches,
            waiting=find_queued(self._database, conversation_id),
            attached=find_draft_files(self._database, conversation_id),
            edits=dict(find_edits(self._database, ids)),
        )

    @in_storage_thread
    def rename(
        self, conversation_id: ConversationId, *, title: str, by: TitleSource = TitleSource.USER
    ) -> ConversationSummary:
        """Rename a conversation. A title that the user gave is replaced only if ``by`` is the user."""
        with self._database.transaction():
            old = find_summary(self._database, conversation_id)
            if by is not TitleSource.USER and old.title_by is TitleSource.USER:
                return old
            self._database.rows(
                "UPDATE conversation SET title = ?, title_by = ? WHERE id = ?",
                storable(title),
                by.value,
                conversation_id,
            )
            return find_summary(self._database, conversation_id)

    @in_storage_thread
    def set_pinned(self, conversation_id: ConversationId, *, pinned: bool) -> ConversationSummary:
        """Pin a conversation to the top of the list, or unpin it."""
        return self._change((conversation_id,), column="pinned", value=int(pinned))[0]

    @in_storage_thread
    def set_model(self, conversation_id: ConversationId, *, model_id: ModelId) -> ConversationSummary:
        """Set the model that answers."""
        return self._change((conversation_id,), column="model_id", value=storable(model_id))[0]

    @in_storage_thread
    def overrides(self, conversation_id: ConversationId) -> dict[str, SettingValue]:
        """Return the conversation's own settings, by key."""
        return find_overrides(self._database, conversation_id)

    @in_storage_thread
    def with_override(self, key: str) -> tuple[tuple[ConversationSummary, SettingValue], ...]:
        """Return the conversations with their own value of a setting, and that value, the last changed
        first."""
        rows = self._database.rows(
            "SELECT id, CAST(overrides AS BLOB) FROM conversation "
            "WHERE deleted_at IS NULL AND instr(overrides, ?) > 0 ORDER BY updated_at DESC, id DESC",
            f'"{key}"',
        )
        own = ((ConversationId(row[0]), read_overrides(row[1])) for row in rows if isinstance(row[0], int))
        return tuple((find_summary(self._database, id_), values[key]) for id_, values in own if key in values)

    @in_storage_thread
    def set_override(self, conversation_id: ConversationId, *, key: str, value: SettingValue) -> None:
        """Set the conversation's own value of a setting."""
        with self._database.transaction():
            overrides = find_overrides(self._database, conversation_id)
            write_overrides(self._database, conversation_id, {**overrides, key: value})

    @in_storage_thread
    def clear_override(self, conversation_id: ConversationId, *, key: str) -> None:
        """Delete the conversation's own value of a setting."""
        with self._database.transaction():
            overrides = find_overrides(self._database, conversation_id)
            overrides.pop(key, None)
            write_overrides(self._database, conversation_id, overrides)

    @in_storage_thread
    def replace_overrides(self, conversation_id: ConversationId, values: Mapping[str, SettingValue]) -> None:
        """Replace the conversation's own settings by ``values``."""
        with self._database.transaction():
            find_summary(self._database, conversation_id)
            write_overrides(self._database, conversation_id, values)

    @in_storage_thread
    def move_to_folder(
        self, ids: Sequence[ConversationId], *, folder_id: FolderId | None
    ) -> tuple[ConversationSummary, ...]:
        """Move conversations into a folder; ``None`` removes them from theirs."""
        if folder_id is not None:
            find_folder(self._database, folder_id)
        return self._change(ids, column="folder_id", value=folder_id)

    @in_storage_thread
    def set_archived(
        self, ids: Sequence[ConversationId], *, archived: bool
    ) -> tuple[ConversationSummary, ...]:
        """Move conversations into the archive, or out of it."""
        return self._change(ids, column="archived_at", value=self._clock() if archived else None)

    @in_storage_thread
    def set_colour(
        self, ids: Sequence[ConversationId], *, colour: Colour | None
    ) -> tuple[ConversationSummary, ...]:
        """Set the colour of conversations; ``None`` removes it."""
        return self._change(ids, column="colour", value=colour)

    @in_storage_thread
    def delete(self, ids: Sequence[ConversationId]) -> None:
        """Hide conversations, which are removed for good when the store is next opened."""
        self._change(ids, column="deleted_at", value=self._clock())

    @in_storage_thread
    def restore(self, ids: Sequence[ConversationId]) -> tuple[ConversationSummary, ...]:
        """Restore deleted conversations."""
        with self._database.transaction():
            self._database.rows(
                "UPDATE conversation SET deleted_at = NULL WHERE id IN (SELECT value FROM json_each(?))",
                to_json(ids),
            )
            return tuple(find_summary(self._database, id_) for id_ in ids)

    @in_storage_thread
    def with_running_answers(self) -> frozenset[ConversationId]:
        """Return the conversations in which this or another program is writing an answer."""
        rows = self._database.rows("SELECT DISTINCT conversation_id FROM message WHERE state = 'streaming'")
        return frozenset(ConversationId(id_) for (id_,) in rows if isinstance(id_, int))

    def _change(
        self, ids: Sequence[ConversationId], *, column: str, value: Value
    ) -> tuple[ConversationSummary, ...]:
        with self._database.transaction():
            before = tuple(find_summary(self._database, id_) for id_ in ids)
            self._database.rows(
                f"UPDATE conversation SET {column} = ? "  # noqa: S608  # a literal of ours
                "WHERE id IN (SELECT value FROM json_each(?))",
                value,
                to_json(ids),
            )
            if column == "deleted_at":
                return before
            return tuple(find_summary(self._database, id_) for id_ in ids)


def insert_conversation(
    db: Database, *, title: str, model_id: ModelId | None, folder_id: FolderId | None = None, now: float
) -> ConversationSummary:
    """Add an empty conversation, inside a transaction; a folder that is gone is none. Raises
    ``InvalidText``."""
    conversation_id = db.insert(
        "INSERT INTO conversation (title, created_at, updated_at, model_id, folder_id) "
        "VALUES (?, ?, ?, ?, (SELECT id FROM folder WHERE id = ? AND deleted_at IS NULL))",
        storable(title),
        now,
        now,
        storable(model_id) if model_id is not None else None,
        folder_id,
    )
    return find_summary(db, ConversationId(conversation_id))


def write_overrides(
    db: Database, conversation_id: ConversationId, overrides: Mapping[str, SettingValue]
) -> None:
    """Replace the settings of a conversation, inside a transaction."""
    db.rows("UPDATE conversation SET overrides = ? WHERE id = ?", to_json(overrides), conversation_id)
