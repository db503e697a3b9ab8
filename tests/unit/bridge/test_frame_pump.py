"""Frames are sent at once after a pause, at most once a display frame, and never to a busy window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from fakes.same_loop import JumpingLoop
from fireside.bridge.engine_thread import FRAME_INTERVAL_S, MAX_FRAME_INTERVAL_S, FrameItem, FramePump, Reply
from fireside.core.events import AppEvent, SettingsChanged


class ManualLoop:
    """The two methods of an event loop that the pump uses, with a clock moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None]) -> ManualTimer:
        self.timers.append((self.now + delay, callback))
        return ManualTimer(self, self.timers[-1])

    def advance(self, seconds: float) -> None:
        self.now += seconds
        for timer in [timer for timer in self.timers if timer[0] <= self.now]:
            self.timers.remove(timer)
            timer[1]()


class ManualTimer:
    def __init__(self, loop: ManualLoop, timer: tuple[float, Callable[[], None]]) -> None:
        self._loop, self._timer = loop, timer

    def cancel(self) -> None:
        if self._timer in self._loop.timers:
            self._loop.timers.remove(self._timer)


def event(name: str) -> AppEvent:
    return SettingsChanged(keys=(name,))


def build() -> tuple[ManualLoop, FramePump, list[tuple[FrameItem, ...]]]:
    loop = ManualLoop()
    frames: list[tuple[FrameItem, ...]] = []
    pump = FramePump(loop=loop, deliver=frames.append)  # type: ignore[arg-type]
    return loop, pump, frames


def test_the_first_event_after_a_pause_leaves_at_once() -> None:
    _, pump, frames = build()
    pump.add(event("a"))
    assert frames == [(event("a"),)]


def test_a_second_event_waits_for_the_next_frame() -> None:
    loop, pump, frames = build()
    pump.add(event("a"))
    pump.acknowledge()
    pump.add(event("b"))
    assert len(frames) == 1
    loop.advance(FRAME_INTERVAL_S)
    assert frames[1:] == [(event("b"),)]


def test_a_busy_window_gets_one_larger_frame_when_it_is_done() -> None:
    loop, pump, frames = build()
    pump.add(event("a"))
    for name in "bcd":
        loop.advance(FRAME_INTERVAL_S)
        pump.add(event(name))
    assert len(frames) == 1
    pump.acknowledge()
    assert frames[1:] == [(event("b"), event("c"), event("d"))]


def test_closing_delivers_what_is_left() -> None:
    loop, pump, frames = build()
    pump.add(event("a"))
    pump.add(event("b"))
    pump.close()
    assert frames == [(event("a"),), (event("b"),)]
    assert not loop.timers


def test_the_pump_works_on_a_real_loop() -> None:
    async def scenario() -> list[tuple[FrameItem, ...]]:
        frames: list[tuple[FrameItem, ...]] = []
        second = asyncio.Event()

        def deliver(frame: tuple[FrameItem, ...]) -> None:
            frames.append(frame)
            pump.acknowledge()
            if len(frames) == 2:
                second.set()

        pump = FramePump(loop=asyncio.get_running_loop(), deliver=deliver)
        pump.add(event("a"))
        pump.add(event("b"))
        await asyncio.wait_for(second.wait(), 10)
        return frames

    assert asyncio.run(scenario()) == [(event("a"),), (event("b"),)]


async def test_a_reply_takes_the_events_before_it_along_without_waiting_for_a_frame() -> None:
    loop, pump, frames = build()
    pump.add(event("a"))
    pump.acknowledge()
    pump.add(event("b"))
    reply: Reply[int] = Reply()
    pump.add(reply)
    assert frames[1:] == [(event("b"), reply)]
    assert not loop.timers
    pump.add(event("c"))
    pump.add(Reply())
    assert len(frames) == 2, "not into a busy window"
    pump.acknowledge()
    assert frames[2][0] == event("c")


def test_events_after_the_end_are_delivered_at_once() -> None:
    _, pump, frames = build()
    pump.add(event("a"))
    pump.close()
    pump.add(event("b"))
    assert frames == [(event("a"),), (event("b"),)]


def test_a_frame_that_cost_the_window_much_puts_off_the_next() -> None:
    loop, pump, frames = build()
    pump.add(event("a"))
    pump.acknowledge(cost_s=0.05)
    pump.add(event("b"))
    loop.advance(2 * 0.05)
    assert len(frames) == 1
    loop.advance(0.06)
    assert len(frames) == 2
    pump.acknowledge(cost_s=60.0)
    pump.add(event("c"))
    loop.advance(MAX_FRAME_INTERVAL_S + 0.01)
    assert len(frames) == 3, "nothing waits for ever"


def test_next_frame_waits_one_interval_even_if_the_window_is_busy() -> None:
    loop = JumpingLoop()
    frames: list[float] = []

    async def story() -> list[float]:
        pump = FramePump(loop=loop, deliver=lambda _: frames.append(loop.time()))
        due: list[float] = []

        async def write(name: str) -> None:
            await pump.next_frame()
            due.append(loop.time())
            pump.add(event(name))

        await write("a")
        await asyncio.gather(write("b"), write("c"))  # two answers at once; the window has not handled "a"
        await asyncio.sleep(1)
        await write("d")
        return due

    due = loop.run_until_complete(story())
    loop.close()
    assert due == pytest.approx([0.0, FRAME_INTERVAL_S, FRAME_INTERVAL_S, FRAME_INTERVAL_S + 1])
    assert frames == [0.0], "one at a time"
