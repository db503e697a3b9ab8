"""A generation task: prompt, sampling, constraint and what to do when it does not fit."""

from __future__ import annotations

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.generation import Overflow, Priority, WhenFull
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import PromptInput


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer begins with, whatever the model would have chosen."""

    tokens: tuple[int, ...] = ()
    text: str = ""
    """Where the tokens are not known: what they stand for."""
    parse_special: bool = False
    """Whether ``<think>`` and its like in ``text`` are control tokens. Only for what a model wrote."""
    ends: bool = False
    """Nothing follows it: only what the model thinks of each token is wanted."""


class GenerationTask(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one answer but the model that writes it."""

    prompt: PromptInput
    sampling: SamplingParams = SamplingParams()
    constraint: Constraint | None = None
    """Holds for the answer, not for the reasoning before it."""
    thinking_budget: int | None = None
    """Most tokens of reasoning; then it is closed and the answer begins. 0 asks for none."""
    overflow: Overflow = Overflow.DROP_OLDEST
    when_full: WhenFull = WhenFull.STOP
    drop_to: float = 1.0
    """When old turns are left out, the rest takes at most this part of the room; 1 leaves out the fewest."""
    n_reserve: int | None = None
    """Tokens kept free for the reply where ``sampling.max_tokens`` is open; ``None`` is the runner's choice.
    Never more than a quarter of the context."""
    priority: Priority = Priority.INTERACTIVE
    lora_scales: tuple[float, ...] | None = None
    """Strength of each adapter of ``LoadOptions.lora`` for this answer; ``None`` is as loaded."""
    replay: Replay | None = None
    owner: str | None = None
    """Whose prompt this is, such as a conversation: its caches are told apart, and forgotten, by it."""
