"""What any runner promises on the wire: the fake in this process, the fake as a child, and the real one."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.children import fake_spawner, real_spawner
from fakes.fake_runner import FakeSpawner, Script
from fireside.core.errors import RunnerCrashed
from fireside.core.generation import Finished, FinishReason, PromptProgress
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasure, PromptMeasureRequest
from fireside.core.task import GenerationTask
from fireside.engine.processes.runner_process import RunnerProcess, Spawn
from fireside.wire.messages import (
    PROTOCOL_VERSION,
    Answered,
    Ask,
    Cancel,
    Generate,
    Hello,
    Load,
    Loaded,
    LoadProgressed,
    Report,
    RequestEvent,
    Shutdown,
    TokensDecoded,
)

MESSAGES = (text_message(Role.USER, "Say hello to the wide world."),)


@pytest.fixture(params=["in this process", "fake child", "real runner"])
def spawn(request: pytest.FixtureRequest) -> Spawn:
    """One way after the other to get a runner."""
    match request.param:
        case "in this process":
            return FakeSpawner()
        case "fake child":
            return fake_spawner(Script())
        case _:
            return real_spawner()


@pytest.fixture
def load(starter_model_path: Path) -> Load:
    options = LoadOptions(n_ctx=512, n_gpu_layers=0, n_threads=1)
    return Load(path=str(starter_model_path), name="SmolLM2", options=options)


@pytest.fixture
async def link(spawn: Spawn) -> AsyncIterator[RunnerProcess]:
    link = await spawn("SmolLM2")
    yield link
    await link.stop()


def said(report: Report) -> object:
    """Return the event of a report of one, else the report."""
    return report.event if isinstance(report, RequestEvent) else report


async def until(link: RunnerProcess, kind: type, *, n: int = 1) -> list[Report]:
    """Receive until ``n`` reports or events of this kind have come, and return all that came."""
    reports: list[Report] = []
    while sum(isinstance(said(report), kind) for report in reports) < n:
        reports.append(await link.receive())
    return reports


async def load_into(link: RunnerProcess, load: Load) -> None:
    await until(link, Hello)
    link.send(load)
    await until(link, Loaded)


def generate(number: int, *, max_tokens: int | None = 6) -> Generate:
    return Generate(
        request_id=RequestId(number),
        task=GenerationTask(
            prompt=ChatInput(messages=MESSAGES),
            sampling=SamplingParams(temperature=0, max_tokens=max_tokens),
        ),
    )


async def test_the_first_word_is_a_hello_of_this_protocol(link: RunnerProcess) -> None:
    hello = await link.receive()
    assert isinstance(hello, Hello)
    assert hello.protocol == PROTOCOL_VERSION


async def test_a_load_tells_its_progress_and_ends_in_loaded(link: RunnerProcess, load: Load) -> None:
    await until(link, Hello)
    link.send(load)
    *progress, loaded = await until(link, Loaded)
    fractions = [report.fraction for report in progress if isinstance(report, LoadProgressed)]
    assert fractions
    assert fractions == sorted(fractions)
    assert isinstance(loaded, Loaded)
    assert (loaded.loaded.n_ctx, loaded.loaded.n_seq_max) == (512, 2)


async def test_an_answer_is_prompt_then_text_then_one_finish(link: RunnerProcess, load: Load) -> None:
    await load_into(link, load)
    link.send(generate(1))
    reports = await until(link, Finished)
    kinds = [type(said(report)) for report in reports]
    assert kinds.index(PromptProgress) < kinds.index(TokensDecoded) < kinds.index(Finished)
    counts = [
        piece.n_completion
        for report in reports
        if isinstance(report, TokensDecoded)
        for piece in report.pieces
    ]
    finish = said(reports[-1])
    assert counts == sorted(counts)
    assert isinstance(finish, Finished)
    assert finish.usage.n_completion >= counts[-1] > 0
    assert finish.usage.n_prompt > 0


async def test_two_requests_at_once_end_once_each(link: RunnerProcess, load: Load) -> None:
    await load_into(link, load)
    for number in (1, 2):
        link.send(generate(number))
    reports = await until(link, Finished, n=2)
    ends = Counter(
        report.request_id
        for report in reports
        if isinstance(report, RequestEvent) and isinstance(report.event, Finished)
    )
    assert ends == {1: 1, 2: 1}


async def test_cancelling_twice_ends_once(link: RunnerProcess, load: Load) -> None:
    await load_into(link, load)
    link.send(generate(1, max_tokens=None))
    link.send(Cancel(request_id=RequestId(1)))
    link.send(Cancel(request_id=RequestId(1)))
    # Its answer comes after everything that the cancels caused.
    link.send(generate(2))
    reports = await until(link, Finished, n=2)
    ends = {
        report.request_id: report.event.reason
        for report in reports
        if isinstance(report, RequestEvent) and isinstance(report.event, Finished)
    }
    assert set(ends) == {1, 2}
    assert ends[RequestId(2)] is not FinishReason.CANCELLED


async def test_a_cancel_of_nothing_is_ignored(link: RunnerProcess, load: Load) -> None:
    await load_into(link, load)
    link.send(Cancel(request_id=RequestId(77)))
    link.send(generate(1))
    reports = await until(link, Finished)
    assert isinstance(reports[-1], RequestEvent)
    assert reports[-1].request_id == 1


async def test_the_tokens_of_a_prompt_are_measured(link: RunnerProcess, load: Load) -> None:
    await load_into(link, load)
    question = PromptMeasureRequest(prompt=ChatInput(messages=MESSAGES))
    link.send(Ask(request_id=RequestId(-1), query=question))
    measured = (await until(link, Answered))[-1]
    assert isinstance(measured, Answered)
    assert measured.request_id == -1
    assert isinstance(measured.reply, PromptMeasure)
    assert measured.reply.n_prompt > 0


async def test_shutdown_ends_it_with_status_zero(link: RunnerProcess, load: Load) -> None:
    await load_into(link, load)
    link.send(Shutdown())
    with pytest.raises(RunnerCrashed) as caught:
        await until(link, Finished)
    assert caught.value.exit_status == 0
