"""The store: asynchronous access to the database, from any asyncio loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from fireside.core.chat import Conversation, ConversationSummary
from fireside.core.errors import StorageError
from fireside.core.ids import ConversationId, FolderId, ModelId
from fireside.storage.artifact_edits import ArtifactEdits
from fireside.storage.backup import copy_database
from fireside.storage.backup_restore import prepare_backup, remove_prepared, replace_contents
from fireside.storage.branches import BranchRepository
from fireside.storage.conversations import ConversationRepository, insert_conversation
from fireside.storage.database import (
    MEMORY,
    Database,
    Durability,
    Repository,
    StorageThread,
    in_storage_thread,
)
from fireside.storage.database_opening import BUSY_LIMIT_S, open_database, open_temporary
from fireside.storage.drafts import Drafts
from fireside.storage.encryption import DatabaseKey
from fireside.storage.facts import Facts
from fireside.storage.folders import Folders
from fireside.storage.load_records import LoadRecords
from fireside.storage.messages import Messages, RunParameters, StoredTurn
from fireside.storage.migrations import Migration, load_migrations
from fireside.storage.presets import PresetRepository
from fireside.storage.queued_messages import QueuedMessages
from fireside.storage.recovery import clean_up, identity_of, purge_deleted
from fireside.storage.search_queries import Search
from fireside.storage.summaries import Summaries
from fireside.storage.transcripts import Transcripts

__all__ = ["MEMORY", "Durability", "RunParameters", "Store", "StoredTurn"]


class Store(Repository):
    """One database and its thread; ``close`` ends both. Its parts are repositories.

    A method that writes returns once the change is committed and survives a power cut. The change is made
    even if the awaiting task is cancelled. All methods raise ``StorageError``; the database is unchanged
    then, and the call may be repeated.
    """

    def __init__(
        self,
        *,
        thread: StorageThread,
        database: Database,
        clock: Callable[[], float],
        closing: threading.Event,
        identity: str,
        n_interrupted: int,
    ) -> None:
        super().__init__(thread, database, clock)
        shared = (thread, database, clock)
        self.conversations = ConversationRepository(*shared)
        self.drafts = Drafts(*shared)
        self.messages = Messages(*shared)
        self.branches = BranchRepository(*shared)
        self.queue = QueuedMessages(*shared)
        self.folders = Folders(*shared)
        self.presets = PresetRepository(*shared)
        self.summaries = Summaries(*shared)
        self.search = Search(*shared)
        self.transcripts = Transcripts(*shared)
        self.load_records = LoadRecords(*shared)
        self.facts = Facts(*shared)
        self.artifact_edits = ArtifactEdits(*shared)
        self._parts = [part for part in vars(self).values() if isinstance(part, Repository)]
        self._temporary: Database | None = None
        self._closing = closing
        self._identity = identity
        self.n_interrupted = n_interrupted
        """The number of answers that the last run of the program did not finish, now marked as
        interrupted."""

    @classmethod
    async def open(
        cls,
        path: Path | str,
        *,
        clock: Callable[[], float],
        migrations: Sequence[Migration] | None = None,
        busy_limit_s: float = BUSY_LIMIT_S,
        vfs: str = "",
        before_purge: Callable[[str], None] = lambda _: None,
        key: DatabaseKey | None = None,
    ) -> Self:
        """Open or create a database, migrate it and clean up after the last run.

        For the one program that owns the database; others use ``join``. A database of a newer version, or
        where nothing can be written, is opened read-only, see ``read_only``.

        Args:
            path: the file, in a folder that is created if needed; ``:memory:`` stores nothing on disk.
            clock: seconds since the epoch, UTC.
            before_purge: called in the storage thread with the ``name_of`` each deleted conversation before
                it is removed for good, so that its other data is deleted first.
            migrations: every version from the first; the program's own by default.
            busy_limit_s, vfs, key: see ``open_database``.

        Raises:
            StorageDamaged, StorageTooNew, storage_not_migrated: the file was left untouched.
            StorageFull, storage_locked, StorageUnwritable.
        """
        return await cls._start(
            lambda closing: open_database(
                path,
                migrations=load_migrations() if migrations is None else migrations,
                give_up=closing,
                busy_limit_s=busy_limit_s,
                vfs=vfs,
                key=key,
            ),
            clean_up=lambda database, identity: clean_up(
                database, before_purge=lambda id_: before_purge(_name(identity, id_))
            ),
            clock=clock,
        )

    @classmethod
    async def join(
        cls, path: Path | str, *, clock: Callable[[], float], key: DatabaseKey | None = None
    ) -> Self:
        """Open a database that another program may own and be writing answers into.

        Nothing is cleaned up, since streaming answers may be running there, and deleted ones may be restored
        there. The owner recognises answers of this program as running. Raises as ``open`` does.
        """

        def clean_up(database: Database, _identity: str) -> int:
            database.locks.is_guest = True
            return 0

        return await cls._start(
            lambda closing: open_database(path, migrations=load_migrations(), give_up=closing, key=key),
            clean_up=clean_up,
            clock=clock,
        )

    @classmethod
    async def _start(
        cls,
        open_file: Callable[[threading.Event], Database],
        *,
        clean_up: Callable[[Database, str], int],
        clock: Callable[[], float],
    ) -> Self:
        thread = StorageThread()
        closing = threading.Event()

        def start() -> tuple[Database, str, int]:
            database = open_file(closing)
            try:
                with database.typed_errors():
                    identity = identity_of(database)
                    return database, identity, clean_up(database, identity)
            except BaseException:
                database.close()
                raise

        try:
            database, identity, n_interrupted = await thread.run(start)
        except BaseException:
            await thread.stop()
            raise
        return cls(
            thread=thread,
            database=database,
            clock=clock,
            closing=closing,
            identity=identity,
            n_interrupted=n_interrupted,
        )

    @property
    def path(self) -> str:
        """Path of the database, or ``MEMORY``."""
        return self._database.path

    @property
    def read_only(self) -> StorageError | None:
        """The error that every writing method raises; ``None`` where the database is writable."""
        return self._database.read_only

    def name_of(self, conversation_id: ConversationId) -> str:
        """Return a globally unique name of a conversation, across databases."""
        return _name(self._identity, conversation_id)

    def name_of_folder(self, folder_id: FolderId) -> str:
        """Return a globally unique name of a folder, across databases."""
        return f"fireside-project:{self._identity}-{folder_id}"

    async def close(self) -> None:
        """Finish submitted work, close the file and end the thread. Idempotent."""
        # Stops waiting for a lock of another program.
        self._closing.set()
        await self._thread.stop(last=self._close)

    def _close(self) -> None:
        if self._temporary is not None:
            self._temporary.close()
        self._database.close()

    async def begin_temporary(self, *, title: str, model_id: ModelId | None) -> Conversation:
        """Begin an empty chat that is in memory alone, until ``close_temporary``."""
        summary = await self.run(lambda: self._begin_temporary(title, model_id))
        return await self.conversations.open(summary.id)

    def _begin_temporary(self, title: str, model_id: ModelId | None) -> ConversationSummary:
        if self._temporary is None:
            self._temporary = open_temporary(self._closing)
            for part in self._parts:
                part.add_twin(self._temporary)
        with self._temporary.transaction():
            return insert_conversation(self._temporary, title=title, model_id=model_id, now=self._clock())

    async def close_temporary(self, conversation_id: ConversationId) -> None:
        """Remove a temporary chat for good. Raises ``RecordNotFound`` if it is closed already."""
        await self.conversations.delete((conversation_id,))
        await self.run(self._purge_temporary)

    def _purge_temporary(self) -> None:
        if self._temporary is not None:
            purge_deleted(self._temporary, before_purge=lambda _: None)

    @in_storage_thread
    def external_version(self) -> int:
        """Return a number that changes whenever another program has written to the file."""
        (version,) = self._database.row("PRAGMA data_version") or (0,)
        return version if isinstance(version, int) else 0

    @in_storage_thread
    def backup(self, path: Path) -> None:
        """Copy the database to ``path``; the copy is checked before it replaces an older one."""
        copy_database(
            self._database.connection, path=self._database.path, target=path, key=self._database.key
        )

    @property
    def key(self) -> DatabaseKey | None:
        """With which the file is encrypted."""
        return self._database.key

    async def restore_backup(self, backup: Path, *, prepared: Path, other: DatabaseKey | None = None) -> None:
        """Replace the contents of the database with those of ``backup``, all or none.

        ``prepared`` is the path of a temporary file, ``other`` the key of a backup that was made
        with another passphrase. No answer may be running. Also raises ``backup_unusable`` and
        ``backup_passphrase``.
        """
        await asyncio.to_thread(prepare_backup, backup, prepared, key=self.key, other=other)
        await self.run(lambda: self._replace_contents(prepared))
        await asyncio.to_thread(remove_prepared, prepared)

    def _replace_contents(self, prepared: Path) -> None:
        replace_contents(self._database, prepared)
        self._identity = identity_of(self._database)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await asyncio.shield(self.close())


def _name(identity: str, conversation_id: ConversationId) -> str:
    return f"{identity}-{conversation_id}"
