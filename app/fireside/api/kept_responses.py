"""Responses that outlive their connection: their events by number and their last state, in memory, for
minutes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.http_error import HttpError, http_error_of, invalid
from fireside.core.errors import EngineStopped, FiresideError, QueueFull

log = logging.getLogger(__name__)

KEPT_S: Final = 600.0
"""From a response's end on. One that runs is kept."""
MAX_KEPT_BYTES: Final = 64 * 2**20
"""Of all responses together: half a million streamed tokens."""
_MAX_KEPT: Final = 512
_LOOK_EACH_BYTES: Final = 2**20
_EVENT_END: Final = b"\n\n"


class WrittenResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A response that is to be written in the background."""

    response_id: str
    chunks: AsyncGenerator[bytes, None]
    """Its events, numbered from 0."""
    current: Callable[[], dict[str, Any]]
    """Returns the response as it is now."""
    cancelled: Callable[[], bytes]
    """Returns the events that end it because its client cancelled it."""
    error_chunk: Callable[[HttpError], bytes]
    """Returns the event that ends it with an error."""
    close: Callable[[HttpError | None], Awaitable[None]]
    """Called at its end, with the error that ended it."""


class KeptResponse:
    """One response: who may read it, and what was written of it."""

    def __init__(self, owner: str, *, current: Callable[[], dict[str, Any]], is_background: bool) -> None:
        self.owner = owner
        """The id of its client."""
        self.is_background = is_background
        """Whether it runs without its connection, so that its events are kept too."""
        self._current = current
        self.ended_at: float | None = None
        self.n_event_bytes = 0
        self._body = b""
        self.task: asyncio.Task[None] | None = None
        self._events: deque[bytes] = deque()
        self._n_dropped = 0
        self._news = asyncio.Event()

    @property
    def n_bytes(self) -> int:
        """What it takes of the memory."""
        return self.n_event_bytes + len(self._body)

    def body(self) -> bytes:
        """Return the response as it is now, as JSON."""
        return self._body or msgspec.json.encode(self._current())

    def add(self, chunk: bytes) -> None:
        """Append the events of ``chunk``, and wake who waits for them."""
        events = [event + _EVENT_END for event in chunk.split(_EVENT_END) if event]
        self._events += events
        self.n_event_bytes += sum(map(len, events))
        self._tell()

    def drop_oldest(self) -> int:
        """Drop the oldest event, and return its size; 0 if there is none."""
        if not self._events:
            return 0
        self._n_dropped += 1
        n_bytes = len(self._events.popleft())
        self.n_event_bytes -= n_bytes
        return n_bytes

    def end(self, now: float) -> None:
        """Keep the last state alone, and end its readers once they have read all."""
        self._body = self.body()
        self.ended_at = now
        self._tell()

    async def events(self, *, after: int) -> AsyncGenerator[bytes, None]:
        """Yield the events whose number is above ``after``, and those to come. Raises ``HttpError`` for some
        that are not kept any more."""
        number = after + 1
        while True:
            while number - self._n_dropped < len(self._events):
                if number < self._n_dropped:
                    raise invalid(
                        f"The events up to {self._n_dropped - 1} are not kept any more. Read the response "
                        "without stream.",
                        param="starting_after",
                    )
                yield self._events[number - self._n_dropped]
                number += 1
            if self.ended_at is not None:
                return
            await self._news.wait()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class KeptResponses:
    """The responses of all clients. On one loop.

    Args:
        max_bytes: of all; more than that drops those that ended, the oldest first, and then the oldest events
            of the largest.
        max_running: responses of one client that run without their connection.
    """

    def __init__(
        self,
        *,
        max_running: int,
        clock: Callable[[], float] = time.monotonic,
        max_bytes: int = MAX_KEPT_BYTES,
    ) -> None:
        self._max_running = max_running
        self._clock = clock
        self._max_bytes = max_bytes
        self._kept: dict[str, KeptResponse] = {}
        self._n_new_bytes = 0
        """Bytes of events since it was last looked whether there is room."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    def check_room(self, owner: str) -> None:
        """Refuse one more response of a client that has as many as it may. Raises ``HttpError``."""
        n_running = sum(each.owner == owner and each.ended_at is None for each in self._kept.values())
        if n_running >= self._max_running:
            raise http_error_of(QueueFull(limit=self._max_running))

    def keep(self, owner: str, response_id: str, response: dict[str, Any]) -> None:
        """Keep a response that ended."""
        kept = KeptResponse(owner, current=lambda: response, is_background=False)
        kept.end(self._clock())
        self._kept[response_id] = kept
        self._make_room()

    def run(self, owner: str, response: WrittenResponse) -> KeptResponse:
        """Write a response in the background, to its end or until it is cancelled."""
        kept = KeptResponse(owner, current=response.current, is_background=True)
        self._kept[response.response_id] = kept
        kept.task = asyncio.create_task(self._write(kept, response), name="background response")
        return kept

    def find(self, owner: str, response_id: str) -> KeptResponse:
        """Return a client's response. Raises ``HttpError``."""
        self._make_room()
        kept = self._kept.get(response_id)
        if kept is None or kept.owner != owner:
            raise HttpError(
                HTTPStatus.NOT_FOUND,
                f"There is no response “{response_id[:80]}”: responses are kept for "
                f"{KEPT_S / 60:.0f} minutes.",
                code="response_not_found",
            )
        return kept

    async def cancel(self, kept: KeptResponse) -> None:
        """End a response that runs, and wait for that."""
        if kept.task is not None and not kept.task.done():
            kept.task.cancel()
            await asyncio.wait({kept.task})

    async def delete(self, owner: str, response_id: str) -> None:
        """Cancel and forget a client's response. Raises ``HttpError``."""
        kept = self.find(owner, response_id)
        await self.cancel(kept)
        self._kept.pop(response_id, None)

    async def forget(self, owner: str) -> None:
        """Cancel and forget all responses of a client whose token was revoked."""
        for response_id in [each for each, kept in self._kept.items() if kept.owner == owner]:
            await self.delete(owner, response_id)

    async def close(self) -> None:
        """End the responses that run, with an error."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        for kept in tuple(self._kept.values()):
            await self.cancel(kept)
        self._kept.clear()

    async def _write(self, kept: KeptResponse, response: WrittenResponse) -> None:
        error: HttpError | None = None
        try:
            async with aclosing(response.chunks) as chunks:
                async for chunk in chunks:
                    kept.add(chunk)
                    self._n_new_bytes += len(chunk)
                    if self._n_new_bytes > _LOOK_EACH_BYTES:
                        self._make_room()
        except HttpError as exc:
            error = exc
        except FiresideError as exc:
            error = http_error_of(exc)
        except asyncio.CancelledError:
            if self._is_closed:
                error = http_error_of(EngineStopped())
            else:
                kept.add(response.cancelled())
        except Exception:
            log.exception("a response in the background failed")
            error = HttpError(HTTPStatus.INTERNAL_SERVER_ERROR, "Fireside has a defect. Its log says where.")
        finally:
            if error is not None:
                kept.add(response.error_chunk(error))
            kept.end(self._clock())
            await response.close(error)
        self._make_room()

    def _make_room(self) -> None:
        """Drop what is too old or too much, and look again when the next response is too old."""
        self._n_new_bytes = 0
        ended = sorted(
            ((kept.ended_at, name) for name, kept in self._kept.items() if kept.ended_at is not None),
            reverse=True,
        )
        n_bytes = sum(kept.n_bytes for kept in self._kept.values())
        now = self._clock()
        while ended and (len(self._kept) > _MAX_KEPT or ended[-1][0] + KEPT_S <= now):
            n_bytes -= self._kept.pop(ended.pop()[1]).n_bytes
        while len(ended) > 1 and n_bytes > self._max_bytes:
            n_bytes -= self._kept.pop(ended.pop()[1]).n_bytes
        while n_bytes > self._max_bytes:
            largest = max(self._kept.values(), key=lambda kept: kept.n_event_bytes)
            if not (n_dropped := largest.drop_oldest()):
                break
            n_bytes -= n_dropped
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if ended and not self._is_closed:
            wait_s = max(ended[-1][0] + KEPT_S - now, 1.0)
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._make_room)


def read_number(text: str, *, param: str) -> int:
    """Return a whole number of a query, -1 where it is not there. Raises ``HttpError``."""
    if not text:
        return -1
    if not text.isdecimal():
        raise invalid(f"{param}: choose a whole number from 0 on.", param=param)
    return int(text)
