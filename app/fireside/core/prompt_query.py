"""What a loaded model may be asked about a prompt, and its replies: nothing is decoded for them."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeAlias, TypeVar

import msgspec

from fireside.core.generation import Overflow, Truncation
from fireside.core.inspection import PromptToken
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask


class MessageTokens(msgspec.Struct, frozen=True, array_like=True):
    """Tokens of one message of a measured prompt; ``n_attached`` is the part of its files."""

    n_tokens: int
    n_attached: int


class PromptMeasure(msgspec.Struct, frozen=True, kw_only=True, tag="measure"):
    """The tokens of a prompt for a request made now, counted by the model's own tokenizer."""

    n_prompt: int
    """As the runner will report it in ``Usage.n_prompt``; if nothing fits, the minimum."""
    n_system: int
    """Text of the system prompt."""
    messages: tuple[MessageTokens, ...]
    """All messages after the system prompt, including dropped ones."""
    n_dropped: int = 0
    """The number of messages, from the oldest, that are dropped."""
    n_cut: int = 0
    """Tokens removed from the rest, regardless of message boundaries."""
    fits: bool = True


class PromptPreview(msgspec.Struct, frozen=True, tag="preview"):
    """All tokens of a prompt, and what was truncated to make it fit."""

    tokens: tuple[PromptToken, ...]
    truncation: Truncation | None = None


PromptReply: TypeAlias = PromptMeasure | PromptPreview
ReplyT = TypeVar("ReplyT", bound=PromptReply)
_ReplyT_co = TypeVar("_ReplyT_co", bound=PromptReply, covariant=True)


class PromptQuery(msgspec.Struct, Generic[_ReplyT_co], frozen=True):
    """A question about a prompt; its parameter is the type of its reply."""

    reply: ClassVar[type[PromptReply]]


class PromptMeasureRequest(PromptQuery[PromptMeasure], frozen=True, kw_only=True, tag="measure"):
    """The prompt of a possible request to measure, message by message, and how it is made to fit."""

    reply: ClassVar[type[PromptReply]] = PromptMeasure

    prompt: ChatInput
    overflow: Overflow = Overflow.DROP_OLDEST
    n_reserve: int | None = None
    """See ``GenerationTask.n_reserve``."""
    drop_to: float = 1.0
    """See ``GenerationTask.drop_to``."""


class PromptPreviewRequest(PromptQuery[PromptPreview], frozen=True, kw_only=True, tag="preview"):
    """The task whose prompt tokens are wanted, rendered and truncated as for an answer."""

    reply: ClassVar[type[PromptReply]] = PromptPreview

    task: GenerationTask


AnyPromptQuery: TypeAlias = PromptMeasureRequest | PromptPreviewRequest
