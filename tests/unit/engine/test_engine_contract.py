"""The contract of the engine, which the fake engines of other tests keep too."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from fakes.endpoints import endpoint_path
from fakes.engine import FakeEngine, finished
from fakes.engine_harness import OPTIONS, EngineHarness, a_request, a_spec, end_of, events_of
from fakes.fake_runner import Answers, FakeSpawner, Script
from fakes.stepped_engine import ManualEngine
from fireside.core.errors import EngineStopped
from fireside.core.generation import Failed, Finished, FinishReason, GenerationEvent, TextDelta
from fireside.core.ids import ModelId, RequestId
from fireside.core.message import Role, text_message
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasureRequest, PromptPreviewRequest
from fireside.core.status import ModelState, Ready, Unloaded
from fireside.core.task import GenerationTask
from fireside.engine.request import LoadRequest
from fireside.engine.request_state import GenerationStream
from fireside.engine.sharing.shared_engine import SharedEngine

ALPHA = ModelId("alpha")
SAID = (text_message(Role.USER, "Hello"),)
FIRST = TextDelta(text="Hi", n_completion=1)


class Subject:
    """One of the engines. Its answers begin, and end only where ``ends`` or when they are cancelled."""

    def __init__(self, kind: str, *, ends: bool = True) -> None:
        self.engine: SharedEngine
        self._plays: ManualEngine | None = None
        self._host: SharedEngine | None = None
        self._ends = ends
        script = Script(pieces=("Hi",), answers=Answers.FINISH if ends else Answers.HANG)
        if kind == "real":
            self.engine = EngineHarness(spawner=FakeSpawner(lambda _number, _name: script)).engine
        elif kind == "joined":
            self._host = EngineHarness(spawner=FakeSpawner(lambda _number, _name: script)).engine
            self.engine = EngineHarness().engine
        elif kind == "scripted":
            self.engine = FakeEngine(lambda _: [FIRST, finished() if ends else None])
        else:
            self.engine = self._plays = ManualEngine(lambda _status: None)

    async def open(self) -> None:
        """Begin: where another program is to have the engine, use it."""
        if self._host is not None:
            await self._host.share(endpoint_path(), name="window")
            await self.engine.join(endpoint_path(), name="fireside run")

    async def close(self) -> None:
        await self.engine.close()
        if self._host is not None:
            await self._host.close()

    def generate(self, number: int) -> GenerationStream:
        stream = self.engine.generate(a_request(number))
        if self._plays is not None and not self._plays.is_closed:
            played: list[GenerationEvent] = [FIRST, *([finished()] if self._ends else [])]
            for event in played:
                self._plays.play(RequestId(number), event)
        return stream

    async def begun(self, number: int) -> GenerationStream:
        """Return the stream of an answer whose first text has come."""
        stream = self.generate(number)
        async for event in stream:
            if isinstance(event, TextDelta):
                return stream
        raise AssertionError("nothing was said")

    def state(self) -> ModelState:
        return next(status.state for status in self.engine.statuses() if status.model_id == ALPHA)


@pytest.fixture
def ends() -> bool:
    return True


@pytest.fixture(params=["real", "joined", "scripted", "played"])
async def subject(request: pytest.FixtureRequest, ends: bool) -> AsyncIterator[Subject]:
    subject = Subject(request.param, ends=ends)
    await subject.open()
    yield subject
    await subject.close()


async def test_a_stream_stops_after_its_last_event(subject: Subject) -> None:
    stream = subject.generate(1)
    events = await events_of(stream)
    assert [event.text for event in events if isinstance(event, TextDelta)] == ["Hi"]
    assert [event for event in events if isinstance(event, Finished | Failed)] == events[-1:]
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


@pytest.mark.parametrize("ends", [False])
async def test_a_cancelled_request_ends_as_cancelled(subject: Subject) -> None:
    stream = await subject.begun(1)
    subject.engine.cancel(RequestId(1))
    end = await end_of(stream)
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED


@pytest.mark.parametrize("ends", [False])
async def test_a_request_can_be_cancelled_before_any_event_is_read(subject: Subject) -> None:
    stream = subject.generate(1)
    subject.engine.cancel(RequestId(1))
    end = await end_of(stream)
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED


async def test_cancelling_an_unknown_request_is_ignored(subject: Subject) -> None:
    subject.engine.cancel(RequestId(1))
    first = await end_of(subject.generate(1))
    subject.engine.cancel(RequestId(1))
    second = await end_of(subject.generate(2))
    assert [end.reason for end in (first, second) if isinstance(end, Finished)] == [FinishReason.STOP] * 2


@pytest.mark.parametrize("ends", [False])
async def test_a_request_id_is_positive_and_unique(subject: Subject) -> None:
    stream = await subject.begun(1)
    for number in (0, 1):
        with pytest.raises(ValueError, match="running already"):
            subject.generate(number)
    await stream.aclose()
    await stream.aclose()


async def test_a_request_id_can_be_used_again_after_its_end(subject: Subject) -> None:
    for _ in range(2):
        assert isinstance(await end_of(subject.generate(1)), Finished)


@pytest.mark.parametrize("ends", [False])
async def test_closing_ends_running_requests_and_refuses_new_ones(subject: Subject) -> None:
    stream = await subject.begun(1)
    await subject.engine.close()
    end = await end_of(stream)
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED
    refused = await end_of(subject.generate(2))
    assert isinstance(refused, Failed)
    assert refused.error.code == EngineStopped.code


async def test_an_unloaded_model_counts_no_tokens(subject: Subject) -> None:
    prompt = ChatInput(messages=SAID)
    question = PromptMeasureRequest(prompt=prompt)
    engine = subject.engine

    async def counted() -> list[object]:
        return [
            await engine.ask(ALPHA, PromptPreviewRequest(task=GenerationTask(prompt=prompt))),
            await engine.ask(ALPHA, question),
        ]

    assert await counted() == [None] * 2
    loaded = await engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    assert loaded.n_ctx == OPTIONS.n_ctx
    assert isinstance(subject.state(), Ready)
    assert None not in await counted()
    await engine.unload(ALPHA)
    assert isinstance(subject.state(), Unloaded)
    assert await counted() == [None] * 2
