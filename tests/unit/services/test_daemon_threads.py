"""Blocking calls in daemon threads: results, errors, cancellation."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine

import pytest

from fireside.core.errors import HubOffline
from fireside.services.daemon_threads import AT_ONCE, DaemonThreads
from fireside.services.throttle import INTERVAL_S, Throttle


def run(story: Callable[[], Coroutine[object, object, None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 20))


async def test_run_returns_the_result_or_raises_the_error() -> None:
    def fails() -> int:
        raise HubOffline

    errands = DaemonThreads(name="test")
    assert await errands.run(lambda: 7) == 7
    with pytest.raises(HubOffline):
        await errands.run(fails)


async def test_cancelling_does_not_wait_and_drops_the_result() -> None:
    go_on, has_ended = threading.Event(), threading.Event()

    def work() -> None:
        go_on.wait(10)
        has_ended.set()

    errands = DaemonThreads(name="test")
    task = asyncio.ensure_future(errands.run(work))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not has_ended.is_set()
    go_on.set()
    await asyncio.to_thread(has_ended.wait, 10)
    assert await errands.run(lambda: 1) == 1


async def test_the_number_of_threads_is_bounded() -> None:
    lock, go_on = threading.Lock(), threading.Event()
    n_running = [0, 0]

    def work() -> None:
        with lock:
            n_running[0] += 1
            n_running[1] = max(n_running)
        go_on.wait(10)
        with lock:
            n_running[0] -= 1

    errands = DaemonThreads(name="test")
    tasks = [asyncio.ensure_future(errands.run(work)) for _ in range(AT_ONCE + 3)]
    while n_running[0] < AT_ONCE:
        await asyncio.to_thread(lambda: None)
    go_on.set()
    await asyncio.gather(*tasks)
    assert n_running[1] == AT_ONCE


def test_a_late_result_after_the_loop_is_dropped() -> None:
    go_on = threading.Event()

    async def story() -> None:
        task = asyncio.ensure_future(DaemonThreads(name="late").run(lambda: go_on.wait(10)))
        await asyncio.sleep(0)
        task.cancel()

    run(story)
    (late,) = [thread for thread in threading.enumerate() if thread.name == "late"]
    go_on.set()
    late.join(10)
    assert not late.is_alive()


async def test_throttled_reports_come_at_most_ten_times_a_second() -> None:
    reported: list[int] = []
    now = [0.0]
    paced = Throttle(reported.append, loop=asyncio.get_running_loop(), clock=lambda: now[0])
    for number in range(30):
        now[0] = number * INTERVAL_S / 10
        paced(number)
    await asyncio.sleep(0)
    assert reported == [0, 10, 20]
