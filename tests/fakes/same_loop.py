"""The engine's side and the window's on one event loop, whose turns and time a test decides: no threads."""

from __future__ import annotations

import asyncio
import selectors
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from fakes.local_app import InlineStorage, LoopThread
from fireside.bridge.engine_thread import FrameItem, FramePump

T = TypeVar("T")


class _JumpingSelector(selectors.SelectSelector):
    """Where a loop would wait for a timer, its time goes on at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(timeout if timeout is None else 0)
        if not ready and timeout:
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """A loop that never sleeps: what is due later is due as soon as nothing else is to be done."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


class LateStorage(InlineStorage):
    """Work is done when it is handed over; that it is done is told later, in the same order."""

    chance = Random(0)

    def __init__(self) -> None:
        super().__init__()
        self._told: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()

    async def run(self, work: Callable[[], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        try:
            self._told.append((future, await super().run(work), None))
        except Exception as exc:  # noqa: BLE001 - raised where the work is awaited
            self._told.append((future, None, exc))
        asyncio.get_running_loop().call_later(moment(self.chance), self._tell)
        return await future

    def _tell(self) -> None:
        future, result, error = self._told.popleft()
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)


class SameLoopThread(LoopThread):
    """A ``LoopThread`` whose frames take their time to the window."""

    def __init__(self, chance: Random) -> None:
        super().__init__()
        self.receive: Callable[[tuple[FrameItem, ...]], None]
        self._chance = chance
        self.pump = self._pump = FramePump(loop=asyncio.get_running_loop(), deliver=self._deliver)

    def acknowledge(self, *, cost_s: float) -> None:
        self.pump.acknowledge(cost_s=cost_s)

    def _deliver(self, items: tuple[FrameItem, ...]) -> None:
        asyncio.get_running_loop().call_later(moment(self._chance), lambda: self.receive(items))


def moment(chance: Random) -> float:
    """Return how many seconds something takes that is quick as a rule."""
    return chance.choice((0.0, 0.0, 0.0, 0.001, 0.005, 0.02, 0.04))
