"""The engine over the real runner and a real model."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from fakes.children import model_at, real_spawner, starter_at, wait_until_gone
from fakes.engine_harness import end_of, events_of, text_of
from fakes.live_engine import first_text, live_engine
from fireside.core.generation import Failed, Finished, FinishReason, Loading, Overflow, PromptProgress
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_AUTO, AutoAdjustable, LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasureRequest
from fireside.core.status import Broken, LoadingModel, LoadStage, ModelStatus, Ready
from fireside.core.task import GenerationTask
from fireside.engine.engine import Engine
from fireside.engine.instance_lifecycle import PROCESS_RESERVE_BYTES
from fireside.engine.options import EngineOptions
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.wire.messages import CacheOptions

OPTIONS = LoadOptions(n_ctx=1024, n_threads=1, n_gpu_layers=0)
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")


@pytest.fixture
def spec(short_model_path: Path) -> ModelSpec:
    return model_at(short_model_path)


def ask(
    spec: ModelSpec, number: int, *texts: str, max_tokens: int | None = 8, options: LoadOptions = OPTIONS
) -> GenerationRequest:
    """Return a request whose ``texts`` are turns of the user and the assistant by turns."""
    roles = (Role.USER, Role.ASSISTANT)
    return GenerationRequest(
        request_id=RequestId(number),
        spec=spec,
        options=options,
        task=GenerationTask(
            prompt=ChatInput(
                messages=tuple(text_message(roles[turn % 2], text) for turn, text in enumerate(texts))
            ),
            sampling=SamplingParams(temperature=0, max_tokens=max_tokens),
        ),
    )


async def test_a_question_is_answered_and_the_next_turn_reuses_the_cache(spec: ModelSpec) -> None:
    async with live_engine(real_spawner()) as (engine, _spawn):
        events = await events_of(engine.generate(ask(spec, 1, "Name a colour.")))
        assert isinstance(events[0], Loading)
        assert any(isinstance(event, PromptProgress) for event in events)
        first = events[-1]
        assert isinstance(first, Finished)
        assert text_of(events)
        assert first.timings.first_token_s > 0
        end = await end_of(engine.generate(ask(spec, 2, "Name a colour.", text_of(events), "Another one.")))
        assert isinstance(end, Finished)
        assert end.usage.n_cached >= first.usage.n_prompt - 1


async def test_waiting_threads_of_a_runner_spin_as_was_chosen(spec: ModelSpec) -> None:
    async with live_engine(real_spawner()) as (engine, spawn):
        chosen = msgspec.structs.replace(OPTIONS, spin_count=5)
        assert isinstance(await end_of(engine.generate(ask(spec, 1, "Hello."))), Finished)
        assert isinstance(await end_of(engine.generate(ask(spec, 2, "Hello.", options=chosen))), Finished)
        # Another count is another environment, so another process.
        assert len(spawn.pids) == 2
        assert psutil.Process(spawn.pids[1]).environ()["GOMP_SPINCOUNT"] == "5"


async def test_a_runner_is_held_to_the_memory_that_it_may_take(starter_model_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("reads a limit as Linux tells it")
    spec = starter_at(starter_model_path)
    async with live_engine(real_spawner()) as (engine, spawn):
        enough = msgspec.structs.replace(OPTIONS, memory_limit_mb=900)
        assert isinstance(await end_of(engine.generate(ask(spec, 1, "Hello.", options=enough))), Finished)
        limit = psutil.Process(spawn.pids[-1]).rlimit(psutil.RLIMIT_DATA)[0]
        assert limit == 900_000_000 + PROCESS_RESERVE_BYTES
        # Its context alone takes 3 GB.
        greedy = msgspec.structs.replace(
            OPTIONS, n_ctx=8192, n_seq_max=8, kv_unified=False, memory_limit_mb=300
        )
        end = await end_of(engine.generate(ask(spec, 2, "Hello.", options=greedy)))
        assert isinstance(end, Failed)
        assert end.error.code in ("load_failed", "out_of_memory")


async def test_two_answers_are_written_at_once(spec: ModelSpec) -> None:
    async with live_engine(real_spawner()) as (engine, spawn):
        streams = [engine.generate(ask(spec, number, f"Count to {number}.")) for number in (1, 2, 3)]
        ends = await asyncio.gather(*(end_of(stream) for stream in streams))
        assert all(isinstance(end, Finished) for end in ends)
        assert len(spawn.pids) == 1


async def test_stop_while_decoding_keeps_the_model_loaded(spec: ModelSpec) -> None:
    async with live_engine(real_spawner()) as (engine, spawn):
        stream = engine.generate(ask(spec, 1, "Tell a very long story.", max_tokens=None))
        await first_text(stream)
        engine.cancel(RequestId(1))
        end = await end_of(stream)
        assert isinstance(end, Finished)
        assert end.reason is FinishReason.CANCELLED
        assert end.usage.n_completion >= 1
        assert isinstance(await end_of(engine.generate(ask(spec, 2, "Hello."))), Finished)
        assert len(spawn.pids) == 1


async def test_a_runner_killed_while_decoding_fails_its_answer_and_the_next_request_loads_again(
    spec: ModelSpec,
) -> None:
    if sys.platform == "win32":
        pytest.skip("kills by signal")
    statuses: list[ModelStatus] = []
    async with live_engine(real_spawner(), on_status=statuses.append) as (engine, spawn):
        stream = engine.generate(ask(spec, 1, "Tell a very long story.", max_tokens=None))
        await first_text(stream)
        os.kill(spawn.pids[0], signal.SIGKILL)
        end = await end_of(stream)
        assert isinstance(end, Failed)
        assert end.error.code == "runner_crashed"
        assert "free now" in end.error.sentence
        assert any(isinstance(status.state, Broken) for status in statuses)
        assert isinstance(await end_of(engine.generate(ask(spec, 2, "Hello."))), Finished)
        assert len(spawn.pids) == 2


@posix_only
async def test_three_killed_runners_stop_restarts_until_the_model_is_loaded_by_hand(spec: ModelSpec) -> None:
    async with live_engine(real_spawner()) as (engine, spawn):
        for number in (1, 2, 3):
            stream = engine.generate(ask(spec, number, "Tell a very long story.", max_tokens=None))
            await first_text(stream)
            os.kill(spawn.pids[-1], signal.SIGSEGV)
            assert isinstance(await end_of(stream), Failed)
        end = await end_of(engine.generate(ask(spec, 4, "Hello.")))
        assert isinstance(end, Failed)
        assert end.error.code == "restarts_exhausted"
        await engine.load(LoadRequest(spec=spec, options=OPTIONS, keep_alive_s=None))
        assert isinstance(await end_of(engine.generate(ask(spec, 5, "Hello."))), Finished)


async def test_a_frozen_runner_is_replaced_after_stop(spec: ModelSpec) -> None:
    if sys.platform == "win32":
        pytest.skip("kills by signal")
    options = EngineOptions(cancel_limit_s=0.3)
    async with live_engine(real_spawner(), options=options) as (engine, spawn):
        stream = engine.generate(ask(spec, 1, "Tell a very long story.", max_tokens=None))
        await first_text(stream)
        os.kill(spawn.pids[0], signal.SIGSTOP)
        engine.cancel(RequestId(1))
        end = await end_of(stream)
        assert isinstance(end, Finished)
        assert end.reason is FinishReason.CANCELLED
        wait_until_gone(spawn.pids[0])
        assert isinstance(await end_of(engine.generate(ask(spec, 2, "Hello."))), Finished)


async def test_other_options_load_the_model_again(spec: ModelSpec) -> None:
    async with live_engine(real_spawner()) as (engine, spawn):
        await end_of(engine.generate(ask(spec, 1, "Hello.")))
        smaller = msgspec.structs.replace(OPTIONS, n_ctx=512)
        end = await end_of(engine.generate(ask(spec, 2, "Hello.", options=smaller)))
        assert isinstance(end, Finished)
        assert end.n_ctx == 512
        assert len(spawn.pids) == 2
        (status,) = engine.statuses()
        assert isinstance(status.state, Ready)
        assert status.state.options == smaller


async def test_other_sampling_keeps_the_model_and_a_reload_keeps_what_was_read(
    spec: ModelSpec, tmp_path: Path
) -> None:
    """A reload brings the conversation back from the disk; what needs none takes none."""
    cache = CacheOptions(folder=str(tmp_path / "states"), disk_bytes=64 << 20)
    question = "Name a colour. " + "I like the sea and the sea likes me. " * 20
    async with live_engine(real_spawner(), cache=lambda: cache) as (engine, spawn):

        async def answered(number: int, **changes: Any) -> Finished:
            request = ask(spec, number, question, options=changes.pop("options", OPTIONS))
            task = msgspec.structs.replace(request.task, owner="a conversation", **changes)
            end = await end_of(engine.generate(msgspec.structs.replace(request, task=task)))
            assert isinstance(end, Finished)
            return end

        first = await answered(1)
        warm = SamplingParams(temperature=0.7, top_k=5, seed=3, max_tokens=4)
        await answered(2, sampling=warm, overflow=Overflow.REFUSE)
        assert len(spawn.pids) == 1
        slower = msgspec.structs.replace(OPTIONS, n_batch=256)
        back = await answered(3, options=slower)
        assert len(spawn.pids) == 2
        assert back.usage.cache.n_disk >= first.usage.n_prompt - 8


async def test_a_missing_file_is_named_and_is_no_crash(spec: ModelSpec, tmp_path: Path) -> None:
    path = str(tmp_path / "gone.gguf")
    async with live_engine(real_spawner()) as (engine, _spawn):
        missing = msgspec.structs.replace(spec, path=path)
        for number in range(1, 5):
            end = await end_of(engine.generate(ask(missing, number, "Hello.")))
            assert isinstance(end, Failed)
            assert end.error.code == "model_file_missing"


async def test_tokens_are_counted_while_an_answer_is_written(spec: ModelSpec) -> None:
    async with live_engine(real_spawner()) as (engine, _spawn):
        stream = engine.generate(ask(spec, 1, "Tell a very long story.", max_tokens=None))
        await first_text(stream)
        prompt = ChatInput(messages=(text_message(Role.USER, "Hello."),))
        measure = await engine.ask(spec.id, PromptMeasureRequest(prompt=prompt))
        assert measure is not None
        assert measure.n_prompt > 0
        await stream.aclose()


async def test_closing_while_an_answer_is_written_keeps_its_usage(spec: ModelSpec) -> None:
    async with live_engine(real_spawner()) as (engine, spawn):
        stream = engine.generate(ask(spec, 1, "Tell a very long story.", max_tokens=None))
        await first_text(stream)
        await engine.close()
        end = await end_of(stream)
        assert isinstance(end, Finished)
        assert end.reason is FinishReason.CANCELLED
        assert end.usage.n_prompt > 0
        wait_until_gone(spawn.pids[0])


def state_of(engine: Engine, spec: ModelSpec) -> Ready:
    """Return how a loaded model stands."""
    state = next(status.state for status in engine.statuses() if status.model_id == spec.id)
    assert isinstance(state, Ready)
    return state


async def test_to_choose_what_is_in_force_anyway_loads_nothing_again(spec: ModelSpec) -> None:
    fitted = msgspec.structs.replace(
        OPTIONS,
        n_threads=0,
        n_gpu_layers=GPU_LAYERS_AUTO,
        auto_adjustable=(AutoAdjustable.CACHE_TYPE, AutoAdjustable.CONTEXT),
    )
    async with live_engine(real_spawner()) as (engine, spawn):
        assert isinstance(await end_of(engine.generate(ask(spec, 1, "Hello.", options=fitted))), Finished)
        placed = state_of(engine, spec).placed
        assert placed is not None
        held = msgspec.structs.replace(fitted, n_threads=placed.n_threads, auto_adjustable=())
        assert isinstance(await end_of(engine.generate(ask(spec, 2, "Hello.", options=held))), Finished)
        await engine.load(LoadRequest(spec=spec, options=held, keep_alive_s=None))
        assert isinstance(await end_of(engine.generate(ask(spec, 3, "Hello.", options=fitted))), Finished)
        assert len(spawn.pids) == 1
        larger = msgspec.structs.replace(held, n_ctx=2048)
        assert isinstance(await end_of(engine.generate(ask(spec, 4, "Hello.", options=larger))), Finished)
        assert len(spawn.pids) == 2


async def test_a_load_of_this_time_serves_whoever_wants_the_model_until_it_is_loaded_again(
    spec: ModelSpec,
) -> None:
    this_time = msgspec.structs.replace(OPTIONS, n_ctx=512)
    async with live_engine(real_spawner()) as (engine, spawn):
        assert isinstance(await end_of(engine.generate(ask(spec, 1, "Hello."))), Finished)
        loaded = await engine.load(
            LoadRequest(spec=spec, options=OPTIONS, keep_alive_s=None, override_options=this_time)
        )
        assert loaded.n_ctx == 512
        assert state_of(engine, spec).note
        end = await end_of(engine.generate(ask(spec, 2, "Hello.")))
        assert isinstance(end, Finished)
        assert end.n_ctx == 512
        assert len(spawn.pids) == 2
        assert (await engine.load(LoadRequest(spec=spec, options=OPTIONS, keep_alive_s=None))).n_ctx == 1024
        assert state_of(engine, spec).note == ""
        assert len(spawn.pids) == 3


async def test_a_load_says_what_it_is_at_in_order(spec: ModelSpec) -> None:
    told: list[ModelStatus] = []
    async with live_engine(real_spawner(), on_status=told.append) as (engine, _spawn):
        await engine.load(LoadRequest(spec=spec, options=OPTIONS, keep_alive_s=None))
    stages = [status.state.stage for status in told if isinstance(status.state, LoadingModel)]
    # llama.cpp is compiled here.
    assert [LoadStage.PREPARING, *dict.fromkeys(stages)] == list(LoadStage)
