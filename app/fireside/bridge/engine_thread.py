"""The QThread with the engine's event loop, and its traffic: requests to it, frames of events and replies
from it."""

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

from fireside.core.errors import EngineStopped, FiresideError, RequestError
from fireside.core.events import (
    AnswerProgressed,
    AppEvent,
    CollectionProgressed,
    ModelStatusChanged,
    TextAppended,
    ToolCallProgressed,
)
from fireside.core.hub import CheckProgressed, DownloadProgressed
from fireside.core.i18n import tr_noop
from fireside.core.library import MoveProgressed

log = logging.getLogger(__name__)

STOP_TIMEOUT_S = 5.0
"""Time limit for closing the service: answers saved, runners stopped, database closed."""
FRAME_INTERVAL_S = 1 / 60
"""Shortest time between two frames; faster updates cost the window more than a reader gains."""
MAX_FRAME_INTERVAL_S = 0.25
COST_FACTOR = 3
"""The interval before the next frame is this many times what the last one cost the window, up to
``MAX_FRAME_INTERVAL_S``, so that the window stays responsive between frames."""


class Service(Protocol):
    """A service that runs on the thread's loop; ``close`` is awaited before the loop ends."""

    async def close(self) -> None: ...


ServiceT = TypeVar("ServiceT", bound=Service)
T = TypeVar("T")


class Reply(Generic[T]):
    """The result of a request, which travels in order with the events to the thread that made the request.

    It is filled on the engine's loop and delivered on the loop of its creator.
    """

    def __init__(self) -> None:
        """Create it on the loop that waits for the reply."""
        self._future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._result: T | None = None
        self._error: BaseException | None = None

    def succeed(self, result: T) -> None:
        """Store what the request returned."""
        self._result = result

    def fail(self, error: BaseException) -> None:
        """Store what the request raised."""
        self._error = error

    def deliver(self, *, then: Callable[[], None]) -> None:
        """Let ``wait`` return or raise; call ``then`` after its caller has run.

        Two turns of the loop later the waiting coroutine and its done callbacks have run, since a loop calls
        callbacks in the order in which they were scheduled.
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
            self._future.set_result(self._result)  # type: ignore[arg-type]  # it succeeded
        loop.call_soon(loop.call_soon, then)

    async def wait(self) -> T:
        """Return or raise the result once it is delivered."""
        return await self._future


def _for_the_user(error: Exception) -> FiresideError:
    """Return an error that every request may raise, so that the window says what failed."""
    if isinstance(error, FiresideError):
        return error
    return RequestError.of(
        "service_failed", what=tr_noop("Chats and models"), reason=f"{type(error).__name__}: {error}"
    )


FrameItem = AppEvent | Reply[Any]


class Coalescer:
    """Collects events and replies in order, and keeps only the newest of consecutive progress events.

    Consecutive text of one kind for one answer is joined. No event overtakes another, so a client may apply a
    frame from front to back.
    """

    def __init__(self) -> None:
        self._items: list[FrameItem] = []
        self._n_replies = 0

    def add(self, item: FrameItem) -> None:
        """Append one event or reply."""
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
        """Return everything collected, oldest first, and clear it."""
        items, self._items, self._n_replies = tuple(self._items), [], 0
        return items

    @property
    def has_reply(self) -> bool:
        return self._n_replies > 0

    def __bool__(self) -> bool:
        return bool(self._items)

    def _joined(self, event: AppEvent) -> AppEvent | None:
        """Return the event that replaces the last one; ``None`` where both are kept."""
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
        if isinstance(last, ToolCallProgressed) and isinstance(event, ToolCallProgressed):
            return event if last.tool == event.tool else None
        if isinstance(last, MoveProgressed) and isinstance(event, MoveProgressed):
            return event
        return None


class FramePump:
    """Delivers events and replies as frames. All methods on the engine thread's loop.

    It is also the only timer for streamed text, whose writer waits for ``next_frame``.

    Events and replies share one queue, so a reply arrives after all earlier events and before all later ones.
    A frame is sent at once if it contains a reply or is the first after an idle time, so that single tokens
    are not delayed. Until the window acknowledges a frame, the next one accumulates: a busy window gets
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
        """Queue an event for the next frame, or a reply, which is sent at once."""
        self._coalescer.add(item)
        if self._is_closed:
            self._deliver(self._coalescer.drain())
        else:
            self._schedule()

    async def next_frame(self) -> None:
        """Return when the next frame is due, even if the window is busy; later events are part of it."""
        due_at = max(self._last_frame_at, self._last_due_at) + FRAME_INTERVAL_S
        if (wait_s := due_at - self._loop.time()) > 0:
            await asyncio.sleep(wait_s)
        self._last_due_at = self._loop.time()

    def acknowledge(self, *, cost_s: float = 0.0) -> None:
        """Record that the window has handled the last frame in ``cost_s`` seconds."""
        self._in_flight = False
        self._interval_s = max(FRAME_INTERVAL_S, min(MAX_FRAME_INTERVAL_S, COST_FACTOR * cost_s))
        self._schedule()

    def close(self) -> None:
        """Deliver what is queued, without waiting for the window, and everything later at once."""
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
    """Runs a service on its own asyncio loop until ``stop``.

    ``frame`` is emitted on this thread with a tuple of events and replies. Connect it to a QObject of another
    thread, which must deliver the replies in order and call ``acknowledge`` once it has handled the frame.
    """

    frame = Signal(object)

    def __init__(self, *, build: Callable[[FramePump], Awaitable[ServiceT]]) -> None:
        """``build`` creates the service on the loop; the service emits events through the pump."""
        super().__init__()
        self.setObjectName("engine")
        self._build = build
        self._started = threading.Event()
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
            self._started.set()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        self._built = self._loop.create_future()
        self._pump = FramePump(loop=self._loop, deliver=self.frame.emit)
        self._started.set()
        try:
            await self._serve(self._pump, built=self._built, stopping=self._stopping)
        finally:
            self._pump.close()

    async def _serve(
        self, pump: FramePump, *, built: asyncio.Future[ServiceT], stopping: asyncio.Event
    ) -> None:
        """Build the service, and close it once the thread is to stop."""
        try:
            service = await self._build(pump)
        except Exception as exc:
            log.exception("the engine could not be built")
            built.set_exception(_for_the_user(exc))
            built.exception()  # marks it as retrieved: there may be no request that raises it
            await stopping.wait()
            return
        built.set_result(service)
        await stopping.wait()
        try:
            async with asyncio.timeout(STOP_TIMEOUT_S):
                await service.close()
        except TimeoutError:
            log.error("closing took longer than %s s; going on without", STOP_TIMEOUT_S)

    async def request(self, call: Callable[[ServiceT], Coroutine[object, object, T]], /) -> T:
        """Run ``call(service)`` on the loop and return its result; cancelling the wait cancels the call.

        Call this on the thread that handles the frames: the reply arrives with them, after all events emitted
        before it. Raises what the call raises, or ``EngineStopped`` once the thread ends.
        """
        reply = Reply[T]()
        future = self._start(self._answer(call, reply))
        try:
            return await reply.wait()
        finally:
            future.cancel()

    def _start(self, work: Coroutine[object, object, None]) -> concurrent.futures.Future[None]:
        self._started.wait(STOP_TIMEOUT_S)
        if self._loop is not None and self.isRunning():
            try:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
            except RuntimeError:
                log.debug("the engine's loop was closed between the check and the call")
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
        """Report that the last frame has been handled in ``cost_s`` seconds. Any thread."""
        if self._loop is not None and self._pump is not None:
            self._call_soon(partial(self._pump.acknowledge, cost_s=cost_s))

    def stop(self) -> bool:
        """Close the service and end the thread. Returns whether it ended in time. Idempotent."""
        if self.isRunning():
            self._started.wait(STOP_TIMEOUT_S)
            if self._stopping is not None:
                self._call_soon(self._stopping.set)
        return self.wait(int((STOP_TIMEOUT_S + 1) * 1000))

    def _call_soon(self, callback: Callable[[], None]) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:
            log.debug("the engine's loop is closed already")
