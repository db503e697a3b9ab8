"""Measure the whole program against bare llama-cpp-python: prompt reading and decoding of one stream.

Both run the same model, prompt, threads and greedy sampling, in turn: A B A B … The figure to quote is the
median of the ratios of neighbours, since a shared machine drifts. 1.0 is as fast as bare.

Usage: PYTHONPATH=tests python tests/tools/bench/speed.py [--rounds 5] [--tokens 256] [--threads N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from qasync import QEventLoop

from fireside.bridge.client import EngineClient
from fireside.bridge.engine_thread import EngineThread
from fireside.core.events import AppEvent, MessageReplaced, TextAppended
from fireside.library.starter import starter_folder
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context
from fireside.settings.parse import parse_assignments

SENTENCE = "The keeper counted the waves and wrote their number in a book that nobody else would read. "
QUESTION = SENTENCE * 60 + "Write a very long story about this."
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
PROMPT = (
    f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{QUESTION}<|im_end|>\n<|im_start|>assistant\n"
)


def main() -> None:
    """Run the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    arguments = parser.parse_args()
    model = str(starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf")
    rounds = []
    with tempfile.TemporaryDirectory() as home:
        prompt_file = Path(home) / "prompt.txt"
        prompt_file.write_text(PROMPT, encoding="utf-8")
        for _ in range(arguments.rounds):
            ours = whole_program(home, n_tokens=arguments.tokens, n_threads=arguments.threads)
            bare = bare_llama(model, str(prompt_file), n_tokens=arguments.tokens, n_threads=arguments.threads)
            rounds.append((ours, bare))
            show_round(ours, bare)
    for figure in ("prompt_tokens_per_s", "decode_tokens_per_s"):
        ratios = sorted(ours[figure] / bare[figure] for ours, bare in rounds)
        median = statistics.median(ratios)
        sys.stdout.write(f"{figure} ratio: median {median:.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})\n")


def show_round(ours: dict[str, float], bare: dict[str, float]) -> None:
    """Print one line."""
    sys.stdout.write(
        f"Fireside: prompt {ours['prompt_tokens_per_s']:.0f}/s ({ours['n_prompt']:.0f} tokens), "
        f"decode {ours['decode_tokens_per_s']:.1f}/s ({ours['n_decoded']:.0f}) · "
        f"bare: prompt {bare['prompt_tokens_per_s']:.0f}/s ({bare['n_prompt']:.0f}), "
        f"decode {bare['decode_tokens_per_s']:.1f}/s ({bare['n_decoded']:.0f})\n"
    )
    sys.stdout.flush()


def bare_llama(model: str, prompt_file: str, *, n_tokens: int, n_threads: int) -> dict[str, float]:
    """Run the peer in a process of its own."""
    script = Path(__file__).with_name("bare_llama.py")
    ended = subprocess.run(
        [sys.executable, str(script), model, prompt_file, str(n_tokens), str(n_threads)],
        check=True,
        capture_output=True,
        text=True,
    )
    figures: dict[str, float] = json.loads(ended.stdout)
    return figures


def whole_program(home: str, *, n_tokens: int, n_threads: int) -> dict[str, float]:
    """Send one message as the window does: engine thread, scheduler, runner, database, frames."""
    command_line = parse_assignments(
        [
            f"load.n_threads={n_threads}",
            "load.n_seq_max=1",
            "load.n_ctx=8192",
            "sampling.temperature=0",
            f"sampling.max_tokens={n_tokens}",
            f"chat.system_prompt={SYSTEM}",
        ]
    )
    folder = tempfile.mkdtemp(dir=home)
    context = load_context({"FIRESIDE_HOME": folder}, command_line=command_line)
    application = QCoreApplication.instance() or QCoreApplication([])
    loop = QEventLoop(application)
    thread = EngineThread(
        build=lambda pump: build_app(
            context, emit=pump.add, next_frame=pump.next_frame, persistence=Persistence.AS_OWNER
        )
    )
    client = EngineClient(thread)
    thread.start()
    try:
        with loop:
            figures: dict[str, float] = loop.run_until_complete(converse(client))
            return figures
    finally:
        thread.stop()


async def converse(client: EngineClient) -> dict[str, float]:
    """Send the question once the model is ready; return the figures of the answer."""
    snapshot = await client.snapshot()
    assert snapshot.default_model is not None
    await client.models.load(snapshot.default_model, conversation_id=None)
    arrivals: list[tuple[float, int]] = []
    done: asyncio.Future[MessageReplaced] = asyncio.get_running_loop().create_future()

    def on_frame(events: tuple[AppEvent, ...]) -> None:
        now = time.perf_counter()
        for event in events:
            if isinstance(event, TextAppended):
                arrivals.append((now, event.delta.n_completion))
            elif isinstance(event, MessageReplaced) and not done.done():
                done.set_result(event)

    client.frame.connect(on_frame)
    sent = time.perf_counter()
    await client.generations.send(None, text=QUESTION, model_id=snapshot.default_model)
    answer = (await done).message
    record = answer.generation
    assert record is not None
    assert record.usage is not None, answer.error
    first, last = arrivals[0], arrivals[-1]
    return {
        "n_prompt": record.usage.n_prompt,
        "n_decoded": record.usage.n_completion,
        "prompt_tokens_per_s": record.usage.n_prompt / (first[0] - sent),
        "decode_tokens_per_s": (last[1] - first[1]) / (last[0] - first[0]),
    }


if __name__ == "__main__":
    main()
