"""One connection to the database file: its statements, transactions, errors, and the thread that owns it."""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import apsw

from fireside.core.artifacts import ArtifactPlace
from fireside.core.chat import StoredMessage
from fireside.core.errors import RecordNotFound, StorageDamaged, StorageError, StorageUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.ids import is_temporary
from fireside.files.file_lock import lock_byte, unlock_byte
from fireside.files.private_files import PRIVATE_FILE
from fireside.storage.encryption import DatabaseKey
from fireside.storage.errors import from_sqlite, from_system

MEMORY = ":memory:"
_LOCKS = "{}-answers"

Value = None | int | float | str | bytes
"""The value of a column."""
Row = tuple[Value, ...]

T = TypeVar("T")
P = ParamSpec("P")


class Durability(StrEnum):
    """What a commit has to survive."""

    PROCESS = "process"
    """A killed program. The next commit with ``POWER_CUT`` also covers earlier commits."""
    POWER_CUT = "power_cut"
    """A power cut. Waits for the disk."""


_SYNCHRONOUS = {Durability.PROCESS: "NORMAL", Durability.POWER_CUT: "FULL"}


class Database:
    """The connection and the state of its file. For one thread at a time."""

    def __init__(
        self,
        connection: apsw.Connection,
        *,
        path: str,
        file: Path | None,
        read_only: StorageError | None = None,
        key: DatabaseKey | None = None,
    ) -> None:
        self._connection = connection
        self.key = key
        """With which the file is encrypted."""
        self.read_only = read_only
        """Why nothing can be written, where the file is opened read-only."""
        self._path = path
        self._file = file
        self._identity = _identity_of(file) if file is not None else None
        self._durability = Durability.POWER_CUT
        self._is_ahead_of_disk = False
        """Whether a power cut could undo commits."""
        self.last_earlier_message = 0
        """The newest message of earlier runs. Older ones cannot be streaming, except …"""
        self.reopened: set[int] = set()
        """… answers that this run continues, and …"""
        self.first_id = 0
        """Ids that the database gives are higher."""
        self.locks = AnswerLocks(None if file is None else file.with_name(_LOCKS.format(file.name)))
        """… those that another program is writing."""

    @property
    def path(self) -> str:
        """Path of the file, for error messages; ``:memory:`` if there is none."""
        return self._path

    @property
    def connection(self) -> apsw.Connection:
        """The connection itself, for copies of the whole database."""
        return self._connection

    def rows(self, sql: str, *bindings: Value) -> list[Row]:
        """Run one statement and return all of its rows."""
        return self._connection.execute(sql, bindings).fetchall()

    def row(self, sql: str, *bindings: Value) -> Row | None:
        """Run one statement and return its first row, or ``None``."""
        rows = self.rows(sql, *bindings)
        return rows[0] if rows else None

    def insert(self, sql: str, *bindings: Value) -> int:
        """Run one INSERT and return the id of the new row."""
        self.rows(sql, *bindings)
        return self._connection.last_insert_rowid()

    @contextmanager
    def transaction(self, durability: Durability = Durability.POWER_CUT) -> Iterator[None]:
        """Commit the changes of the block, all or none."""
        if self.read_only is not None:
            raise self.read_only
        self._check_same_file()
        if durability is not self._durability:
            # Not allowed inside a transaction; applies until it is changed again.
            self.rows(f"PRAGMA synchronous = {_SYNCHRONOUS[durability]}")
            self._durability = durability
        n_written = self._n_pages_written()
        with transaction(self._connection):
            yield
        if durability is Durability.PROCESS:
            self._is_ahead_of_disk = True
        elif self._is_ahead_of_disk:
            if self._n_pages_written() == n_written:
                # Nothing changed, so nothing was written or synchronised, and neither were the earlier
                # commits that this one has to cover. A checkpoint synchronises them first.
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            self._is_ahead_of_disk = False

    @contextmanager
    def typed_errors(self) -> Iterator[None]:
        """Raise errors of SQLite and the system in the block as ``StorageError``.

        An error without a matching type is a bug, unless the file turns out to be damaged.
        """
        try:
            yield
        except apsw.Error as exc:
            if (
                error := from_sqlite(exc, path=self._path, system_errno=self._connection.system_errno)
            ) is not None:
                raise error from exc
            if not self._is_sound():
                raise StorageDamaged(
                    path=self._path, reason=tr_noop("its contents do not fit together")
                ) from exc
            raise
        except UnicodeDecodeError as exc:
            raise StorageDamaged(path=self._path, reason=tr_noop("it holds text that is not text")) from exc
        except OSError as exc:
            raise from_system(exc, path=self._path) from exc

    def close(self) -> None:
        """Write the journal back into the file and close it, ignoring errors of the disk.

        Commits are safe: what cannot be written back now will be when the file is next opened.
        """
        with suppress(apsw.Error):
            self._connection.close(force=True)
        self.locks.close()

    def _n_pages_written(self) -> int:
        return self._connection.status(apsw.SQLITE_DBSTATUS_CACHE_WRITE)[0]

    def _is_sound(self) -> bool:
        try:
            is_whole = self.rows("PRAGMA integrity_check(1)") == [("ok",)]
            return is_whole and not self.rows("PRAGMA foreign_key_check")
        except (apsw.Error, UnicodeDecodeError):
            return False

    def _check_same_file(self) -> None:
        """Raise if the file was moved or deleted, where further writes would be lost to the user."""
        if self._file is not None and _identity_of(self._file) != self._identity:
            raise StorageUnwritable(
                path=self._path, reason=tr_noop("The file was moved or deleted while Fireside was running.")
            )


def _identity_of(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file; ``None`` if there is none at ``path``."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """Commit the changes of the block; undo them if the block or the commit fails."""
    # IMMEDIATE: waits for a lock of another program here, not halfway through.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _roll_back(connection: apsw.Connection) -> None:
    if connection.in_transaction:
        # If this fails, SQLite rolls back when the file is next opened.
        with suppress(apsw.Error):
            connection.execute("ROLLBACK")


class ThreadStopped(Exception):
    """Work was submitted after ``stop``."""


class StorageThread:
    """One worker thread. ``run`` may be awaited in any asyncio loop, in several at once.

    It is a daemon: a disk that does not respond must not keep the program from ending, and SQLite rolls back
    an incomplete commit when the file is next opened.
    """

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_stopped = False
        self._thread = threading.Thread(target=self._work, name="fireside-storage", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[], T]) -> T:
        """Run ``work`` in the thread and return its result, or raise its exception.

        Submitted work is always done, even if the caller is cancelled, so that no text of the user is lost.
        Raises ``ThreadStopped`` once stopped.
        """
        return await asyncio.wrap_future(self._submit(work))

    async def stop(self, *, last: Callable[[], None] | None = None) -> None:
        """Finish submitted work, run ``last``, and end the thread. Idempotent."""
        with self._lock:
            if not self._is_stopped:
                self._is_stopped = True
                if last is not None:
                    self._jobs.put(last)
                self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        # In the running state a future cannot be cancelled.
        future.set_running_or_notify_cancel()

        def job() -> None:
            try:
                result = work()
            except BaseException as exc:  # noqa: BLE001  # raised again by the awaiting caller
                future.set_exception(exc)
            else:
                future.set_result(result)

        with self._lock:
            if self._is_stopped:
                raise ThreadStopped
            self._jobs.put(job)
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            # Otherwise the job and its references would live until the next one.
            del job


class Repository:
    """A part of the store, with its thread, the connection that only this thread uses, and the clock.

    Temporary chats are in a database in memory, behind the same methods: a call that names one by its id, or
    something in it, goes to the twin of the repository there, and never to the file.
    """

    def __init__(self, thread: StorageThread, database: Database, clock: Callable[[], float]) -> None:
        self._thread = thread
        self._database = database
        self._clock = clock
        self._twin: Self | None = None

    def add_twin(self: Self, database: Database) -> None:
        """Serve temporary chats from ``database``, which belongs to the same thread."""
        self._twin = type(self)(self._thread, database, self._clock)

    def serving(self, arguments: Iterable[object]) -> Self:
        """Return the repository for a call: this one or its twin. Raises ``RecordNotFound`` for a temporary
        chat where there is none."""
        temporary = next((id_ for id_ in map(_id_in, arguments) if is_temporary(id_)), None)
        if temporary is None or self._database.first_id:
            return self
        if self._twin is None:
            raise RecordNotFound(what="conversation", id=temporary)
        return self._twin

    async def run(self, work: Callable[[], T]) -> T:
        """Run ``work`` in the storage thread; see ``StorageThread.run``. Raises ``StorageError``."""

        def typed() -> T:
            with self._database.typed_errors():
                return work()

        try:
            return await self._thread.run(typed)
        except ThreadStopped as exc:
            raise StorageUnwritable(path=self._database.path, reason=tr_noop("Fireside is closing.")) from exc


R = TypeVar("R", bound=Repository)


def in_storage_thread(
    method: Callable[Concatenate[R, P], T],
) -> Callable[Concatenate[R, P], Coroutine[Any, Any, T]]:
    """Turn a plain method into a coroutine method that runs in the storage thread."""

    @functools.wraps(method)
    async def awaited(repository: R, /, *args: P.args, **kwargs: P.kwargs) -> T:
        serving = repository.serving((*args, *kwargs.values()))
        return await serving.run(lambda: method(serving, *args, **kwargs))

    return awaited


def _id_in(argument: object) -> int | None:
    """Return the id by which an argument names a record: itself, the first of several, or a message's."""
    if isinstance(argument, list | tuple) and argument:
        argument = argument[0]
    if isinstance(argument, StoredMessage):
        argument = argument.id
    if isinstance(argument, ArtifactPlace):
        argument = argument.message_id
    return argument if isinstance(argument, int) else None


# Locks that distinguish answers that another program is writing from interrupted ones


log = logging.getLogger(__name__)


class AnswerLocks:
    """One lock for each answer: the byte at its id, in a file that stays empty.

    The system releases the locks of a process when it ends in any way. A process does not see its own locks,
    and must have only one object for a file. For one thread at a time.
    """

    def __init__(self, path: Path | None) -> None:
        """``None`` is for a database in memory, and locks nothing."""
        self.is_guest = False
        """Whether another program may own the database, which then needs the locks of this one."""
        self._path = path
        self._descriptor: int | None = None
        self._taken: set[int] = set()

    def take(self, message_id: int) -> None:
        """Lock an answer that this program writes. A failure is logged only."""
        if self._path is None or not self.is_guest or message_id in self._taken:
            return
        try:
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
            lock_byte(self._descriptor, message_id)
        except OSError as exc:
            log.info("other programs cannot see that answer %d is being written: %s", message_id, exc)
        else:
            self._taken.add(message_id)

    def release(self, message_id: int) -> None:
        """Unlock an answer. Does nothing if it is not locked."""
        if message_id in self._taken and self._descriptor is not None:
            self._taken.discard(message_id)
            unlock_byte(self._descriptor, message_id)

    def is_taken(self, message_id: int) -> bool:
        """Return whether another program is writing an answer. Does not see locks of this program."""
        if self._path is None:
            return False
        if self._descriptor is None:
            try:
                self._descriptor = os.open(self._path, os.O_RDWR)
            except OSError:  # there are no locks yet, or nothing can be written here
                return False
        try:
            lock_byte(self._descriptor, message_id)
            unlock_byte(self._descriptor, message_id)
        except (BlockingIOError, PermissionError):
            return True
        except OSError:  # the disk does not support them
            pass
        return False

    def close(self) -> None:
        """Release all locks."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self._taken.clear()
