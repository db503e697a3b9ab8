"""The QThread that runs the engine's event loop, and what crosses to and from it: requests, and frames of
events and replies in one queue, at most one at a time."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from PySide6.QtCore import QThread, Signal

from fireside.core.errors import EngineStopped
from fireside.core.events import (
    AnswerProgressed,
    AppEvent,
    CollectionProgressed,
    ModelStatusChanged,
    TextAppended,
)
from fireside.core.hub import CheckProgressed, DownloadProgressed
from fireside.core.library import MoveProgressed

log = logging.getLogger(__name__)

STOP_TIMEOUT_S = 5.0
"""Time for an orderly end: answers saved, runners stopped, database closed."""
FRAME_INTERVAL_S = 1 / 60
"""Shortest time between two frames. Faster updates cost the window more than a reader gains."""
MAX_FRAME_INTERVAL_S = 0.25
COST_FACTOR = 3
"""The next frame comes no sooner than this many times what the last one cost the window, up to
``MAX_FRAME_INTERVAL_S``: between two updates the window has time for its user."""


class Service(Protocol):
    """What runs on the thread's loop; ``close`` is awaited before the loop ends."""

    async def close(self) -> None: ...


ServiceT = TypeVar("ServiceT", bound=Service)
T = TypeVar("T")


class Reply(Generic[T]):
    """What a request gave, on its way to the thread that asked: in its place among the events.

    Filled on the engine's loop, delivered on the loop that made it.
    """

    def __init__(self) -> None:
        """Call it on the loop that waits for the reply."""
        self._future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._result: T | None = None
        self._error: BaseException | None = None

    def succeed(self, result: T) -> None:
        """Take what the request returned."""
        self._result = result

    def fail(self, error: BaseException) -> None:
        """Take what the request raised."""
        self._error = error

    def deliver(self, *, then: Callable[[], None]) -> None:
        """Let the request return or raise; call ``then`` once what waits for it has had its turn.

        Its coroutine goes on first, then what is to be done at the coroutine's end. A loop calls what it was
        given in that order.
        """
        loop = self._future.get_loop()
        if self._future.done() or loop.is_closed():
            then()
            return
        if isinstance(self._error, asyncio.CancelledError):
            self._future.cancel()
        elif self._error is not None:
            self._future.set_exception(self._error)
        else:
            self._future.set_result(self._result)  # type: ignore[arg-type]  # it has succeeded
        loop.call_soon(loop.call_soon, then)

    async def wait(self) -> T:
        """Return or raise what the request did, once it is delivered."""
        return await self._future


FrameItem = AppEvent | Reply[Any]


class Coalescer:
    """Collect events and replies in order, and keep of each kind of progress only the newest.

    Text of one kind for one answer is joined into its last ``TextAppended``; nothing else is ever moved past
    another event of the same message, so a reader may apply a frame from front to back.
    """

    def __init__(self) -> None:
        self._items: list[FrameItem] = []
        self._n_replies = 0

    def add(self, item: FrameItem) -> None:
        """Take one event or reply."""
        joined = None
        if isinstance(item, Reply):
            self._n_replies += 1
        else:
            joined = self._joined(item)
        if joined is None:
            self._items.append(item)
        else:
            self._items[-1] = joined

    def drain(self) -> tuple[FrameItem, ...]:
        """Return what was collected, oldest first, and start anew."""
        items, self._items, self._n_replies = tuple(self._items), [], 0
        return items

    @property
    def has_reply(self) -> bool:
        return self._n_replies > 0

    def __bool__(self) -> bool:
        return bool(self._items)

    def _joined(self, event: AppEvent) -> AppEvent | None:
        """Return the event that replaces the last one, or ``None`` where both have to stay."""
        if not self._items:
            return None
        last = self._items[-1]
        if isinstance(last, TextAppended) and isinstance(event, TextAppended):
            same = last.message_id == event.message_id and last.delta.kind is event.delta.kind
            delta = msgspec.structs.replace(event.delta, text=last.delta.text + event.delta.text)
            return msgspec.structs.replace(event, delta=delta) if same else None
        if isinstance(last, AnswerProgressed) and isinstance(event, AnswerProgressed):
            same = last.message_id == event.message_id and type(last.progress) is type(event.progress)
            return event if same else None
        if isinstance(last, ModelStatusChanged) and isinstance(event, ModelStatusChanged):
            return event if last.status.model_id == event.status.model_id else None
        if isinstance(last, DownloadProgressed) and isinstance(event, DownloadProgressed):
            return event if last.download.id == event.download.id else None
        if isinstance(last, CheckProgressed) and isinstance(event, CheckProgressed):
            return event if last.path == event.path else None
        if isinstance(last, CollectionProgressed) and isinstance(event, CollectionProgressed):
            return event if last.collection_id == event.collection_id else None
        if isinstance(last, MoveProgressed) and isinstance(event, MoveProgressed):
            return event
        return None


class FramePump:
    """Deliver events and replies as frames. Lives on the engine thread's loop; every method is called there.

    The one clock by which text is written and shown: a writer that has text to save waits for ``next_frame``.

    One queue for both: a reply arrives after the events that came before it and before those that follow. The
    first event after a quiet moment leaves at once, so a single token is not held for a frame; so does what
    has a reply in it. Until the window acknowledges a frame the next one waits and grows: a busy window gets
    fewer, larger frames instead of a backlog.
    """

    def __init__(
        self, *, loop: asyncio.AbstractEventLoop, deliver: Callable[[tuple[FrameItem, ...]], None]
    ) -> None:
        self._loop = loop
        self._deliver = deliver
        self._coalescer = Coalescer()
        self._interval_s = FRAME_INTERVAL_S
        self._last_frame_at = -MAX_FRAME_INTERVAL_S
        self._last_due_at = -FRAME_INTERVAL_S
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = False
        self._is_closed = False

    def add(self, item: FrameItem) -> None:
        """Take an event, which leaves with this frame or the next, or a reply, which waits for none."""
        self._coalescer.add(item)
        if self._is_closed:
            self._deliver(self._coalescer.drain())
        else:
            self._schedule()

    async def next_frame(self) -> None:
        """Return when a frame is due, whatever the window is doing: what is reported then leaves with it."""
        due_at = max(self._last_frame_at, self._last_due_at) + FRAME_INTERVAL_S
        if (wait_s := due_at - self._loop.time()) > 0:
            await asyncio.sleep(wait_s)
        self._last_due_at = self._loop.time()

    def acknowledge(self, *, cost_s: float = 0.0) -> None:
        """The window has handled the last frame, which took it ``cost_s``."""
        self._in_flight = False
        self._interval_s = max(FRAME_INTERVAL_S, min(MAX_FRAME_INTERVAL_S, COST_FACTOR * cost_s))
        self._schedule()

    def close(self) -> None:
        """Deliver what is left, whatever the window is doing, and what comes from now on at once."""
        self._is_closed = True
        self._stop_timer()
        if self._coalescer:
            self._deliver(self._coalescer.drain())

    def _schedule(self) -> None:
        if self._in_flight or not self._coalescer:
            return
        wait_s = self._last_frame_at + self._interval_s - self._loop.time()
        if wait_s <= 0 or self._coalescer.has_reply:
            self._send()
        elif self._timer is None:
            self._timer = self._loop.call_later(wait_s, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self._schedule()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _send(self) -> None:
        self._stop_timer()
        self._last_frame_at = self._loop.time()
        self._in_flight = True
        self._deliver(self._coalescer.drain())


class EngineThread(QThread, Generic[ServiceT]):
    """Run a service on an asyncio loop of its own until ``stop``.

    ``frame`` is emitted on this thread with a tuple of events and replies; connect it to a QObject of another
    thread, which must deliver the replies in their places, and call ``acknowledge`` once it has handled the
    frame.
    """

    frame = Signal(object)

    def __init__(self, *, build: Callable[[FramePump], Awaitable[ServiceT]]) -> None:
        """Take ``build`` as what makes the service, on the loop; it reports through the pump."""
        super().__init__()
        self.setObjectName("engine")
        self._build = build
        self._running = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pump: FramePump | None = None
        self._built: asyncio.Future[ServiceT] | None = None
        self._stopping: asyncio.Event | None = None

    def run(self) -> None:
        """Thread body. Called by Qt."""
        try:
            with asyncio.Runner() as runner:
                runner.run(self._main())
        except Exception:
            log.exception("the engine thread ended with an error")
        finally:
            self._running.set()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        self._built = self._loop.create_future()
        self._pump = FramePump(loop=self._loop, deliver=self.frame.emit)
        self._running.set()
        try:
            service = await self._build(self._pump)
        except Exception as exc:
            log.exception("the engine could not be built")
            self._built.set_exception(exc)
            self._built.exception()  # looked at: callers get it, and there may be none
            await self._stopping.wait()
            return
        self._built.set_result(service)
        await self._stopping.wait()
        try:
            async with asyncio.timeout(STOP_TIMEOUT_S):
                await service.close()
        except TimeoutError:
            log.error("closing took longer than %s s; going on without", STOP_TIMEOUT_S)
        self._pump.close()

    async def request(self, call: Callable[[ServiceT], Coroutine[object, object, T]], /) -> T:
        """Run ``call(service)`` on the loop and return what it returns; cancelling the wait cancels it.

        The reply arrives with the frames, after all events that were reported before it was made. For the
        thread that handles the frames. Raises what the call does, or ``EngineStopped`` once the thread ends.
        """
        reply = Reply[T]()
        work = self._start(self._answer(call, reply))
        try:
            return await reply.wait()
        finally:
            work.cancel()

    def _start(self, work: Coroutine[object, object, None]) -> concurrent.futures.Future[None]:
        self._running.wait(STOP_TIMEOUT_S)
        if self._loop is not None and self.isRunning():
            try:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
            except RuntimeError:
                log.debug("the engine's loop was closed between the test and the call")
        work.close()
        raise EngineStopped

    async def _answer(
        self, call: Callable[[ServiceT], Coroutine[object, object, T]], reply: Reply[T]
    ) -> None:
        assert self._pump is not None
        try:
            if self._built is None or self._stopping is None or self._stopping.is_set():
                raise EngineStopped
            reply.succeed(await call(await asyncio.shield(self._built)))
        except BaseException as exc:
            reply.fail(exc)
            if not isinstance(exc, Exception):
                raise
        finally:
            self._pump.add(reply)

    def acknowledge(self, *, cost_s: float) -> None:
        """The last frame has been handled, in so many seconds. Any thread."""
        if self._loop is not None and self._pump is not None:
            self._call_soon(partial(self._pump.acknowledge, cost_s=cost_s))

    def stop(self) -> bool:
        """Close the service and end the thread. Returns whether it ended in time. Idempotent."""
        if self.isRunning():
            self._running.wait(STOP_TIMEOUT_S)
            if self._stopping is not None:
                self._call_soon(self._stopping.set)
        return self.wait(int((STOP_TIMEOUT_S + 1) * 1000))

    def _call_soon(self, callback: Callable[[], None]) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:
            log.debug("the engine's loop is closed already")
