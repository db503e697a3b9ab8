"""A server of llama.cpp, and two behind LiteLLM's proxy: `make test-cluster`."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

from fakes.engines_harness import EnginesHarness, engines_harness, finished, said
from fireside.core.generation import Failed, Finished, FinishReason, GenerationEvent, TextDelta
from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.remote import ServerKind
from fireside.core.task import GenerationTask, JsonSchemaConstraint

PYTHON: Final = os.environ.get("FIRESIDE_CLUSTER", "")
"""The Python that has LiteLLM and xllamacpp."""
NAME: Final = "smol"
KEY: Final = "sk-0f1d2c3b4a5968778695a4b3c2d1e0f0a9b8c7d6"
"""LiteLLM wants a long one, or does not start."""
N_CHATS: Final = 32
N_CTX: Final = 1024
N_SLOTS: Final = 4
_CACHED: Final = 0.6
"""Part of a second turn's prompt that its chat's engine has read before, at least."""

pytestmark = [
    pytest.mark.skipif(not PYTHON, reason="needs LiteLLM and llama.cpp's server: make test-cluster"),
    pytest.mark.timeout(1200),
]


class Server:
    """A program that serves at an address until it is told to end, or killed."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address

    @property
    def host(self) -> str:
        return self.address.removeprefix("http://")


@contextmanager
def running(*command: str, ready: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a program, and give it with the line of its output that has ``ready`` in it."""
    process = subprocess.Popen(
        [PYTHON, *command],
        env={
            **os.environ,
            "PYTHONPATH": "",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "LITELLM_MASTER_KEY": KEY,
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    reading = threading.Thread(target=process.stdout.read)  # else it would wait for room in the pipe
    try:
        lines: list[str] = []
        while not lines or ready not in lines[-1]:
            lines.append(process.stdout.readline())
            assert lines[-1], "".join(lines)
        reading.start()
        yield process, lines[-1].strip()
    finally:
        process.kill()
        if reading.ident is not None:
            reading.join()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def llama_servers(model: Path, *, n: int = 2) -> Iterator[tuple[Server, ...]]:
    script = str(Path(__file__).with_name("server.py"))
    with ExitStack() as stack:
        words = (script, str(model), NAME, str(N_CTX), str(N_SLOTS))
        yield tuple(Server(*stack.enter_context(running(*words, ready="http://"))) for _ in range(n))


@contextmanager
def proxy(folder: Path, servers: tuple[Server, ...]) -> Iterator[str]:
    """Run LiteLLM's proxy in front of ``servers`` and give its address."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    models = "".join(
        f"- model_name: {NAME}\n"
        f"  litellm_params: {{model: openai/{NAME}, api_base: {server.address}/v1, api_key: none}}\n"
        for server in servers
    )
    config = folder / "litellm.yaml"
    config.write_text(
        f"model_list:\n{models}"
        "router_settings: {optional_pre_call_checks: [session_affinity], num_retries: 3, allowed_fails: 0}\n"
        "litellm_settings: {drop_params: true}\n"
    )
    program = "from litellm import run_server; run_server()"
    words = ("-c", program, "--config", str(config), "--host", "127.0.0.1", "--port", str(port))
    with running(*words, ready="Uvicorn running"):
        yield f"http://127.0.0.1:{port}"


def turn(number: int, *messages: ChatMessage, max_tokens: int = 12) -> GenerationTask:
    opening = text_message(Role.USER, f"Story {number}: " + f"the {number}th fox met the hen. " * 20)
    return GenerationTask(
        prompt=ChatInput(messages=(opening, *messages)),
        sampling=SamplingParams(temperature=0, max_tokens=max_tokens),
        owner=f"chat {number}",
    )


def second_turn(number: int, answer: str) -> GenerationTask:
    answered = text_message(Role.ASSISTANT, answer)
    return turn(number, answered, text_message(Role.USER, "And then?"))


async def two_turns(harness: EnginesHarness, number: int) -> tuple[Finished, Finished]:
    """Have two turns of a chat answered."""
    first = await harness.ask(task=turn(number))
    finished(first)
    return finished(first), finished(await harness.ask(task=second_turn(number, said(first))))


def play(folder: Path, story: Callable[[EnginesHarness], Awaitable[None]]) -> None:
    async def run() -> None:
        async with engines_harness(folder) as place:
            await story(place)

    asyncio.run(asyncio.wait_for(run(), 1000))


def check_cached(turns: list[tuple[Finished, Finished]]) -> None:
    """All were answered, and the second turns read their chat's beginning from a cache."""
    assert len(turns) == N_CHATS
    cached = [second.usage.n_cached / second.usage.n_prompt for _, second in turns]
    assert min(cached) >= _CACHED, sorted(cached)


def check_ends(answers: list[list[GenerationEvent]]) -> list[Failed]:
    """Return the errors: each answer has one end, and each error says what happened."""
    errors = []
    for events in answers:
        ends = [event for event in events if isinstance(event, Finished | Failed)]
        assert len(ends) == 1
        if isinstance(ends[0], Failed):
            assert ends[0].error.code in ("remote_interrupted", "remote_refused", "remote_busy")
            errors.append(ends[0])
    return errors


async def ask_while_one_is_killed(harness: EnginesHarness, server: Server) -> list[list[GenerationEvent]]:
    """Ask in all chats at once, and kill a server when half of the answers have begun."""
    begun: set[RequestId] = set()

    def on_event(number: RequestId, event: GenerationEvent) -> None:
        if isinstance(event, TextDelta):
            begun.add(number)
        if len(begun) == N_SLOTS:
            server.process.kill()

    asking = [harness.ask(task=turn(number, max_tokens=24), on_event=on_event) for number in range(N_CHATS)]
    return list(await asyncio.gather(*asking))


def test_a_server_of_llama_cpp_is_an_engine_like_any_other(tmp_path: Path, starter_model_path: Path) -> None:
    async def story(harness: EnginesHarness) -> None:
        found = await harness.add(servers[0].address)
        assert (found.kind, found.models[0].n_ctx) == (ServerKind.LLAMA_SERVER, N_CTX)
        events = await harness.ask(task=turn(1))
        assert said(events)
        assert finished(events).reason is FinishReason.LENGTH
        value = '{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]'
        schema = value + ',"additionalProperties":false}'
        asked = GenerationTask(
            prompt=ChatInput(messages=(text_message(Role.USER, "Yes or no?"),)),
            constraint=JsonSchemaConstraint(schema=schema),
            sampling=SamplingParams(max_tokens=40),
        )
        assert "".join(said(await harness.ask(task=asked)).split()) in ('{"a":true}', '{"a":false}')

        def stop(number: RequestId, event: GenerationEvent) -> None:
            if isinstance(event, TextDelta):
                harness.service.answers.cancel(number)

        events = await harness.ask(task=turn(2, max_tokens=500), on_event=stop)
        assert finished(events).reason is FinishReason.CANCELLED
        long = text_message(Role.USER, "a long tale " * N_CTX)
        too_long = GenerationTask(prompt=ChatInput(messages=(long,)))
        assert [
            event.error.code for event in await harness.ask(task=too_long) if isinstance(event, Failed)
        ] == ["context_length_exceeded"]

    with llama_servers(starter_model_path, n=1) as servers:
        play(tmp_path, story)


def test_behind_a_router_chats_keep_their_cache_and_none_is_lost(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def story(harness: EnginesHarness) -> None:
        await harness.add(address, key=KEY)
        check_cached(list(await asyncio.gather(*(two_turns(harness, number) for number in range(N_CHATS)))))
        check_ends(await ask_while_one_is_killed(harness, servers[0]))
        again = await asyncio.gather(*(harness.ask(task=turn(number)) for number in range(N_CHATS)))
        assert check_ends(list(again)) == []

    with llama_servers(starter_model_path) as servers, proxy(tmp_path, servers) as address:
        play(tmp_path, story)
