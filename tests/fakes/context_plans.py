"""Plans of a context as tests need them."""

from __future__ import annotations

from typing import Any

from fireside.core.context import ContextPlan, ContextSummary
from fireside.core.ids import ConversationId, MessageId, SummaryId


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
