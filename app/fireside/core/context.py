"""Token usage of a model's context by part, and the summary of what no longer fits."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.generation import Overflow
from fireside.core.ids import ConversationId, MessageId, SummaryId
from fireside.core.prompt_input import ChatInput

STEP_SHARE = 0.5
"""Of the room: what is left when the oldest messages are left out. Less often and more at once, so that in
between each prompt begins as the one before it did, and is in the cache."""


PASSAGES_SHARE = 0.6
"""Of the free context: what passages of documents take at most."""
LEAST_PASSAGES_SHARE = 0.25
"""Of the whole context: what they may take however long the chat is already."""


def passages_budget(n_ctx: int, *, n_taken: int) -> int:
    """Return how many tokens passages may take of ``n_ctx``; messages and reserve take ``n_taken``."""
    return max(int((n_ctx - n_taken) * PASSAGES_SHARE), int(n_ctx * LEAST_PASSAGES_SHARE))


class FullContext(StrEnum):
    """What becomes of a conversation that no longer fits; each has its own name in the settings."""

    STOP = "refuse"
    """Nothing is sent before the user has chosen."""
    DROP_OLDEST = "drop_oldest"
    """The model no longer sees the oldest turns."""
    COMPACT = "compact"
    """The model writes a summary of the oldest turns, and sees that in their place."""
    SHIFT = "shift"
    """The oldest tokens are cut out, wherever that falls."""


class MessageTokens(msgspec.Struct, frozen=True, array_like=True):
    """One message of a measured prompt, in tokens; ``n_attached`` of them are its files'."""

    n_tokens: int
    n_attached: int


class PromptMeasureRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is measured: the prompt of a request that might be made, and the rules by which it is fitted."""

    prompt: ChatInput
    overflow: Overflow = Overflow.DROP_OLDEST
    n_reserve: int | None = None
    """Tokens kept free for the reply; see ``GenerationTask.n_reserve``."""
    drop_to: float = 1.0
    """See ``GenerationTask.drop_to``."""


class PromptMeasure(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens of a prompt as the request would be made now, counted by the model's own tokenizer."""

    n_prompt: int
    """What the runner will report as ``Usage.n_prompt``; if nothing fits, what would be the least."""
    n_system: int
    """Words of the system prompt."""
    messages: tuple[MessageTokens, ...]
    """Of each message behind the system prompt, whether it is left out or not."""
    n_dropped: int = 0
    """So many of ``messages``, from the oldest, are left out."""
    n_cut: int = 0
    """Tokens that are cut out of the rest without regard to messages."""
    fits: bool = True


class ContextSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What the model is told in place of the messages up to one, on every branch that goes through it."""

    id: SummaryId
    conversation_id: ConversationId
    through: MessageId
    """The last message that it stands for."""
    text: str
    n_messages: int
    """How many it stands for."""
    model_name: str
    created_at: float
    edited: bool = False
    """The user changed its words."""


class MessageCost(msgspec.Struct, frozen=True, kw_only=True):
    """What one message of the branch takes of the context, in tokens."""

    id: MessageId
    n_tokens: int
    n_attached: int = 0
    """Part of ``n_tokens`` that is files."""


class ContextPlan(msgspec.Struct, frozen=True, kw_only=True):
    """How the next request of a branch will fill the context, in tokens.

    ``n_system``, ``n_summary``, ``n_history``, ``n_attached`` and ``n_draft`` make up ``n_prompt``.
    """

    n_ctx: int
    n_reserve: int
    """Kept free for the reply."""
    n_prompt: int
    n_system: int
    """The system prompt, and what the template writes around all messages."""
    n_history: int
    """Words of the messages that the model sees."""
    n_attached: int = 0
    """Their files and passages of documents, and those of the draft."""
    n_draft: int = 0
    """Words that are typed and not sent."""
    n_summary: int = 0
    """What stands for earlier messages."""
    messages: tuple[MessageCost, ...] = ()
    """Of the whole branch, in order; those that say nothing are left out."""
    seen_from: MessageId | None = None
    """The first message that the model will see; ``None`` where it sees all."""
    n_unseen: int = 0
    """Messages before that one."""
    policy: FullContext = FullContext.DROP_OLDEST
    summary: ContextSummary | None = None
    """Stands for the oldest of the messages that are not seen."""
    will_summarise: bool = False
    """Before the next answer a summary is written of the unseen messages that have none."""
    fits: bool = True
    is_exact: bool = True
    """Counted by the model; else an estimate from what is known of earlier answers."""

    @property
    def n_for_passages(self) -> int:
        """Tokens that passages of documents may take for the next question."""
        return passages_budget(
            self.n_ctx, n_taken=self.n_reserve + sum(each.n_tokens for each in self.messages)
        )

    @property
    def n_free(self) -> int:
        """Tokens that neither the prompt nor the reserve takes."""
        return max(0, self.n_ctx - self.n_prompt - self.n_reserve)

    @property
    def fraction(self) -> float:
        """How full the context is, the reserve not counted."""
        return self.n_prompt / self.n_ctx if self.n_ctx > 0 else 0.0
