"""Measure the local API against llama.cpp's own server, both over HTTP: tokens a second, time to first token,
and what a streamed token costs in processor time.

Both serve the same model with the same settings from processes of their own, in turn: A B A B … The figure to
quote is the median of the ratios of neighbours, since a shared machine drifts. Where other programs run,
quote the ratio by processor time, with ``--threads 1``: threads that wait for each other spin. With more
clients than slots the rest waits, and the time to a first token is mostly that of the answers before.

Usage: PYTHONPATH=tests python tests/tools/bench/api.py [--model FILE] [--rounds 3] [--clients 1 8 32]
    [--slots 8] [--threads N] [--tokens 200] [--alone]

``--alone`` leaves the peer out. What is said of our serving process is that of engine and API, without the
runner's; the peer computes in one process.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import psutil

from fireside.library.starter import starter_folder
from tools.bench.server import PEER_PACKAGES

N_CTX = 1024
_numbers = count(1)


class Server(NamedTuple):
    """A server that runs, and the process that speaks HTTP."""

    address: str
    process: psutil.Process


class Round(NamedTuple):
    """What came of one round."""

    tokens_per_s: float
    per_cpu_s: float
    """Tokens a second of processor time, that of all processes of the server."""
    first_s: float
    """Median of all clients."""
    last_first_s: float
    """Of the client that waited longest."""
    cpu_us: float
    """Processor time of the serving process a streamed token, in microseconds."""


@contextlib.contextmanager
def started(command: Sequence[str], environment: dict[str, str]) -> Iterator[Server]:
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = next(line.strip() for line in process.stdout if line.startswith("http"))
        yield Server(address, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.communicate()


def ours(arguments: argparse.Namespace, home: Path) -> contextlib.AbstractContextManager[Server]:
    environment = {
        **os.environ,
        "FIRESIDE_HOME": str(home),
        "FIRESIDE_LOAD_N_CTX": str(N_CTX),
        "FIRESIDE_LOAD_N_SEQ_MAX": str(arguments.slots),
        "FIRESIDE_LOAD_N_THREADS": str(arguments.threads),
        "FIRESIDE_API_REQUESTS_PER_CLIENT": "64",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    return started(
        [sys.executable, "-P", "-m", "fireside", "serve", "--no-token", "--port", "0"], environment
    )


def theirs(arguments: argparse.Namespace) -> contextlib.AbstractContextManager[Server]:
    script = Path(__file__).with_name("peers") / "xllamacpp_http.py"
    numbers = (N_CTX, arguments.slots, arguments.threads)
    command = [sys.executable, str(script), arguments.model, *map(str, numbers)]
    return started(command, {**os.environ, "PYTHONPATH": str(PEER_PACKAGES)})


async def one_client(server: Server, n_tokens: int) -> tuple[int, float]:
    """Stream one completion; return its tokens and the seconds to the first."""
    body = {
        "prompt": f"{next(_numbers) * 7919} waves. Once upon a time",
        "n_predict": n_tokens,
        "temperature": 0,
        "logit_bias": {"0": -100, "2": -100},  # an answer ends at its length alone
        "stream": True,
    }
    content = json.dumps(body).encode()
    host = server.address.removeprefix("http://")
    name, _, port = host.rpartition(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    writer.write(
        f"POST /completion HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode()
        + content
    )
    began, first_s, n_predicted = time.perf_counter(), 0.0, 0
    async for line in reader:
        if not line.startswith(b"data: {"):
            continue
        first_s = first_s or time.perf_counter() - began
        if b'"tokens_predicted"' in line and b'"stop":true' in line:
            n_predicted = json.loads(line[6:])["tokens_predicted"]
    writer.close()
    return n_predicted, first_s


async def one_round(server: Server, *, n_clients: int, n_tokens: int) -> Round:
    before, own_before, began = family_cpu_s(server.process), cpu_s(server.process), time.perf_counter()
    found = await asyncio.gather(*(one_client(server, n_tokens) for _ in range(n_clients)))
    took_s = time.perf_counter() - began
    assert all(n == n_tokens for n, _ in found), found
    n_all = n_clients * n_tokens
    own_s = cpu_s(server.process) - own_before
    all_s = own_s + sum(
        after_s - before.get(pid, 0.0) for pid, after_s in family_cpu_s(server.process).items()
    )
    firsts_s = [first_s for _, first_s in found]
    return Round(
        n_all / took_s,
        n_all / all_s,
        statistics.median(firsts_s),
        max(firsts_s),
        own_s / n_all * 1e6,
    )


def family_cpu_s(process: psutil.Process) -> dict[int, float]:
    """Return the processor time of the processes below, by their numbers; some last shortly."""
    found = {}
    for child in process.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            found[child.pid] = cpu_s(child)
    return found


def cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def main() -> None:
    """Print each round and the median of each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=str(starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--alone", action="store_true")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = {"fireside": stack.enter_context(ours(arguments, home))}
        if not arguments.alone:
            servers["xllamacpp"] = stack.enter_context(theirs(arguments))
        for server in servers.values():
            asyncio.run(one_round(server, n_clients=1, n_tokens=8))  # loads, and fills caches of code
        for n_clients in arguments.clients:
            rounds: dict[str, list[Round]] = {name: [] for name in servers}
            for _ in range(arguments.rounds):
                for name, server in servers.items():
                    found = asyncio.run(one_round(server, n_clients=n_clients, n_tokens=arguments.tokens))
                    rounds[name].append(found)
                    say(f"{n_clients:3} clients, {name:9}", found)
            if not arguments.alone:
                pairs = list(zip(rounds["fireside"], rounds["xllamacpp"], strict=True))
                ratio = statistics.median(our.tokens_per_s / peer.tokens_per_s for our, peer in pairs)
                by_cpu = statistics.median(our.per_cpu_s / peer.per_cpu_s for our, peer in pairs)
                later_ms = statistics.median(our.first_s - peer.first_s for our, peer in pairs) * 1000
                sys.stdout.write(
                    f"{n_clients:3} clients: {ratio:.3f} of its tokens/s, {by_cpu:.3f} by processor time, "
                    f"first token {later_ms:+.1f} ms\n"
                )


def say(what: str, found: Round) -> None:
    sys.stdout.write(
        f"{what}: {found.tokens_per_s:6.1f} tokens/s, {found.per_cpu_s:6.1f} by processor time, first token "
        f"{found.first_s * 1000:7.1f} ms (last client {found.last_first_s * 1000:7.1f}), "
        f"{found.cpu_us:7.1f} µs of the process a token\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
