"""The storage thread: work is done there in the order it was handed over, and methods that run in it."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Concatenate, ParamSpec, TypeVar

from fireside.core.errors import StorageUnwritable
from fireside.core.i18n import tr_noop
from fireside.storage.database import Database

T = TypeVar("T")
P = ParamSpec("P")


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
