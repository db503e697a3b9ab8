"""What the window says about a finished answer. Pure: no Qt."""

from __future__ import annotations

import msgspec

from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.errors import NextStep
from fireside.core.generation import CacheMiss, FinishReason, Truncation, Usage
from fireside.core.message import ToolCallPart

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
    """Why an answer ended, where it is not that the model was done; or that its words are a person's."""
    if record.edited and record.usage is None:
        return "Edited by you"
    match record.finish_reason:
        case FinishReason.CANCELLED:
            return "Stopped by you"
        case FinishReason.LENGTH if record.context_full:
            return "Cut off here: the context is full"
        case FinishReason.LENGTH:
            return "Reached the token limit"
        case FinishReason.REPETITION:
            return "Ended because it went in circles"
        case FinishReason.STOP | FinishReason.TOOL_CALL | None:
            return ""


def figures_in_words(record: GenerationRecord) -> str:
    """What the figures under an answer mean, one fact a line; empty where there is nothing to add."""
    usage = record.usage
    if usage is None:
        return ""
    facts = [_cached_words(usage)]
    if usage.cache.miss is not None:
        facts.append(f"Some had to be read again: {_MISSES[usage.cache.miss]}.")
    if usage.n_reasoning > 0:
        facts.append(f"{usage.n_reasoning:,} of {usage.n_completion:,} tokens were thinking.")
    if usage.n_drafted > 0:
        facts.append(f"{usage.n_draft_accepted:,} of {usage.n_drafted:,} tokens guessed ahead were right.")
    if record.seed is not None:
        facts.append(f"Seed {record.seed}.")
    return "\n".join(fact for fact in facts if fact)


_MISSES: dict[CacheMiss, str] = {
    CacheMiss.EDITED: "an earlier message was changed",
    CacheMiss.REASONING_DROPPED: "the model is not shown what it thought for earlier answers",
    CacheMiss.TURNS_DROPPED: "old messages were left out to make room",
    CacheMiss.OTHER_MODEL: "another model read this chat before",
    CacheMiss.OPTIONS_CHANGED: "the model was loaded with other settings before",
    CacheMiss.WINDOW_PASSED: "this model only remembers the latest part of what it read",
    CacheMiss.EVICTED: "the room was needed for other chats",
    CacheMiss.DAMAGED: "what had been kept could not be used",
}


def _cached_words(usage: Usage) -> str:
    """``1,200 tokens were still in memory, 3,000 came from disk.``"""
    places = [
        (usage.cache.n_context, "still in the context"),
        (usage.cache.n_memory, "still in memory"),
        (usage.cache.n_disk, "kept on disk"),
    ]
    known = [(n, where) for n, where in places if n > 0]
    if not known:
        return ""
    (n, where), *others = known
    first = f"{n:,} {'token was' if n == 1 else 'tokens were'} {where}"
    return ", ".join([first, *(f"{n:,} {where}" for n, where in others)]) + "."


def thinking_words(seconds: float | None) -> str:
    """The line over what a model thinks at the moment."""
    return "Thinking…" if seconds is None or seconds < 1 else f"Thinking… {_duration(seconds)}"


def thought_words(seconds: float | None) -> str:
    """The line over what a model has thought."""
    if seconds is None:
        return "Thoughts"
    return "Thought for a moment" if seconds < 1 else f"Thought for {_duration(seconds)}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def footer_words(message: StoredMessage) -> str:
    """The line under an answer."""
    if message.generation is None:
        return ""
    note = finish_note(message.generation) or _silence_note(message)
    if (n := message.generation.n_summarised) > 0:
        told = "first message summarised" if n == 1 else f"first {n:,} messages summarised"
        note = SEPARATOR.join(part for part in (note, told) if part)
    return SEPARATOR.join(part for part in (note, statistics(message.generation)) if part)


def _silence_note(message: StoredMessage) -> str:
    """Say so where the model was done before it had answered anything."""
    is_answered = message.message.text.strip() or message.message.tool_calls
    if is_answered or message.state is not MessageState.COMPLETE:
        return ""
    return "Thought, and wrote no answer" if message.message.reasoning.strip() else "Wrote no answer"


def truncation_note(truncation: Truncation) -> str:
    """Say what the model was not shown."""
    notes: list[str] = []
    if (n := truncation.n_messages) > 0:
        messages = "the first message" if n == 1 else f"the first {n:,} messages"
        notes.append(f"The model no longer sees {messages}: the conversation is longer than its context.")
    if (n := truncation.n_shifted) > 0:
        tokens = "1 token" if n == 1 else f"{n:,} tokens"
        notes.append(f"To make room, {tokens} of the older part were cut out of what the model sees.")
    return " ".join(notes)


def memory_note(record: GenerationRecord) -> str:
    """Say what the model did not see, and why it was told nothing in its place."""
    cut = truncation_note(record.truncation) if record.truncation is not None else ""
    return " ".join(note for note in (record.summary_problem, cut) if note)


def tool_call_title(call: ToolCallPart) -> str:
    """Say which tool a model asked for."""
    return f"Asked for the tool “{call.name}”"


def tool_call_body(call: ToolCallPart) -> str:
    """What a tool is asked with, laid out for reading; as it came where it is not JSON."""
    try:
        return msgspec.json.format(call.arguments, indent=2)
    except (msgspec.DecodeError, RecursionError):
        return call.arguments


def outcome_words(message: StoredMessage) -> str:
    """What a screen reader says when an answer has come to its end."""
    if message.state is MessageState.FAILED and message.error is not None:
        return f"The answer failed. {message.error.sentence}"
    return "The answer was interrupted" if message.state is MessageState.INTERRUPTED else "Answer finished"


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
