"""One answer to write: what from, by which rules, and what to do when it does not fit."""

from __future__ import annotations

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.generation import Overflow, Priority, WhenFull
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import PromptInput


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
    priority: Priority = Priority.INTERACTIVE
    lora_scales: tuple[float, ...] | None = None
    """Strength of each adapter of ``LoadOptions.lora`` for this answer; ``None`` is as loaded."""
    owner: str | None = None
    """Whose prompt this is, such as a conversation: its caches are told apart, and forgotten, by it."""
