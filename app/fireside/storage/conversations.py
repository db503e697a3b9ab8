"""Conversations: the list, their names and settings."""

from __future__ import annotations

from fireside.core.chat import Conversation, ConversationSummary, TitleBy
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.options import SettingValue
from fireside.storage.drafts import Drafts, find_draft_files, find_edits
from fireside.storage.repository import in_storage_thread
from fireside.storage.row_lookup import find_branches, find_messages, find_summary, find_waiting
from fireside.storage.rows import SELECT_SUMMARIES, read_overrides, read_summary, read_text
from fireside.storage.text import storable, to_json


class Conversations(Drafts):
    """Each change is committed when its method returns. All raise ``StorageError``; ``NotStored`` among them
    for a conversation that is deleted or was never there."""

    @in_storage_thread
    def list_conversations(self) -> tuple[ConversationSummary, ...]:
        """Return all that are not deleted, the one changed last first."""
        rows = self._database.rows(f"{SELECT_SUMMARIES} ORDER BY updated_at DESC, id DESC")
        return tuple(read_summary(row) for row in rows)

    @in_storage_thread
    def create_conversation(self, *, title: str, model_id: ModelId | None) -> ConversationSummary:
        """Start an empty conversation."""
        with self._database.transaction():
            return self._create(title=title, model_id=model_id)

    @in_storage_thread
    def open_conversation(self, conversation_id: ConversationId) -> Conversation:
        """Return the active branch. A message that cannot be read is a placeholder with its error set."""
        summary = find_summary(self._database, conversation_id)
        row = self._database.row(
            "SELECT CAST(draft AS BLOB), CAST(overrides AS BLOB) FROM conversation WHERE id = ?",
            conversation_id,
        )
        draft, overrides = row if row is not None else (None, None)
        leaf = self._active_leaf(conversation_id)
        ids, branches = find_branches(self._database, conversation_id, leaf=leaf)
        return Conversation(
            summary=summary,
            messages=find_messages(self._database, ids),
            draft=read_text(draft),
            overrides=read_overrides(overrides),
            branches=branches,
            waiting=find_waiting(self._database, conversation_id),
            attached=find_draft_files(self._database, conversation_id),
            edits=dict(find_edits(self._database, ids)),
        )

    @in_storage_thread
    def rename(
        self, conversation_id: ConversationId, *, title: str, by: TitleBy = TitleBy.PERSON
    ) -> ConversationSummary:
        """Give it another title. One that a person gave is replaced by a person's alone, else it stays."""
        with self._database.transaction():
            old = find_summary(self._database, conversation_id)
            if by is not TitleBy.PERSON and old.title_by is TitleBy.PERSON:
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
        """Keep it at the top of the list, or no longer."""
        return self._change(conversation_id, column="pinned", value=int(pinned))

    @in_storage_thread
    def set_model(self, conversation_id: ConversationId, *, model_id: ModelId) -> ConversationSummary:
        """Remember which model answers."""
        return self._change(conversation_id, column="model_id", value=storable(model_id))

    @in_storage_thread
    def delete(self, conversation_id: ConversationId) -> None:
        """Hide it; it is removed for good when the store is next opened."""
        with self._database.transaction():
            find_summary(self._database, conversation_id)
            self._database.rows(
                "UPDATE conversation SET deleted_at = ? WHERE id = ?", self._clock(), conversation_id
            )

    @in_storage_thread
    def restore(self, conversation_id: ConversationId) -> ConversationSummary:
        """Bring a deleted one back; one that is not deleted stays as it is."""
        with self._database.transaction():
            self._database.rows("UPDATE conversation SET deleted_at = NULL WHERE id = ?", conversation_id)
            return find_summary(self._database, conversation_id)

    @in_storage_thread
    def overrides(self, conversation_id: ConversationId) -> dict[str, SettingValue]:
        """Return the settings of this conversation alone, by key."""
        return self._overrides(conversation_id)

    @in_storage_thread
    def set_override(self, conversation_id: ConversationId, *, key: str, value: SettingValue) -> None:
        """Give one setting a value of its own in this conversation."""
        with self._database.transaction():
            self._write_overrides(conversation_id, {**self._overrides(conversation_id), key: value})

    @in_storage_thread
    def clear_override(self, conversation_id: ConversationId, *, key: str) -> None:
        """Let one setting follow the weaker layers again."""
        with self._database.transaction():
            kept = self._overrides(conversation_id)
            kept.pop(key, None)
            self._write_overrides(conversation_id, kept)

    def _create(self, *, title: str, model_id: ModelId | None) -> ConversationSummary:
        now = self._clock()
        conversation_id = self._database.insert(
            "INSERT INTO conversation (title, created_at, updated_at, model_id) VALUES (?, ?, ?, ?)",
            storable(title),
            now,
            now,
            storable(model_id) if model_id is not None else None,
        )
        return find_summary(self._database, ConversationId(conversation_id))

    def _change(
        self, conversation_id: ConversationId, *, column: str, value: str | int
    ) -> ConversationSummary:
        with self._database.transaction():
            find_summary(self._database, conversation_id)
            self._database.rows(
                f"UPDATE conversation SET {column} = ? WHERE id = ?",  # noqa: S608  # a literal of ours
                value,
                conversation_id,
            )
            return find_summary(self._database, conversation_id)

    def _active_leaf(self, conversation_id: ConversationId) -> MessageId | None:
        row = self._database.row("SELECT active_leaf FROM conversation WHERE id = ?", conversation_id)
        return MessageId(row[0]) if row is not None and isinstance(row[0], int) else None

    def _overrides(self, conversation_id: ConversationId) -> dict[str, SettingValue]:
        find_summary(self._database, conversation_id)
        row = self._database.row(
            "SELECT CAST(overrides AS BLOB) FROM conversation WHERE id = ?", conversation_id
        )
        return read_overrides(row[0]) if row is not None else {}

    def _write_overrides(self, conversation_id: ConversationId, overrides: dict[str, SettingValue]) -> None:
        self._database.rows(
            "UPDATE conversation SET overrides = ? WHERE id = ?", to_json(overrides), conversation_id
        )
