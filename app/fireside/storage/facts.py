"""Facts that the user confirmed to be remembered in later chats."""

from __future__ import annotations

from typing import Final

from fireside.core.ids import ConversationId, FactId
from fireside.core.tools import RememberedFact
from fireside.storage.database import Repository, Row, in_storage_thread
from fireside.storage.rows import read_text
from fireside.storage.text import storable

_SELECT: Final = """
    SELECT fact.id, CAST(fact.text AS BLOB), fact.created_at, conversation.id, CAST(title AS BLOB)
    FROM fact LEFT JOIN conversation ON conversation.id = fact.conversation_id AND deleted_at IS NULL
    ORDER BY fact.id
"""


class Facts(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``."""

    @in_storage_thread
    def all(self) -> tuple[RememberedFact, ...]:
        """Return all facts, the oldest first."""
        return tuple(map(_read, self._database.rows(_SELECT)))

    @in_storage_thread
    def add(self, text: str, *, conversation_id: ConversationId, max_characters: int) -> bool:
        """Store a fact of a chat, unless all facts would have more than ``max_characters`` characters.

        A fact that exists is not stored twice. Returns whether it is stored.
        """
        text = storable(text)
        with self._database.transaction():
            row = self._database.row("SELECT coalesce(sum(length(text)), 0), total(text = ?) FROM fact", text)
            n_characters, n_same = row or (0, 0)
            if n_same:
                return True
            if not isinstance(n_characters, int) or n_characters + len(text) > max_characters:
                return False
            self._database.insert(
                "INSERT INTO fact (text, conversation_id, created_at) VALUES (?, ?, ?)",
                text,
                conversation_id,
                self._clock(),
            )
            return True

    @in_storage_thread
    def delete(self, fact_id: FactId) -> None:
        """Delete a fact."""
        with self._database.transaction():
            self._database.rows("DELETE FROM fact WHERE id = ?", fact_id)


def _read(row: Row) -> RememberedFact:
    id_, text, created_at, conversation_id, title = row
    return RememberedFact(
        id=FactId(id_ if isinstance(id_, int) else 0),
        text=read_text(text),
        created_at=created_at if isinstance(created_at, float) else 0.0,
        conversation_id=ConversationId(conversation_id) if isinstance(conversation_id, int) else None,
        title=read_text(title),
    )
