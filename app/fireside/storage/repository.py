"""Methods that are written plainly, called with ``await`` and run in the storage thread."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

from fireside.core.errors import StorageUnwritable
from fireside.core.i18n import tr_noop
from fireside.storage.database import Database
from fireside.storage.storage_thread import StorageThread, ThreadStopped

T = TypeVar("T")
P = ParamSpec("P")


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
