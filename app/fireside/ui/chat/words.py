"""What the window says about a finished answer. Pure: no Qt."""

from __future__ import annotations

from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.errors import NextStep
from fireside.core.generation import FinishReason, Truncation

SEPARATOR = "  ·  "

STEP_LABELS: dict[NextStep, str] = {
    NextStep.RETRY: "Try again",
    NextStep.CHOOSE_MODEL: "Choose a model",
    NextStep.OPEN_MODEL_SETTINGS: "Model settings",
    NextStep.OPEN_SETTINGS: "Settings",
    NextStep.NEW_CHAT: "New chat",
    NextStep.CHOOSE_DATA_FOLDER: "Choose a folder",
}
"""Button text of each step that has one."""


def statistics(record: GenerationRecord) -> str:
    """``48.2 tokens/s · 312 tokens · first token 0.3 s · 391 cached``, as far as it is known."""
    parts: list[str] = []
    usage, timings = record.usage, record.timings
    if usage is not None and timings is not None:
        speed = timings.tokens_per_second(n_completion=usage.n_completion)
        if speed > 0:
            parts.append(f"{speed:.1f} tokens/s")
    if usage is not None:
        parts.append("1 token" if usage.n_completion == 1 else f"{usage.n_completion:,} tokens")
    if timings is not None:
        parts.append(f"first token {timings.first_token_s:.1f} s")
    if usage is not None and usage.n_cached > 0:
        parts.append(f"{usage.n_cached:,} cached")
    return SEPARATOR.join(parts)


def finish_note(record: GenerationRecord) -> str:
    """Why an answer ended, where it is not that the model was done."""
    match record.finish_reason:
        case FinishReason.CANCELLED:
            return "Stopped by you"
        case FinishReason.LENGTH if record.context_full:
            return "The context is full"
        case FinishReason.LENGTH:
            return "Reached the token limit"
        case FinishReason.REPETITION:
            return "Ended because it went in circles"
        case FinishReason.STOP | FinishReason.TOOL_CALL | None:
            return ""


def footer_words(message: StoredMessage) -> str:
    """The line under an answer."""
    if message.generation is None:
        return ""
    note = finish_note(message.generation)
    return SEPARATOR.join(part for part in (note, statistics(message.generation)) if part)


def truncation_note(truncation: Truncation) -> str:
    """Say what the model was not shown."""
    n = truncation.n_messages
    messages = "the first message" if n == 1 else f"the first {n:,} messages"
    return f"The model no longer sees {messages}: the conversation is longer than its context."


def spoken_name(message: StoredMessage, *, text: str, is_user: bool) -> str:
    """What a screen reader says for a message."""
    words = " ".join(text[:400].split())
    if is_user:
        return f"You said: {words}"
    if message.state is MessageState.STREAMING:
        return f"Answer, still being written: {words}" if words else "Answer: working"
    if message.state is MessageState.INTERRUPTED:
        return f"Answer, interrupted: {words}"
    if message.state is MessageState.FAILED and message.error is not None:
        return f"Answer failed: {message.error.sentence} {words}".strip()
    return f"Answer: {words}"
