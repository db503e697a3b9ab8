"""Measure the runner against llama.cpp's own server: prefill, decode of several streams, time to first token.

Both serve the same model with the same settings from processes of their own, in turn: A B A B … The figure to
quote is the median of the ratios of neighbours, since a shared machine drifts. 1.0 is as fast as the peer.
Where other programs run, quote the ratios by processor time, with ``--threads 1``: threads that wait for each
other spin.

Both compute attention alike: plainly, as Fireside does on a processor, or fused with ``--flash-attn on``.
With ``auto`` each does what it does for its users, and there the peer's fused kernel is a little faster while
the context is short, and much slower behind 1,500 tokens (``decode_1_far``). Both share one cache among all
slots, as each does for its users; with ``--kv own`` each slot has its own in both, which takes more memory.

Usage: PYTHONPATH=tests python tests/tools/bench/server.py [--model FILE] [--rounds 5] [--threads N]
    [--only decode_4] [--flash-attn auto|on|off] [--kv unified|own] [--seconds 60]

``--only decode_1_farther`` measures behind 5,000 tokens, for models that were trained as far;
``--only decode_32 --only first_token_32_s`` with 32 slots of 512 tokens instead of 8 of 2,048.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeVar

from fireside.library.starter import starter_folder
from tools.bench.rounds import OurRunner, Outcome, PeerProcess, Request, Server, Setup

PEER_PACKAGES = Path(sys.prefix) / "share" / "fireside-bench" / "packages"
SENTENCE = "The keeper counted the waves and wrote their number in a book that nobody else would read. "
N_TOKENS_OF_SENTENCE = 19
N_DECODE = 96
N_CLIENTS = 8
MOST_REQUESTS = 200
"""No client gets so many answered in that time."""
_CLOCK_S = 0.01
"""How finely a system tells processor time."""
_numbers = count(1)


ServerT = TypeVar("ServerT", bound=Server)


class Figure(NamedTuple):
    """What one round came to, and the same for each core that was busy with it.

    The second one stays true where other programs take their share of the machine.
    """

    value: float
    a_core: float


def fresh(n_sentences: int) -> str:
    """Return a text that no cache has the beginning of."""
    return f"{next(_numbers) * 7919} waves. " + SENTENCE * n_sentences


def decode(n_streams: int) -> Callable[[Server], float]:
    """Tokens of all streams over the wall time of the round."""

    def measure(server: Server) -> float:
        outcomes = server.run([Request(fresh(1), N_DECODE) for _ in range(n_streams)])
        return sum(outcome.n_completion for outcome in outcomes) / max(o.last_s for o in outcomes)

    return measure


def decode_far(n_sentences: int) -> Callable[[Server], float]:
    """Tokens a second of one stream behind a long prompt, without the time to read that.

    Each server reads the prompt in its first round and has it in its cache from then on.
    """
    begun = fresh(n_sentences)

    def measure(server: Server) -> float:
        outcome = server.run([Request(f"{begun}{next(_numbers)} times.", N_DECODE)])[0]
        return (outcome.n_completion - 1) / (outcome.last_s - outcome.first_s)

    return measure


def prefill(n_prompts: int, n_sentences: int) -> Callable[[Server], float]:
    """Prompt tokens a second, until each of the prompts has its first token."""

    def measure(server: Server) -> float:
        outcomes = server.run([Request(fresh(n_sentences), 1) for _ in range(n_prompts)])
        return sum(outcome.n_prompt for outcome in outcomes) / max(o.first_s for o in outcomes)

    return measure


def coming_and_going(seconds: float) -> Callable[[Server], float]:
    """Tokens a second of eight clients that ask for answers of many lengths, one after the other.

    Both servers get the same lengths in the same order: they are asked in turn.
    """
    rounds = count()

    def measure(server: Server) -> float:
        mixed = random.Random(next(rounds) // 2)
        clients = [
            [Request(fresh(mixed.randint(1, 12)), mixed.randint(8, 160)) for _ in range(MOST_REQUESTS)]
            for _ in range(N_CLIENTS)
        ]
        outcomes = server.serve(clients, seconds=seconds)
        return sum(outcome.n_completion for outcome in outcomes) / max(o.last_s for o in outcomes)

    return measure


def short_prompt(server: Server) -> float:
    """Seconds to the first token of an 8-token prompt."""
    return statistics.median(
        server.run([Request(f"Tell me of {next(_numbers)}", 1)])[0].first_s for _ in range(8)
    )


def first_tokens(n_streams: int) -> Callable[[Server], float]:
    """Seconds to the first token of streams that are asked for at once, in the median."""

    def measure(server: Server) -> float:
        outcomes = server.run([Request(fresh(1), 16) for _ in range(n_streams)])
        return statistics.median(outcome.first_s for outcome in outcomes)

    return measure


def cached_turn(server: Server) -> float:
    """Seconds to the first token of a turn whose first 1,500 tokens are in a slot."""
    begun = fresh(80)
    server.run([Request(begun, 1)])
    seconds = []
    for _ in range(4):
        begun += "What came then? "
        outcome: Outcome = server.run([Request(begun, 1)])[0]
        assert outcome.n_cached > 0.9 * outcome.n_prompt, outcome
        seconds.append(outcome.first_s)
    return statistics.median(seconds)


MEASURES: dict[str, Callable[[Server], float]] = {
    "decode_1": decode(1),
    "decode_4": decode(4),
    "decode_8": decode(8),
    "decode_32": decode(32),
    "decode_1_far": decode_far(80),
    "decode_1_farther": decode_far(265),
    "coming_and_going": coming_and_going(60),
    "prefill_1500": prefill(1, 80),
    "prefill_4_at_once": prefill(4, 40),
    "first_token_short_s": short_prompt,
    "first_token_8_s": first_tokens(8),
    "first_token_32_s": first_tokens(32),
    "first_token_cached_s": cached_turn,
}

FARTHER = "decode_1_farther"
"""Behind 5,000 tokens: the context of each slot is made as long for it."""
MANY = {"decode_32", "first_token_32_s"}
"""With 32 slots."""
ALONE = ("decode_1", "decode_1_far", "prefill_1500", "first_token_short_s")
PEERS = {
    "xllamacpp_server": tuple(name for name in MEASURES if name not in {FARTHER, *MANY}),
    "llama_cpp_server": ALONE,
}
"""What each is measured at unless ``--only`` says otherwise; the server of llama-cpp-python answers one
request at a time."""


def main() -> None:
    """Print each round and the median of each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=str(starter_folder() / "SmolLM2-135M-Instruct.Q4_1.gguf"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--peer", choices=PEERS, default="xllamacpp_server")
    parser.add_argument("--flash-attn", choices=["auto", "on", "off"], default="off")
    parser.add_argument("--kv", choices=["unified", "own"], default="unified")
    parser.add_argument("--only", choices=MEASURES, action="append")
    parser.add_argument("--seconds", type=float, default=60, help="of coming_and_going")
    arguments = parser.parse_args()
    measures = {**MEASURES, "coming_and_going": coming_and_going(arguments.seconds)}
    measured = tuple(arguments.only or PEERS[arguments.peer])
    setup = Setup(
        arguments.model,
        n_ctx=6144 if FARTHER in measured else 512 if MANY & {*measured} else 2048,
        n_slots=1 if measured == (FARTHER,) else 32 if MANY & {*measured} else 8,
        n_threads=arguments.threads,
        flash_attn=arguments.flash_attn,
        kv=arguments.kv,
    )
    packages = PEER_PACKAGES if PEER_PACKAGES.is_dir() else None
    with OurRunner(setup) as ours, PeerProcess(f"{arguments.peer}.py", setup, packages=packages) as peer:
        compute = sum(report.compute_bytes for report in ours.loaded.memory)
        sys.stdout.write(f"compute buffers at {setup.n_slots} slots: {compute / 2**20:.1f} MiB\n")
        for name in measured:
            before = ours.work()
            compare(name, measures[name], ours=ours, peer=peer, n_rounds=arguments.rounds)
            after = ours.work()
            n_steps, n_passes = after.n_steps - before.n_steps, after.n_passes - before.n_passes
            sys.stdout.write(f"    {n_passes / n_steps:.2f} passes a step in {n_steps} steps\n")


def compare(
    name: str, measure: Callable[[Server], float], *, ours: Server, peer: Server, n_rounds: int
) -> None:
    """Run both in turn, once unmeasured, and print ratio or difference."""
    measure(ours), measure(peer)
    pairs = [(figure(measure, ours), figure(measure, peer)) for _ in range(n_rounds)]
    if name.endswith("_s"):
        mine, theirs = (
            1000 * statistics.median(each.value for each in side) for side in zip(*pairs, strict=True)
        )
        gaps = [1000 * (mine.value - theirs.value) for mine, theirs in pairs]
        line = f"{mine:.1f} ms against {theirs:.1f} ms, {_spread(gaps, '+.1f')}"
    else:
        line = compared(pairs)
    sys.stdout.write(f"{name}: {line}\n")
    sys.stdout.flush()


def compared(pairs: list[tuple[Figure, Figure]]) -> str:
    """Return both sides' figures and the ratios of neighbours."""
    mine, theirs = (statistics.median(each.value for each in side) for side in zip(*pairs, strict=True))
    ratios = [mine.value / theirs.value for mine, theirs in pairs]
    cores = [mine.a_core / theirs.a_core for mine, theirs in pairs]
    return (
        f"{mine:.1f}/s against {theirs:.1f}/s, ratio {_spread(ratios, '.3f')}; "
        f"by processor time {_spread(cores, '.3f')}"
    )


def figure(measure: Callable[[ServerT], float], server: ServerT) -> Figure:
    """Return what is measured, with what the processor did for it meanwhile."""
    started, used = time.perf_counter(), server.processor_s()
    value = measure(server)
    used, wall = server.processor_s() - used, time.perf_counter() - started
    return Figure(value, value * wall / max(used, _CLOCK_S))


def _spread(values: list[float], form: str) -> str:
    """Return the median with the least and the greatest."""
    low, middle, high = (format(each, form) for each in (min(values), statistics.median(values), max(values)))
    return f"{middle} in the median ({low} to {high})"


if __name__ == "__main__":
    main()
