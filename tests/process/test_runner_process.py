"""A runner as a child process, with a child that does what a script says."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading

import pytest

from fakes.children import RunnerSpawner, child_environment, fake_spawner, wait_until_gone
from fakes.fake_runner import Answers, Loads, Script, Start
from fakes.live_engine import turns_until
from fakes.raised import refuses
from fireside.core.errors import RunnerCrashed, RunnerError, RunnerProtocolError
from fireside.core.generation import Finished
from fireside.core.i18n import render
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import LoadOptions
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasure, PromptMeasureRequest
from fireside.core.task import GenerationTask
from fireside.engine.processes.runner_process import (
    RunnerProcess,
    StopLimits,
)
from fireside.wire.child_process import HIGH_WATER_BYTES
from fireside.wire.messages import (
    Answered,
    Ask,
    Generate,
    Hello,
    Load,
    Loaded,
    Report,
    RequestEvent,
    TokensDecoded,
)

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
QUICK = StopLimits(shutdown_s=0.2, terminate_s=0.2, kill_s=5.0)

LOAD = Load(path="/models/alpha.gguf", name="Alpha", options=LoadOptions(n_gpu_layers=0, n_threads=1))
GENERATE = Generate(
    request_id=RequestId(1),
    task=GenerationTask(prompt=ChatInput(messages=(text_message(Role.USER, "Hello"),))),
)


async def until(link: RunnerProcess, kind: type) -> list[Report]:
    """Receive until a report or event of this kind, and return all that came."""
    reports: list[Report] = []
    while True:
        report = await link.receive()
        reports.append(report)
        if isinstance(report.event if isinstance(report, RequestEvent) else report, kind):
            return reports


async def answering(script: Script, *, limits: StopLimits | None = None) -> RunnerProcess:
    """Start a child and have it begin to answer."""
    link = await fake_spawner(script, limits=limits)("Alpha")
    await until(link, Hello)
    link.send(LOAD)
    await until(link, Loaded)
    link.send(GENERATE)
    return link


async def end_of(link: RunnerProcess) -> RunnerError:
    """Receive until the line breaks, then reap the child."""
    try:
        while True:
            await link.receive()
    except RunnerError as exc:
        return exc
    finally:
        await link.stop()


def text_of(reports: list[Report]) -> str:
    return "".join(
        piece.text for report in reports if isinstance(report, TokensDecoded) for piece in report.pieces
    )


@pytest.mark.parametrize("chunk_bytes", [0, 1, 7])
async def test_frames_arrive_whole_however_the_child_writes_them(chunk_bytes: int) -> None:
    link = await answering(Script(chunk_bytes=chunk_bytes))
    assert text_of(await until(link, Finished)) == "Good evening 🦙"
    await link.stop()


@posix_only
@pytest.mark.parametrize(
    ("signal_name", "words"),
    [
        ("SIGSEGV", "SIGSEGV"),
        ("SIGKILL", "free now"),
        ("SIGBUS", "the model file was changed"),
        ("SIGILL", "another CPU"),
    ],
)
async def test_a_crash_is_told_with_its_cause(signal_name: str, words: str) -> None:
    error = await end_of(await answering(Script(answers=Answers.CRASH, signal_name=signal_name)))
    assert isinstance(error, RunnerCrashed)
    assert words in render(error.cause)
    assert error.exit_status == -signal.Signals[signal_name]
    # No smaller load is offered where the system tells that memory was not why.
    assert error.had_memory == ("Not for lack of memory" in render(error.cause))


@posix_only
async def test_an_abort_is_told_with_the_assert_from_the_log() -> None:
    line = "ggml.c:12: GGML_ASSERT(n_layer <= LLAMA_MAX_LAYERS) failed"
    script = Script(answers=Answers.CRASH, signal_name="SIGABRT", last_words=line)
    error = await end_of(await answering(script))
    assert isinstance(error, RunnerCrashed)
    assert f"“{line}”" in render(error.cause)


async def test_an_exit_is_told_with_its_code_and_last_words() -> None:
    error = await end_of(await answering(Script(answers=Answers.EXIT, last_words="no more threads")))
    assert isinstance(error, RunnerCrashed)
    assert "code 3" in render(error.cause)
    assert "no more threads" in render(error.cause)


@pytest.mark.parametrize("answers", [Answers.GARBAGE, Answers.HUGE_FRAME])
async def test_bytes_that_are_no_frame_end_the_child(answers: Answers) -> None:
    link = await answering(Script(answers=answers, ignores_shutdown=True))
    assert isinstance(await end_of(link), RunnerProtocolError)
    wait_until_gone(link.pid)


async def test_text_on_standard_output_is_a_protocol_error() -> None:
    link = await fake_spawner(Script(start=Start.TEXT_ON_STDOUT))("Alpha")
    assert isinstance(await end_of(link), RunnerProtocolError)


async def test_a_child_that_only_closes_its_output_is_ended() -> None:
    link = await answering(Script(answers=Answers.CLOSE_OUTPUT), limits=QUICK)
    error = await end_of(link)
    assert isinstance(error, RunnerCrashed)
    assert "closed its connection" in render(error.cause)
    wait_until_gone(link.pid)


async def test_a_flood_that_nobody_reads_is_held_back() -> None:
    link = await answering(Script(answers=Answers.FLOOD))
    assert isinstance(link, RunnerProcess)
    output = link._child._streams.stdout
    assert output is not None
    await turns_until(lambda: output._paused)  # type: ignore[attr-defined]  # asyncio's own state
    for _ in range(1000):
        await asyncio.sleep(0)
    assert len(output._buffer) <= 2 * HIGH_WATER_BYTES  # type: ignore[attr-defined]
    for _ in range(1000):
        await link.receive()
    await link.stop()


async def test_a_flood_that_is_read_leaves_the_loop_its_turns() -> None:
    link = await answering(Script(answers=Answers.FLOOD))
    n_turns = 0

    async def count_turns() -> None:
        nonlocal n_turns
        while True:
            await asyncio.sleep(0)
            n_turns += 1

    counting = asyncio.create_task(count_turns())
    for _ in range(1000):
        await link.receive()
    counting.cancel()
    assert n_turns > 20
    await link.stop()


async def test_a_large_command_reaches_the_child_whole() -> None:
    link = await fake_spawner(Script())("Alpha")
    await until(link, Hello)
    prompt = ChatInput(messages=(text_message(Role.USER, "x" * 10_000_000),))
    link.send(Ask(request_id=RequestId(1), query=PromptMeasureRequest(prompt=prompt)))
    (measured,) = await until(link, Answered)
    assert isinstance(measured, Answered)
    assert isinstance(measured.reply, PromptMeasure)
    assert measured.reply.n_prompt == 10_000_000
    await link.stop()


async def test_sending_to_a_dead_child_does_nothing() -> None:
    link = await answering(Script(answers=Answers.EXIT))
    await end_of(link)
    for _ in range(20):
        link.send(GENERATE)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(answers=Answers.HANG), id="idle"),
        pytest.param(Script(answers=Answers.FLOOD), id="flooding"),
        pytest.param(Script(answers=Answers.HANG, ignores_shutdown=True), id="deaf"),
        pytest.param(Script(answers=Answers.FLOOD, ignores_shutdown=True), id="deaf and flooding"),
    ],
)
async def test_stop_ends_and_reaps_any_child(script: Script) -> None:
    link = await answering(script, limits=QUICK)
    await asyncio.gather(link.stop(), link.stop())
    await link.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(link.pid, 0)


async def test_a_child_that_hangs_while_loading_is_stopped() -> None:
    link = await fake_spawner(Script(loads=Loads.FOREVER, ignores_shutdown=True), limits=QUICK)("Alpha")
    link.send(LOAD)
    await until(link, Hello)
    await link.stop()
    wait_until_gone(link.pid)


async def test_a_stop_whose_caller_is_cancelled_still_reaps() -> None:
    link = await answering(Script(answers=Answers.HANG, ignores_shutdown=True), limits=QUICK)
    caller = asyncio.create_task(link.stop())
    await asyncio.sleep(0)
    caller.cancel()
    await asyncio.wait({caller})
    await link.stop()
    wait_until_gone(link.pid)


async def test_a_frozen_child_is_ended() -> None:
    if sys.platform == "win32":
        pytest.skip("signals are POSIX")
    link = await answering(Script(answers=Answers.FLOOD), limits=QUICK)
    os.kill(link.pid, signal.SIGSTOP)
    await link.stop()
    wait_until_gone(link.pid)


async def test_ctrl_c_in_a_terminal_does_not_reach_the_child() -> None:
    if sys.platform == "win32":
        pytest.skip("signals are POSIX")
    link = await fake_spawner(Script())("Alpha")
    assert os.getsid(link.pid) != os.getsid(0)
    await link.stop()


@pytest.mark.parametrize("command", [("/no/such/program",), (sys.executable + "\0",)])
async def test_a_program_that_cannot_be_started_is_a_typed_error(command: tuple[str, ...]) -> None:
    with refuses("runner_start_failed"):
        await RunnerSpawner(command=command, environment=child_environment())("Alpha")


def test_children_work_from_a_loop_in_another_thread() -> None:
    texts: list[str] = []

    async def scenario() -> None:
        link = await answering(Script())
        texts.append(text_of(await until(link, Finished)))
        await link.stop()

    thread = threading.Thread(target=lambda: asyncio.run(scenario()))
    thread.start()
    thread.join(60)
    assert texts == ["Good evening 🦙"]
