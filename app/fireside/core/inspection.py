"""The prompt tokens that a model saw for an answer, and the probabilities of the answer's tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from fireside.core.generation import OutputKind, TokenProbability, Truncation
from fireside.core.ids import ConversationId, MessageId

N_ALTERNATIVES = 10
"""The number of most likely tokens that are reported in addition to the chosen one."""


class PromptToken(msgspec.Struct, frozen=True, array_like=True):
    """A token of a prompt. Each position of an image is one token, with a negative id and no bytes."""

    token: int
    piece: bytes
    is_special: bool
    """Whether it is a control token, which the user's text can never become."""


def starts_with_bos(tokens: Sequence[PromptToken], text: str) -> bool:
    """Whether the first of the tokens of ``text`` is not of it, but the model's BOS token."""
    return bool(tokens) and tokens[0].is_special and not text.encode().startswith(tokens[0].piece)


class SeenPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """The prompt tokens of an answer, as formatted by the model's template."""

    tokens: tuple[PromptToken, ...]
    n_ctx: int
    truncation: Truncation | None = None
    model_name: str = ""
    project: str = ""
    """The project whose instructions are in it; empty for none."""
    notes: tuple[str, ...] = ()
    """What has changed since the answer was generated, as sentences."""

    @property
    def n_special(self) -> int:
        """The number of control tokens."""
        return sum(token.is_special for token in self.tokens)


class ScoredToken(msgspec.Struct, frozen=True, array_like=True):
    """A token of an answer, with the natural logarithm of its probability and its alternatives."""

    token: int
    piece: bytes
    logprob: float
    kind: OutputKind
    top: tuple[TokenProbability, ...]


class AnswerProbabilities(msgspec.Struct, frozen=True, kw_only=True):
    """The probabilities of an answer's tokens, before sampling."""

    tokens: tuple[ScoredToken, ...]
    is_recorded: bool = False
    """Whether they were recorded during the generation, rather than computed later."""
    is_retokenised: bool = False
    """Whether the tokens were not stored, so that the text was tokenized again, possibly differently."""

    @property
    def perplexity(self) -> float | None:
        """The perplexity of the answer; ``None`` without tokens."""
        if not self.tokens:
            return None
        return math.exp(-sum(token.logprob for token in self.tokens) / len(self.tokens))


class ScoringProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="scoring_progressed"):
    """The probabilities of an answer are being computed; ``fraction`` is 0 to 1."""

    conversation_id: ConversationId
    message_id: MessageId
    fraction: float
