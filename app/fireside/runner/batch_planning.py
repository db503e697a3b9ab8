"""Decide which slots take part in the next decode step, and with how many tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

_MAX_STREAM_STEP_S: Final = 0.1
"""Longest step while others stream; more is noticed as stutter."""
_PORTION: Final = 16
"""Beside streams, prompts are evaluated in multiples of this: fewer tokens cost about as much."""
_FIRST_PORTION: Final = 64
_SMOOTHING: Final = 0.5
"""Weight of the last measurement in the moving average: steps get slower as contexts fill."""
_EVEN_EVERY: Final = 4
"""Prompts are evaluated one after the other, so that most answers begin sooner; every n-th step takes part
of all of them."""
BACKGROUND_EVERY: Final = 8
"""Next to interactive requests, background ones take part in every n-th step: slow, but never stuck."""


class Demand(NamedTuple):
    """What one busy slot has to decode."""

    slot: int
    n_pending: int
    """Tokens not yet in the KV cache, at least 1."""
    streaming: bool
    """Whether it has generated tokens already."""
    interactive: bool


class Share(NamedTuple):
    """A slot's part of a step. If ``completes``, it ends the pending tokens and its last one needs logits."""

    slot: int
    n_tokens: int
    completes: bool


class Work(NamedTuple):
    """Counters: decode steps so far, and the forward passes that they took."""

    n_steps: int = 0
    n_passes: int = 0

    def plus(self, n_passes: int) -> Work:
        """Return this with one more step."""
        return Work(self.n_steps + 1, self.n_passes + n_passes)


class PromptSpeed:
    """Measured speed of prompt processing, and how many prompt tokens fit into a step beside streams."""

    def __init__(self) -> None:
        self._token_s: float | None = None

    def add_measurement(self, n_tokens: int, seconds: float) -> None:
        """Add the duration of a step, logits included. Steps of few tokens are ignored."""
        if n_tokens < _PORTION:
            return
        token_s = seconds / n_tokens
        average = token_s if self._token_s is None else self._token_s
        self._token_s = average + _SMOOTHING * (token_s - average)

    @property
    def n_alongside_streams(self) -> int:
        """Prompt tokens for one step beside streams."""
        return max(_PORTION, self.n_within(_MAX_STREAM_STEP_S) // _PORTION * _PORTION)

    def n_within(self, seconds: float) -> int:
        """Return how many tokens are decoded in ``seconds``; a small default before the first measurement."""
        return _FIRST_PORTION if self._token_s is None else int(seconds / self._token_s)


def plan_batch(demands: Sequence[Demand], *, n_max: int, n_alongside: int, step: int) -> list[Share]:
    """Return the shares of one step: at most ``n_max`` tokens, ``n_alongside`` of prompts beside streams.

    Every streaming sequence gets its one token. The rest goes to the prompt with the fewest pending tokens:
    the total time is the same in any order, and so most answers begin sooner. In every fourth step it goes
    to all prompts in equal parts, each time another one first. While there are interactive requests,
    background requests take part in every eighth step only, first among the prompts then; and their streams
    in steps that contain only interactive prompts, where one token more costs next to nothing.
    """
    turn = None if step % _EVEN_EVERY else step // _EVEN_EVERY
    foreground = [demand for demand in demands if demand.interactive]
    if not foreground or len(foreground) == len(demands):
        n_prompt = n_alongside if any(map(_streams, demands)) else n_max
        return _divide([demands], n_max=n_max, n_prompt=n_prompt, turn=turn)
    background = [demand for demand in demands if not demand.interactive]
    has_streams = any(map(_streams, foreground))
    n_prompt = n_alongside if has_streams else n_max
    if step % BACKGROUND_EVERY == 0:
        return _divide(
            [background, foreground], n_max=n_max, n_prompt=n_prompt, turn=step // BACKGROUND_EVERY
        )
    background_streams = [] if has_streams else list(filter(_streams, background))
    return _divide([foreground, background_streams], n_max=n_max, n_prompt=n_prompt, turn=turn)


def _streams(demand: Demand) -> bool:
    return demand.streaming and demand.n_pending == 1


def _divide(groups: list[Sequence[Demand]], *, n_max: int, n_prompt: int, turn: int | None) -> list[Share]:
    """Give every stream its token, then the rest to the prompts of one group after the other.

    Args:
        turn: rotates which prompt of a group is first in equal parts; ``None`` evaluates one after the other.
    """
    shares = [Share(demand.slot, 1, True) for group in groups for demand in group if _streams(demand)]
    if len(shares) == sum(map(len, groups)):
        return shares[:n_max]
    del shares[n_max:]
    n_left = min(n_max - len(shares), n_prompt)
    for group in groups:
        prompts = [demand for demand in group if not _streams(demand)]
        if prompts:
            n_left -= _add_prompt_shares(prompts, n_left=n_left, turn=turn, shares=shares)
    return shares


def _add_prompt_shares(prompts: list[Demand], *, n_left: int, turn: int | None, shares: list[Share]) -> int:
    """Append the shares of ``prompts`` and return their number of tokens."""
    if turn is None:
        order = sorted(prompts, key=lambda demand: demand.n_pending)
    else:
        first = turn % len(prompts)
        order = prompts[first:] + prompts[:first]
    n_taken = 0
    for n_before, demand in enumerate(order):
        n_parts = 1 if turn is None else len(prompts) - n_before
        # Rounded up, so that few tokens for many prompts still advance one of them.
        part = -(-(n_left - n_taken) // n_parts)
        n_tokens = min(demand.n_pending, part)
        if n_tokens > 0:
            shares.append(Share(demand.slot, n_tokens, n_tokens == demand.n_pending))
            n_taken += n_tokens
    return n_taken
