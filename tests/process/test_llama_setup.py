"""Loads wait while set-up still compiles llama.cpp; its lines are those that set-up writes."""

from __future__ import annotations

import asyncio
import sys
import textwrap
from pathlib import Path

import psutil

from fakes.children import fake_spawner, wait_until_gone
from fakes.engine_harness import OPTIONS, a_request, a_spec, end_of, events_of, text_of
from fakes.fake_runner import Script
from fakes.live_engine import live_engine
from fakes.raised import refuses
from fireside.core.generation import Failed, Loading
from fireside.core.ids import ModelId
from fireside.core.status import LoadingModel, LoadStage, ModelStatus, Unloaded
from fireside.engine.processes.llama_setup import LlamaSetup
from fireside.engine.request import LoadRequest

INSTALLER = Path(__file__).resolve().parents[2] / "installer"


def setup(tmp_path: Path, body: str) -> LlamaSetup:
    """Return a set-up that runs ``body``, which has ``console`` and the file ``go``."""
    script = tmp_path / "setup.py"
    head = f"""
        import sys, time
        from pathlib import Path
        sys.path.insert(0, {str(INSTALLER)!r})
        from provision.console import ProgressLines
        from provision.failure import SetupFailure
        console, go = ProgressLines(stream=sys.stdout), Path({str(tmp_path / "go")!r})
    """
    script.write_text(textwrap.dedent(head) + textwrap.dedent(body), encoding="utf-8")
    return LlamaSetup((sys.executable, str(script)))


WAITS = """
    console.show_progress("llama.cpp", "10 of 40 files", fraction=0.25, elapsed_s=60.0)
    while not go.exists():
        time.sleep(0.01)
"""
FAILS = """
    console.show_failure(SetupFailure(sentence="It broke.", advice="Mend it.", log=Path("the.log")))
    sys.exit(1)
"""


class Watch:
    """Collects what is published, and waits for a state."""

    def __init__(self) -> None:
        self.states: list[object] = []
        self._arrived = asyncio.Event()

    def __call__(self, status: ModelStatus) -> None:
        self.states.append(status.state)
        self._arrived.set()

    async def until(self, state: object) -> None:
        while state not in self.states:
            self._arrived.clear()
            await self._arrived.wait()


QUARTER = LoadingModel(fraction=0.25, stage=LoadStage.PREPARING, left_s=180.0)


async def test_a_request_waits_for_llama_cpp_says_how_far_it_is_and_is_answered(tmp_path: Path) -> None:
    watch = Watch()
    async with live_engine(fake_spawner(Script()), on_status=watch, setup=setup(tmp_path, WAITS)) as (
        engine,
        spawn,
    ):
        answer = asyncio.create_task(events_of(engine.generate(a_request(1))))
        await watch.until(QUARTER)
        assert spawn.pids == []
        (tmp_path / "go").touch()
        events = await answer
        assert Loading(fraction=0.25, is_preparing=True) in events
        assert text_of(events) == "Good evening 🦙"
        # What comes next waits for nothing.
        await engine.unload(ModelId("alpha"))
        watch.states.clear()
        await end_of(engine.generate(a_request(2)))
        assert not any(getattr(state, "stage", None) is LoadStage.PREPARING for state in watch.states)


async def test_a_failure_is_told_in_the_words_of_set_up_and_the_next_load_tries_again(tmp_path: Path) -> None:
    async with live_engine(fake_spawner(Script()), setup=setup(tmp_path, FAILS)) as (engine, _spawn):
        end = await end_of(engine.generate(a_request(1)))
        assert isinstance(end, Failed)
        assert "It broke. Mend it. the.log" in str(end.error.sentence)
        setup(tmp_path, "")  # writes the script anew
        assert text_of(await events_of(engine.generate(a_request(2)))) == "Good evening 🦙"


async def test_a_load_that_waits_for_llama_cpp_can_be_cancelled(tmp_path: Path) -> None:
    watch = Watch()
    async with live_engine(fake_spawner(Script()), on_status=watch, setup=setup(tmp_path, WAITS)) as (
        engine,
        spawn,
    ):
        load = asyncio.create_task(
            engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=None))
        )
        await watch.until(QUARTER)
        await engine.unload(ModelId("alpha"))
        with refuses("load_failed"):
            await load
        assert watch.states[-1] == Unloaded()
        assert spawn.pids == []


async def test_the_end_of_the_program_ends_it(tmp_path: Path) -> None:
    watch = Watch()
    async with live_engine(fake_spawner(Script()), on_status=watch, setup=setup(tmp_path, WAITS)) as (
        engine,
        _spawn,
    ):
        answer = asyncio.create_task(events_of(engine.generate(a_request(1))))
        await watch.until(QUARTER)
        script = str(tmp_path / "setup.py")
        (child,) = [each for each in psutil.Process().children() if script in each.cmdline()]
    await answer
    wait_until_gone(child.pid)
