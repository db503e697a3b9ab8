"""Runners that are killed, stopped, hung and flooded: others do not notice, and nothing is left over."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from fakes.children import fake_spawner, real_spawner, wait_until_gone
from fakes.engine_harness import OPTIONS, a_request, a_spec, end_of, text_of
from fakes.fake_runner import Answers, Loads, Script, Start
from fakes.live_engine import first_text, live_engine
from fireside.core.generation import Failed, Finished, FinishReason
from fireside.core.ids import ModelId, RequestId
from fireside.core.options import SPIN_COUNT_AUTO, LoadOptions, SamplingParams
from fireside.core.runtime import BUILT_IN
from fireside.engine.engine import Engine
from fireside.engine.options import EngineOptions
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.engine.request import LoadRequest

if sys.platform == "win32":
    pytest.skip("kills and stops by signals", allow_module_level=True)

SEED = 77_001
N_ROUNDS = 9
N_REAL_ROUNDS = 1
VICTIM, BYSTANDER, OTHER = "Alpha", "Beta", "Gamma"
IMPATIENT = EngineOptions(
    max_models=3, cancel_limit_s=0.2, silence_limit_s=0.6, load_limit_s=0.6, heartbeat_s=0.3
)
SCRIPTS = (
    *[Script(answers=answers) for answers in Answers],
    Script(answers=Answers.HANG, ignores_cancel=True),
    Script(answers=Answers.FLOOD, ignores_cancel=True),
    Script(loads=Loads.CRASH),
    Script(loads=Loads.EXIT),
    Script(loads=Loads.FOREVER),
    Script(start=Start.EXIT),
    Script(start=Start.TEXT_ON_STDOUT),
)


class Spawns:
    """Starts a runner that the test chose for each model, and remembers all processes."""

    def __init__(self, script_for: Callable[[str], Script]) -> None:
        self._script_for = script_for
        self.pids: dict[str, list[int]] = {}

    async def __call__(
        self, name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
    ) -> RunnerProcess:
        spawn = fake_spawner(self._script_for(name))
        link = await spawn(name, runtime=runtime, spin_count=spin_count)
        self.pids.setdefault(name, []).append(link.pid)
        return link


def send_signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has ended by itself meanwhile
        os.kill(pid, number)


class Rounds:
    """Rounds over one engine, each with a runner that something bad happens to."""

    def __init__(self) -> None:
        self.choose = random.Random(SEED)
        self.script = Script()
        self.spawns = Spawns(lambda name: self.script if name == VICTIM else Script())
        self.ends: dict[int, list[Finished | Failed]] = {}
        self.n_requests = 0

    def ask(self, engine: Engine, model: str) -> asyncio.Task[Finished | Failed]:
        self.n_requests += 1
        number = self.n_requests
        stream = engine.generate(a_request(number, model))

        async def read() -> Finished | Failed:
            self.ends[number] = [event async for event in stream if isinstance(event, Finished | Failed)]
            (end,) = self.ends[number]
            return end

        return asyncio.create_task(read())

    async def round(self, engine: Engine) -> None:
        choose = self.choose
        self.script = choose.choice(SCRIPTS)
        first = self.n_requests + 1
        asked = [self.ask(engine, VICTIM) for _ in range(choose.randint(1, 4))]
        others = [self.ask(engine, BYSTANDER), self.ask(engine, OTHER)]
        for _ in range(int(10 ** choose.uniform(0, 3.5))):
            await asyncio.sleep(0)
        # Of what it does by itself nothing is done to it: else it is ended by a signal, or cancelled.
        number = choose.choice((None, signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP, signal.SIGTERM))
        if number is not None and (pids := self.spawns.pids.get(VICTIM)):
            send_signal(pids[-1], number)
        if choose.random() < 0.2:
            await engine.unload(ModelId(VICTIM.lower()))
        for end in await asyncio.gather(*others):
            assert isinstance(end, Finished)
            assert end.reason is FinishReason.STOP
        # Some end only when the user gives up: a load without end that is alive, a runner that is stopped.
        for victim in range(first, first + len(asked)):
            engine.cancel(RequestId(victim))
        await asyncio.gather(*asked)
        if choose.random() < 0.3:
            await self.load_by_hand(engine)

    async def load_by_hand(self, engine: Engine) -> None:
        """Forget its crashes, as a user does who presses Retry."""
        self.script = Script()
        await engine.unload(ModelId(VICTIM.lower()))
        await engine.load(LoadRequest(spec=a_spec(VICTIM), options=OPTIONS, keep_alive_s=None))
        await engine.unload(ModelId(VICTIM.lower()))


async def test_whatever_happens_to_one_runner_others_answer_and_nothing_is_left(abuse_scale: int) -> None:
    rounds = Rounds()
    async with live_engine(rounds.spawns, options=IMPATIENT) as (engine, _spawn):
        for name in (BYSTANDER, OTHER):
            await engine.load(LoadRequest(spec=a_spec(name), options=OPTIONS, keep_alive_s=None))
        for _ in range(N_ROUNDS * abuse_scale):
            async with asyncio.timeout(60):
                await rounds.round(engine)
        scheduler = engine
        assert scheduler._queue.requests() == ()
        assert all(not instance.active for instance in scheduler._instances.values())
    assert len(rounds.ends) == rounds.n_requests
    assert all(len(ends) == 1 for ends in rounds.ends.values())
    # Nothing disturbed these two in all that time.
    assert len(rounds.spawns.pids[BYSTANDER]) == len(rounds.spawns.pids[OTHER]) == 1
    for pids in rounds.spawns.pids.values():
        for pid in pids:
            wait_until_gone(pid)
            assert not psutil.pid_exists(pid)


async def test_a_real_runner_that_is_killed_beside_another_changes_no_word_of_its_answer(
    short_model_path: Path, abuse_scale: int
) -> None:
    choose = random.Random(SEED)
    options = LoadOptions(n_ctx=512, n_threads=1, n_gpu_layers=0)
    sampling = SamplingParams(temperature=0, max_tokens=24, ignore_eos=True)
    calm, victim = (a_spec(name, path=str(short_model_path)) for name in (BYSTANDER, VICTIM))
    async with live_engine(real_spawner(), options=IMPATIENT) as (engine, spawn):
        # Read once, so that every round finds the same part of the prompt in the cache and rounds alike.
        warm_up = a_request(9_999, calm, options=options, sampling=sampling, text="Name a river.")
        await end_of(engine.generate(warm_up))
        words: list[str] = []
        for number in range(1, 2 * N_REAL_ROUNDS * abuse_scale + 2, 2):
            ask = a_request(number, calm, options=options, sampling=sampling, text="Name a river.")
            stream = engine.generate(ask)
            events = await first_text(stream)
            # By hand, which forgets the crashes of the rounds before.
            await engine.load(LoadRequest(spec=victim, options=options, keep_alive_s=None))
            suffering = engine.generate(a_request(number + 1, victim, options=options, sampling=sampling))
            if number > 1:
                await first_text(suffering)
                send_signal(spawn.pids[-1], choose.choice((signal.SIGKILL, signal.SIGSEGV)))
            events += [event async for event in stream]
            await end_of(suffering)
            assert isinstance(events[-1], Finished)
            words.append(text_of(events))
            await engine.unload(victim.id)
        assert len(set(words)) == 1
        for pid in spawn.pids[1:]:
            wait_until_gone(pid)
