"""Several programs share one engine, also when one of them ends."""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from fakes.endpoints import endpoint_path, listening
from fakes.engine_harness import OPTIONS, EngineHarness, a_request, a_spec, end_of, events_of, text_of
from fakes.fake_runner import Answers, FakeSpawner, Script
from fakes.raised import refuses
from fireside import __version__
from fireside.core.errors import EngineLost, EngineStopped
from fireside.core.generation import Failed, Finished, FinishReason, TextDelta
from fireside.core.ids import ModelId
from fireside.core.message import AudioPart, ChatMessage, Role
from fireside.core.prompt_input import ChatInput
from fireside.core.status import Ready, Unloaded
from fireside.engine.request import LoadRequest
from fireside.engine.request_state import GenerationStream
from fireside.engine.sharing import engine_host, joined_engine
from fireside.engine.sharing.joined_engine import EngineUnresponsive, VersionMismatch
from fireside.engine.sharing.local_endpoint import EngineLock, local_endpoint
from fireside.wire.frame_channel import Connection
from fireside.wire.messages import Cancel, Pause

FINISHES = Script()
HANGS = Script(pieces=("Hi",), answers=Answers.HANG)
ALPHA = ModelId("alpha")


class Programs:
    """Programs of one user, each with an engine of its own to start with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.all: list[EngineHarness] = []

    async def stays(self, script: Script = FINISHES, *, name: str = "window") -> EngineHarness:
        """Return a program that shares its engine."""
        program = self._made(script)
        await program.engine.share(self.path, name=name)
        return program

    async def joins(self, script: Script = FINISHES, *, name: str = "fireside run") -> EngineHarness:
        """Return a program that uses the engine that runs."""
        program = self._made(script)
        await program.engine.join(self.path, name=name)
        return program

    async def connects(self) -> Connection:
        """Return a connection of a program that says what it likes."""
        connection = await local_endpoint(self.path).connect()
        assert connection is not None
        return connection

    def _made(self, script: Script) -> EngineHarness:
        program = EngineHarness(spawner=FakeSpawner(lambda _number, _name: script))
        self.all.append(program)
        return program


@pytest.fixture
async def programs(own_home: Path) -> AsyncIterator[Programs]:
    programs = Programs(endpoint_path())
    yield programs
    for program in reversed(programs.all):
        await program.engine.close()


async def until(condition: Callable[[], bool]) -> None:
    """Return when ``condition`` holds; the play has an end."""
    while not condition():  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0)


async def begun(stream: GenerationStream) -> GenerationStream:
    """Return the stream once the first text of it has come."""
    async for event in stream:
        if isinstance(event, TextDelta):
            return stream
    raise AssertionError("nothing was said")


def cut(program: EngineHarness) -> None:
    """Take a program's connection away, as its end would."""
    joined = program.engine._joined
    assert joined is not None
    joined._channel._writer.transport.abort()


async def test_programs_share_a_loaded_model_and_are_listed_separately(programs: Programs) -> None:
    window = await programs.stays(HANGS)
    one, two = await programs.joins(), await programs.joins(name="fireside serve")
    streams = [await begun(each.engine.generate(a_request(1))) for each in (window, one)]
    waiting = two.engine.generate(a_request(1))
    assert [len(each.spawner.runners) for each in programs.all] == [1, 0, 0]
    (model,) = window.engine.running_models()
    assert model.clients == ("", f"fireside run ({os.getpid()})")
    await until(
        lambda: bool(two.engine.running_models()) and len(two.engine.running_models()[0].clients) == 2
    )
    (seen,) = two.engine.running_models()
    assert seen.clients == ("window", f"fireside run ({os.getpid()})")
    assert seen.pid == model.pid
    for each, stream in zip((window, one), streams, strict=True):
        each.engine.cancel(stream.request_id)
        assert isinstance(await end_of(stream), Finished)
    await begun(waiting)
    two.engine.cancel(waiting.request_id)
    assert isinstance(await end_of(waiting), Finished)


@pytest.mark.parametrize(("n_messages", "is_sent"), [(3, True), (7, False)])
async def test_long_sound_of_several_messages_reaches_the_shared_engine(
    programs: Programs, n_messages: int, is_sent: bool
) -> None:
    window, other = await programs.stays(), await programs.joins()
    quarter_of_an_hour = AudioPart(data=bytes(2 * 16_000 * 900), seconds=900)
    message = ChatMessage(role=Role.USER, parts=(quarter_of_an_hour,))
    request = a_request(1)
    task = replace(request.task, prompt=ChatInput(messages=(message,) * n_messages))
    end = await end_of(other.engine.generate(replace(request, task=task)))
    if is_sent:
        assert isinstance(end, Finished)
        assert len(window.spawner.runners) == 1
    else:
        assert isinstance(end, Failed)
        assert end.error.code == "prompt_too_large"


async def test_a_disconnected_program_frees_only_its_own_slot(programs: Programs) -> None:
    window = await programs.stays(HANGS)
    killed, other = await programs.joins(), await programs.joins()
    lost = await begun(killed.engine.generate(a_request(1)))
    stream = await begun(other.engine.generate(a_request(1)))
    (runner,) = window.spawner.runners
    cut(killed)
    await until(lambda: any(isinstance(command, Cancel) for command in runner.received))
    await until(lambda: len(window.engine.running_models()[0].clients) == 1)
    other.engine.cancel(stream.request_id)
    end = await end_of(stream)
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.CANCELLED
    assert isinstance(await end_of(lost), Failed)


async def test_an_unread_answer_is_paused_and_the_others_continue(programs: Programs) -> None:
    window = await programs.stays(Script(answers=Answers.FLOOD))
    user = await programs.joins()
    unread = await begun(user.engine.generate(a_request(1)))
    (runner,) = window.spawner.runners
    await until(lambda: any(isinstance(command, Pause) for command in runner.received))
    read, n_characters = user.engine.generate(a_request(2)), 0
    async for event in read:
        n_characters += len(event.text) if isinstance(event, TextDelta) else 0
        if n_characters > 2_000_000:
            break
    paused = [command.request_id for command in runner.received if isinstance(command, Pause)]
    assert paused[0] == engine_host._FIRST_ID
    for stream in (unread, read):
        user.engine.cancel(stream.request_id)
        assert isinstance(await end_of(stream), Finished)


async def test_a_program_that_reads_nothing_blocks_only_itself(programs: Programs) -> None:
    window = await programs.stays(Script(answers=Answers.FLOOD))
    stuck = await programs.joins()
    # It has been stopped: nothing takes what comes.
    joined = stuck.engine._joined
    assert joined is not None
    joined._channel._writer.transport.pause_reading()  # type: ignore[attr-defined]
    unread = stuck.engine.generate(a_request(1))
    await until(lambda: bool(window.spawner.runners))
    (runner,) = window.spawner.runners
    await until(lambda: any(isinstance(command, Pause) for command in runner.received))
    other, n_characters = (await programs.joins()).engine.generate(a_request(1)), 0
    async for event in other:
        n_characters += len(event.text) if isinstance(event, TextDelta) else 0
        if n_characters > 2_000_000:
            break
    await other.aclose()
    cut(stuck)
    assert isinstance(await end_of(unread), Failed)


async def test_after_the_host_ends_the_next_request_is_served_locally(programs: Programs) -> None:
    window = await programs.stays(HANGS)
    run = await programs.joins()
    stream = await begun(run.engine.generate(a_request(1)))
    asked = asyncio.create_task(
        run.engine.load(LoadRequest(spec=a_spec("Beta"), options=OPTIONS, keep_alive_s=None))
    )
    await until(lambda: len(window.spawner.runners) == 2)
    window.spawner.last("Beta").take_nothing = True
    await window.engine.close()
    end = await end_of(stream)
    assert isinstance(end, Failed)
    assert end.error.code == EngineLost.code
    with pytest.raises((EngineLost, EngineStopped)):
        await asked
    await until(lambda: isinstance(run.state(), Unloaded))
    events = await events_of(run.engine.generate(a_request(2)))
    assert text_of(events) == "Good evening 🦙"
    assert len(run.spawner.runners) == 1


async def test_a_remaining_program_takes_over_as_host(programs: Programs) -> None:
    window = await programs.stays()
    serves = await programs.stays(name="fireside serve")
    await end_of(serves.engine.generate(a_request(1)))
    assert [len(each.spawner.runners) for each in programs.all] == [1, 0]
    await window.engine.close()
    await until(lambda: serves.engine._server is not None)
    run = await programs.joins()
    await end_of(run.engine.generate(a_request(1)))
    assert [len(each.spawner.runners) for each in programs.all] == [1, 1, 0]


async def test_of_two_racing_programs_one_hosts_the_engine(programs: Programs) -> None:
    await asyncio.gather(*(programs.stays(name=str(number)) for number in range(8)))
    for program in programs.all:
        await end_of(program.engine.generate(a_request(1)))
    assert sum(len(each.spawner.runners) for each in programs.all) == 1


async def test_a_host_of_another_version_is_not_joined(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    await programs.stays()
    with monkeypatch.context() as patch:
        patch.setattr(joined_engine, "__version__", "0.0.1")
        with pytest.raises(VersionMismatch) as raised:
            await programs.joins()
    assert raised.value.version == __version__
    run = await programs.joins()
    await end_of(run.engine.generate(a_request(1)))


async def test_an_unresponsive_host_is_not_waited_for(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joined_engine, "_ANSWER_LIMIT_S", 0.05)
    lock = EngineLock(programs.path.with_name(f"{programs.path.name}.lock"))
    assert lock.acquire()
    async with listening(local_endpoint(programs.path)) as (_, stopped):
        stopped.is_silent = True
        for kind in (programs.joins, programs.stays):
            with pytest.raises(EngineUnresponsive):
                await kind()
    for program in programs.all:
        assert isinstance(await end_of(program.engine.generate(a_request(1))), Finished)
    lock.release()


@pytest.mark.parametrize(
    "content",
    [b"GET / HTTP/1.1\r\n\r\n", struct.pack(">I", 5) + b"hello", struct.pack(">I", 2**31 - 1), b""],
)
async def test_a_client_without_a_valid_join_is_disconnected(programs: Programs, content: bytes) -> None:
    await programs.stays()
    reader, writer = await programs.connects()
    writer.write(content)
    writer.write_eof()
    assert await reader.read() == b""
    writer.close()
    run = await programs.joins()
    assert isinstance(await end_of(run.engine.generate(a_request(1))), Finished)


async def test_programs_above_the_limit_use_their_own_engines(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_host, "MAX_CLIENTS", 2)
    await programs.stays()
    for _ in range(3):
        await end_of((await programs.joins()).engine.generate(a_request(1)))
    assert [len(each.spawner.runners) for each in programs.all] == [1, 0, 0, 1]
    host = programs.all[0].engine._host
    assert host is not None
    cut(programs.all[1])
    await until(lambda: len(host._connections) == 1)
    late = await programs.joins()
    await end_of(late.engine.generate(a_request(1)))
    assert late.spawner.runners == []


async def test_a_freeze_of_one_program_holds_the_loads_of_all(programs: Programs) -> None:
    window = await programs.stays()
    bench, other = await programs.joins(name="fireside bench"), await programs.joins()
    measuring = bench.engine.freeze_loads("Gamma")
    await measuring.__aenter__()
    with refuses("tuning_refused"):
        async with other.engine.freeze_loads("Delta"):
            pass
    held = window.engine.generate(a_request(1))
    first = await anext(held)
    assert getattr(first, "model", "") == "Gamma"
    assert window.spawner.runners == []
    cut(bench)
    assert isinstance(await end_of(held), Finished)
    await measuring.__aexit__(None, None, None)


async def test_states_are_sent_to_all_programs(programs: Programs) -> None:
    window = await programs.stays()
    run = await programs.joins()
    await window.engine.load(LoadRequest(spec=a_spec(), options=OPTIONS, keep_alive_s=60))
    await until(lambda: isinstance(run.statuses and run.statuses[-1].state, Ready))
    assert run.engine.statuses() == window.engine.statuses()
    (model,) = run.engine.running_models()
    assert model.expires_in_s is not None
    assert 0 < model.expires_in_s <= 60
    await run.engine.unload(ALPHA)
    assert isinstance(window.state(), Unloaded)
