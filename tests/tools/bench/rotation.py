"""Measure many conversations on few slots: how much is reused, and what memory and disk it takes.

Usage: PYTHONPATH=tests python tests/tools/bench/rotation.py [--conversations 200] [--turns 3] [--slots 4]
    [--memory-mb 256] [--disk-mb 1024]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path

import psutil

from fireside.core.message import ChatMessage
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.library.starter import starter_folder
from fireside.wire.messages import CacheOptions
from llama.runner_process import RunnerProcess, assistant, user

SENTENCE = "The keeper counted the waves and wrote their number in a book that nobody else would read. "


def main() -> None:
    """Print reuse by level, and the sizes at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=str(starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf"))
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--memory-mb", type=int, default=256)
    parser.add_argument("--disk-mb", type=int, default=1024)
    arguments = parser.parse_args()
    options = LoadOptions(
        n_ctx=2048, n_seq_max=arguments.slots, n_threads=os.cpu_count() or 2, n_gpu_layers=0
    )
    talks: list[list[ChatMessage]] = [
        [user(f"Chat {number}. " + SENTENCE * 8)] for number in range(arguments.conversations)
    ]
    with tempfile.TemporaryDirectory() as folder, RunnerProcess() as runner:
        cache = CacheOptions(
            folder=folder, memory_bytes=arguments.memory_mb << 20, disk_bytes=arguments.disk_mb << 20
        )
        runner.load(Path(arguments.model), options, cache=cache)
        before = psutil.Process(runner.pid).memory_info().rss
        order = random.Random(7)
        for turn in range(arguments.turns):
            numbers = list(range(arguments.conversations))
            order.shuffle(numbers)
            one_turn(runner, talks, numbers, turn=turn, n_slots=arguments.slots)
        grown = psutil.Process(runner.pid).memory_info().rss - before
        on_disk = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    sys.stdout.write(
        f"memory grew by {grown >> 20} MiB with a budget of {arguments.memory_mb}, "
        f"{on_disk >> 20} MiB are on disk with a budget of {arguments.disk_mb}\n"
    )


def one_turn(
    runner: RunnerProcess, talks: list[list[ChatMessage]], numbers: list[int], *, turn: int, n_slots: int
) -> None:
    """Give every conversation its next answer, as many at once as there are slots."""
    shares, waits, levels, misses = [], [], [0, 0, 0], dict[str, int]()
    for start in range(0, len(numbers), n_slots):
        asked = [
            (
                number,
                runner.start_task(
                    GenerationTask(
                        prompt=ChatInput(messages=tuple(talks[number])),
                        sampling=SamplingParams(temperature=0, max_tokens=8),
                        owner=str(number),
                    )
                ),
            )
            for number in numbers[start : start + n_slots]
        ]
        for number, request_id in asked:
            answer = runner.finish(request_id)
            usage = answer.finished.usage
            shares.append(usage.n_cached / usage.n_prompt)
            waits.append(1000 * answer.finished.timings.first_token_s)
            for level, n_tokens in enumerate(
                (usage.cache.n_context, usage.cache.n_memory, usage.cache.n_disk)
            ):
                levels[level] += n_tokens
            if usage.cache.miss is not None:
                misses[usage.cache.miss.value] = misses.get(usage.cache.miss.value, 0) + 1
            talks[number] += [assistant(answer.text), user("Go on, and be brief.")]
    sys.stdout.write(
        f"turn {turn + 1}: {100 * statistics.mean(shares):.1f} % of the prompts not read again "
        f"(tokens from context {levels[0]}, memory {levels[1]}, disk {levels[2]}), "
        f"first token {statistics.median(waits):.0f} ms in the median, misses {misses}\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
