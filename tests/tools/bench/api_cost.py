"""Measure what the local API alone costs: processor time a streamed token, in each dialect.

A scripted engine in a process of its own gives each stream a token every few milliseconds; the client is
here. What the same streams cost where a plain loop reads them is taken off. Processor time, so that it holds
on a busy machine too.

Usage: PYTHONPATH=tests python tests/tools/bench/api_cost.py [--streams 1 8 32] [--tokens 400] [--rate 50]
    [--rounds 3] [--paths PATH …] [--window]

With ``--window`` what is printed is the window's longest gaps instead: at rest, and beside the streams.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import psutil

from fakes.api_harness import api_harness
from fakes.engine import FakeEngine, finished, says
from fakes.engine_harness import a_request
from fireside.api.connection import ConnectionLimits
from fireside.api.options import ApiOptions
from fireside.core.generation import TextDelta
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import EventBuffer, GenerationStream
from fireside.library.starter import starter_folder

STARTER: Final = starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf"
OPTIONS: Final = ApiOptions(needs_token=False, max_requests_per_client=64)
LIMITS: Final = ConnectionLimits(max_connections=64)
SAID: Final = [{"role": "user", "content": "Hi"}]
BODIES: Final[dict[str, dict[str, Any]]] = {
    "/v1/chat/completions": {"messages": SAID},
    "/v1/completions": {"prompt": "Hi"},
    "/v1/responses": {"input": "Hi"},
    "/v1/messages": {"messages": SAID, "max_tokens": 100_000},
    "/api/chat": {"messages": SAID},
    "/completion": {"prompt": "Hi"},
}


class Pace:
    """Gives all streams a token at a time, as a runner does that computes them in one batch."""

    def __init__(self, *, n_tokens: int, rate: float) -> None:
        self._n_tokens = n_tokens
        self._pause_s = 1 / rate
        self._streams: dict[EventBuffer, Iterator[int]] = {}
        self._task: asyncio.Task[None] | None = None

    def generate(self, request: GenerationRequest) -> GenerationStream:
        """Stand for ``Engine.generate``."""
        events = EventBuffer()
        self._streams[events] = count(1)
        if self._task is None:
            self._task = asyncio.create_task(self._go_on())

        def cancel() -> None:
            self._streams.pop(events, None)

        return GenerationStream(request.request_id, events, cancel=cancel)

    async def _go_on(self) -> None:
        while self._streams:
            await asyncio.sleep(self._pause_s)
            for events, numbers in tuple(self._streams.items()):
                number = next(numbers)
                if number <= self._n_tokens:
                    events.post(TextDelta(text=" hello", n_completion=number))
                else:
                    self._streams.pop(events)
                    events.post(finished(n_completion=self._n_tokens))
        self._task = None


async def until_a_line() -> None:
    """Return when the parent says so."""
    await asyncio.to_thread(sys.stdin.readline)


async def serve(pace: Pace) -> None:
    """Be the server, until a line is read."""
    engine = FakeEngine(says("Hi"))
    engine.generate = pace.generate  # type: ignore[assignment, method-assign]
    with tempfile.TemporaryDirectory() as folder:
        place = api_harness(Path(folder), starter=STARTER, engine=engine, options=OPTIONS, limits=LIMITS)
        async with place as running:
            print(running.server.address, flush=True)
            await until_a_line()


async def read_plainly(pace: Pace, *, n_streams: int) -> None:
    """Print the seconds of processor time that streams cost which a plain loop reads."""

    async def read() -> None:
        async for _ in pace.generate(request):
            pass

    request = a_request(1)
    before = time.process_time()
    await asyncio.gather(*(read() for _ in range(n_streams)))
    print(time.process_time() - before)


def show_window(pace: Pace) -> None:
    """Be a window that serves, and print how late it beats, at rest and while the streams run."""
    from PySide6.QtWidgets import QApplication

    from fakes.program import Program, running_program
    from fakes.window import dress
    from fireside.engine.sharing.shared_engine import SharedEngine
    from tools.bench.heartbeat import REST_S, Heart

    SharedEngine.generate = lambda _, request: pace.generate(request)  # type: ignore[assignment, method-assign]

    async def beat(program: Program) -> None:
        await program.client.snapshot()
        while not (state := await program.client.local_api.status()).address:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        heart = Heart()
        await heart.during(asyncio.sleep(REST_S))
        print(f"at rest: {heart.words()}", file=sys.stderr)
        print(state.address, flush=True)
        await heart.during(until_a_line())
        print(f"beside them: {heart.words()}", file=sys.stderr)

    application = QApplication([])
    dress(application)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = ("api.enabled=on", f"api.port={port}", "api.require_token=off", "api.requests_per_client=64")
    with (
        tempfile.TemporaryDirectory() as home,
        running_program(application, home=Path(home), settings=settings) as program,
    ):
        program.run(lambda: beat(program))


@contextlib.contextmanager
def child(arguments: argparse.Namespace, role: str, n_streams: int = 0) -> Iterator[subprocess.Popen[str]]:
    words = [role, str(n_streams), "--tokens", str(arguments.tokens), "--rate", str(arguments.rate)]
    process = subprocess.Popen(
        [sys.executable, __file__, "--be", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.communicate("\n")


async def stream(address: str, path: str) -> None:
    """Stream one answer to its end."""
    content = json.dumps({**BODIES[path], "stream": True}).encode()
    host = address.removeprefix("http://")
    name, _, port = host.rpartition(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    writer.write(
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
        f"Content-Length: {len(content)}\r\n\r\n".encode()
        + content
    )
    head = await reader.readline()
    assert b" 200 " in head, head
    while await reader.read(1 << 20):
        pass
    writer.close()


async def streams(address: str, path: str, *, n_streams: int) -> None:
    await asyncio.gather(*(stream(address, path) for _ in range(n_streams)))


def cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def print_costs(arguments: argparse.Namespace) -> None:
    """Print what a token costs, for each number of streams and dialect."""
    with child(arguments, "serve") as process:
        assert process.stdout is not None
        address, server = process.stdout.readline().strip(), psutil.Process(process.pid)
        for path in BODIES:
            asyncio.run(streams(address, path, n_streams=1))
        for n_streams in arguments.streams:
            n_tokens = n_streams * arguments.tokens
            with child(arguments, "read", n_streams) as reading:
                assert reading.stdout is not None
                plain_us = float(reading.stdout.readline()) / n_tokens * 1e6
            for path in arguments.paths:
                found = []
                for _ in range(arguments.rounds):
                    before = cpu_s(server)
                    asyncio.run(streams(address, path, n_streams=n_streams))
                    found.append((cpu_s(server) - before) / n_tokens * 1e6 - plain_us)
                print(f"{n_streams:3} streams, {path:21}: {statistics.median(found):5.1f} µs a token")
            print(
                f"{n_streams:3} streams, read plainly         : {plain_us:5.1f} µs a token, taken off",
                flush=True,
            )


def print_gaps(arguments: argparse.Namespace) -> None:
    """Print how late a window beats beside so many streams."""
    with child(arguments, "window") as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        n_streams = max(arguments.streams)
        asyncio.run(streams(address, "/v1/chat/completions", n_streams=n_streams))


def main() -> None:
    """Measure once and print, or be one of the processes that are measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--tokens", type=int, default=400)
    parser.add_argument("--rate", type=float, default=50.0, help="tokens a second of each stream")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--paths", nargs="+", choices=BODIES, default=list(BODIES))
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--be", nargs=2, metavar=("ROLE", "STREAMS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.be is None:
        (print_gaps if arguments.window else print_costs)(arguments)
        return
    role, n_streams = arguments.be
    pace = Pace(n_tokens=arguments.tokens, rate=arguments.rate)
    match role:
        case "serve":
            asyncio.run(serve(pace))
        case "read":
            asyncio.run(read_plainly(pace, n_streams=int(n_streams)))
        case "window":
            show_window(pace)


main()
