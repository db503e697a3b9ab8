"""Token usage of a model's context by part, and the summary of what no longer fits."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.ids import ConversationId, MessageId, SummaryId

STEP_SHARE = 0.5
"""The fraction of the available context that remains used when the oldest messages are dropped. Many are
dropped at once, so that the following prompts share a prefix and are found in the prompt cache."""


PASSAGES_SHARE = 0.6
"""The maximum fraction of the free context for passages of documents."""
LEAST_PASSAGES_SHARE = 0.25
"""The fraction of the whole context that passages may take in any case, however long the chat is."""


def passages_budget(n_ctx: int, *, n_taken: int) -> int:
    """Return the maximum tokens of passages; messages and reserve take ``n_taken`` of ``n_ctx``."""
    return max(int((n_ctx - n_taken) * PASSAGES_SHARE), int(n_ctx * LEAST_PASSAGES_SHARE))


class FullContext(StrEnum):
    """What to do with a conversation that no longer fits; the values are those of the setting."""

    STOP = "refuse"
    """Nothing is sent until the user has decided."""
    DROP_OLDEST = "drop_oldest"
    """The model no longer sees the oldest turns."""
    COMPACT = "compact"
    """The model writes a summary of the oldest turns, which replaces them in the prompt."""
    SHIFT = "shift"
    """The oldest tokens are removed, regardless of message boundaries."""


class ContextSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A summary that replaces the messages up to ``through`` in the prompt, on every branch with this one."""

    id: SummaryId
    conversation_id: ConversationId
    through: MessageId
    """The last message that it replaces."""
    text: str
    n_messages: int
    """The number of messages that it replaces."""
    model_name: str
    created_at: float
    edited: bool = False
    """Whether the user edited it."""


class MessageCost(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens of one message of the branch."""

    id: MessageId
    n_tokens: int
    n_attached: int = 0
    """The part of ``n_tokens`` of its files."""


class ContextPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The use of the context by the next request of a branch, in tokens.

    ``n_prompt`` is the sum of ``n_system``, ``n_summary``, ``n_history``, ``n_attached`` and ``n_draft``.
    """

    n_ctx: int
    n_reserve: int
    """Reserved for the reply."""
    n_prompt: int
    n_system: int
    """The system prompt, and the template's text around all messages."""
    n_history: int
    """Text of the messages that the model sees."""
    n_attached: int = 0
    """Files and passages of the messages that the model sees, and of the draft."""
    n_draft: int = 0
    """Text of the draft."""
    n_summary: int = 0
    """The summary of earlier messages."""
    messages: tuple[MessageCost, ...] = ()
    """All messages of the branch in order, except empty ones."""
    seen_from: MessageId | None = None
    """The first message that the model will see; ``None`` if it sees all."""
    n_unseen: int = 0
    """The number of messages before that one."""
    policy: FullContext = FullContext.DROP_OLDEST
    summary: ContextSummary | None = None
    """Replaces the oldest of the unseen messages."""
    will_summarise: bool = False
    """Whether a summary of the unseen messages will be written before the next answer."""
    fits: bool = True
    is_exact: bool = True
    """Whether the model counted the tokens; otherwise they are estimated from earlier answers."""

    @property
    def n_for_passages(self) -> int:
        """The maximum tokens of passages for the next question."""
        return passages_budget(
            self.n_ctx, n_taken=self.n_reserve + sum(each.n_tokens for each in self.messages)
        )

    @property
    def n_free(self) -> int:
        """Tokens used neither by the prompt nor by the reserve."""
        return max(0, self.n_ctx - self.n_prompt - self.n_reserve)

    @property
    def fraction(self) -> float:
        """The fraction of the context that the prompt takes, without the reserve."""
        return self.n_prompt / self.n_ctx if self.n_ctx > 0 else 0.0
