"""The engine thread replies, reports and ends at any time; replies and events keep their order."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from qasync import QEventLoop

from fakes.local_app import LoopThread
from fireside.bridge.client import EngineClient
from fireside.bridge.engine_thread import EngineThread, FrameItem, FramePump, Reply
from fireside.core.errors import EngineStopped, RecordNotFound
from fireside.core.events import AppEvent, SettingsChanged
from fireside.ui.tasks import TaskRunner

PATIENCE_S = 30.0


class Ticker:
    """A service that reports an event at a time, as a stream of tokens does."""

    def __init__(self, emit: Callable[[AppEvent], None]) -> None:
        self.emit = emit
        self.is_closed = False
        self.began = asyncio.Event()
        self.was_cancelled = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.n_reported = 0

    def report(self) -> int:
        """Report the next number."""
        self.n_reported += 1
        self.emit(SettingsChanged(keys=(str(self.n_reported),)))
        return self.n_reported

    async def start(self) -> None:
        self._task = asyncio.create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            self.report()
            await asyncio.sleep(0.001)

    async def count(self, *, n_turns: int = 0) -> int:
        """Return how much has been reported, after some turns of the loop."""
        for _ in range(n_turns):
            await asyncio.sleep(0)
        return self.n_reported

    async def report_around(self) -> int:
        """Report something, and more as soon as the reply is made."""
        asyncio.get_running_loop().call_soon(lambda: [self.report() for _ in range(3)])
        return self.report()

    async def double(self, number: int) -> int:
        return 2 * number

    async def fail(self) -> None:
        raise RecordNotFound(what="chat", id=7)

    async def forever(self) -> None:
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.was_cancelled.set()

    async def close(self) -> None:
        self.is_closed = True
        if self._task is not None:
            self._task.cancel()


class Scene:
    """A thread with a ticker, and what a window hears of it."""

    def __init__(
        self,
        application: QCoreApplication,
        build: Callable[..., Any] | None = None,
        *,
        is_same_loop: bool = False,
    ) -> None:
        self.built: list[Ticker] = []
        self.seen: list[int] = []

        async def build_ticker(pump: FramePump) -> Ticker:
            self.built.append(Ticker(pump.add))
            return self.built[0]

        self.loop = QEventLoop(application)
        self.thread: EngineThread[Any] = EngineThread(build=build or build_ticker)
        if is_same_loop:
            self.thread = self.loop.run_until_complete(self._same_loop())
        self.client = EngineClient(self.thread)
        self.client.frame.connect(self._on_frame)
        self.request = self.thread.request

    async def _same_loop(self) -> LoopThread:
        thread = LoopThread()
        self.built.append(Ticker(thread.report))
        thread.become(self.built[0])  # type: ignore[arg-type]  # no app either
        return thread

    def _on_frame(self, events: tuple[SettingsChanged, ...]) -> None:
        self.seen += [int(event.keys[0]) for event in events]

    def play(self, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.loop.run_until_complete(asyncio.wait_for(story(), PATIENCE_S))


@contextmanager
def opened(
    application: QCoreApplication,
    build: Callable[..., Any] | None = None,
    *,
    is_same_loop: bool = False,
) -> Iterator[Scene]:
    scene = Scene(application, build, is_same_loop=is_same_loop)
    if not is_same_loop:
        scene.thread.start()
    try:
        yield scene
    finally:
        assert scene.thread.stop()
        if is_same_loop:
            scene.loop.run_until_complete(scene.built[0].close())
        scene.loop.close()
        asyncio.set_event_loop(None)


@pytest.fixture
def scene(qapp: QCoreApplication) -> Iterator[Scene]:
    with opened(qapp) as made:
        yield made


@pytest.fixture(params=["thread", "same loop"])
def either(qapp: QCoreApplication, request: pytest.FixtureRequest) -> Iterator[Scene]:
    """The thread, and what stands for it where a test wants all on one loop."""
    with opened(qapp, is_same_loop=request.param == "same loop") as made:
        yield made


def test_a_request_gives_its_result_or_its_typed_error(either: Scene) -> None:
    async def story() -> None:
        assert await either.request(lambda service: service.double(21)) == 42
        with pytest.raises(RecordNotFound) as raised:
            await either.request(lambda service: service.fail())
        assert raised.value.id == 7

    either.play(story)


def test_requests_made_before_the_thread_runs_are_answered(qapp: QCoreApplication) -> None:
    async def build(_: FramePump) -> Ticker:
        await asyncio.sleep(0.05)
        return Ticker(lambda _: None)

    with opened(qapp, build) as scene:

        async def story() -> None:
            asked = [scene.request(lambda service, n=n: service.double(n)) for n in range(5)]  # type: ignore[misc]
            assert await asyncio.gather(*asked) == [0, 2, 4, 6, 8]

        scene.play(story)


def test_a_reply_arrives_in_order_with_the_events(either: Scene) -> None:
    """Also for what is to be done at the end of a task: it has had its turn when the next event comes."""
    seen_at_reply: list[tuple[int, int]] = []

    async def story() -> None:
        runner = TaskRunner(either.loop, on_error=lambda error: pytest.fail(str(error)))
        await either.request(lambda service: service.start())
        for n_turns in range(60):
            asked = either.request(lambda service, n=n_turns: service.count(n_turns=n % 7))  # type: ignore[misc]
            count = await asked
            assert len(either.seen) == count
            done = asyncio.Event()

            def on_done(count: int, done: asyncio.Event = done) -> None:
                seen_at_reply.append((len(either.seen), count))
                done.set()

            runner.run(either.request(lambda service: service.report_around()), on_done=on_done)
            await done.wait()

    either.play(story)
    assert seen_at_reply
    assert [seen for seen, _ in seen_at_reply] == [count for _, count in seen_at_reply]
    assert either.seen == list(range(1, len(either.seen) + 1))


def test_later_events_of_a_frame_wait_until_the_receiver_of_a_reply_has_run(either: Scene) -> None:
    """Coroutines and what is done at their end, in one frame with events around them."""
    seen_at: list[tuple[str, int]] = []

    async def story() -> None:
        runner = TaskRunner(either.loop, on_error=lambda error: pytest.fail(str(error)))
        replies = [Reply[int]() for _ in range(4)]
        gone = Reply[int]()
        all_seen = asyncio.Event()
        either.client.frame.connect(lambda events: all_seen.set() if events[-1].keys == ("5",) else None)
        waiting = asyncio.ensure_future(gone.wait())
        await asyncio.sleep(0)
        waiting.cancel()

        async def work(number: int) -> int:
            result = await replies[number].wait()
            seen_at.append(("coroutine", len(either.seen)))
            return result

        for number, reply in enumerate(replies):
            reply.succeed(number)
            runner.run(work(number), on_done=lambda _: seen_at.append(("end", len(either.seen))))
        await asyncio.sleep(0)
        items: list[FrameItem] = [gone]
        for number, reply in enumerate(replies, start=1):
            items += [SettingsChanged(keys=(str(number),)), reply]
        either.thread.frame.emit((*items, SettingsChanged(keys=("5",))))
        await all_seen.wait()

    either.play(story)
    assert seen_at == [(what, number) for number in range(1, 5) for what in ("coroutine", "end")]


def test_a_frame_right_after_a_reply_waits_too(either: Scene) -> None:
    """An engine that ends sends what it still has without waiting for the window."""
    seen_at_end: list[int] = []

    async def story() -> None:
        runner = TaskRunner(either.loop, on_error=lambda error: pytest.fail(str(error)))
        reply = Reply[int]()
        reply.succeed(1)
        is_over = asyncio.Event()
        either.client.frame.connect(lambda events: is_over.set() if events[-1].keys == ("3",) else None)
        runner.run(reply.wait(), on_done=lambda _: seen_at_end.append(len(either.seen)))
        await asyncio.sleep(0)
        first, *rest = (SettingsChanged(keys=(str(number),)) for number in range(1, 4))
        for frame in ((first, reply), *((event,) for event in rest)):
            either.thread.frame.emit(frame)
        await is_over.wait()

    either.play(story)
    assert seen_at_end == [1]
    assert either.seen == [1, 2, 3]


def test_a_wait_that_is_cancelled_cancels_the_request(either: Scene) -> None:
    async def story() -> None:
        asked = asyncio.ensure_future(either.request(lambda service: service.forever()))
        await either.request(lambda service: service.began.wait())
        asked.cancel()
        await either.request(lambda service: service.was_cancelled.wait())
        assert asked.cancelled()

    either.play(story)


def test_the_service_is_closed_before_the_thread_ends(qapp: QCoreApplication) -> None:
    with opened(qapp) as scene:

        async def story() -> None:
            await scene.request(lambda service: service.double(1))

        scene.play(story)
    assert scene.built[0].is_closed


def test_a_request_that_never_ends_does_not_keep_the_thread(scene: Scene) -> None:
    async def story() -> None:
        asked = asyncio.ensure_future(scene.request(lambda service: service.forever()))
        await scene.request(lambda service: service.began.wait())
        assert await asyncio.to_thread(scene.thread.stop)
        with pytest.raises((asyncio.CancelledError, EngineStopped)):
            await asked

    scene.play(story)


def test_a_request_after_the_end_is_refused(scene: Scene) -> None:
    async def story() -> None:
        assert scene.thread.stop()
        with pytest.raises(EngineStopped):
            await scene.request(lambda service: service.double(1))

    scene.play(story)


def test_stopping_twice_or_before_the_start_is_harmless(scene: Scene) -> None:
    assert scene.thread.stop()
    assert scene.thread.stop()


def test_an_error_of_the_build_is_raised_by_requests(
    qapp: QCoreApplication, caplog: pytest.LogCaptureFixture
) -> None:
    async def build(_: FramePump) -> Ticker:
        raise RecordNotFound(what="folder", id=1)

    with opened(qapp, build) as scene:

        async def story() -> None:
            with pytest.raises(RecordNotFound):
                await scene.request(lambda service: service.double(1))

        scene.play(story)
    assert "could not be built" in caplog.text


@pytest.mark.parametrize("is_built", [False, True])
def test_events_that_wait_for_the_window_are_delivered_at_the_end(
    qapp: QCoreApplication,
    is_built: bool,
) -> None:
    """Even if building or closing the service fails, and the window no longer acknowledges frames."""

    class Failing(Ticker):
        async def close(self) -> None:
            raise RecordNotFound(what="chat", id=7)

    async def build(pump: FramePump) -> Ticker:
        service = Failing(pump.add)
        service.report()
        service.report()
        if not is_built:
            raise RecordNotFound(what="chat", id=7)
        return service

    thread = EngineThread(build=build)
    received: list[SettingsChanged] = []
    thread.frame.connect(lambda items: received.extend(items), Qt.ConnectionType.DirectConnection)
    thread.start()
    assert thread.stop()
    assert [event.keys for event in received] == [("1",), ("2",)]


@pytest.mark.parametrize("seed", range(8))
def test_the_thread_ends_at_any_moment(scene: Scene, seed: int) -> None:
    chance = random.Random(seed)

    async def story() -> None:
        await scene.request(lambda service: service.start())
        n_wanted = chance.randrange(60)
        while len(scene.seen) < n_wanted:
            await scene.request(lambda service: service.count(n_turns=1))

    scene.play(story)
    assert scene.thread.stop()
    assert not scene.thread.isRunning()
