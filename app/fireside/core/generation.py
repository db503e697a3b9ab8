"""One request to a model and what comes back, step by step."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.message import ToolCallPart


class FinishReason(StrEnum):
    """Why an answer ended. A cancellation is not an error."""

    STOP = "stop"
    """The model said that it was done, or a stop string appeared."""
    LENGTH = "length"
    """``max_tokens`` was reached or the context is full; see ``Finished.context_full``."""
    TOOL_CALL = "tool_call"
    """The model called one tool or more, see ``Finished.tool_calls``."""
    REPETITION = "repetition"
    """The answer went in circles and was ended."""
    CANCELLED = "cancelled"


class Priority(StrEnum):
    """Who waits for whom: chats before other programs, and both before the background. Of the chats, the one
    that the user looks at comes first."""

    INTERACTIVE = "interactive"
    API = "api"
    """Another program asks."""
    BACKGROUND = "background"


class WaitReason(StrEnum):
    """What has to happen before a request in the queue can begin."""

    ANSWERS = "answers"
    """Its model is answering as many requests as it can at once."""
    OTHER_MODEL = "other_model"
    """Another model, whose place is needed, finishes what it was asked."""
    LOADING = "loading"
    """Another model is being loaded."""
    SILENT_LOAD = "silent_load"
    """A model is being loaded, and its process does nothing: it hangs, or was stopped."""
    ROOM = "room"
    """A model is being unloaded."""
    MEASURING = "measuring"
    """A model is being measured, which nothing may disturb by loading."""


class Overflow(StrEnum):
    """What to do with a prompt that does not fit the context."""

    DROP_OLDEST = "drop_oldest"
    """Leave out whole turns from the oldest, never the system prompt nor the last user turn; report it."""
    REFUSE = "refuse"
    SHIFT = "shift"
    """Keep the beginning and the newest tokens, cut out of the middle wherever that falls; report it."""


class WhenFull(StrEnum):
    """What to do when the context fills up while the answer is being written."""

    STOP = "stop"
    """End it with ``LENGTH``."""
    SHIFT = "shift"
    """Forget the oldest half of what follows the system prompt, report it, and go on."""


class CacheMiss(StrEnum):
    """Why tokens that the model has read before had to be read again."""

    EDITED = "edited"
    """An earlier message is not what it was."""
    REASONING_DROPPED = "reasoning_dropped"
    """The template leaves the reasoning of earlier answers out."""
    TURNS_DROPPED = "turns_dropped"
    """Old turns were left out to make the prompt fit."""
    OTHER_MODEL = "other_model"
    """Another model read this conversation."""
    OPTIONS_CHANGED = "options_changed"
    """It was read with load options whose caches do not fit the present ones."""
    WINDOW_PASSED = "window_passed"
    """The model's sliding window or recurrent state has moved on, and no checkpoint was near."""
    EVICTED = "evicted"
    """The cache's budget was needed for other conversations."""
    DAMAGED = "damaged"
    """What was stored could not be trusted."""


class CacheUse(msgspec.Struct, frozen=True, kw_only=True):
    """Where the cached part of a prompt came from, in tokens."""

    n_context: int = 0
    """Was in the context of a slot, or was copied from another slot's."""
    n_memory: int = 0
    n_disk: int = 0
    miss: CacheMiss | None = None
    """Set where more could have been expected: this conversation was read before, and part of it again."""


class OutputKind(StrEnum):
    """What a stretch of a model's raw output is. All stretches in order are the raw output, to the letter."""

    ANSWER = "answer"
    REASONING = "reasoning"
    MARKUP = "markup"
    """Delimiters and the source of tool calls: not for showing."""


class TokenProbability(msgspec.Struct, frozen=True, array_like=True):
    """One candidate: its id, the bytes that it stands for, and the natural logarithm of its probability."""

    token: int
    piece: bytes
    logprob: float


class TokenLogprobs(msgspec.Struct, frozen=True, array_like=True):
    """The token that was taken, and the likeliest ones before any sampler cut, the likeliest first."""

    chosen: TokenProbability
    top: tuple[TokenProbability, ...]


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one request."""

    n_prompt: int
    """Whole prompt, cached part included."""
    n_cached: int
    """Part of the prompt found in a cache and not evaluated again, whatever its level."""
    n_completion: int
    n_reasoning: int = 0
    """Part of the completion that is reasoning, without the marks around it."""
    cache: CacheUse = CacheUse()
    n_drafted: int = 0
    """Tokens that speculative decoding proposed."""
    n_draft_accepted: int = 0


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
    """All tokens left out, those that were shifted out while the answer was written included."""
    n_shifted: int = 0
    """Tokens of ``n_tokens`` that were cut out without regard to messages."""


class Queued(msgspec.Struct, frozen=True, kw_only=True, tag="queued"):
    """The request waits, for what ``waits_for`` says."""

    position: int
    """Requests ahead of this one."""
    waits_for: WaitReason = WaitReason.ANSWERS
    model: str = ""
    """Name of the model that it waits for, where that is another one."""


class Loading(msgspec.Struct, frozen=True, kw_only=True, tag="loading"):
    """The model of the request is being loaded."""

    fraction: float
    """0 to 1."""


class PromptProgress(msgspec.Struct, frozen=True, kw_only=True, tag="prompt_progress"):
    """The prompt is being read. ``n_done`` includes ``n_cached``."""

    n_done: int
    n_total: int
    n_cached: int


class Summarising(msgspec.Struct, frozen=True, kw_only=True, tag="summarising"):
    """Before the answer begins, the model writes a summary of the oldest messages, so that the rest fits."""

    n_messages: int
    fraction: float
    """0 to 1."""


class ReadingDocuments(msgspec.Struct, frozen=True, kw_only=True, tag="reading_documents"):
    """Before the answer begins, the model reads all documents of the chat, part by part."""

    fraction: float
    """0 to 1."""
    name: str = ""
    """Of the file that is read now."""
    seconds_left: int | None = None
    """As fast as it was so far; ``None`` before the first part."""


class Stopping(msgspec.Struct, frozen=True, kw_only=True, tag="stopping"):
    """The end was asked for; what is being computed cannot be interrupted and is finished first."""


class Retrying(msgspec.Struct, frozen=True, kw_only=True, tag="retrying"):
    """Another engine was busy or could not be reached; it is asked again."""

    host: str
    wait_s: int
    """Seconds until then."""


class Routed(msgspec.Struct, frozen=True, kw_only=True, tag="routed"):
    """An engine of a pool began to answer."""

    host: str
    passed_over: tuple[str, ...] = ()
    """Hosts that this conversation would have gone to before, and that did not answer."""


Progress = Queued | Loading | PromptProgress | Summarising | ReadingDocuments | Stopping | Retrying
"""What an answer waits for before its first text, or its end."""


class TextDelta(msgspec.Struct, frozen=True, kw_only=True, tag="tokens"):
    """Output that is ready, from the engine to the window; ``n_completion`` counts all tokens made so far."""

    text: str
    n_completion: int
    kind: OutputKind = OutputKind.ANSWER
    logprobs: tuple[TokenLogprobs, ...] = ()
    """Of the tokens since the last event, if they were asked for; their bytes are those of the raw output."""


class Embedded(msgspec.Struct, frozen=True, kw_only=True, tag="embedded"):
    """The vector of one text of an ``EmbeddingInput``, or the score of one document of a ``RerankInput``."""

    index: int
    """Which of them; they come in any order."""
    vector: bytes
    """32-bit floats, least significant byte first; a score is a vector of one."""
    n_tokens: int


class Finished(msgspec.Struct, frozen=True, kw_only=True, tag="finished"):
    """The request ended without error: by itself, at a limit, or cancelled, as ``reason`` says."""

    reason: FinishReason
    usage: Usage
    timings: Timings
    seed: int
    n_ctx: int
    """Context of one sequence as the engine allocated it, read back from llama.cpp."""
    context_full: bool = False
    truncation: Truncation | None = None
    tool_calls: tuple[ToolCallPart, ...] = ()
    stop_string: str = ""
    """The stop string of the request that ended it, if one did."""
    tokens: bytes = b""
    """Ids of the answer's tokens, 32 bits each, least significant byte first; empty if not all are known."""


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """The request ended with an error. What was written before it stays."""

    error: ErrorInfo


GenerationEvent = (
    Queued
    | Loading
    | PromptProgress
    | Stopping
    | Retrying
    | Routed
    | TextDelta
    | Embedded
    | Finished
    | Failed
)
"""Every accepted request ends in exactly one ``Finished`` or ``Failed``."""
