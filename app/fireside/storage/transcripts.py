"""Whole conversations: read with all their branches, and stored as one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import apsw
import msgspec

from fireside.core.chat import Colour, ConversationSummary, GenerationRecord, MessageState, TitleSource
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ErrorInfo, InvalidText
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import ChatMessage
from fireside.core.options import SettingValue
from fireside.storage.database import Repository, in_storage_thread
from fireside.storage.messages import RunParameters
from fireside.storage.recovery import identity_of
from fireside.storage.row_lookup import find_messages, find_summary, live_parents
from fireside.storage.rows import read_overrides, read_text
from fireside.storage.text import storable, to_json

_MAX_ID_DIGITS: Final = 18


class SummaryUpTo(msgspec.Struct, frozen=True, kw_only=True):
    """The text that replaces a message and all before it in requests."""

    text: str
    n_messages: int
    model_name: str = ""
    edited: bool = False
    created_at: float = 0.0


class TranscriptMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a transcript. Times are seconds since the epoch, UTC."""

    parent: int | None = None
    """Index of the parent in the transcript, which precedes this message; ``None`` for a root."""
    message: ChatMessage
    state: MessageState = MessageState.COMPLETE
    created_at: float = 0.0
    is_pinned: bool = False
    error: ErrorInfo | None = None
    generation: GenerationRecord | None = None
    parameters: RunParameters | None = None
    raw: str | None = None
    """The model's verbatim output, where that differs from the answer's text."""
    summary: SummaryUpTo | None = None


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation with all of its branches, independent of any database."""

    origin: str
    """A globally unique name of the conversation, across databases and programs."""
    title: str
    title_by: TitleSource = TitleSource.USER
    created_at: float = 0.0
    updated_at: float = 0.0
    model_id: str | None = None
    is_pinned: bool = False
    is_archived: bool = False
    colour: Colour | None = None
    folder: str | None = None
    """The name of its folder."""
    draft: str = ""
    overrides: dict[str, SettingValue] = {}
    """The conversation's own settings, by key."""
    active: int | None = None
    """Index of the leaf of the active branch."""
    messages: tuple[TranscriptMessage, ...] = ()

    def branch(self) -> tuple[TranscriptMessage, ...]:
        """Return the active branch from its root; without one, the branch of the last message."""
        last = len(self.messages) - 1
        index = last if self.active is None or self.active > last else self.active
        path: list[TranscriptMessage] = []
        while index >= 0:
            message = self.messages[index]
            path.append(message)
            index = message.parent if message.parent is not None and message.parent < index else -1
        return tuple(reversed(path))


class Transcripts(Repository):
    """All raise ``StorageError``."""

    @in_storage_thread
    def get(self, conversation_id: ConversationId) -> Transcript:
        """Return everything of a conversation except its queued messages.

        An unreadable message becomes a placeholder with its error, and a streaming answer an interrupted one.
        Raises ``RecordNotFound``.
        """
        summary = find_summary(self._database, conversation_id)
        origin, draft, overrides, leaf, folder = self._other_columns(conversation_id)
        parents = live_parents(self._database, conversation_id)
        indexes = {message_id: index for index, message_id in enumerate(parents)}
        return Transcript(
            origin=origin or f"{self._origin_prefix()}{conversation_id}",
            title=summary.title,
            title_by=summary.title_by,
            created_at=summary.created_at,
            updated_at=summary.updated_at,
            model_id=summary.model_id,
            is_pinned=summary.pinned,
            is_archived=summary.archived,
            colour=summary.colour,
            folder=folder,
            draft=draft,
            overrides=overrides,
            active=indexes.get(leaf) if leaf is not None else None,
            messages=tuple(self._messages(conversation_id, parents, indexes)),
        )

    @in_storage_thread
    def add(self, transcript: Transcript) -> ConversationSummary | None:
        """Store a whole conversation as one commit; return ``None`` where it exists already.

        It exists if a conversation was imported with this ``origin``, or was started in this database and
        exported with it. Its folder is found by name or created. Raises ``InvalidText`` for text that cannot
        be stored.
        """
        prefix = self._origin_prefix()
        try:
            with self._database.transaction():
                if self._has_origin(transcript.origin, prefix=prefix):
                    return None
                return self._insert_transcript(transcript)
        except apsw.ConstraintError as exc:
            raise InvalidText(reason=tr_noop("it refers to a missing file.")) from exc

    def _origin_prefix(self) -> str:
        """Return the prefix of the origins of conversations that were started in this database."""
        return f"fireside:{identity_of(self._database)}-"

    def _other_columns(
        self, conversation_id: ConversationId
    ) -> tuple[str, str, dict[str, SettingValue], MessageId | None, str | None]:
        row = self._database.row(
            "SELECT CAST(origin AS BLOB), CAST(draft AS BLOB), CAST(overrides AS BLOB), active_leaf, "
            "CAST(folder.name AS BLOB) FROM conversation LEFT JOIN folder ON folder.id = folder_id "
            "WHERE conversation.id = ?",
            conversation_id,
        )
        origin, draft, overrides, leaf, folder = row if row is not None else (None,) * 5
        return (
            read_text(origin),
            read_text(draft),
            read_overrides(overrides),
            MessageId(leaf) if isinstance(leaf, int) else None,
            read_text(folder) if folder is not None else None,
        )

    def _messages(
        self,
        conversation_id: ConversationId,
        parents: dict[MessageId, MessageId | None],
        indexes: dict[MessageId, int],
    ) -> Iterator[TranscriptMessage]:
        runs = self._runs(conversation_id)
        pinned = self._pinned(conversation_id)
        summaries = self._summaries(conversation_id)
        for stored in find_messages(self._database, tuple(parents)):
            parent_id = parents[stored.id]
            parent = indexes[parent_id] if parent_id is not None else None
            parameters, raw = runs.get(stored.id, (None, None))
            is_running = stored.state is MessageState.STREAMING
            yield TranscriptMessage(
                # A damaged link may point forward, which could form a cycle.
                parent=parent if parent is not None and parent < indexes[stored.id] else None,
                message=stored.message,
                state=MessageState.INTERRUPTED if is_running else stored.state,
                created_at=stored.created_at,
                is_pinned=stored.id in pinned,
                error=stored.error,
                generation=stored.generation,
                parameters=parameters,
                raw=raw,
                summary=summaries.get(stored.id),
            )

    def _runs(
        self, conversation_id: ConversationId
    ) -> dict[MessageId, tuple[RunParameters | None, str | None]]:
        try:
            rows = self._database.rows(
                "SELECT message_id, CAST(parameters AS BLOB), CAST(raw AS BLOB) FROM generation "
                "JOIN message ON message.id = message_id WHERE conversation_id = ?",
                conversation_id,
            )
        except apsw.CorruptError:
            return {}
        return {
            MessageId(id_): (_parameters(parameters), read_text(raw) if raw is not None else None)
            for id_, parameters, raw in rows
            if isinstance(id_, int)
        }

    def _summaries(self, conversation_id: ConversationId) -> dict[MessageId, SummaryUpTo]:
        rows = self._database.rows(
            "SELECT message_id, CAST(text AS BLOB), n_messages, CAST(model_name AS BLOB), edited, "
            "context_summary.created_at FROM context_summary JOIN message ON message.id = message_id "
            "WHERE conversation_id = ?",
            conversation_id,
        )
        return {
            MessageId(id_): SummaryUpTo(
                text=read_text(text),
                n_messages=n_messages if isinstance(n_messages, int) else 0,
                model_name=read_text(model_name),
                edited=bool(edited),
                created_at=float(created_at) if isinstance(created_at, int | float) else 0.0,
            )
            for id_, text, n_messages, model_name, edited, created_at in rows
            if isinstance(id_, int)
        }

    def _pinned(self, conversation_id: ConversationId) -> set[MessageId]:
        rows = self._database.rows(
            "SELECT id FROM message WHERE conversation_id = ? AND pinned_at IS NOT NULL", conversation_id
        )
        return {MessageId(id_) for (id_,) in rows if isinstance(id_, int)}

    def _has_origin(self, origin: str, *, prefix: str) -> bool:
        by_import = "SELECT 1 FROM conversation WHERE origin = ? AND deleted_at IS NULL"
        if self._database.row(by_import, storable(origin)) is not None:
            return True
        number = origin.removeprefix(prefix)
        if number == origin or not (number.isascii() and number.isdecimal()) or len(number) > _MAX_ID_DIGITS:
            return False
        by_id = "SELECT 1 FROM conversation WHERE id = ? AND deleted_at IS NULL"
        return self._database.row(by_id, int(number)) is not None

    def _insert_transcript(self, transcript: Transcript) -> ConversationSummary:
        now = self._clock()
        conversation_id = ConversationId(
            self._database.insert(
                "INSERT INTO conversation (title, title_by, created_at, updated_at, model_id, pinned, draft, "
                "overrides, archived_at, colour, folder_id, origin) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                storable(transcript.title),
                transcript.title_by.value,
                transcript.created_at or now,
                transcript.updated_at or transcript.created_at or now,
                storable(transcript.model_id) if transcript.model_id is not None else None,
                int(transcript.is_pinned),
                storable(transcript.draft),
                to_json(transcript.overrides),
                now if transcript.is_archived else None,
                transcript.colour.value if transcript.colour is not None else None,
                self._folder_of(transcript.folder),
                storable(transcript.origin),
            )
        )
        ids: list[int] = []
        for message in transcript.messages:
            parent_id = ids[message.parent] if message.parent is not None else None
            ids.append(self._insert_message(conversation_id, message, parent_id=parent_id))
        if ids:
            last = transcript.active if transcript.active is not None else len(ids) - 1
            self._database.rows(
                "UPDATE conversation SET active_leaf = ? WHERE id = ?", ids[last], conversation_id
            )
        return find_summary(self._database, conversation_id)

    def _insert_message(
        self, conversation_id: ConversationId, message: TranscriptMessage, *, parent_id: int | None
    ) -> int:
        state = message.state
        id_ = self._database.insert(
            "INSERT INTO message (conversation_id, parent_id, role, parts, state, created_at, error, "
            "pinned_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            conversation_id,
            parent_id,
            message.message.role.value,
            to_json(message.message.parts),
            (MessageState.INTERRUPTED if state is MessageState.STREAMING else state).value,
            message.created_at,
            to_json(message.error) if message.error is not None else None,
            self._clock() if message.is_pinned else None,
        )
        if message.generation is not None:
            self._database.rows(
                "INSERT INTO generation (message_id, record, parameters, raw) VALUES (?, ?, ?, ?)",
                id_,
                to_json(message.generation),
                to_json(message.parameters) if message.parameters is not None else None,
                storable(message.raw) if message.raw is not None else None,
            )
        if (summary := message.summary) is not None:
            self._database.rows(
                "INSERT INTO context_summary (message_id, text, n_messages, model_name, edited, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                id_,
                storable(summary.text),
                summary.n_messages,
                storable(summary.model_name),
                int(summary.edited),
                summary.created_at,
            )
        return id_

    def _folder_of(self, name: str | None) -> int | None:
        if name is None:
            return None
        row = self._database.row("SELECT id FROM folder WHERE name = ? ORDER BY id", storable(name))
        if row is not None and isinstance(row[0], int):
            return row[0]
        return self._database.insert(
            "INSERT INTO folder (name, position, created_at) "
            "VALUES (?, (SELECT coalesce(max(position), -1) + 1 FROM folder), ?)",
            storable(name),
            self._clock(),
        )


def _parameters(value: object) -> RunParameters | None:
    try:
        return decode_json(value, kind=RunParameters) if isinstance(value, bytes) else None
    except JsonInvalid:
        return None
