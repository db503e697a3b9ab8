"""What appears in the folders is shown without asking, and looking costs little."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fireside.chat.library.watch import INTERVAL_S, LibraryWatch


class Looks:
    """Folders that change by plan, a clock that looks move on, and pauses that a test ends."""

    def __init__(self, *plan: bool | Exception, took_s: float = 0.0) -> None:
        self._plan = list(plan)
        self._took_s = took_s
        self._now_s = 0.0
        self._over = asyncio.Event()
        self.pauses: list[float] = []
        self.n_scans = 0

    def has_changed(self) -> bool:
        self._now_s += self._took_s
        planned = self._plan.pop(0)
        if isinstance(planned, Exception):
            raise planned
        return planned

    async def rescan(self) -> None:
        self.n_scans += 1

    async def wait(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if not self._plan:
            self._over.set()
            await asyncio.Event().wait()

    async def run(self) -> None:
        watch = LibraryWatch(
            has_changed=self.has_changed, rescan=self.rescan, wait=self.wait, clock=lambda: self._now_s
        )
        watch.start()
        watch.start()
        await self._over.wait()
        await watch.stop()
        await watch.stop()


def run(make: Callable[[], Looks]) -> Looks:
    async def body() -> Looks:
        looks = make()
        await looks.run()
        return looks

    return asyncio.run(body())


def test_it_scans_only_when_something_changed() -> None:
    assert run(lambda: Looks(False, True, False, False, True)).n_scans == 2


def test_a_quick_look_is_repeated_every_few_seconds() -> None:
    assert run(lambda: Looks(False, False)).pauses == [INTERVAL_S] * 3


def test_after_a_slow_look_the_next_one_comes_later() -> None:
    assert run(lambda: Looks(False, took_s=1.0)).pauses == [INTERVAL_S, 50.0]


def test_a_look_that_fails_is_not_the_last() -> None:
    assert run(lambda: Looks(OSError("gone"), True)).n_scans == 1
