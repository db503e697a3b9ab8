"""The engine with fake runners in this process and a fake clock."""

from __future__ import annotations

import asyncio
from pathlib import Path

import gguf
import msgspec
import numpy as np
import pytest

from fakes.engine_harness import (
    OPTIONS,
    QUESTION,
    EngineHarness,
    a_request,
    a_spec,
    end_of,
    events_of,
    settle,
    text_of,
)
from fakes.fake_runner import Answers, Crash, FakeSpawner, Loads, Script, Start, finished
from fakes.live_engine import turns_until
from fakes.raised import refuses
from fireside.core.errors import (
    EngineStopped,
    OutOfMemory,
    RestartsExhausted,
    RunnerCrashed,
)
from fireside.core.generation import (
    Embedded,
    Failed,
    Finished,
    FinishReason,
    Loading,
    Priority,
    PromptProgress,
    Queued,
    Stopping,
    TextDelta,
    WaitReason,
)
from fireside.core.ids import ModelId, RequestId
from fireside.core.options import LoadOptions, LoraAdapter, SamplingParams
from fireside.core.prompt_query import PromptPreview
from fireside.core.status import Broken, Device, DeviceKind, LoadingModel, Ready, Unloaded
from fireside.engine.options import EngineOptions
from fireside.engine.planning.load_case import DISPLAY_MARGIN_BYTES
from fireside.engine.planning.memory_estimate import predict
from fireside.engine.request import LoadRequest
from fireside.engine.request_state import MAX_UNREAD_CHARACTERS, GenerationStream
from fireside.wire.messages import (
    Answered,
    Cancel,
    Generate,
    Load,
    Piece,
    Report,
    RequestEvent,
    TokensDecoded,
)

ALPHA = ModelId("alpha")


def scripted(script: Script) -> FakeSpawner:
    return FakeSpawner(lambda _number, _name: script)


def in_order(*scripts: Script) -> FakeSpawner:
    return FakeSpawner(lambda number, _name: scripts[min(number, len(scripts) - 1)])


HANGING = Script(answers=Answers.HANG)


async def started(harness: EngineHarness, *streams: GenerationStream) -> None:
    """Wait until each stream has shown its first text."""
    for stream in streams:
        async for event in stream:
            if isinstance(event, TextDelta):
                break
    await settle()


async def test_the_first_request_loads_the_model_and_is_answered() -> None:
    harness = EngineHarness()
    events = await events_of(harness.engine.generate(a_request(1)))
    assert isinstance(events[0], Loading)
    assert PromptProgress(n_done=7, n_total=7, n_cached=3) in events
    assert text_of(events) == "Good evening 🦙"
    assert isinstance(events[-1], Finished)
    assert events[-1].reason is FinishReason.STOP
    assert harness.states() == ["LoadingModel", "Ready"]
    await harness.engine.close()


async def test_the_second_request_finds_the_model_loaded() -> None:
    harness = EngineHarness()
    await end_of(harness.engine.generate(a_request(1)))
    events = await events_of(harness.engine.generate(a_request(2)))
    assert not any(isinstance(event, Loading | Queued) for event in events)
    assert len(harness.spawner.runners) == 1
    await harness.engine.close()


async def test_the_finish_carries_the_context_the_seed_and_the_runners_usage() -> None:
    harness = EngineHarness()
    end = await end_of(harness.engine.generate(a_request(1)))
    assert isinstance(end, Finished)
    assert (end.n_ctx, end.seed, end.usage.n_completion) == (1024, 42, 3)
    await harness.engine.close()


async def test_time_to_first_token_counts_from_acceptance() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.FOREVER, pieces=(), answers=Answers.HANG)))
    stream = harness.engine.generate(a_request(1))
    await settle()
    harness.clock.advance(3.0)
    runner = harness.spawner.runners[0]
    runner.post_loaded(OPTIONS)
    await settle()
    harness.clock.advance(1.5)
    runner.post(TokensDecoded(pieces=(Piece(RequestId(1), "Hi", 1),)))
    await settle()
    harness.clock.advance(10.0)
    runner.post(finished(RequestId(1), FinishReason.STOP, n_completion=1))
    end = await end_of(stream)
    assert isinstance(end, Finished)
    assert end.timings.first_token_s == pytest.approx(4.5)
    await harness.engine.close()


async def test_a_request_without_a_free_slot_waits_with_its_position() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    first, second = (harness.engine.generate(a_request(number)) for number in (1, 2))
    await started(harness, first, second)
    third, fourth = (harness.engine.generate(a_request(number)) for number in (3, 4))
    await settle()
    harness.engine.cancel(RequestId(1))
    await settle()
    harness.engine.cancel(RequestId(4))
    harness.engine.cancel(RequestId(3))
    queued = [event for event in await events_of(fourth) if isinstance(event, Queued)]
    # Newer places replace older ones in an unread stream: first 1, then 0.
    assert queued == [Queued(position=0)]
    await harness.engine.close()
    await events_of(third)


async def test_a_slot_that_becomes_free_goes_to_the_next_in_the_queue() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    streams = [harness.engine.generate(a_request(number)) for number in (1, 2, 3)]
    await settle()
    runner = harness.spawner.runners[0]
    assert [c.request_id for c in runner.received if isinstance(c, Generate)] == [1, 2]
    runner.post(finished(RequestId(2), FinishReason.STOP, n_completion=3))
    await settle()
    assert [c.request_id for c in runner.received if isinstance(c, Generate)] == [1, 2, 3]
    await harness.engine.close()
    for stream in streams:
        await events_of(stream)


async def test_the_open_chat_is_served_before_background_requests() -> None:
    harness = EngineHarness(spawner=scripted(Script(answers=Answers.HANG, n_seq_max=1)))
    streams = [
        harness.engine.generate(a_request(1)),
        harness.engine.generate(a_request(2, priority=Priority.BACKGROUND)),
        harness.engine.generate(a_request(3)),
    ]
    await settle()
    harness.engine.cancel(RequestId(1))
    await settle()
    sent = [c.request_id for c in harness.spawner.runners[0].received if isinstance(c, Generate)]
    assert sent == [1, 3]
    await harness.engine.close()
    for stream in streams:
        await events_of(stream)


async def test_background_requests_are_passed_a_limited_number_of_times() -> None:
    harness = EngineHarness(spawner=scripted(Script(n_seq_max=1)))
    streams = [harness.engine.generate(a_request(1, priority=Priority.BACKGROUND))]
    streams += [harness.engine.generate(a_request(number)) for number in range(2, 10)]
    for stream in streams:
        await events_of(stream)
    sent = [c.request_id for c in harness.spawner.runners[0].received if isinstance(c, Generate)]
    assert sent == [2, 3, 4, 5, 1, 6, 7, 8, 9]
    await harness.engine.close()


async def test_a_full_queue_refuses_with_its_limit() -> None:
    harness = EngineHarness(spawner=scripted(HANGING), options=EngineOptions(queue_limit=2))
    streams = [harness.engine.generate(a_request(number)) for number in (1, 2)]
    await settle()
    streams += [harness.engine.generate(a_request(number)) for number in (3, 4)]
    end = await end_of(harness.engine.generate(a_request(5)))
    assert isinstance(end, Failed)
    assert (end.error.code, end.error.data) == ("queue_full", {"limit": 2})
    await harness.engine.close()
    for stream in streams:
        await events_of(stream)


async def test_cancel_during_decode_ends_with_the_text_so_far_and_usage() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    stream = harness.engine.generate(a_request(1))
    await settle()
    harness.engine.cancel(RequestId(1))
    events = await events_of(stream)
    assert text_of(events) == "Good evening 🦙"
    assert isinstance(events[-1], Finished)
    assert events[-1].reason is FinishReason.CANCELLED
    assert events[-1].usage.n_completion == 3
    assert harness.n_timers == 0
    await harness.engine.close()


async def test_cancel_in_the_queue_ends_at_once_and_moves_the_next_one_up() -> None:
    harness = EngineHarness(spawner=scripted(Script(answers=Answers.HANG, n_seq_max=1)))
    first, second, third = (harness.engine.generate(a_request(number)) for number in (1, 2, 3))
    await settle()
    harness.engine.cancel(RequestId(2))
    end = await end_of(second)
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED
    harness.engine.cancel(RequestId(1))
    await started(harness, third)
    await harness.engine.close()
    await events_of(first)


async def test_cancel_while_the_model_loads_ends_at_once_and_the_load_goes_on() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.FOREVER)))
    stream = harness.engine.generate(a_request(1))
    await settle()
    harness.engine.cancel(RequestId(1))
    end = await end_of(stream)
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED
    assert harness.states() == ["LoadingModel"]
    await harness.engine.close()


async def test_an_unrequested_load_is_replaced_by_another() -> None:
    harness = EngineHarness(
        spawner=FakeSpawner(
            lambda _number, name: Script(loads=Loads.FOREVER) if name == "Alpha" else Script()
        )
    )
    abandoned = harness.engine.generate(a_request(1, "Alpha"))
    await settle()
    await abandoned.aclose()
    end = await end_of(harness.engine.generate(a_request(2, "Beta")))
    assert isinstance(end, Finished)
    assert harness.state("Alpha") == Unloaded()
    await harness.engine.close()


async def test_closing_the_stream_cancels_at_the_runner() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    stream = harness.engine.generate(a_request(1))
    await started(harness, stream)
    await stream.aclose()
    await settle()
    assert Cancel(request_id=RequestId(1)) in harness.spawner.runners[0].received
    state = harness.state()
    assert isinstance(state, Ready)
    assert state.n_active == 0
    await harness.engine.close()


async def test_a_cancelled_reader_cancels_its_request() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    reader = asyncio.create_task(events_of(harness.engine.generate(a_request(1))))
    await settle()
    reader.cancel()
    await settle()
    assert Cancel(request_id=RequestId(1)) in harness.spawner.runners[0].received
    await harness.engine.close()


async def test_a_stream_left_by_break_is_cancelled_when_it_is_collected() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    stream = harness.engine.generate(a_request(1))
    await started(harness, stream)
    del stream
    await settle()
    assert Cancel(request_id=RequestId(1)) in harness.spawner.runners[0].received
    await harness.engine.close()


async def test_a_runner_that_ignores_cancel_is_killed_and_the_usage_is_kept() -> None:
    deaf = Script(answers=Answers.HANG, ignores_cancel=True)
    harness = EngineHarness(spawner=in_order(deaf, Script()))
    cancelled = harness.engine.generate(a_request(1))
    other = harness.engine.generate(a_request(2))
    await settle()
    harness.engine.cancel(RequestId(1))
    await settle()
    harness.clock.advance(2.0)
    end = await end_of(cancelled)
    assert isinstance(end, Finished)
    assert (end.reason, end.usage.n_completion, end.usage.n_prompt) == (FinishReason.CANCELLED, 3, 7)
    failed = await end_of(other)
    assert isinstance(failed, Failed)
    assert failed.error.code == "runner_unresponsive"
    assert isinstance(await end_of(harness.engine.generate(a_request(3))), Finished)
    assert harness.spawner.runners[0].is_stopped
    await harness.engine.close()


async def test_after_a_sleep_a_cancel_is_waited_for_again() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    stream = harness.engine.generate(a_request(1))
    await settle()
    harness.engine.cancel(RequestId(1))
    harness.clock.jump(3600.0)
    end = await end_of(stream)
    assert isinstance(end, Finished)
    assert len(harness.spawner.alive) == 1
    await harness.engine.close()


async def test_a_slow_reader_pauses_only_its_own_answer() -> None:
    harness = EngineHarness(spawner=scripted(Script(answers=Answers.FLOOD, pieces=())))
    slow, other = (harness.engine.generate(a_request(number)) for number in (1, 2))
    n_read = 0

    async def read() -> None:
        nonlocal n_read
        async for event in other:
            n_read += len(event.text) if isinstance(event, TextDelta) else 0

    reading = asyncio.create_task(read())
    await turns_until(lambda: slow._events.is_full)
    n_unread, n_before = slow._events._n_unread, n_read
    await turns_until(lambda: n_read > n_before + 2 * MAX_UNREAD_CHARACTERS)
    assert slow._events._n_unread == n_unread
    harness.engine.cancel(RequestId(2))
    await reading
    # With no other request, the runner is silent, and not to blame.
    for _ in range(40):
        harness.clock.advance(2.0)
        await settle()
    assert len(harness.spawner.alive) == 1
    async for event in slow:
        if isinstance(event, TextDelta):
            break
    await turns_until(lambda: slow._events.is_full)
    await slow.aclose()
    await harness.engine.close()


async def test_a_runner_that_ignores_pause_is_killed() -> None:
    mad = Script(answers=Answers.FLOOD, pieces=(), ignores_pause=True)
    harness = EngineHarness(spawner=scripted(mad))
    stream = harness.engine.generate(a_request(1))
    await turns_until(lambda: not harness.spawner.alive)
    end = await end_of(stream)
    assert isinstance(end, Failed)
    assert end.error.code == "runner_protocol_error"
    await harness.engine.close()


async def test_an_uninterruptible_step_is_waited_for_and_reported() -> None:
    encoding = Script(answers=Answers.HANG, ignores_cancel=True)
    harness = EngineHarness(spawner=scripted(encoding))
    seeing, other = (harness.engine.generate(a_request(number)) for number in (1, 2))
    await settle()
    runner = harness.spawner.runners[0]
    runner.used_cpu_s = 0.0
    harness.engine.cancel(RequestId(1))
    for second in range(60):
        runner.used_cpu_s += 0.9
        harness.clock.advance(1.0)
        await settle()
        assert runner.is_alive, second
    runner.post(finished(RequestId(1), FinishReason.CANCELLED, n_completion=3))
    events = await events_of(seeing)
    assert Stopping() in events
    assert isinstance(events[-1], Finished)
    harness.clock.advance(10.0)
    await settle()
    assert runner.is_alive
    assert harness.engine._own._is_known(RequestId(2))
    await other.aclose()
    runner.take_nothing = True
    await harness.engine.close()


async def test_a_crash_fails_the_answers_of_that_runner_only_and_the_next_request_loads_again() -> None:
    harness = EngineHarness(spawner=FakeSpawner(lambda number, _name: HANGING if number < 2 else Script()))
    doomed = harness.engine.generate(a_request(1, "Alpha"))
    spared = harness.engine.generate(a_request(2, "Beta"))
    await started(harness, doomed, spared)
    harness.spawner.last("Alpha").post(Crash("SIGSEGV"))
    end = await end_of(doomed)
    assert isinstance(end, Failed)
    assert end.error.code == "runner_crashed"
    assert isinstance(harness.state("Alpha"), Broken)
    assert isinstance(await end_of(harness.engine.generate(a_request(3, "Alpha"))), Finished)
    assert harness.spawner.last("Beta").is_alive
    await harness.engine.close()
    await events_of(spared)


async def test_requests_waiting_behind_a_crash_are_served_by_the_next_runner() -> None:
    harness = EngineHarness(spawner=in_order(Script(answers=Answers.HANG, n_seq_max=1), Script()))
    doomed = harness.engine.generate(a_request(1))
    waiting = harness.engine.generate(a_request(2))
    await settle()
    harness.spawner.runners[0].post(Crash("SIGABRT"))
    assert isinstance(await end_of(doomed), Failed)
    assert isinstance(await end_of(waiting), Finished)
    await harness.engine.close()


async def test_three_crashes_in_five_minutes_stop_restarts_for_a_while_or_until_a_user_loads_again() -> None:
    crashing = Script(answers=Answers.CRASH)
    harness = EngineHarness(spawner=in_order(crashing, crashing, crashing, crashing, Script()))
    for number in (1, 2, 3):
        end = await end_of(harness.engine.generate(a_request(number)))
        assert isinstance(end, Failed)
        assert end.error.code == RunnerCrashed.code
    end = await end_of(harness.engine.generate(a_request(4)))
    assert isinstance(end, Failed)
    assert end.error.code == RestartsExhausted.code
    assert end.error.data["n_crashes"] == 3
    harness.clock.advance(61)
    for number, code in ((5, RunnerCrashed.code), (6, RestartsExhausted.code)):
        end = await end_of(harness.engine.generate(a_request(number)))
        assert isinstance(end, Failed)
        assert end.error.code == code
    await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    assert isinstance(await end_of(harness.engine.generate(a_request(7))), Finished)
    await harness.engine.close()


async def test_a_crash_while_loading_fails_all_requests_for_that_load() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.CRASH)))
    streams = [harness.engine.generate(a_request(number)) for number in (1, 2)]
    ends = [await end_of(stream) for stream in streams]
    assert [end.error.code for end in ends if isinstance(end, Failed)] == ["runner_crashed"] * 2
    assert len(harness.spawner.runners) == 1
    await harness.engine.close()


async def test_a_rejected_load_has_a_reason_and_is_no_crash() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.OUT_OF_MEMORY)))
    for number in range(1, 6):
        end = await end_of(harness.engine.generate(a_request(number)))
        assert isinstance(end, Failed)
        assert end.error.code == OutOfMemory.code
        assert end.error.data["needed_bytes"] == 9_000_000_000
    assert isinstance(harness.state(), Broken)
    await harness.engine.close()


async def test_an_out_of_memory_load_is_retried_once_idle_models_are_unloaded() -> None:
    full = Script(loads=Loads.OUT_OF_MEMORY)
    harness = EngineHarness(spawner=in_order(Script(), full, Script()))
    await harness.engine.load(LoadRequest(spec=a_spec("Alpha"), options=OPTIONS, keep_alive_s=None))
    await harness.engine.load(LoadRequest(spec=a_spec("Beta"), options=OPTIONS, keep_alive_s=None))
    assert harness.state("Alpha") == Unloaded()
    assert [runner.name for runner in harness.spawner.runners] == ["Alpha", "Beta", "Beta"]
    await harness.engine.close()


async def test_automatic_gpu_layers_are_halved_and_then_dropped_when_memory_is_short() -> None:
    gpu = Device(
        name="GPU0",
        description="",
        kind=DeviceKind.GPU,
        free_bytes=8 * 1024**3,
        total_bytes=8 * 1024**3,
        backend="RPC",
    )
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.OUT_OF_GPU_MEMORY, devices=(gpu,))))
    loaded = await harness.engine.load(LoadRequest(spec=a_spec(), options=LoadOptions(), keep_alive_s=None))
    tried = [
        command.options.n_gpu_layers
        for runner in harness.spawner.runners
        for command in runner.received
        if isinstance(command, Load)
    ]
    assert tried == [31, 15, 0]
    assert loaded.n_gpu_layers == 0
    await harness.engine.close()


def test_auxiliary_models_reduce_the_layers_on_the_gpu(tmp_path: Path) -> None:
    """The GPU has room for every layer, to the byte, and for nothing else."""
    writer = gguf.GGUFWriter(tmp_path / "adapter.gguf", "llama")
    writer.add_tensor("blk.29.attn_q.weight.lora_a", np.zeros((8, 8), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    gpu = Device(
        name="GPU0", description="", kind=DeviceKind.GPU, free_bytes=2**50, total_bytes=2**30, backend="test"
    )
    everything = predict(a_spec(), LoadOptions(n_gpu_layers=31), gpus=(gpu,)).gpus[0].total_bytes
    gpu = msgspec.structs.replace(gpu, free_bytes=everything + DISPLAY_MARGIN_BYTES)

    async def placed(options: LoadOptions) -> int:
        harness = EngineHarness(spawner=scripted(Script(devices=(gpu,))))
        try:
            await harness.engine.load(LoadRequest(spec=a_spec(), options=options, keep_alive_s=None))
            (load,) = [c for c in harness.spawner.runners[0].received if isinstance(c, Load)]
            return load.options.n_gpu_layers
        finally:
            await harness.engine.close()

    adapted = LoadOptions(lora=(LoraAdapter(path=str(tmp_path / "adapter.gguf")),))
    assert (asyncio.run(placed(LoadOptions())), asyncio.run(placed(adapted))) == (31, 30)


async def test_changed_options_reload_the_model_after_running_answers() -> None:
    harness = EngineHarness(spawner=in_order(HANGING, Script()))
    first = harness.engine.generate(a_request(1))
    await started(harness, first)
    second = harness.engine.generate(a_request(2, options=LoadOptions(n_ctx=2048, n_threads=1)))
    await settle()
    assert len(harness.spawner.runners) == 1
    harness.spawner.runners[0].post(finished(RequestId(1), FinishReason.STOP, n_completion=3))
    end = await end_of(second)
    assert isinstance(end, Finished)
    assert end.n_ctx == 2048
    assert isinstance(await end_of(first), Finished)
    await harness.engine.close()


async def test_an_idle_model_is_unloaded_when_its_keep_alive_ends() -> None:
    harness = EngineHarness()
    await end_of(harness.engine.generate(a_request(1, keep_alive_s=300)))
    await settle()
    harness.clock.advance(299)
    await settle()
    assert isinstance(harness.state(), Ready)
    harness.clock.advance(1)
    await settle()
    assert harness.state() == Unloaded()
    assert harness.spawner.runners[0].is_stopped
    await harness.engine.close()


async def test_a_keep_alive_of_zero_unloads_after_the_answer() -> None:
    harness = EngineHarness()
    await end_of(harness.engine.generate(a_request(1, keep_alive_s=0)))
    await settle()
    assert harness.state() == Unloaded()
    await harness.engine.close()


async def test_a_model_that_is_answering_does_not_expire() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    stream = harness.engine.generate(a_request(1, keep_alive_s=10))
    await started(harness, stream)
    harness.clock.advance(1000)
    await settle()
    assert isinstance(harness.state(), Ready)
    await harness.engine.close()


async def test_the_idle_model_that_expires_first_is_unloaded() -> None:
    harness = EngineHarness()
    await end_of(harness.engine.generate(a_request(1, "Alpha", keep_alive_s=600)))
    await end_of(harness.engine.generate(a_request(2, "Beta", keep_alive_s=60)))
    await end_of(harness.engine.generate(a_request(3, "Gamma")))
    assert harness.state("Beta") == Unloaded()
    assert isinstance(harness.state("Alpha"), Ready)
    await harness.engine.close()


async def test_a_busy_model_to_be_evicted_finishes_and_takes_no_more_requests() -> None:
    harness = EngineHarness(
        spawner=FakeSpawner(lambda _number, name: Script() if name == "Beta" else HANGING),
        options=EngineOptions(max_models=1, min_residency_requests=1),
    )
    running = harness.engine.generate(a_request(1, "Alpha"))
    await started(harness, running)
    target = harness.engine.generate(a_request(2, "Beta"))
    late = harness.engine.generate(a_request(3, "Alpha"))
    await settle()
    alpha = harness.spawner.last("Alpha")
    assert [c.request_id for c in alpha.received if isinstance(c, Generate)] == [1]
    alpha.post(finished(RequestId(1), FinishReason.STOP, n_completion=3))
    assert isinstance(await end_of(target), Finished)
    await started(harness, late)
    assert [runner.name for runner in harness.spawner.runners] == ["Alpha", "Beta", "Alpha"]
    await harness.engine.close()
    await events_of(running)


async def test_a_ready_model_goes_on_serving_while_another_loads() -> None:
    harness = EngineHarness(
        spawner=FakeSpawner(lambda _number, name: Script(loads=Loads.FOREVER) if name == "Beta" else Script())
    )
    await harness.engine.load(LoadRequest(spec=a_spec("Alpha"), options=OPTIONS, keep_alive_s=None))
    loading = harness.engine.generate(a_request(1, "Beta"))
    await settle()
    assert isinstance(await end_of(harness.engine.generate(a_request(2, "Alpha"))), Finished)
    await harness.engine.close()
    await events_of(loading)


async def test_only_one_model_loads_at_a_time() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.FOREVER)))
    first = harness.engine.generate(a_request(1, "Alpha"))
    second = harness.engine.generate(a_request(2, "Beta"))
    await settle()
    assert [runner.name for runner in harness.spawner.runners] == ["Alpha"]
    await harness.engine.close()
    queued = Queued(position=1, waits_for=WaitReason.LOADING, model="Alpha")
    assert queued in await events_of(second)
    await events_of(first)


async def test_short_memory_unloads_idle_models_before_a_load() -> None:
    harness = EngineHarness()
    await harness.engine.load(LoadRequest(spec=a_spec("Alpha"), options=OPTIONS, keep_alive_s=None))
    harness.available_bytes = 1_000_000
    await harness.engine.load(LoadRequest(spec=a_spec("Beta"), options=OPTIONS, keep_alive_s=None))
    assert harness.state("Alpha") == Unloaded()
    await harness.engine.close()


async def test_a_program_that_has_no_memory_for_a_runner_says_so() -> None:
    def starts(_number: int, _name: str) -> Script:
        raise RuntimeError("can't start new thread")

    harness = EngineHarness(spawner=FakeSpawner(starts))
    with pytest.raises(OutOfMemory):
        await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    await harness.engine.close()


async def test_unload_ends_running_and_waiting_requests_as_cancelled() -> None:
    harness = EngineHarness(spawner=scripted(Script(answers=Answers.HANG, n_seq_max=1)))
    streams = [harness.engine.generate(a_request(number)) for number in (1, 2)]
    await settle()
    await harness.engine.unload(ALPHA)
    ends = [await end_of(stream) for stream in streams]
    assert [end.reason for end in ends if isinstance(end, Finished)] == [FinishReason.CANCELLED] * 2
    assert harness.state() == Unloaded()
    assert harness.spawner.alive == []
    await harness.engine.close()


async def test_unload_during_a_load_aborts_it_with_an_error() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.FOREVER)))
    load = asyncio.create_task(
        harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    )
    await settle()
    await harness.engine.unload(ALPHA)
    with refuses("load_failed"):
        await load
    assert harness.state() == Unloaded()
    await harness.engine.close()


async def test_a_waiting_load_names_what_it_waits_for_and_can_be_cancelled() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.FOREVER)))
    loads = []
    for name in ("Alpha", "Beta", "Gamma"):
        loads.append(
            asyncio.create_task(
                harness.engine.load(LoadRequest(spec=a_spec(name), options=OPTIONS, keep_alive_s=None))
            )
        )
        await settle()
    waiting = LoadingModel(fraction=0.0, waits_for=WaitReason.LOADING, waits_for_model="Alpha")
    assert [harness.state(name) for name in ("Beta", "Gamma")] == [waiting, waiting]
    await harness.engine.unload(ModelId("beta"))
    assert harness.state("Beta") == Unloaded()
    loads[2].cancel()
    await settle()
    assert harness.state("Gamma") == Unloaded()
    await harness.engine.unload(ALPHA)
    ends = await asyncio.gather(*loads, return_exceptions=True)
    assert [getattr(end, "code", "") for end in ends] == ["load_failed", "load_failed", ""]
    assert isinstance(ends[2], asyncio.CancelledError)
    await harness.engine.close()


async def test_a_waiting_load_starts_later() -> None:
    harness = EngineHarness()
    loads = [
        harness.engine.load(LoadRequest(spec=a_spec(name), options=OPTIONS, keep_alive_s=None))
        for name in ("Alpha", "Beta")
    ]
    await asyncio.gather(*loads)
    assert isinstance(harness.state("Beta"), Ready)
    await harness.engine.close()


async def test_unloading_a_broken_model_clears_its_error() -> None:
    harness = EngineHarness(spawner=scripted(Script(loads=Loads.OUT_OF_MEMORY)))
    await end_of(harness.engine.generate(a_request(1)))
    await harness.engine.unload(ALPHA)
    assert [status.state for status in harness.engine.statuses()] == [Unloaded()]
    await harness.engine.close()


async def test_a_model_loaded_by_hand_with_no_keep_alive_waits_for_its_first_use() -> None:
    harness = EngineHarness()
    await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=0))
    await settle()
    assert isinstance(harness.state(), Ready)
    await harness.engine.close()


async def test_a_load_with_other_options_reloads() -> None:
    harness = EngineHarness()
    await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    loaded = await harness.engine.load(
        LoadRequest(spec=a_spec(), options=LoadOptions(n_ctx=512, n_threads=1), keep_alive_s=None)
    )
    assert loaded.n_ctx == 512
    assert len(harness.spawner.alive) == 1
    await harness.engine.close()


@pytest.mark.parametrize("start", [Start.OTHER_VERSION, Start.EXIT, Start.TEXT_ON_STDOUT])
async def test_an_invalid_handshake_fails_the_load(start: Start) -> None:
    harness = EngineHarness(spawner=scripted(Script(start=start)))
    end = await end_of(harness.engine.generate(a_request(1)))
    assert isinstance(end, Failed)
    assert end.error.code.startswith("runner_")
    assert harness.spawner.runners[0].is_stopped
    await harness.engine.close()


async def test_a_silent_runner_is_killed_after_the_limit() -> None:
    harness = EngineHarness(spawner=scripted(Script(start=Start.SILENT)))
    stream = harness.engine.generate(a_request(1))
    await settle()
    harness.clock.advance(60)
    end = await end_of(stream)
    assert isinstance(end, Failed)
    assert end.error.code == "runner_start_failed"
    assert harness.spawner.alive == []
    await harness.engine.close()


@pytest.mark.parametrize("answers", [Answers.GARBAGE, Answers.UNKNOWN_REQUEST])
async def test_a_runner_that_violates_the_protocol_is_killed(answers: Answers) -> None:
    harness = EngineHarness(spawner=scripted(Script(answers=answers)))
    end = await end_of(harness.engine.generate(a_request(1)))
    assert isinstance(end, Failed)
    assert end.error.code == "runner_protocol_error"
    await settle()
    assert harness.spawner.alive == []
    await harness.engine.close()


async def test_a_failed_request_does_not_end_the_runner() -> None:
    harness = EngineHarness(spawner=scripted(Script(answers=Answers.FAIL)))
    end = await end_of(harness.engine.generate(a_request(1)))
    assert isinstance(end, Failed)
    assert end.error.code == "template_failed"
    state = harness.state()
    assert isinstance(state, Ready)
    assert state.n_active == 0
    await harness.engine.close()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("\ud83e half", "invalid_text", id="lone surrogate"),
        pytest.param("x" * (33 * 1024 * 1024), "prompt_too_large", id="33 MiB"),
    ],
)
async def test_a_text_that_cannot_be_sent_fails_and_frees_its_slot(text: str, code: str) -> None:
    harness = EngineHarness()
    end = await end_of(harness.engine.generate(a_request(1, text=text)))
    assert isinstance(end, Failed)
    assert end.error.code == code
    state = harness.state()
    assert isinstance(state, Ready)
    assert state.n_active == 0
    await harness.engine.close()


async def test_a_seed_beyond_64_bits_is_an_invalid_parameter() -> None:
    harness = EngineHarness()
    request = a_request(1, sampling=SamplingParams(seed=2**80))
    end = await end_of(harness.engine.generate(request))
    assert isinstance(end, Failed)
    assert end.error.code == "invalid_parameter"
    await harness.engine.close()


async def test_counting_tokens_needs_a_loaded_model() -> None:
    harness = EngineHarness()
    assert await harness.engine.ask(ALPHA, QUESTION) is None
    await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    measure = await harness.engine.ask(ALPHA, QUESTION)
    assert measure is not None
    assert measure.n_prompt == 5
    await harness.engine.close()


async def test_a_crash_during_a_count_returns_none() -> None:
    harness = EngineHarness()
    await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    harness.spawner.runners[0].post(Crash("SIGSEGV"))
    count = harness.engine.ask(ALPHA, QUESTION)
    assert await count is None
    await harness.engine.close()


@pytest.mark.parametrize(
    "report",
    [
        pytest.param(Answered(request_id=RequestId(-1), reply=PromptPreview(())), id="another reply"),
        pytest.param(Answered(request_id=RequestId(-2), reply=PromptPreview(())), id="no question"),
        pytest.param(
            RequestEvent(request_id=RequestId(-1), event=Embedded(index=0, vector=b"", n_tokens=0)),
            id="an event of requests",
        ),
    ],
)
async def test_a_runner_that_answers_what_was_not_asked_is_ended(report: Report) -> None:
    harness = EngineHarness()
    await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
    (runner,) = harness.spawner.runners
    runner.take_nothing = True
    asked = asyncio.create_task(harness.engine.ask(ALPHA, QUESTION))
    await settle()
    runner.post(report)
    assert await asked is None
    assert not runner.is_alive
    await harness.engine.close()


async def test_a_request_id_in_use_is_a_value_error() -> None:
    harness = EngineHarness(spawner=scripted(HANGING))
    stream = harness.engine.generate(a_request(1))
    with pytest.raises(ValueError, match="request 1"):
        harness.engine.generate(a_request(1))
    await harness.engine.close()
    await events_of(stream)


async def test_closing_ends_everything_and_refuses_later_requests() -> None:
    harness = EngineHarness(spawner=scripted(Script(answers=Answers.HANG, n_seq_max=1)))
    streams = [harness.engine.generate(a_request(number)) for number in (1, 2)]
    load = asyncio.create_task(
        harness.engine.load(LoadRequest(spec=a_spec("Beta"), options=OPTIONS, keep_alive_s=None))
    )
    await settle()
    await asyncio.gather(harness.engine.close(), harness.engine.close())
    for stream in streams:
        end = await end_of(stream)
        assert isinstance(end, Finished)
        assert end.reason is FinishReason.CANCELLED
    await asyncio.gather(load, return_exceptions=True)  # it may have come to its end just before
    late = await end_of(harness.engine.generate(a_request(3)))
    assert isinstance(late, Failed)
    assert late.error.code == EngineStopped.code
    assert all(runner.is_stopped for runner in harness.spawner.runners)
    assert harness.n_timers == 0


async def test_a_temporary_load_uses_the_runtime_of_its_options() -> None:
    harness = EngineHarness()
    override_options = msgspec.structs.replace(OPTIONS, runtime="vulkan", spin_count=7)
    await harness.engine.load(
        LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None, override_options=override_options)
    )
    assert (harness.spawner.runtimes, harness.spawner.spin_counts) == (["vulkan"], [7])
    (running,) = harness.engine.running_models()
    assert isinstance(running.state, Ready)
    assert running.expires_in_s is None
    await harness.engine.close()


async def test_an_idle_model_lists_its_remaining_keep_alive() -> None:
    harness = EngineHarness(spawner=scripted(Script(answers=Answers.HANG)))
    await harness.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=60.0))
    harness.clock.advance(20.0)
    await settle()
    (idle,) = harness.engine.running_models()
    assert idle.expires_in_s == pytest.approx(40.0)
    stream = harness.engine.generate(a_request(1, keep_alive_s=60.0))
    await settle()
    (busy,) = harness.engine.running_models()
    assert busy.expires_in_s is None
    await harness.engine.close()
    await events_of(stream)
    assert harness.engine.running_models() == ()
