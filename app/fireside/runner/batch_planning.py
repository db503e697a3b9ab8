"""Decide which slots take part in the next decode step, and with how many tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

_PAUSE_S: Final = 0.1
"""How long a step may take while others stream: more is felt as stutter."""
_PORTION: Final = 16
"""Prompts are read beside streams in multiples of this: fewer tokens cost about as much as so many."""
_FIRST_PORTION: Final = 64
_NEWS: Final = 0.5
"""How much the last measurement counts against those before: steps get slower as contexts fill."""
_EVENLY_EVERY: Final = 4
"""Prompts are read one after the other, so that most answers begin sooner; every so many steps all move."""
BACKGROUND_EVERY: Final = 8
"""Where both are there, every so many steps the background moves too, so that it is slow and never stuck."""


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


class Work(NamedTuple):
    """What was computed so far: decode steps, and the forward passes that they took."""

    n_steps: int = 0
    n_passes: int = 0

    def plus(self, n_passes: int) -> Work:
        """Return this and one more step."""
        return Work(self.n_steps + 1, self.n_passes + n_passes)


class PromptPace:
    """How many prompt tokens may be read in a step beside streams, by the time that steps have taken here."""

    def __init__(self) -> None:
        self._token_s: float | None = None

    def measured(self, n_tokens: int, seconds: float) -> None:
        """Take in how long a step took, logits included. Steps without a portion of a prompt tell nothing."""
        if n_tokens < _PORTION:
            return
        token_s = seconds / n_tokens
        before = token_s if self._token_s is None else self._token_s
        self._token_s = before + _NEWS * (token_s - before)

    @property
    def n_beside_streams(self) -> int:
        """Prompt tokens for one step."""
        return max(_PORTION, self.n_within(_PAUSE_S) // _PORTION * _PORTION)

    def n_within(self, seconds: float) -> int:
        """Return how many tokens are computed in ``seconds``; a few where nothing is known yet."""
        return _FIRST_PORTION if self._token_s is None else int(seconds / self._token_s)


def plan_batch(demands: Sequence[Demand], *, n_max: int, n_beside: int, step: int) -> list[Share]:
    """Return the shares of one step: at most ``n_max`` tokens, ``n_beside`` of prompts beside streams.

    Every streaming sequence gets its one token. What is left goes to the prompt that has least to read: all
    together take as long in any order, and so most answers begin sooner. In every fourth step it goes to all
    prompts in equal parts, each time another one first. While anything interactive is under way, the
    background takes part in every eighth step only, first among the prompts then; and in steps that read
    interactive prompts only, where one token more costs next to nothing.
    """
    turn = None if step % _EVENLY_EVERY else step // _EVENLY_EVERY
    front = [demand for demand in demands if demand.interactive]
    if not front or len(front) == len(demands):
        n_prompt = n_beside if any(map(_streams, demands)) else n_max
        return _divide([demands], n_max=n_max, n_prompt=n_prompt, turn=turn)
    back = [demand for demand in demands if not demand.interactive]
    has_streams = any(map(_streams, front))
    n_prompt = n_beside if has_streams else n_max
    if step % BACKGROUND_EVERY == 0:
        return _divide([back, front], n_max=n_max, n_prompt=n_prompt, turn=step // BACKGROUND_EVERY)
    beside = [] if has_streams else list(filter(_streams, back))
    return _divide([front, beside], n_max=n_max, n_prompt=n_prompt, turn=turn)


def _streams(demand: Demand) -> bool:
    return demand.streaming and demand.n_pending == 1


def _divide(groups: list[Sequence[Demand]], *, n_max: int, n_prompt: int, turn: int | None) -> list[Share]:
    """Give every stream its token, then what is left to the prompts of one group after the other.

    Args:
        turn: which of a group's prompts is the first in equal parts; ``None`` reads them one after the other.
    """
    shares = [Share(demand.slot, 1, True) for group in groups for demand in group if _streams(demand)]
    if len(shares) == sum(map(len, groups)):
        return shares[:n_max]
    del shares[n_max:]
    n_left = min(n_max - len(shares), n_prompt)
    for group in groups:
        prompts = [demand for demand in group if not _streams(demand)]
        if prompts:
            n_left -= _share_out(prompts, n_left=n_left, turn=turn, shares=shares)
    return shares


def _share_out(prompts: list[Demand], *, n_left: int, turn: int | None, shares: list[Share]) -> int:
    """Append shares for ``prompts`` and return how many tokens they take."""
    if turn is None:
        order = sorted(prompts, key=lambda demand: demand.n_pending)
    else:
        first = turn % len(prompts)
        order = prompts[first:] + prompts[:first]
    n_taken = 0
    for n_before, demand in enumerate(order):
        n_parts = 1 if turn is None else len(prompts) - n_before
        # Rounded up, so that few tokens for many prompts still move one of them.
        part = -(-(n_left - n_taken) // n_parts)
        n_tokens = min(demand.n_pending, part)
        if n_tokens > 0:
            shares.append(Share(demand.slot, n_tokens, n_tokens == demand.n_pending))
            n_taken += n_tokens
    return n_taken
