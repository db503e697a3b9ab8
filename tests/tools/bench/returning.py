"""Measure coming back to a long chat: in its slot, after it lost its slot, and after the model was unloaded.

A conversation of some 6,000 tokens is read, its model's process ends in order, and a new one gets the next
turn. The figures are the time to the first token beyond the load, and how much was not read again.

Usage: PYTHONPATH=tests python tests/tools/bench/returning.py [--model FILE] [--tokens 6000]
    [--sentence-tokens 19] [--threads N]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from fireside.core.generation import Finished
from fireside.core.message import ChatMessage
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.library.starter import starter_folder
from fireside.wire.messages import CacheOptions
from llama.runner_process import RunnerProcess, assistant, user

SENTENCE = "The keeper counted the waves and wrote their number in a book that nobody else would read. "


def main() -> None:
    """Print one line for each way to come back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=str(starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf"))
    parser.add_argument("--tokens", type=int, default=6000)
    parser.add_argument("--sentence-tokens", type=int, default=19, help="92 where a token is a letter")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    arguments = parser.parse_args()
    talk = long_talk(arguments.tokens // arguments.sentence_tokens)
    options = LoadOptions(
        n_ctx=arguments.tokens + 2048, n_seq_max=1, n_threads=arguments.threads, n_gpu_layers=0
    )
    with tempfile.TemporaryDirectory() as folder:
        cache = CacheOptions(folder=folder, memory_bytes=2 << 30, disk_bytes=8 << 30)
        model = Path(arguments.model)
        with RunnerProcess() as runner:
            runner.load(model, options, cache=cache)
            show("first reading", ask(runner, talk, "What did he count?"))
            show("the same chat goes on", ask(runner, talk, "What did he write?"))
            show(
                "another chat between", ask(runner, [user("Hello."), assistant("Hello!")], "Well?", owner="b")
            )
            show("back from memory", ask(runner, talk, "Where did he write?"))
            runner.leave()
        with RunnerProcess() as runner:
            runner.load(model, options, cache=cache)
            show("back after a restart", ask(runner, talk, "Who will read it?"))


def long_talk(n_sentences: int) -> list[ChatMessage]:
    """Return four questions of ``n_sentences`` together, each with a short answer."""
    return [
        turn
        for number in range(4)
        for turn in (user(f"{number}. " + SENTENCE * (n_sentences // 4)), assistant("I see."))
    ]


def ask(runner: RunnerProcess, talk: list[ChatMessage], question: str, *, owner: str = "a") -> Finished:
    """Return the end of a short answer to ``question`` behind ``talk``."""
    task = GenerationTask(
        prompt=ChatInput(messages=(*talk, user(question))),
        sampling=SamplingParams(temperature=0, max_tokens=4),
        owner=owner,
    )
    return runner.finish(runner.start_task(task)).finished


def show(name: str, end: Finished) -> None:
    """Print one line."""
    usage, cache = end.usage, end.usage.cache
    sys.stdout.write(
        f"{name}: first token {1000 * end.timings.first_token_s:.0f} ms; of {usage.n_prompt} tokens "
        f"{cache.n_context} were in the context, {cache.n_memory} in memory, {cache.n_disk} on disk "
        f"({100 * usage.n_cached / usage.n_prompt:.1f} % not read again"
        f"{'' if cache.miss is None else f', {cache.miss.value}'})\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
