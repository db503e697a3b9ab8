"""Measure what the engine adds: to a load, to a swap of two models, and to each of many queued requests.

Usage: PYTHONPATH=tests python tests/tools/bench/scheduling.py [--requests 1000] [--rounds 3]

Prints, in milliseconds where nothing else is said: what a cold load takes beyond the start of the process and
llama.cpp's own load; from the end of one model's answer to another model's first token, where only one may be
loaded; and the processor time that the scheduler takes for each queued request, with runners that do nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from pathlib import Path

import msgspec

from fakes.children import real_spawner, starter_at
from fakes.engine_harness import EngineHarness, a_request, end_of
from fakes.fake_runner import FakeSpawner, Script
from fakes.live_engine import live_engine
from fireside.core.generation import Failed, GenerationEvent, Loading, Queued, TextDelta
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.status import Ready
from fireside.engine.clock import LoopClock
from fireside.engine.engine import Engine
from fireside.engine.options import EngineOptions
from fireside.engine.request import LoadRequest
from fireside.engine.runner_session import RunnerSession
from fireside.library.starter import starter_folder

OPTIONS = LoadOptions(n_ctx=2048, n_threads=1, n_gpu_layers=0)
SAMPLING = SamplingParams(temperature=0, max_tokens=4)


async def process_start_s() -> float:
    """Return how long a runner's process takes to say its first word: interpreter, libraries, devices."""
    started = time.perf_counter()
    session = RunnerSession(
        await real_spawner()("none"),
        name="none",
        clock=LoopClock(),
        on_ended=lambda _: None,
        on_freed=lambda _: None,
    )
    try:
        await session.handshake(limit_s=60.0)
        return time.perf_counter() - started
    finally:
        await session.stop()


async def cold_load_s(model: Path) -> tuple[float, float]:
    """Return how long the engine takes to have a model ready, and what of it llama.cpp took to load it."""
    async with live_engine(real_spawner()) as (engine, _spawn):
        started = time.perf_counter()
        loaded = await engine.load(LoadRequest(spec=starter_at(model), options=OPTIONS, keep_alive_s=None))
        return time.perf_counter() - started, loaded.load_s


async def first_token(engine: Engine, number: int, model: Path, *, name: str) -> tuple[float, float]:
    """Return how long an answer's first token took from the asking, and the whole answer."""
    spec = msgspec.structs.replace(starter_at(model), id=ModelId(name), name=name)
    started = time.perf_counter()
    first = None
    async for event in engine.generate(a_request(number, spec, options=OPTIONS, sampling=SAMPLING)):
        if isinstance(event, Failed):
            raise RuntimeError(event.error.sentence)
        if isinstance(event, TextDelta) and first is None:
            first = time.perf_counter()
    return (first or started) - started, time.perf_counter() - started


async def swaps_s(model: Path, *, n_rounds: int) -> list[float]:
    """Return the time to the first token of each request that had to have the other model unloaded."""
    took = []
    async with live_engine(real_spawner(), options=EngineOptions(max_models=1)) as (engine, _spawn):
        await first_token(engine, 1, model, name="alpha")
        for number in range(2, 2 + n_rounds):
            name = "beta" if number % 2 == 0 else "alpha"
            took.append((await first_token(engine, number, model, name=name))[0])
    return took


async def queued(n_requests: int, *, n_models: int, max_models: int) -> tuple[float, int, int]:
    """Queue so many requests at once; return processor time, how many models were loaded, and events."""
    harness = EngineHarness(
        spawner=FakeSpawner(lambda *_: Script(pieces=("word",), n_seq_max=4)),
        options=EngineOptions(queue_limit=n_requests, max_models=max_models),
    )
    names = ("Alpha", "Beta", "Gamma")[:n_models]
    events: list[GenerationEvent] = []

    async def read(number: int) -> None:
        stream = harness.engine.generate(a_request(number, names[number % n_models]))
        events.extend([event async for event in stream if isinstance(event, Queued | Loading)])

    started = time.process_time()
    await asyncio.gather(*(read(number) for number in range(1, n_requests + 1)))
    took = time.process_time() - started
    n_loads = len(harness.spawner.runners)
    assert all(not isinstance(s.state, Ready) or s.state.n_active == 0 for s in harness.engine.statuses())
    await harness.engine.close()
    return took, n_loads, len(events)


async def one_s() -> float:
    """Return the processor time of one request alone, runner included."""
    harness = EngineHarness(spawner=FakeSpawner(lambda *_: Script(pieces=("word",))))
    await end_of(harness.engine.generate(a_request(1)))
    started = time.process_time()
    for number in range(2, 202):
        await end_of(harness.engine.generate(a_request(number)))
    took = (time.process_time() - started) / 200
    await harness.engine.close()
    return took


def in_ms(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.0f} ms (of {len(seconds)})"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    model = next(starter_folder().glob("*.gguf"))
    say = sys.stdout.write
    say(f"{os.cpu_count()} cores, {model.name}\n")
    asyncio.run(cold_load_s(model))  # the file is in the system's cache from now on
    starts = [asyncio.run(process_start_s()) for _ in range(arguments.rounds)]
    loads = [asyncio.run(cold_load_s(model)) for _ in range(arguments.rounds)]
    start_s = statistics.median(starts)
    say(f"start of a process          {in_ms(starts)}\n")
    say(f"llama.cpp's own load        {in_ms([own for _, own in loads])}\n")
    say(f"added to a cold load        {in_ms([whole - own - start_s for whole, own in loads])}\n")
    say(f"swap to first token         {in_ms(asyncio.run(swaps_s(model, n_rounds=2 * arguments.rounds)))}\n")
    say(f"one request, processor      {asyncio.run(one_s()) * 1000:.2f} ms\n")
    for n_models, max_models in ((1, 1), (2, 2), (2, 1)):
        took, n_loads, n_events = asyncio.run(
            queued(arguments.requests, n_models=n_models, max_models=max_models)
        )
        say(
            f"{arguments.requests} queued, {n_models} models, {max_models} at once: "
            f"{took / arguments.requests * 1000:.2f} ms each, {n_loads} loads, {n_events} events of waiting\n"
        )


if __name__ == "__main__":
    main()
