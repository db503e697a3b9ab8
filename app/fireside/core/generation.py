"""Values and events of a generation request."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.message import ToolCallPart


class FinishReason(StrEnum):
    """Why an answer ended. A cancellation is not an error."""

    STOP = "stop"
    """The model ended the answer, or a stop string appeared."""
    LENGTH = "length"
    """``max_tokens`` was reached or the context is full; see ``Finished.context_full``."""
    TOOL_CALL = "tool_call"
    """The model called tools, see ``Finished.tool_calls``."""
    REPETITION = "repetition"
    """The answer was stuck in a loop."""
    CANCELLED = "cancelled"


class Priority(StrEnum):
    """Priority in the queue, highest first. Among chats, the one that is shown comes first."""

    INTERACTIVE = "interactive"
    API = "api"
    """A request of another program."""
    BACKGROUND = "background"


class WaitReason(StrEnum):
    """What a queued request waits for."""

    ANSWERS = "answers"
    """All slots of its model are in use."""
    OTHER_MODEL = "other_model"
    """Another model, whose memory is needed, finishes its requests."""
    LOADING = "loading"
    """Another model is being loaded."""
    SILENT_LOAD = "silent_load"
    """A model is being loaded, and its process is inactive: it hangs, or was stopped."""
    ROOM = "room"
    """A model is being unloaded."""
    MEASURING = "measuring"
    """A measurement is running, during which no model is loaded."""


class Overflow(StrEnum):
    """What to do with a prompt that does not fit the context."""

    DROP_OLDEST = "drop_oldest"
    """Drop whole turns from the oldest, but not the system prompt and the last user turn, and report it."""
    REFUSE = "refuse"
    SHIFT = "shift"
    """Keep the beginning and the newest tokens, remove the middle regardless of messages, and report it."""


class WhenFull(StrEnum):
    """What to do when the context is full while the answer is generated."""

    STOP = "stop"
    """End the answer with ``LENGTH``."""
    SHIFT = "shift"
    """Remove the older half of the tokens after the system prompt, report it, and continue."""


class CacheMiss(StrEnum):
    """Why tokens that were processed before had to be processed again."""

    EDITED = "edited"
    """An earlier message was edited."""
    REASONING_DROPPED = "reasoning_dropped"
    """The template omits the reasoning of earlier answers."""
    TURNS_DROPPED = "turns_dropped"
    """Old turns were dropped to make the prompt fit."""
    OTHER_MODEL = "other_model"
    """The conversation was processed by another model."""
    OPTIONS_CHANGED = "options_changed"
    """The cache was made with incompatible load options."""
    WINDOW_PASSED = "window_passed"
    """The sliding window or recurrent state has advanced, and no checkpoint was near."""
    EVICTED = "evicted"
    """The cache was needed for other conversations."""
    DAMAGED = "damaged"
    """The stored state was damaged."""


class CacheUse(msgspec.Struct, frozen=True, kw_only=True):
    """Where the cached part of a prompt was found, in tokens."""

    n_context: int = 0
    """In the context of the slot, or copied from another slot."""
    n_memory: int = 0
    n_disk: int = 0
    miss: CacheMiss | None = None
    """Set if a part of the conversation that was processed before had to be processed again."""


class OutputKind(StrEnum):
    """The kind of a segment of a model's raw output. All segments in order are exactly the raw output."""

    ANSWER = "answer"
    REASONING = "reasoning"
    MARKUP = "markup"
    """Delimiters and the source of tool calls, which are not shown."""


class TokenProbability(msgspec.Struct, frozen=True, array_like=True):
    """A candidate token: its id, its bytes, and the natural logarithm of its probability."""

    token: int
    piece: bytes
    logprob: float


class TokenLogprobs(msgspec.Struct, frozen=True, array_like=True):
    """The chosen token, and the most likely ones before sampling, the most likely first."""

    chosen: TokenProbability
    top: tuple[TokenProbability, ...]


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one request."""

    n_prompt: int
    """The whole prompt, including the cached part."""
    n_cached: int
    """The part of the prompt that was found in a cache and not evaluated."""
    n_completion: int
    n_reasoning: int = 0
    """The part of the completion that is reasoning, without its delimiters."""
    cache: CacheUse = CacheUse()
    n_drafted: int = 0
    """Tokens that speculative decoding proposed."""
    n_draft_accepted: int = 0


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of one request, measured in the runner except ``first_token_s``."""

    prompt_s: float
    decode_s: float
    first_token_s: float
    """From the acceptance of the request to its first text, including queueing and loading."""
    cpu_s: float = 0.0
    """Processor time of all of the runner's threads within ``decode_s``; 0 if unknown."""

    def tokens_per_second(self, *, n_completion: int) -> float:
        """Return the decode speed; 0 for fewer than two tokens."""
        return (n_completion - 1) / self.decode_s if n_completion > 1 and self.decode_s > 0 else 0.0


class Truncation(msgspec.Struct, frozen=True, kw_only=True):
    """What the model did not see, for the user: nothing is dropped silently."""

    n_messages: int
    """Dropped messages, from the oldest after the system prompt."""
    n_tokens: int
    """All dropped tokens, including those shifted out during the answer."""
    n_shifted: int = 0
    """The part of ``n_tokens`` that was removed regardless of messages."""


class Queued(msgspec.Struct, frozen=True, kw_only=True, tag="queued"):
    """The request waits in the queue."""

    position: int
    """Requests ahead of this one."""
    waits_for: WaitReason = WaitReason.ANSWERS
    model: str = ""
    """Name of the other model that it waits for, if any."""


class Loading(msgspec.Struct, frozen=True, kw_only=True, tag="loading"):
    """The model of the request is being loaded."""

    fraction: float
    """0 to 1."""
    is_preparing: bool = False
    """Whether llama.cpp is still compiled: ``fraction`` is how far that is, and the load comes after it."""


class PromptProgress(msgspec.Struct, frozen=True, kw_only=True, tag="prompt_progress"):
    """The prompt is being processed. ``n_done`` includes ``n_cached``."""

    n_done: int
    n_total: int
    n_cached: int


class Summarising(msgspec.Struct, frozen=True, kw_only=True, tag="summarising"):
    """Before the answer, the model writes a summary of the oldest messages, so that the rest fits."""

    n_messages: int
    fraction: float
    """0 to 1."""


class ReadingDocuments(msgspec.Struct, frozen=True, kw_only=True, tag="reading_documents"):
    """Before the answer, the model reads all documents of the chat, part by part."""

    fraction: float
    """0 to 1."""
    name: str = ""
    """The current file."""
    seconds_left: int | None = None
    """Estimated from the speed so far; ``None`` before the first part."""


class Stopping(msgspec.Struct, frozen=True, kw_only=True, tag="stopping"):
    """The request was cancelled; the current computation cannot be interrupted and is finished first."""


class Retrying(msgspec.Struct, frozen=True, kw_only=True, tag="retrying"):
    """A remote engine was busy or unreachable; the request is retried."""

    host: str
    wait_s: int
    """Seconds until the retry."""


Progress = Queued | Loading | PromptProgress | Summarising | ReadingDocuments | Stopping | Retrying
"""Progress of an answer before its first text or its end."""


class TextDelta(msgspec.Struct, frozen=True, kw_only=True, tag="tokens"):
    """New output, on its way from the engine to the window; ``n_completion`` counts all tokens so far."""

    text: str
    n_completion: int
    kind: OutputKind = OutputKind.ANSWER
    logprobs: tuple[TokenLogprobs, ...] = ()
    """Of the tokens since the last event, if requested; their bytes are those of the raw output."""
    ends_reasoning: bool = False
    """Whether it is the delimiter that ends reasoning, where none began it: all answer text before it was
    reasoning. Where that cannot be taken back, the delimiter is text of the answer."""


class CallDelta(msgspec.Struct, frozen=True, kw_only=True, tag="call"):
    """More of the arguments of a tool call, while it is written: only what can no longer change.

    Together they are the beginning of that call's arguments in ``Finished``. A call whose arguments are known
    only at its end comes without them.
    """

    id: str
    name: str
    arguments: str


class Embedded(msgspec.Struct, frozen=True, kw_only=True, tag="embedded"):
    """The vector of one text of an ``EmbeddingInput``, or the score of one document of a ``RerankInput``."""

    index: int
    """The index of the text or document. Results arrive in any order."""
    vector: bytes
    """Little-endian 32-bit floats; a score is a vector of length 1."""
    n_tokens: int


class Finished(msgspec.Struct, frozen=True, kw_only=True, tag="finished"):
    """The request ended without an error; ``reason`` says why."""

    reason: FinishReason
    usage: Usage
    timings: Timings
    seed: int
    n_ctx: int = 0
    """Context of one sequence as allocated by llama.cpp; 0 if unknown."""
    context_full: bool = False
    truncation: Truncation | None = None
    tool_calls: tuple[ToolCallPart, ...] = ()
    cut_call: ToolCallPart | None = None
    """The call in whose middle the answer reached its limit, with as much of its arguments as had come. It is
    not to be run."""
    stop_string: str = ""
    """The stop string that ended the answer, if one did."""
    tokens: bytes = b""
    """Token ids of the answer as little-endian 32-bit integers; empty if not all are known."""
    n_not_understood: int = 0
    """Parts of a remote engine's response that were left out, since they are not what its API has there."""

    @property
    def written_calls(self) -> tuple[ToolCallPart, ...]:
        """The calls as they were written: ``tool_calls``, and then ``cut_call``."""
        return self.tool_calls if self.cut_call is None else (*self.tool_calls, self.cut_call)


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """The request ended with an error. The output before it remains valid."""

    error: ErrorInfo


GenerationEvent = (
    Queued
    | Loading
    | PromptProgress
    | Stopping
    | Retrying
    | TextDelta
    | CallDelta
    | Embedded
    | Finished
    | Failed
)
"""Every accepted request ends in exactly one ``Finished`` or ``Failed``."""
