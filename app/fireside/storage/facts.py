"""Facts that the user confirmed to be remembered: everywhere, in a folder, or in one chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.errors import RecordNotFound
from fireside.core.facts import EVERYWHERE, FactPlace, FactScope, RememberedFact
from fireside.core.ids import ConversationId, FactId, FolderId, MessageId
from fireside.storage.database import Database, Repository, Row, in_storage_thread
from fireside.storage.rows import find_summary, read_text
from fireside.storage.text import storable

_SELECT: Final = """
    SELECT fact.id, CAST(fact.text AS BLOB), fact.created_at, source.id, CAST(source.title AS BLOB),
        message.id, fact.folder_id, fact.chat_id, CAST(coalesce(folder.name, chat.title, '') AS BLOB)
    FROM fact
    LEFT JOIN conversation AS source ON source.id = fact.conversation_id AND source.deleted_at IS NULL
    LEFT JOIN message ON message.id = fact.message_id AND message.deleted_at IS NULL AND source.id IS NOT NULL
    LEFT JOIN folder ON folder.id = fact.folder_id
    LEFT JOIN conversation AS chat ON chat.id = fact.chat_id
    WHERE chat.deleted_at IS NULL AND folder.deleted_at IS NULL
"""
_ORDER: Final = "ORDER BY fact.chat_id IS NOT NULL, fact.folder_id IS NOT NULL, folder.position, fact.id"
_HOLDING: Final = """
    AND (fact.folder_id IS NULL AND fact.chat_id IS NULL OR fact.chat_id = ?1
        OR fact.folder_id = (SELECT folder_id FROM conversation WHERE id = ?1))
"""


class Facts(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``.

    Facts of a folder or chat go with it, and come back when its deletion is undone.
    """

    @in_storage_thread
    def all(self) -> tuple[RememberedFact, ...]:
        """Return all facts, the oldest first: those that hold everywhere, then in folders, then in chats."""
        return tuple(map(_read, self._database.rows(_SELECT + _ORDER)))

    @in_storage_thread
    def holding(self, conversation_id: ConversationId | None) -> tuple[RememberedFact, ...]:
        """Return the facts that hold in a chat, in the same order; ``None`` for a new one."""
        return tuple(map(_read, self._database.rows(_SELECT + _HOLDING + _ORDER, conversation_id)))

    @in_storage_thread
    def add(
        self,
        text: str,
        *,
        conversation_id: ConversationId,
        message_id: MessageId | None = None,
        scope: FactScope = FactScope.EVERYWHERE,
        max_characters: int,
    ) -> bool:
        """Store a fact from a chat, unless its place would have more than ``max_characters`` characters.

        A fact that exists there is not stored twice. Returns whether it is stored. Raises ``RecordNotFound``
        for the project of a chat that is in no folder.
        """
        with self._database.transaction():
            folder_id = find_summary(self._database, conversation_id).folder_id
            if scope is FactScope.PROJECT and folder_id is None:
                raise RecordNotFound(what="folder", id=0)
            place = FactPlace(
                folder_id=folder_id if scope is FactScope.PROJECT else None,
                chat_id=conversation_id if scope is FactScope.CHAT else None,
            )
            return put_fact(
                self._database,
                text,
                place,
                created_at=self._clock(),
                source=(conversation_id, message_id),
                max_characters=max_characters,
            )

    @in_storage_thread
    def add_by_hand(self, text: str, *, place: FactPlace = EVERYWHERE, max_characters: int) -> bool:
        """Store a fact that the user wrote; see ``add``."""
        with self._database.transaction():
            return put_fact(
                self._database, text, place, created_at=self._clock(), max_characters=max_characters
            )

    @in_storage_thread
    def change(self, fact_id: FactId, *, text: str, place: FactPlace, max_characters: int) -> bool:
        """Replace text and place of a fact; return whether there was room. Raises ``RecordNotFound``."""
        text = storable(text)
        with self._database.transaction():
            if not self._database.row("SELECT 1 FROM fact WHERE id = ?", fact_id):
                raise RecordNotFound(what="fact", id=fact_id)
            if _n_characters(self._database, place, without=fact_id) + len(text) > max_characters:
                return False
            self._database.rows(
                "UPDATE fact SET text = ?, folder_id = ?, chat_id = ? WHERE id = ?",
                text,
                place.folder_id,
                place.chat_id,
                fact_id,
            )
            return True

    @in_storage_thread
    def delete(self, fact_id: FactId) -> None:
        """Delete a fact."""
        with self._database.transaction():
            self._database.rows("DELETE FROM fact WHERE id = ?", fact_id)

    @in_storage_thread
    def restore(self, facts: Sequence[RememberedFact]) -> None:
        """Store deleted facts again, as they were."""
        with self._database.transaction():
            for fact in facts:
                self._database.rows(
                    "INSERT OR IGNORE INTO fact (id, text, conversation_id, message_id, folder_id, chat_id, "
                    "created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    fact.id,
                    storable(fact.text),
                    fact.conversation_id,
                    fact.message_id,
                    fact.place.folder_id,
                    fact.place.chat_id,
                    fact.created_at,
                )


def put_fact(
    db: Database,
    text: str,
    place: FactPlace,
    *,
    created_at: float,
    source: tuple[ConversationId | None, MessageId | None] = (None, None),
    max_characters: int,
) -> bool:
    """Store a fact within a transaction, from the chat and answer ``source``; see ``Facts.add``."""
    text = storable(text)
    same = "SELECT 1 FROM fact WHERE text = ? AND folder_id IS ? AND chat_id IS ?"
    if db.row(same, text, place.folder_id, place.chat_id):
        return True
    if _n_characters(db, place) + len(text) > max_characters:
        return False
    db.insert(
        "INSERT INTO fact (text, conversation_id, message_id, folder_id, chat_id, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        text,
        *source,
        place.folder_id,
        place.chat_id,
        created_at,
    )
    return True


def _n_characters(db: Database, place: FactPlace, *, without: FactId | None = None) -> int:
    row = db.row(
        "SELECT coalesce(sum(length(text)), 0) FROM fact "
        "WHERE folder_id IS ? AND chat_id IS ? AND id IS NOT ?",
        place.folder_id,
        place.chat_id,
        without,
    )
    return row[0] if row is not None and isinstance(row[0], int) else 0


def _read(row: Row) -> RememberedFact:
    id_, text, created_at, conversation_id, title, message_id, folder_id, chat_id, name = row
    return RememberedFact(
        id=FactId(id_ if isinstance(id_, int) else 0),
        text=read_text(text),
        created_at=created_at if isinstance(created_at, float) else 0.0,
        place=FactPlace(
            folder_id=FolderId(folder_id) if isinstance(folder_id, int) else None,
            chat_id=ConversationId(chat_id) if isinstance(chat_id, int) else None,
            name=read_text(name),
        ),
        conversation_id=ConversationId(conversation_id) if isinstance(conversation_id, int) else None,
        message_id=MessageId(message_id) if isinstance(message_id, int) else None,
        title=read_text(title),
    )
