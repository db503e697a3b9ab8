"""The engine over real child processes that misbehave as a script says."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import random
import signal
import sys
import threading
from pathlib import Path

import psutil
import pytest

from fakes.children import fake_spawner, wait_until_gone
from fakes.engine_harness import a_request, a_spec, end_of, events_of, text_of
from fakes.fake_runner import Answers, Loads, Script, Start
from fakes.live_engine import first_text, live_engine, turns_until
from fireside.core.generation import Failed, Finished, FinishReason, Loading
from fireside.core.ids import ModelId, RequestId
from fireside.core.options import SPIN_COUNT_AUTO, LoadOptions
from fireside.core.runtime import BUILT_IN
from fireside.engine.options import EngineOptions
from fireside.engine.processes.runner_process import RunnerProcess, StopLimits
from fireside.engine.request import LoadRequest
from fireside.engine.request_state import MAX_FLOOD_CHARACTERS

IMPATIENT = EngineOptions(cancel_limit_s=0.2)
N_RANDOM_MOMENTS = 30
CLOSE_LIMIT_S = 5.0
"""What the program promises: it closes within this time."""


async def test_an_answer_goes_all_the_way() -> None:
    async with live_engine(fake_spawner(Script(chunk_bytes=1))) as (engine, _spawn):
        events = await events_of(engine.generate(a_request(1)))
        assert text_of(events) == "Good evening 🦙"
        assert isinstance(events[-1], Finished)


@pytest.mark.parametrize(
    ("script", "code"),
    [
        pytest.param(Script(answers=Answers.CRASH), "runner_crashed", id="crash"),
        pytest.param(Script(answers=Answers.EXIT), "runner_crashed", id="exit"),
        pytest.param(Script(answers=Answers.GARBAGE), "runner_protocol_error", id="garbage"),
        pytest.param(Script(answers=Answers.HUGE_FRAME), "runner_protocol_error", id="2 GiB frame"),
        pytest.param(Script(answers=Answers.UNKNOWN_REQUEST), "runner_protocol_error", id="unknown request"),
        pytest.param(Script(answers=Answers.CLOSE_OUTPUT), "runner_crashed", id="closed output"),
        pytest.param(Script(answers=Answers.FAIL), "template_failed", id="failed request"),
        pytest.param(Script(loads=Loads.CRASH), "runner_crashed", id="crash while loading"),
        pytest.param(Script(loads=Loads.EXIT), "runner_crashed", id="exit while loading"),
        pytest.param(Script(loads=Loads.OUT_OF_MEMORY), "out_of_memory", id="out of memory"),
        pytest.param(Script(start=Start.OTHER_VERSION), "runner_start_failed", id="other version"),
        pytest.param(Script(start=Start.EXIT), "runner_crashed", id="exit at once"),
        pytest.param(Script(start=Start.TEXT_ON_STDOUT), "runner_protocol_error", id="text on stdout"),
    ],
)
async def test_each_misbehaviour_ends_the_request_with_its_error_and_the_process_with_it(
    script: Script, code: str
) -> None:
    async with live_engine(fake_spawner(script)) as (engine, spawn):
        end = await end_of(engine.generate(a_request(1)))
        assert isinstance(end, Failed)
        assert end.error.code == code
        await engine.unload(ModelId("alpha"))
        for pid in spawn.pids:
            wait_until_gone(pid)


async def test_a_child_that_says_nothing_is_given_up() -> None:
    script = Script(start=Start.SILENT, ignores_shutdown=True)
    options = EngineOptions(handshake_limit_s=0.2)
    async with live_engine(fake_spawner(script), options=options) as (engine, spawn):
        end = await end_of(engine.generate(a_request(1)))
        assert isinstance(end, Failed)
        assert end.error.code == "runner_start_failed"
        wait_until_gone(spawn.pids[0])


async def test_a_child_that_is_stopped_at_its_start_lets_others_load(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32":
        pytest.skip("stops by signal")
    options = EngineOptions(handshake_limit_s=1e6, handshake_silence_s=5.0, max_models=2)
    async with live_engine(fake_spawner(Script()), options=options) as (engine, spawn):
        started = spawn.__call__

        async def stopped(
            name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
        ) -> RunnerProcess:
            link = await started(name, runtime=runtime, spin_count=spin_count)
            if name == "Alpha":
                os.kill(link.pid, signal.SIGSTOP)
            return link

        lifecycle = engine._lifecycle
        context = dataclasses.replace(lifecycle._context, spawn=stopped)
        monkeypatch.setattr(lifecycle, "_context", context)
        first, second = engine.generate(a_request(1)), engine.generate(a_request(2, "Beta"))
        end = await end_of(first)
        assert isinstance(end, Failed)
        assert end.error.code == "runner_start_failed"
        assert isinstance(await end_of(second), Finished)
        wait_until_gone(spawn.pids[0])


async def test_a_load_that_hangs_is_cancelled_at_once_however_long_its_process_may_take_to_go() -> None:
    script = Script(loads=Loads.FOREVER, ignores_shutdown=True)
    patient = StopLimits(shutdown_s=1e6, terminate_s=1e6)
    async with live_engine(fake_spawner(script, limits=patient)) as (engine, spawn):
        stream = engine.generate(a_request(1))
        async for event in stream:
            if isinstance(event, Loading):
                break
        await engine.unload(a_spec().id)
        assert isinstance(await end_of(stream), Finished)
        wait_until_gone(spawn.pids[0])


async def test_after_three_crashes_no_fourth_runner_is_started() -> None:
    async with live_engine(fake_spawner(Script(answers=Answers.CRASH))) as (engine, spawn):
        ends = [await end_of(engine.generate(a_request(number))) for number in range(1, 6)]
        codes = [end.error.code for end in ends if isinstance(end, Failed)]
        assert codes == ["runner_crashed"] * 3 + ["restarts_exhausted"] * 2
        assert len(spawn.pids) == 3


@pytest.mark.parametrize("answers", [Answers.HANG, Answers.FLOOD])
async def test_a_child_deaf_to_cancel_is_killed_and_the_text_so_far_is_kept(answers: Answers) -> None:
    script = Script(answers=answers, ignores_cancel=True, ignores_shutdown=True)
    async with live_engine(fake_spawner(script), options=IMPATIENT) as (engine, spawn):
        stream = engine.generate(a_request(1))
        events = await first_text(stream)
        engine.cancel(RequestId(1))
        events += await events_of(stream)
        assert text_of(events).startswith("Good evening 🦙")
        end = events[-1]
        assert isinstance(end, Finished)
        assert end.reason is FinishReason.CANCELLED
        assert end.usage.n_completion >= 3
        wait_until_gone(spawn.pids[0])


async def test_a_flood_for_a_reader_that_sleeps_is_held_back_and_loses_nothing() -> None:
    async with live_engine(fake_spawner(Script(answers=Answers.FLOOD))) as (engine, _spawn):
        stream = engine.generate(a_request(1))
        events = await first_text(stream)
        buffer = stream._events
        await turns_until(lambda: buffer.is_full)
        for _ in range(2000):
            await asyncio.sleep(0)
        assert buffer._n_unread < MAX_FLOOD_CHARACTERS
        engine.cancel(RequestId(1))
        events += await events_of(stream)
        text = text_of(events).removeprefix("Good evening 🦙")
        assert text == "flood " * (len(text) // 6)


async def test_a_request_waits_through_a_slow_load_and_can_be_cancelled_in_it() -> None:
    async with live_engine(fake_spawner(Script(loads=Loads.FOREVER))) as (engine, _spawn):
        stream = engine.generate(a_request(1))
        async for event in stream:
            if getattr(event, "fraction", 0.0) == 0.5:
                break
        engine.cancel(RequestId(1))
        end = await end_of(stream)
        assert isinstance(end, Finished)
        assert end.reason is FinishReason.CANCELLED


def test_the_engine_works_on_a_loop_in_another_thread() -> None:
    ends: list[Finished | Failed] = []

    async def scenario() -> None:
        async with live_engine(fake_spawner(Script())) as (engine, _spawn):
            ends.append(await end_of(engine.generate(a_request(1))))

    thread = threading.Thread(target=lambda: asyncio.run(scenario()))
    thread.start()
    thread.join(60)
    assert isinstance(ends[0], Finished)


@pytest.mark.parametrize("moment", range(N_RANDOM_MOMENTS))
async def test_closing_at_any_moment_ends_every_stream_and_process_in_time(moment: int) -> None:
    choose = random.Random(moment)
    script = Script(
        loads=choose.choice((Loads.WELL, Loads.WELL, Loads.FOREVER)),
        answers=choose.choice((Answers.HANG, Answers.FLOOD, Answers.FINISH, Answers.CRASH)),
        ignores_cancel=choose.random() < 0.3,
        ignores_shutdown=choose.random() < 0.1,
    )
    # Loop turns, not seconds: the same moments on a slow machine.
    n_turns = int(10 ** choose.uniform(0, 4.5))
    async with live_engine(fake_spawner(script)) as (engine, spawn):
        readers = [
            asyncio.create_task(end_of(engine.generate(a_request(number, model))))
            for number, model in enumerate(("Alpha", "Alpha", "Alpha", "Beta"), start=1)
        ]
        for _ in range(n_turns):
            await asyncio.sleep(0)
        async with asyncio.timeout(CLOSE_LIMIT_S):
            await engine.close()
        for pid in spawn.pids:
            wait_until_gone(pid)
        ends = await asyncio.gather(*readers)
        assert all(isinstance(end, Finished | Failed) for end in ends)


@pytest.mark.skipif(sys.platform == "win32", reason="counts file descriptors in /proc or /dev/fd")
async def test_loading_and_unloading_leaks_no_file_descriptor() -> None:
    def n_descriptors() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    async with live_engine(fake_spawner(Script())) as (engine, _spawn):
        counts = []
        for _ in range(4):
            await engine.load(LoadRequest(spec=a_spec(), options=LoadOptions(n_ctx=512), keep_alive_s=None))
            await engine.unload(ModelId("alpha"))
            await asyncio.sleep(0)
            counts.append(n_descriptors())
        assert counts[-1] == counts[0]


async def test_a_child_that_hangs_without_being_cancelled_is_ended() -> None:
    options = EngineOptions(silence_limit_s=0.6)
    async with live_engine(fake_spawner(Script(answers=Answers.HANG)), options=options) as (
        engine,
        spawn,
    ):
        end = await end_of(engine.generate(a_request(1)))
        assert isinstance(end, Failed)
        assert end.error.code == "runner_unresponsive"
        wait_until_gone(spawn.pids[0])


async def test_a_child_that_a_user_has_stopped_is_left_alone() -> None:
    if sys.platform == "win32":
        pytest.skip("a process is stopped by a signal")
    link = await fake_spawner(Script())("Alpha")
    try:
        assert link.cpu_s() is not None
        os.kill(link.pid, signal.SIGSTOP)
        await turns_until(lambda: psutil.Process(link.pid).status() == psutil.STATUS_STOPPED)
        assert link.cpu_s() is None
    finally:
        os.kill(link.pid, signal.SIGCONT)
        await link.stop()
    assert link.cpu_s() is None
