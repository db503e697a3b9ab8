"""Measure what probabilities, a schema and tools cost: eight streams with them and without, in turn.

A B A B … in one runner; the figure to quote is the median of the ratios of neighbours. 1.0 costs nothing.

Usage: PYTHONPATH=tests python tests/tools/bench/extras.py [--model FILE] [--rounds 5] [--threads N]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Final

import msgspec

from fireside.core.message import ChatMessage, Role, TextPart
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask, JsonSchemaConstraint
from fireside.library.starter import starter_folder
from llama.begun_calls import TOOL
from tools.bench.rounds import OurRunner, Request, Setup, plain_task
from tools.bench.server import N_CLIENTS, N_DECODE, N_TOKENS_OF_SENTENCE, SENTENCE, compared, figure, fresh

_SCHEMA: Final = '{"type": "array", "items": {"type": "string", "minLength": 20}, "minItems": 50}'
_N_ALTERNATIVES: Final = 5


def with_logprobs(request: Request) -> GenerationTask:
    task = plain_task(request)
    sampling = msgspec.structs.replace(task.sampling, top_logprobs=_N_ALTERNATIVES)
    return msgspec.structs.replace(task, sampling=sampling)


def with_schema(request: Request) -> GenerationTask:
    return msgspec.structs.replace(plain_task(request), constraint=JsonSchemaConstraint(schema=_SCHEMA))


def with_tools(request: Request) -> GenerationTask:
    messages = (ChatMessage(role=Role.USER, parts=(TextPart(text=request.prompt),)),)
    return msgspec.structs.replace(plain_task(request), prompt=ChatInput(messages=messages, tools=(TOOL,)))


EXTRAS: dict[str, Callable[[Request], GenerationTask]] = {
    "logprobs": with_logprobs,
    "schema": with_schema,
    "tools": with_tools,
}


def decode(make_task: Callable[[Request], GenerationTask], before: str = "") -> Callable[[OurRunner], float]:
    """Tokens a second of all streams, from the first one's first token."""

    def measure(ours: OurRunner) -> float:
        ours.make_task = make_task
        outcomes = ours.run([Request(before + fresh(1), N_DECODE) for _ in range(N_CLIENTS)])
        seconds = max(outcome.last_s for outcome in outcomes) - min(outcome.first_s for outcome in outcomes)
        return sum(outcome.n_completion - 1 for outcome in outcomes) / seconds

    return measure


def as_long_as(make_task: Callable[[Request], GenerationTask], ours: OurRunner) -> str:
    """Return what makes a plain prompt as long: tools are written into theirs, which all begin alike."""
    ours.make_task = make_task
    n_prompt = ours.run([Request(fresh(1), n_predict=1)])[0].n_prompt
    return SENTENCE * (n_prompt // N_TOKENS_OF_SENTENCE - 1)


def main() -> None:
    """Print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=str(starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    arguments = parser.parse_args()
    setup = Setup(arguments.model, n_ctx=2048, n_slots=N_CLIENTS, n_threads=arguments.threads)
    with OurRunner(setup) as ours:
        for name, make_task in EXTRAS.items():
            extra, plain = decode(make_task), decode(plain_task, as_long_as(make_task, ours))
            extra(ours), plain(ours)
            pairs = [(figure(extra, ours), figure(plain, ours)) for _ in range(arguments.rounds)]
            sys.stdout.write(f"{name}, against without: {compared(pairs)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
