"""Polling continues for ever, at a bounded cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from fireside.core.errors import StorageDamaged
from fireside.services.polling import Poller

EACH_S = 3.0


class Looks:
    """Scripted polls, a clock that they advance, and pauses that a test ends."""

    def __init__(self, *plan: Exception | None, took_s: float = 0.0) -> None:
        self._plan = list(plan)
        self._took_s = took_s
        self._now_s = 0.0
        self._over = asyncio.Event()
        self.pauses: list[float] = []
        self.n = 0

    async def look(self) -> None:
        self.n += 1
        self._now_s += self._took_s
        planned = self._plan.pop(0)
        if planned is not None:
            raise planned

    async def wait(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if not self._plan:
            self._over.set()
            await asyncio.Event().wait()

    async def run(self) -> None:
        watch = Poller(self.look, name="it", interval_s=EACH_S, wait=self.wait, clock=lambda: self._now_s)
        watch.start()
        watch.start()
        await self._over.wait()
        await watch.close()
        await watch.close()


def run(make: Callable[[], Looks]) -> Looks:
    async def body() -> Looks:
        looks = make()
        await looks.run()
        return looks

    return asyncio.run(body())


def test_a_quick_poll_is_repeated_at_the_interval() -> None:
    assert run(lambda: Looks(None, None)).pauses == [EACH_S] * 2


def test_a_slow_poll_delays_the_next() -> None:
    assert run(lambda: Looks(None, None, took_s=1.0)).pauses == [50.0, 50.0]


@pytest.mark.parametrize("failure", [OSError("gone"), StorageDamaged(path="chats.db", reason="a page")])
def test_polling_continues_after_a_failure(failure: Exception) -> None:
    assert run(lambda: Looks(failure, None)).n == 2
