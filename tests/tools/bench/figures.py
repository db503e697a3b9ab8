"""Measure the figures at the top of the README, on this machine: seconds to the window, memory at rest, the
time to the first token on coming back to a chat of 20,000 tokens after a restart, and what leaves unasked.

The chat is one of Gemma 3 270M, which was trained for 32,768 tokens; it is not shipped.

Usage: PYTHONPATH=tests python tests/tools/bench/figures.py [--rounds 5] [--tokens 20000]
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import psutil

from fakes.native_libraries import NativeLibraries
from fakes.watched_program import Watched
from fireside.core.options import LoadOptions
from fireside.wire.messages import CacheOptions
from llama.runner_process import RunnerProcess
from tools.bench.returning import ask, long_talk
from tools.bench.startup import one_start

MODEL = Path(sys.prefix) / "share" / "fireside-bench" / "gemma-3-270m-q4_k_m.gguf"
TOKENS_PER_SENTENCE = 18


def main() -> None:
    """Print one line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=20_000)
    arguments = parser.parse_args()
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    memory_gb = psutil.virtual_memory().total / 1e9
    sys.stdout.write(
        f"{processor_name()}, {os.cpu_count()} cores, {memory_gb:.0f} GB, {platform.system()}, "
        f"Python {platform.python_version()}; load {psutil.getloadavg()[0]:.1f}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        show_start(folder, rounds=arguments.rounds)
    with tempfile.TemporaryDirectory() as folder:
        show_return(Path(folder), n_tokens=arguments.tokens)
    with tempfile.TemporaryDirectory() as folder:
        show_what_leaves(Path(folder))


def processor_name() -> str:
    """Return what the system calls the processor."""
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def show_start(home: str, *, rounds: int) -> None:
    """The first start is not counted: it fills the cache of the disk."""
    starts = [one_start(home, rest_s=10.0 if number == rounds else 0.0) for number in range(rounds + 1)]
    seconds = statistics.median(start.seconds for start in starts[1:])
    sys.stdout.write(f"window: {seconds:.2f} s, median of {rounds}\n")
    rest = starts[-1].rest
    assert rest is not None
    sys.stdout.write(
        f"at rest: window process {rest.resident / 1e6:.0f} MB, {rest.own / 1e6:.0f} MB of it its own\n"
    )


def show_return(folder: Path, *, n_tokens: int) -> None:
    """The time of the load is said apart: a model may be loaded already."""
    talk = long_talk(n_tokens // TOKENS_PER_SENTENCE)
    options = LoadOptions(n_ctx=n_tokens + 4096, n_seq_max=1, n_threads=os.cpu_count() or 2, n_gpu_layers=0)
    cache = CacheOptions(folder=str(folder), memory_bytes=2 << 30, disk_bytes=8 << 30)
    for name, question in (
        ("first reading", "What did he count?"),
        ("back after a restart", "Who will read it?"),
    ):
        with RunnerProcess() as runner:
            started_at = time.monotonic()
            runner.load(MODEL, options, cache=cache)
            loaded_s = time.monotonic() - started_at
            end = ask(runner, talk, question)
            runner.leave()
        sys.stdout.write(
            f"{name}: {end.usage.n_prompt} tokens, {end.usage.n_cached} of them not read again; first token "
            f"after {end.timings.first_token_s:.2f} s, beyond {loaded_s:.2f} s of loading\n"
        )


def show_what_leaves(folder: Path) -> None:
    """An ordinary day: start, chats, every page, a scan of the library, and rest."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        sys.stdout.write("what leaves unasked: not measured here\n")
        return
    library = NativeLibraries(compiler=compiler, folder=folder).make("no_network", "-ldl")
    watched = Watched(folder, library=library)
    tried = watched.run("-m", "fakes.day_of_use", str(watched.home), "ordinary")
    sys.stdout.write(
        f"attempts to reach anything beyond this computer: {len(tried)}, so 0 bytes\n"
        if not tried
        else f"attempts to reach beyond this computer: {tried}\n"
    )


if __name__ == "__main__":
    main()
