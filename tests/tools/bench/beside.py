"""Measure a stream beside a long prompt: its longest pause, and what the prompt loses.

Usage: PYTHONPATH=tests python tests/tools/bench/beside.py [--model FILE] [--tokens 8000] [--threads N]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from itertools import pairwise
from pathlib import Path

from fireside.core.generation import Finished
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import TextInput
from fireside.core.task import GenerationTask
from fireside.library.starter import starter_folder
from fireside.wire.messages import RequestEvent, TokensDecoded
from llama.runner_process import RunnerProcess

SENTENCE = "The keeper counted the waves and wrote their number in a book that nobody else would read. "
SENTENCE_TOKENS = 19


def main() -> None:
    """Print the pauses of the stream in units of a step of 128 prompt tokens."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=str(starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf"))
    parser.add_argument("--tokens", type=int, default=7500)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    arguments = parser.parse_args()
    n_ctx = arguments.tokens + 1024
    options = LoadOptions(n_ctx=n_ctx, n_seq_max=2, n_threads=arguments.threads, n_gpu_layers=0)
    long_text = SENTENCE * (arguments.tokens // SENTENCE_TOKENS)
    with RunnerProcess() as runner:
        runner.load(Path(arguments.model), options)
        alone = runner.finish(runner.start_task(task("A. " + long_text, 1))).finished
        streaming = runner.start_task(task("Once upon a time", 2000))
        times: list[float] = []
        reading = None
        while True:
            report = runner.receive()
            if isinstance(report, TokensDecoded):
                if any(piece.request_id == streaming for piece in report.pieces):
                    times.append(time.perf_counter())
                if reading is None and len(times) == 20:
                    reading = runner.start_task(task("B. " + long_text, 1))
            elif isinstance(report, RequestEvent) and isinstance(report.event, Finished):
                break
        beside = runner.finish(reading).finished if reading is not None else None
    assert beside is not None
    pauses = sorted(b - a for a, b in pairwise(times))
    step = beside.timings.prompt_s / (beside.usage.n_prompt / 128)
    sys.stdout.write(
        f"a step of 128 prompt tokens takes {1000 * step:.0f} ms in the mean; "
        f"the stream's longest pause was {1000 * pauses[-1]:.0f} ms, {pauses[-1] / step:.2f} of it; "
        f"the prompt took {beside.timings.prompt_s:.1f} s beside it, {alone.timings.prompt_s:.1f} s alone\n"
    )


def task(text: str, n_tokens: int) -> GenerationTask:
    """Return a raw continuation of ``n_tokens``."""
    sampling = SamplingParams(temperature=0, max_tokens=n_tokens, ignore_eos=True, guard_repetition=False)
    return GenerationTask(prompt=TextInput(text=text), sampling=sampling)


if __name__ == "__main__":
    main()
