"""One request to a model and what comes back, step by step."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo


class FinishReason(StrEnum):
    """Why an answer ended. A cancellation is not an error."""

    STOP = "stop"
    """The model said that it was done, or a stop string appeared."""
    LENGTH = "length"
    """``max_tokens`` was reached or the context is full; see ``Finished.context_full``."""
    TOOL_CALL = "tool_call"
    CANCELLED = "cancelled"


class Priority(StrEnum):
    """Who waits for whom: the chat in front before anything in the background."""

    INTERACTIVE = "interactive"
    BACKGROUND = "background"


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one request."""

    n_prompt: int
    """Whole prompt, cached part included."""
    n_cached: int
    """Part of the prompt found in the KV cache and not evaluated again."""
    n_completion: int


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of one request, measured in the runner but for ``first_token_s``."""

    prompt_s: float
    decode_s: float
    first_token_s: float
    """From the moment the request was accepted to its first text, queueing and loading included."""

    def tokens_per_second(self, *, n_completion: int) -> float:
        """Decode speed; 0 where fewer than two tokens were made."""
        return (n_completion - 1) / self.decode_s if n_completion > 1 and self.decode_s > 0 else 0.0


class Truncation(msgspec.Struct, frozen=True, kw_only=True):
    """What the model did not see, so that nothing is ever dropped in silence."""

    n_messages: int
    """Messages left out, counted from the oldest that is not the system prompt."""
    n_tokens: int


class Queued(msgspec.Struct, frozen=True, kw_only=True, tag="queued"):
    position: int
    """Requests ahead of this one."""


class Loading(msgspec.Struct, frozen=True, kw_only=True, tag="loading"):
    fraction: float
    """0 to 1."""


class PromptProgress(msgspec.Struct, frozen=True, kw_only=True, tag="prompt_progress"):
    """The prompt is being read. ``n_done`` includes ``n_cached``."""

    n_done: int
    n_total: int
    n_cached: int


class Tokens(msgspec.Struct, frozen=True, kw_only=True, tag="tokens"):
    """Text that is ready to show; ``n_completion`` counts all tokens made so far."""

    text: str
    n_completion: int


class Finished(msgspec.Struct, frozen=True, kw_only=True, tag="finished"):
    reason: FinishReason
    usage: Usage
    timings: Timings
    seed: int
    n_ctx: int
    """Context of one sequence as the engine allocated it, read back from llama.cpp."""
    context_full: bool = False
    truncation: Truncation | None = None


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    error: ErrorInfo


GenerationEvent = Queued | Loading | PromptProgress | Tokens | Finished | Failed
"""Every accepted request ends in exactly one ``Finished`` or ``Failed``."""
