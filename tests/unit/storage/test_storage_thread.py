"""The storage thread: order, results, cancellation, end; its stand-in keeps the same contract."""

from __future__ import annotations

import asyncio
import functools
import threading

import pytest

from fakes.local_app import InlineStorage
from fakes.same_loop import LateStorage
from fireside.storage.database import StorageThread, ThreadStopped

every_kind = pytest.mark.parametrize("kind", [StorageThread, InlineStorage, LateStorage])


async def test_work_is_done_in_one_other_thread_in_order() -> None:
    thread = StorageThread()
    seen: list[int] = []

    def note(n: int) -> int:
        seen.append(n)
        return threading.get_ident()

    idents = await asyncio.gather(*(thread.run(functools.partial(note, n)) for n in range(50)))
    await thread.stop()
    assert seen == list(range(50))
    assert len(set(idents)) == 1
    assert idents[0] != threading.get_ident()


@every_kind
async def test_errors_of_the_work_are_raised_by_the_await(kind: type[StorageThread]) -> None:
    def fail() -> None:
        raise KeyError("x")

    thread = kind()
    with pytest.raises(KeyError):
        await thread.run(fail)
    assert await thread.run(lambda: "goes on") == "goes on"
    await thread.stop()


async def test_work_that_was_handed_over_is_done_although_it_is_not_awaited_any_more() -> None:
    thread = StorageThread()
    may_go_on = threading.Event()
    done: list[str] = []
    first = asyncio.create_task(thread.run(may_go_on.wait))
    second = asyncio.create_task(thread.run(lambda: done.append("written")))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    may_go_on.set()
    await first
    await thread.stop()
    assert done == ["written"]


@every_kind
async def test_stopping_does_what_is_left_then_the_last_thing_and_ends_the_thread(
    kind: type[StorageThread],
) -> None:
    thread = kind()
    seen: list[str] = []
    task = asyncio.create_task(thread.run(lambda: seen.append("left over")))
    await asyncio.sleep(0)
    await thread.stop(last=lambda: seen.append("last"))
    await thread.stop(last=lambda: seen.append("never"))
    await task
    assert seen == ["left over", "last"]
    assert kind is not StorageThread or not thread._thread.is_alive()


@every_kind
async def test_a_stopped_thread_takes_nothing_more(kind: type[StorageThread]) -> None:
    thread = kind()
    await thread.stop()
    with pytest.raises(ThreadStopped):
        await thread.run(lambda: None)


def test_two_loops_may_use_one_thread() -> None:
    thread = StorageThread()
    found: list[int] = []

    def use(n: int) -> None:
        found.append(asyncio.run(thread.run(lambda: n)))

    others = [threading.Thread(target=use, args=(n,)) for n in range(4)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    asyncio.run(thread.stop())
    assert sorted(found) == [0, 1, 2, 3]
