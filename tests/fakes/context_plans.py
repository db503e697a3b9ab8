"""Plans of a context as tests need them, and what a model counts for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fireside.core.context import ContextPlan, ContextSummary
from fireside.core.ids import ConversationId, MessageId, SummaryId
from fireside.core.message import Role
from fireside.core.prompt_query import MessageTokens, PromptMeasure, PromptMeasureRequest


def plan_of(**changed: Any) -> ContextPlan:
    """Return a plan of a conversation of 1,880 tokens in a context of 8k."""
    fields: dict[str, Any] = {
        "n_ctx": 8192,
        "n_reserve": 512,
        "n_prompt": 1880,
        "n_system": 61,
        "n_history": 1740,
        "n_draft": 79,
    }
    return ContextPlan(**{**fields, **changed})


def summary_of(text: str = "They spoke of boats.", **changed: Any) -> ContextSummary:
    """Return a summary of four messages."""
    fields: dict[str, Any] = {
        "id": SummaryId(1),
        "conversation_id": ConversationId(1),
        "through": MessageId(4),
        "text": text,
        "n_messages": 4,
        "model_name": "SmolLM2 135M Instruct",
        "created_at": 1_000.0,
    }
    return ContextSummary(**{**fields, **changed})


def counts(
    n_prompt: int = 1880,
    *,
    costs: Sequence[int] = (),
    last: MessageTokens | None = None,
    n_dropped: int = 0,
    fits: bool = True,
) -> Callable[[PromptMeasureRequest], PromptMeasure]:
    """Return what measures prompts: ``n_prompt`` tokens each, without the ``n_dropped`` oldest messages.

    ``costs`` are those of the first messages, ``last`` that of the last one; the others cost nothing.
    """

    def measure(question: PromptMeasureRequest) -> PromptMeasure:
        said = [each for each in question.prompt.messages if each.role is not Role.SYSTEM]
        messages = [MessageTokens(n, 0) for n in (*costs, *(0 for _ in said))][: len(said)]
        if last is not None:
            messages[-1] = last
        return PromptMeasure(
            n_prompt=n_prompt, n_system=61, messages=tuple(messages), n_dropped=n_dropped, fits=fits
        )

    return measure
