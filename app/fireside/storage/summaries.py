"""Summaries that replace earlier messages in requests."""

from __future__ import annotations

from typing import Final

from fireside.core.context import ContextSummary
from fireside.core.errors import RecordNotFound
from fireside.core.ids import ConversationId, MessageId, SummaryId
from fireside.storage.database import Repository, Row, in_storage_thread
from fireside.storage.rows import find_message, path_ids, read_text
from fireside.storage.text import storable, to_json

_SELECT: Final = """
    SELECT context_summary.id, conversation_id, message_id, CAST(text AS BLOB), n_messages,
      CAST(model_name AS BLOB), edited, context_summary.created_at
    FROM context_summary JOIN message ON message.id = message_id
"""


class Summaries(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``, which includes
    ``RecordNotFound`` for a summary that does not exist."""

    @in_storage_thread
    def for_branch(self, leaf: MessageId) -> ContextSummary | None:
        """Return the summary that covers most messages of the branch before ``leaf``."""
        conversation_id = find_message(self._database, leaf).conversation_id
        before = path_ids(self._database, conversation_id, leaf=leaf)[:-1]
        row = self._database.row(
            f"{_SELECT} WHERE message_id IN (SELECT value FROM json_each(?)) "  # noqa: S608  # constants
            "ORDER BY message_id DESC LIMIT 1",
            to_json(before),
        )
        return _read(row) if row is not None else None

    @in_storage_thread
    def get(self, summary_id: SummaryId) -> ContextSummary:
        """Return a summary."""
        return self._find(summary_id)

    @in_storage_thread
    def put(self, through: MessageId, *, text: str, n_messages: int, model_name: str) -> ContextSummary:
        """Store the summary of the messages up to ``through``, in place of an earlier one of the same
        messages."""
        with self._database.transaction():
            find_message(self._database, through)
            self._database.rows(
                "INSERT INTO context_summary (id, message_id, text, n_messages, model_name, created_at) "
                "VALUES ((SELECT coalesce(max(id), ?) + 1 FROM context_summary), ?, ?, ?, ?, ?) "
                "ON CONFLICT (message_id) DO UPDATE SET text = excluded.text, "
                "n_messages = excluded.n_messages, model_name = excluded.model_name, edited = 0, "
                "created_at = excluded.created_at",
                self._database.first_id,
                through,
                storable(text),
                n_messages,
                storable(model_name),
                self._clock(),
            )
            row = self._database.row(f"{_SELECT} WHERE message_id = ?", through)
            if row is None:
                raise RecordNotFound(what="summary", id=through)
            return _read(row)

    @in_storage_thread
    def edit(self, summary_id: SummaryId, *, text: str) -> ContextSummary:
        """Replace the text of a summary by the user's."""
        with self._database.transaction():
            self._find(summary_id)
            self._database.rows(
                "UPDATE context_summary SET text = ?, edited = 1 WHERE id = ?", storable(text), summary_id
            )
            return self._find(summary_id)

    @in_storage_thread
    def remove(self, summary_id: SummaryId) -> ConversationId:
        """Remove a summary and the earlier ones on its branch; return its conversation."""
        with self._database.transaction():
            summary = self._find(summary_id)
            path = path_ids(self._database, summary.conversation_id, leaf=summary.through)
            self._database.rows(
                "DELETE FROM context_summary WHERE message_id IN (SELECT value FROM json_each(?))",
                to_json(path),
            )
            return summary.conversation_id

    def _find(self, summary_id: SummaryId) -> ContextSummary:
        row = self._database.row(f"{_SELECT} WHERE context_summary.id = ?", summary_id)
        if row is None:
            raise RecordNotFound(what="summary", id=summary_id)
        return _read(row)


def _read(row: Row) -> ContextSummary:
    id_, conversation_id, message_id, text, n_messages, model_name, edited, created_at = row
    return ContextSummary(
        id=SummaryId(_integer(id_)),
        conversation_id=ConversationId(_integer(conversation_id)),
        through=MessageId(_integer(message_id)),
        text=read_text(text),
        n_messages=_integer(n_messages),
        model_name=read_text(model_name),
        edited=bool(edited),
        created_at=float(created_at) if isinstance(created_at, int | float) else 0.0,
    )


def _integer(value: object) -> int:
    return value if isinstance(value, int) else 0
