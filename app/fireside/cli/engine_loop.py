"""An event loop in a separate thread, for commands without a window."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import TypeVar

from fireside.cli.exit_handling import without_interrupts

T = TypeVar("T")


class EngineLoop:
    """Run coroutines from synchronous code; a context manager that ends its thread."""

    def __init__(self) -> None:
        self._ready: concurrent.futures.Future[asyncio.AbstractEventLoop] = concurrent.futures.Future()
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def __enter__(self) -> EngineLoop:
        self._thread.start()
        self._ready.result()
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._stop is not None
        self._ready.result().call_soon_threadsafe(self._stop.set)
        with without_interrupts():  # A loop that is still running at exit reports each of its tasks.
            self._thread.join()

    def submit(self, work: Coroutine[object, object, T]) -> concurrent.futures.Future[T]:
        """Start ``work`` and return at once."""
        return asyncio.run_coroutine_threadsafe(work, self._ready.result())

    def call(self, work: Callable[[], None]) -> None:
        """Call ``work`` on the loop soon."""
        self._ready.result().call_soon_threadsafe(work)

    def wait(self, work: Coroutine[object, object, T]) -> T:
        """Run ``work`` and return its result; an interrupt of the waiting thread cancels it."""
        future = self.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        self._stop = asyncio.Event()
        self._ready.set_result(asyncio.get_running_loop())
        await self._stop.wait()
