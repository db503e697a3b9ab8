"""One connection to the database file: its statements, transactions, errors, and the thread that has it."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Concatenate, ParamSpec, TypeVar

import apsw

from fireside.core.errors import StorageDamaged, StorageReadOnly, StorageUnwritable
from fireside.core.i18n import tr_noop
from fireside.storage.answer_locks import AnswerLocks
from fireside.storage.errors import from_sqlite, from_system

MEMORY = ":memory:"
_LOCKS = "{}-answers"

Value = None | int | float | str | bytes
"""What a column holds."""
Row = tuple[Value, ...]

T = TypeVar("T")
P = ParamSpec("P")


class Durability(StrEnum):
    """What a commit has to outlive."""

    PROCESS = "process"
    """The program may be killed right after. The next commit with ``POWER_CUT`` covers this one too."""
    POWER_CUT = "power_cut"
    """The machine may lose its power right after. Costs a wait for the disk."""


_SYNCHRONOUS = {Durability.PROCESS: "NORMAL", Durability.POWER_CUT: "FULL"}


class Database:
    """The connection and what is known of its file. For one thread at a time."""

    def __init__(
        self,
        connection: apsw.Connection,
        *,
        path: str,
        file: Path | None,
        read_only: StorageReadOnly | None = None,
    ) -> None:
        self._connection = connection
        self.read_only = read_only
        """Why nothing can be written, where the connection was opened for reading alone."""
        self._path = path
        self._file = file
        self._identity = _identity_of(file) if file is not None else None
        self._durability = Durability.POWER_CUT
        self._is_ahead_of_disk = False
        """Whether there are commits that a power cut could take back."""
        self.last_earlier_message = 0
        """Messages up to this id are from an earlier run: none of them can still be streaming, …"""
        self.reopened: set[int] = set()
        """… but for those answers that this run goes on with, …"""
        self.locks = AnswerLocks(None if file is None else file.with_name(_LOCKS.format(file.name)))
        """… and those that another program is writing."""

    @property
    def path(self) -> str:
        """Path of the file, for messages; ``:memory:`` if there is none."""
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
        found = self.rows(sql, *bindings)
        return found[0] if found else None

    def insert(self, sql: str, *bindings: Value) -> int:
        """Run one INSERT and return the id of its row."""
        self.rows(sql, *bindings)
        return self._connection.last_insert_rowid()

    @contextmanager
    def transaction(self, durability: Durability = Durability.POWER_CUT) -> Iterator[None]:
        """Commit what the block does, all of it or nothing."""
        if self.read_only is not None:
            raise self.read_only
        self._check_same_file()
        if durability is not self._durability:
            # Not allowed inside a transaction, and stays until it is changed again.
            self.rows(f"PRAGMA synchronous = {_SYNCHRONOUS[durability]}")
            self._durability = durability
        n_written = self._n_pages_written()
        with transaction(self._connection):
            yield
        if durability is Durability.PROCESS:
            self._is_ahead_of_disk = True
        elif self._is_ahead_of_disk:
            if self._n_pages_written() == n_written:
                # Nothing was different, so nothing was written and nothing synchronised: neither are the
                # commits before, which this one has to cover. A checkpoint begins with that.
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            self._is_ahead_of_disk = False

    @contextmanager
    def typed_errors(self) -> Iterator[None]:
        """Raise what SQLite or the system raises in the block as a ``StorageError``.

        An error that none fits is a bug, unless the file turns out to be damaged.
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
        """Write the journal back into the file and let it go, whatever the disk says.

        Commits are safe: what could not be written back now is when the file is next opened.
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
        """Refuse to go on writing into a file that is no longer where the user would look for it."""
        if self._file is not None and _identity_of(self._file) != self._identity:
            raise StorageUnwritable(
                path=self._path, reason=tr_noop("The file was moved or deleted while Fireside was running.")
            )


def _identity_of(path: Path) -> tuple[int, int] | None:
    """Return what tells this file from any other, or ``None`` if there is none at ``path``."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """Commit what the block does; undo it if the block or the commit fails."""
    # IMMEDIATE: a lock that is held elsewhere is waited for here, not half way through.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _roll_back(connection: apsw.Connection) -> None:
    if connection.in_transaction:
        # Where this fails, SQLite undoes what is left when the file is next opened.
        with suppress(apsw.Error):
            connection.execute("ROLLBACK")


class ThreadStopped(Exception):
    """Work was handed over after ``stop``."""


class StorageThread:
    """One worker thread. ``run`` may be awaited in any asyncio loop, in several at once.

    It is a daemon: a disk that no longer answers must not keep the program from ending, and a commit cut
    off in the middle is undone by SQLite when the file is next opened.
    """

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_stopped = False
        self._thread = threading.Thread(target=self._work, name="fireside-storage", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[], T]) -> T:
        """Do ``work`` in the thread and return what it returns, or raise what it raises.

        Work that was handed over is done, even if the caller is cancelled: what the user wrote
        must not depend on that. Raises ``ThreadStopped`` once stopped.
        """
        return await asyncio.wrap_future(self._submit(work))

    async def stop(self, *, last: Callable[[], None] | None = None) -> None:
        """Finish what was handed over, do ``last``, end the thread. A second call does nothing more."""
        with self._lock:
            if not self._is_stopped:
                self._is_stopped = True
                if last is not None:
                    self._jobs.put(last)
                self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        # From here on it counts as running, which is what makes it immune to cancellation.
        future.set_running_or_notify_cancel()

        def job() -> None:
            try:
                result = work()
            except BaseException as exc:  # noqa: BLE001  # raised where the work is awaited
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
            # Neither the work nor what it holds may live until the next job comes.
            del job


class Repository:
    """A part of the store: the thread, the connection that only this thread touches, and the time."""

    def __init__(self, thread: StorageThread, database: Database, clock: Callable[[], float]) -> None:
        self._thread = thread
        self._database = database
        self._clock = clock

    async def run(self, work: Callable[[], T]) -> T:
        """Do ``work`` in the storage thread. Raises its ``StorageError``; see ``StorageThread.run``."""

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
    """Make a plain method one that is awaited and runs in the storage thread."""

    @functools.wraps(method)
    async def awaited(repository: R, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await repository.run(lambda: method(repository, *args, **kwargs))

    return awaited
