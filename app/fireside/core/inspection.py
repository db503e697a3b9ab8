"""The prompt tokens that a model saw for an answer, and the probabilities of the answer's tokens."""

from __future__ import annotations

import math

import msgspec

from fireside.core.generation import OutputKind, TokenProbability, Truncation
from fireside.core.ids import ConversationId, MessageId

N_ALTERNATIVES = 10
"""Likeliest tokens that are told beside the one that was taken."""


class PromptToken(msgspec.Struct, frozen=True, array_like=True):
    """One token of a prompt. A picture's cells are one token each, with a negative id and no bytes."""

    token: int
    piece: bytes
    is_special: bool
    """A control token: never what the user wrote, whatever that looks like."""


class SeenPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens that a model is given for an answer, as its own template words them."""

    tokens: tuple[PromptToken, ...]
    n_ctx: int
    truncation: Truncation | None = None
    model_name: str = ""
    notes: tuple[str, ...] = ()
    """What is not as it was when the answer was written, a sentence each."""

    @property
    def n_special(self) -> int:
        """How many of its tokens are control tokens."""
        return sum(token.is_special for token in self.tokens)


class ScoredToken(msgspec.Struct, frozen=True, array_like=True):
    """A token of an answer, with the natural logarithm of its probability and the likeliest ones there."""

    token: int
    piece: bytes
    logprob: float
    kind: OutputKind
    top: tuple[TokenProbability, ...]


class AnswerProbabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a model thought of each token of an answer, before any sampler cut."""

    tokens: tuple[ScoredToken, ...]
    is_recorded: bool = False
    """They were noted while the answer was written, not computed again."""
    is_retokenised: bool = False
    """The tokens of the answer were not kept: its text was cut anew, perhaps not as it was written."""

    @property
    def perplexity(self) -> float | None:
        """Among how many equally likely tokens the model chose, on average; ``None`` for no tokens."""
        if not self.tokens:
            return None
        return math.exp(-sum(token.logprob for token in self.tokens) / len(self.tokens))


class ScoringProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="scoring_progressed"):
    """The probabilities of an answer are being computed; ``fraction`` is 0 to 1."""

    conversation_id: ConversationId
    message_id: MessageId
    fraction: float
