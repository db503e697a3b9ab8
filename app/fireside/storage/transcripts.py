"""Whole conversations: read with all their branches, and stored as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import apsw
import msgspec

from fireside.core.artifacts import ArtifactNotes
from fireside.core.chat import Colour, ConversationSummary, GenerationRecord, MessageState, TitleSource
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ErrorInfo, InvalidText
from fireside.core.facts import FACT_CHARACTERS, FactPlace
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, FolderId, MessageId
from fireside.core.message import ChatMessage
from fireside.core.options import SettingValue
from fireside.storage.artifact_edits import find_notes, write_notes
from fireside.storage.database import Repository, in_storage_thread
from fireside.storage.facts import put_fact
from fireside.storage.imported_messages import (
    Incoming,
    find_imported,
    has_more_images,
    is_as_imported,
    match_stored,
    names_of,
    parent_of,
    record_imported,
    show_new,
)
from fireside.storage.messages import RunParameters
from fireside.storage.recovery import identity_of
from fireside.storage.rows import find_messages, find_summary, live_parents, read_overrides, read_text
from fireside.storage.text import storable, to_json

_MAX_ID_DIGITS: Final = 18
_INTO_FOLDER: Final = "UPDATE conversation SET folder_id = ? WHERE id = ? AND folder_id IS NULL"


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
    artifacts: tuple[ArtifactNotes, ...] = ()
    """What the user made of its blocks."""
    name: str = ""
    """What identifies it in another program, whatever becomes of its content; empty if nothing does."""


class TranscriptFact(msgspec.Struct, frozen=True, kw_only=True):
    """A remembered fact that holds in the conversation alone."""

    text: str
    created_at: float = 0.0
    message: int | None = None
    """Index of the message that it is from; ``None`` if the user wrote it."""


class StoredTranscript(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a transcript that was added."""

    summary: ConversationSummary
    is_new: bool
    """Whether the conversation was not here yet."""
    n_added: int
    """Messages that were not here yet."""
    n_changed: int = 0
    """Messages that changed in the transcript and not here, and were replaced."""


class ConversationTranscript(msgspec.Struct, frozen=True, kw_only=True):
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
    facts: tuple[TranscriptFact, ...] = ()

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
    def get(self, conversation_id: ConversationId) -> ConversationTranscript:
        """Return everything of a conversation except its queued messages.

        An unreadable message becomes a placeholder with its error, and a streaming answer an interrupted one.
        Raises ``RecordNotFound``.
        """
        summary = find_summary(self._database, conversation_id)
        origin, draft, overrides, leaf, folder = self._other_columns(conversation_id)
        parents = live_parents(self._database, conversation_id)
        indexes = {message_id: index for index, message_id in enumerate(parents)}
        return ConversationTranscript(
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
            facts=tuple(self._facts(conversation_id, indexes)),
        )

    @in_storage_thread
    def add(
        self,
        transcript: ConversationTranscript,
        *,
        is_complete: bool = True,
        folder_id: FolderId | None = None,
    ) -> StoredTranscript:
        """Store a whole conversation as one commit, or what is new of one that exists already.

        It exists if a conversation was imported with this ``origin``, or was started in this database and
        exported with it. Then messages that are not here yet are added after those that they follow, and
        ones that changed elsewhere are replaced; one that was changed here stays, with the other beside it,
        and one that was removed here does not come back. A transcript that is not ``is_complete``, since it
        could not be read as a whole, replaces nothing. Facts of the conversation come with it, into one that
        is here with the messages that they are from. Its folder is ``folder_id``, else found by name or
        created; one that is here already moves there only if it is in no folder. Raises ``InvalidText`` for
        text that cannot be stored.
        """
        prefix = self._origin_prefix()
        try:
            with self._database.transaction():
                if (conversation_id := self._find_origin(transcript.origin, prefix=prefix)) is not None:
                    if folder_id is not None:
                        self._database.rows(_INTO_FOLDER, folder_id, conversation_id)
                    return self._merge_transcript(conversation_id, transcript, is_complete=is_complete)
                summary = self._insert_transcript(transcript, folder_id=folder_id)
                return StoredTranscript(summary=summary, is_new=True, n_added=len(transcript.messages))
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
        artifacts = find_notes(self._database, tuple(parents))
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
                artifacts=artifacts.get(stored.id, ()),
            )

    def _facts(
        self, conversation_id: ConversationId, indexes: dict[MessageId, int]
    ) -> Iterator[TranscriptFact]:
        rows = self._database.rows(
            "SELECT CAST(text AS BLOB), created_at, message_id FROM fact WHERE chat_id = ? ORDER BY id",
            conversation_id,
        )
        for text, created_at, message_id in rows:
            yield TranscriptFact(
                text=read_text(text),
                created_at=float(created_at) if isinstance(created_at, int | float) else 0.0,
                message=indexes.get(MessageId(message_id)) if isinstance(message_id, int) else None,
            )

    def _add_facts(
        self, conversation_id: ConversationId, facts: Iterable[TranscriptFact], *, ids: Sequence[int | None]
    ) -> None:
        """``ids`` are those of the messages of the transcript."""
        for fact in facts:
            id_ = None if fact.message is None else ids[fact.message]
            put_fact(
                self._database,
                fact.text,
                FactPlace(chat_id=conversation_id),
                created_at=fact.created_at or self._clock(),
                source=(conversation_id, None if id_ is None else MessageId(id_)),
                max_characters=FACT_CHARACTERS,
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

    def _find_origin(self, origin: str, *, prefix: str) -> ConversationId | None:
        by_import = "SELECT id FROM conversation WHERE origin = ? AND deleted_at IS NULL"
        row = self._database.row(by_import, storable(origin))
        number = origin.removeprefix(prefix)
        is_own = number != origin and number.isascii() and number.isdecimal()
        if row is None and is_own and len(number) <= _MAX_ID_DIGITS:
            by_id = "SELECT id FROM conversation WHERE id = ? AND deleted_at IS NULL"
            row = self._database.row(by_id, int(number))
        return ConversationId(row[0]) if row is not None and isinstance(row[0], int) else None

    def _merge_transcript(
        self, conversation_id: ConversationId, transcript: ConversationTranscript, *, is_complete: bool
    ) -> StoredTranscript:
        before = find_summary(self._database, conversation_id)
        incoming = _incoming(transcript)
        names = names_of(incoming)
        known = find_imported(self._database, conversation_id)
        if not known:
            is_own = transcript.origin.startswith(self._origin_prefix())
            if is_own and transcript.updated_at <= before.updated_at:
                return StoredTranscript(summary=before, is_new=False, n_added=0)
            known = match_stored(self._database, conversation_id, incoming, names)
            for name, (id_, digest) in known.items():
                if id_ is not None:
                    record_imported(self._database, conversation_id, name, id_, digest)
        ids: list[int | None] = []
        added: set[int] = set()
        n_changed = 0
        for message, facts, name in zip(transcript.messages, incoming, names, strict=True):
            id_, old = known.get(name, (None, ""))
            is_kept = (
                id_ is None  # it was removed here
                or facts.digest == old
                or not is_complete
                or has_more_images(self._database, id_, facts)
            )
            if name in known and is_kept:
                ids.append(id_)
                if id_ is not None:
                    write_notes(self._database, MessageId(id_), message.artifacts)
                continue
            if id_ is not None and is_as_imported(self._database, id_, old):
                self._replace_message(id_, message)
                write_notes(self._database, MessageId(id_), message.artifacts)
                n_changed += 1
            else:
                parent_id = parent_of(facts, ids, incoming)
                id_ = self._insert_message(conversation_id, message, parent_id=parent_id)
                added.add(len(ids))
            record_imported(self._database, conversation_id, name, id_, facts.digest)
            ids.append(id_)
        self._add_facts(
            conversation_id, (fact for fact in transcript.facts if fact.message in added), ids=ids
        )
        if added or n_changed:
            last = transcript.active if transcript.active is not None else -1
            show_new(
                self._database,
                conversation_id,
                leaf=ids[last],
                imported={each.message_id for each in known.values()},
                updated_at=transcript.updated_at,
            )
        return StoredTranscript(
            summary=find_summary(self._database, conversation_id),
            is_new=False,
            n_added=len(added),
            n_changed=n_changed,
        )

    def _replace_message(self, message_id: int, message: TranscriptMessage) -> None:
        self._database.rows(
            "UPDATE message SET parts = ?, state = ? WHERE id = ?",
            to_json(message.message.parts),
            message.state.value,
            message_id,
        )

    def _insert_transcript(
        self, transcript: ConversationTranscript, *, folder_id: FolderId | None
    ) -> ConversationSummary:
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
                self._folder_of(transcript.folder) if folder_id is None else folder_id,
                storable(transcript.origin),
            )
        )
        ids: list[int] = []
        incoming = _incoming(transcript)
        for message, facts, name in zip(transcript.messages, incoming, names_of(incoming), strict=True):
            parent_id = ids[message.parent] if message.parent is not None else None
            ids.append(self._insert_message(conversation_id, message, parent_id=parent_id))
            record_imported(self._database, conversation_id, name, ids[-1], facts.digest)
        self._add_facts(conversation_id, transcript.facts, ids=ids)
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
        write_notes(self._database, MessageId(id_), message.artifacts)
        return id_

    def _folder_of(self, name: str | None) -> int | None:
        if name is None:
            return None
        row = self._database.row(
            "SELECT id FROM folder WHERE name = ? AND deleted_at IS NULL ORDER BY id", storable(name)
        )
        if row is not None and isinstance(row[0], int):
            return row[0]
        return self._database.insert(
            "INSERT INTO folder (name, position, created_at) "
            "VALUES (?, (SELECT coalesce(max(position), -1) + 1 FROM folder), ?)",
            storable(name),
            self._clock(),
        )


def _incoming(transcript: ConversationTranscript) -> tuple[Incoming, ...]:
    return tuple(
        Incoming(
            name=each.name,
            parent=each.parent,
            role=each.message.role.value,
            parts=to_json(each.message.parts),
            created_at=each.created_at,
        )
        for each in transcript.messages
    )


def _parameters(value: object) -> RunParameters | None:
    try:
        return decode_json(value, kind=RunParameters) if isinstance(value, bytes) else None
    except JsonInvalid:
        return None
