"""The QThread that runs the engine's event loop, and what crosses to and from it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, QThread, Signal

from fireside.bridge.frame_pump import FramePump, Reply
from fireside.core.errors import EngineStopped

log = logging.getLogger(__name__)

STOP_TIMEOUT_S = 5.0
"""Time for an orderly end: answers saved, runners stopped, database closed."""


class Service(Protocol):
    """What runs on the thread's loop; ``close`` is awaited before the loop ends."""

    async def close(self) -> None: ...


ServiceT = TypeVar("ServiceT", bound=Service)
T = TypeVar("T")


class EngineThread(QThread, Generic[ServiceT]):
    """Run a service on an asyncio loop of its own until ``stop``.

    ``frame`` is emitted on this thread with a tuple of events and replies; connect it to a QObject of another
    thread, which must deliver the replies in their places, and call ``acknowledge`` once it has handled the
    frame.
    """

    frame = Signal(object)

    def __init__(
        self,
        *,
        build: Callable[[FramePump], Awaitable[ServiceT]],
        parent: QObject | None = None,
    ) -> None:
        """Take ``build`` as what makes the service, on the loop; it reports through the pump."""
        super().__init__(parent)
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

    async def ask(self, call: Callable[[ServiceT], Coroutine[object, object, T]], /) -> T:
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
