"""Decide who takes part in the next decode step, and with how many tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

N_PREFILL_BESIDE_STREAMS: Final = 128
"""Prompt tokens in one step while others stream: more is felt as stutter, less reads the prompt slowly."""


class Demand(NamedTuple):
    """What one busy slot has to evaluate."""

    slot: int
    n_pending: int
    """Tokens known and not yet in the KV cache, at least 1."""
    streaming: bool
    """Whether it has produced text already."""
    interactive: bool


class Share(NamedTuple):
    """A slot's part of a step. If ``completes``, its last token's logits are wanted."""

    slot: int
    n_tokens: int
    completes: bool


def plan_batch(demands: Sequence[Demand], *, n_max: int, rotation: int) -> list[Share]:
    """Return the shares of one step, at most ``n_max`` tokens together.

    Every streaming sequence gets its one token. What is left goes to prompts, in equal parts, the interactive
    ones first; ``rotation``, another number each step, decides who gets the remainder.
    """
    shares = [Share(demand.slot, 1, True) for demand in demands if demand.streaming and demand.n_pending == 1]
    del shares[n_max:]
    if len(shares) == len(demands):
        return shares
    n_left = n_max - len(shares)
    if shares:
        n_left = min(n_left, N_PREFILL_BESIDE_STREAMS)
    for interactive in (True, False):
        prompts = [
            demand
            for demand in demands
            if demand.interactive is interactive and not (demand.streaming and demand.n_pending == 1)
        ]
        n_left -= _divide(prompts, n_left=n_left, rotation=rotation, shares=shares)
    return shares


def _divide(prompts: list[Demand], *, n_left: int, rotation: int, shares: list[Share]) -> int:
    """Append shares for ``prompts`` and return how many tokens they take."""
    if not prompts:
        return 0
    first = rotation % len(prompts)
    n_taken = 0
    for n_before, demand in enumerate(prompts[first:] + prompts[:first]):
        # Rounded up, so that few tokens for many prompts still move somebody.
        part = -(-(n_left - n_taken) // (len(prompts) - n_before))
        n_tokens = min(demand.n_pending, part)
        if n_tokens > 0:
            shares.append(Share(demand.slot, n_tokens, n_tokens == demand.n_pending))
            n_taken += n_tokens
    return n_taken
