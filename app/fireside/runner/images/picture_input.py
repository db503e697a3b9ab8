"""Insert pictures into commands, which refer to them by their hashes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from fireside.core.ids import RequestId
from fireside.runner.connection import QueuedCommand
from fireside.wire.messages import Cancel, Command, Generate, PictureData, PicturesRequested
from fireside.wire.pictures import PictureCommand, digest_of, map_pictures, pictures_in

BUDGET_BYTES: Final = 256 << 20


class PictureInput:
    """Passes commands on once all their pictures are there. Runs in the thread that reads commands.

    Keeps the most recently used pictures up to ``budget_bytes``. Missing ones are requested from the engine;
    a Cancel of that request waits behind it. While a command waits, nothing is evicted.

    Args:
        put: receives commands in order, and requests for pictures.
    """

    def __init__(self, put: Callable[[QueuedCommand], None], *, budget_bytes: int = BUDGET_BYTES) -> None:
        self._put = put
        self._budget_bytes = budget_bytes
        self._n_bytes = 0
        self._pictures: OrderedDict[bytes, bytes] = OrderedDict()
        self._waiting: dict[RequestId, list[Command]] = {}

    def accept(self, command: Command) -> None:
        """Accept one command from the engine."""
        if isinstance(command, PictureData):
            self._store(command.data)
            for request_id in [
                waiting_id for waiting_id, waiting in self._waiting.items() if not self._missing(waiting[0])
            ]:
                for waiting in self._waiting.pop(request_id):
                    self._pass_on(waiting)
        elif isinstance(command, Cancel) and command.request_id in self._waiting:
            if isinstance(self._waiting[command.request_id][0], Generate):
                self._waiting[command.request_id].append(command)
            else:
                del self._waiting[command.request_id]
        elif isinstance(command, PictureCommand) and (missing := self._missing(command)):
            self._waiting[command.request_id] = [command]
            self._put(PicturesRequested(request_id=command.request_id, digests=missing))
        else:
            self._pass_on(command)
        self._evict()

    def _missing(self, command: Command) -> tuple[bytes, ...]:
        return tuple(dict.fromkeys(digest for digest in pictures_in(command) if digest not in self._pictures))

    def _pass_on(self, command: Command) -> None:
        self._put(map_pictures(command, self._use))

    def _use(self, digest: bytes) -> bytes:
        self._pictures.move_to_end(digest)
        return self._pictures[digest]

    def _store(self, data: bytes) -> None:
        digest = digest_of(data)
        if digest not in self._pictures:
            self._pictures[digest] = data
            self._n_bytes += len(data)

    def _evict(self) -> None:
        while self._n_bytes > self._budget_bytes and not self._waiting:
            _, data = self._pictures.popitem(last=False)
            self._n_bytes -= len(data)
