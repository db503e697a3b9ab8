"""An engine over real child processes and the real clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fireside.core.generation import GenerationEvent, TextDelta
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.core.status import ModelStatus
from fireside.engine.cache_budget import CacheProbe, no_cache
from fireside.engine.clock import LoopClock
from fireside.engine.engine import Engine
from fireside.engine.engine_context import EngineContext
from fireside.engine.host_info import probe_host
from fireside.engine.options import EngineOptions
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.llama_setup import LlamaSetup
from fireside.engine.processes.runner_process import RunnerProcess, Spawn
from fireside.engine.request_state import GenerationStream


class WatchedSpawn:
    """Spawns by another one and remembers the processes."""

    def __init__(self, spawn: Spawn) -> None:
        self._spawn = spawn
        self.pids: list[int] = []

    async def __call__(
        self, name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
    ) -> RunnerProcess:
        link = await self._spawn(name, runtime=runtime, spin_count=spin_count)
        self.pids.append(link.pid)
        return link


@asynccontextmanager
async def live_engine(
    spawn: Spawn,
    *,
    options: EngineOptions | None = None,
    on_status: Callable[[ModelStatus], None] = lambda _status: None,
    cache: CacheProbe = no_cache,
    setup: LlamaSetup | None = None,
) -> AsyncIterator[tuple[Engine, WatchedSpawn]]:
    """Run an engine and close it at the end."""
    watched = WatchedSpawn(spawn)
    engine = Engine(
        EngineContext(
            spawn=watched,
            clock=LoopClock(),
            probe=probe_host,
            planner=Planner(cache=cache),
            cache=cache,
            setup=setup or LlamaSetup(),
        ),
        on_status=on_status,
        options=options,
    )
    try:
        yield engine, watched
    finally:
        await engine.close()


async def turns_until(condition: Callable[[], bool]) -> None:
    """Give the loop its turns until ``condition`` holds; fail if it never does."""
    for _ in range(1_000_000):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it did not come to that")


async def first_text(stream: GenerationStream) -> list[GenerationEvent]:
    """Read a stream until its first text, or its end, and return what was read."""
    events: list[GenerationEvent] = []
    async for event in stream:
        events.append(event)
        if isinstance(event, TextDelta):
            break
    return events
