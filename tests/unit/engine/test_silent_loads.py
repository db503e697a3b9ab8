"""A load without activity is reported as silent, and can be cancelled at once."""

from __future__ import annotations

import asyncio

from fakes.engine_harness import EngineHarness, a_request, settle
from fakes.fake_runner import FakeSpawner, Loads, Script, Start
from fireside.core.generation import (
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    Loading,
    Queued,
    WaitReason,
)
from fireside.core.ids import RequestId
from fireside.core.status import LoadingModel
from fireside.engine.options import EngineOptions
from fireside.engine.request_state import GenerationStream
from fireside.engine.watchdog import N_CHECKS

OPTIONS = EngineOptions()
A_LOOK_S = OPTIONS.handshake_silence_s / N_CHECKS


class Silent:
    """Alpha's process starts and then does nothing; Beta is wanted meanwhile."""

    def __init__(self, script: Script) -> None:
        beta = Script()
        self.harness = EngineHarness(spawner=FakeSpawner(lambda number, _: script if number == 0 else beta))
        self.first: Reading
        self.second: Reading

    async def begin(self) -> None:
        self.first = Reading(self.harness.engine.generate(a_request(1)))
        self.second = Reading(self.harness.engine.generate(a_request(2, "Beta")))
        await settle()
        self.harness.spawner.runners[0].used_cpu_s = 5.0
        # What it did until now is seen.
        await self.pass_by(A_LOOK_S)

    async def pass_by(self, seconds: float) -> None:
        self.harness.clock.advance(seconds)
        await settle()

    async def end(self) -> None:
        await self.harness.engine.close()
        await self.first.end()
        await self.second.end()

    @property
    def is_said(self) -> bool:
        state = self.harness.state()
        return isinstance(state, LoadingModel) and state.is_silent


class Reading:
    """Reads a stream to its end and keeps what it said."""

    def __init__(self, stream: GenerationStream) -> None:
        self.events: list[GenerationEvent] = []
        self._task = asyncio.create_task(self._read(stream))

    async def _read(self, stream: GenerationStream) -> None:
        async for event in stream:
            self.events.append(event)

    @property
    def stands(self) -> tuple[WaitReason, str]:
        """What the request waits for now, and which model."""
        queued = [event for event in self.events if isinstance(event, Queued)][-1]
        return queued.waits_for, queued.model

    async def end(self) -> Finished | Failed:
        await self._task
        last = self.events[-1]
        assert isinstance(last, Finished | Failed)
        return last


async def test_a_silent_start_is_reported_to_all_waiting_requests() -> None:
    silent = Silent(Script(start=Start.SILENT))
    await silent.begin()
    assert not silent.is_said
    await silent.pass_by(A_LOOK_S)
    assert silent.is_said
    assert silent.first.stands == (WaitReason.SILENT_LOAD, "")
    assert silent.second.stands == (WaitReason.SILENT_LOAD, "Alpha")
    # There is never a second load beside it.
    assert len(silent.harness.spawner.runners) == 1
    await silent.end()


async def test_a_start_with_new_activity_is_no_longer_silent() -> None:
    silent = Silent(Script(start=Start.SILENT))
    await silent.begin()
    await silent.pass_by(A_LOOK_S)
    assert silent.is_said
    silent.harness.spawner.runners[0].used_cpu_s = 6.0
    await silent.pass_by(A_LOOK_S)
    assert not silent.is_said
    assert silent.second.stands == (WaitReason.LOADING, "Alpha")
    assert isinstance(silent.first.events[-1], Loading)
    await silent.end()


async def test_a_slow_start_is_never_silent() -> None:
    silent = Silent(Script(start=Start.SILENT))
    await silent.begin()
    runner = silent.harness.spawner.runners[0]
    for _ in range(10):
        runner.used_cpu_s = (runner.used_cpu_s or 0.0) + 0.01
        await silent.pass_by(A_LOOK_S)
        assert not silent.is_said
    await silent.end()


async def test_a_stalled_load_is_reported_as_silent() -> None:
    silent = Silent(Script(loads=Loads.FOREVER))
    await silent.begin()
    for _ in range(2):
        await silent.pass_by(OPTIONS.load_limit_s / N_CHECKS)
    assert silent.is_said
    await silent.end()


async def test_a_hanging_start_blocks_others_only_until_its_limit() -> None:
    silent = Silent(Script(start=Start.SILENT))
    await silent.begin()
    for _ in range(N_CHECKS):
        await silent.pass_by(A_LOOK_S)
    end = await silent.first.end()
    assert isinstance(end, Failed)
    assert end.error.code == "runner_start_failed"
    assert isinstance(await silent.second.end(), Finished)
    await silent.end()


async def test_cancelling_a_request_behind_a_silent_start_lets_others_load() -> None:
    silent = Silent(Script(start=Start.SILENT))
    await silent.begin()
    silent.harness.engine.cancel(RequestId(1))
    end = await silent.first.end()
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED
    # Not a second passes.
    assert isinstance(await silent.second.end(), Finished)
    await silent.end()
