"""Texts about a finished answer: statistics, notes, truncation, accessible names. Pure: no Qt."""

from __future__ import annotations

from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.errors import NextStep
from fireside.core.generation import CacheMiss, FinishReason, Truncation, Usage
from fireside.core.i18n import number, tr, tr_noop
from fireside.ui.model_text import SEPARATOR

STEP_LABELS: dict[NextStep, str] = {
    NextStep.RETRY: tr_noop("Try again"),
    NextStep.CHOOSE_MODEL: tr_noop("Choose model"),
    NextStep.OPEN_MODEL_SETTINGS: tr_noop("Model settings"),
    NextStep.OPEN_SETTINGS: tr_noop("Settings"),
    NextStep.NEW_CHAT: tr_noop("New chat"),
    NextStep.CHOOSE_DATA_FOLDER: tr_noop("Choose folder…"),
    NextStep.ADD_COMPONENT: tr_noop("Download…"),
    NextStep.UPDATE: tr_noop("Updates"),
    NextStep.RESTORE_BACKUP: tr_noop("Restore backup…"),
}
"""Button text of each step that has one."""


def statistics(record: GenerationRecord) -> str:
    """Return ``48.2 tokens/s · 312 tokens · TTFT 0.3 s · 391 cached``, as far as it is known."""
    parts: list[str] = []
    usage, timings = record.usage, record.timings
    if usage is not None and usage.n_completion == 0:
        return ""  # stopped while the prompt was read: there was no first token to be timed
    if usage is not None and timings is not None:
        speed = timings.tokens_per_second(n_completion=usage.n_completion)
        if speed > 0:
            parts.append(tr("{speed} tokens/s").format(speed=number(speed, decimals=1)))
    if usage is not None:
        parts.append(tr("%n token|%n tokens", "", usage.n_completion))
    if timings is not None:
        seconds = number(timings.first_token_s, decimals=1)
        parts.append(tr("TTFT {seconds} s").format(seconds=seconds))
    if usage is not None and usage.n_cached > 0:
        parts.append(tr("%n cached|%n cached", "", usage.n_cached))
    if record.host:
        parts.append(f"@ {record.host}")
    return SEPARATOR.join(parts)


def finish_note(record: GenerationRecord) -> str:
    """Return why an answer ended before the model was done, or that the user edited it; else empty."""
    if record.edited and record.usage is None:
        return tr("Edited")
    match record.finish_reason:
        case FinishReason.CANCELLED:
            return tr("Stopped")
        case FinishReason.LENGTH if record.context_full:
            return tr("Stopped: context full")
        case FinishReason.LENGTH:
            return tr("Stopped: token limit")
        case FinishReason.REPETITION:
            return tr("Stopped: repetition loop")
        case FinishReason.STOP | FinishReason.TOOL_CALL | None:
            return ""


def figures_text(record: GenerationRecord) -> str:
    """Return the details behind the statistics, one fact a line; empty where there are none."""
    usage = record.usage
    if usage is None:
        return ""
    model = " ".join(filter(None, (record.model_name, record.quantization)))
    facts = [model if record.quantization else "", _cached_text(usage)]
    if usage.cache.miss is not None:
        facts.append(tr(_MISSES[usage.cache.miss]))
    if usage.n_reasoning > 0:
        thinking = tr("Thinking: {part} of %n token.|Thinking: {part} of %n tokens.", "", usage.n_completion)
        facts.append(thinking.format(part=number(usage.n_reasoning)))
    if usage.n_drafted > 0:
        drafted = tr(
            "Speculative decoding: {right} of %n draft token accepted.|Speculative decoding: "
            "{right} of %n draft tokens accepted.",
            "",
            usage.n_drafted,
        )
        facts.append(drafted.format(right=number(usage.n_draft_accepted)))
    if record.seed is not None:
        facts.append(tr("Seed {seed}.").format(seed=record.seed))
    return "\n".join(fact for fact in facts if fact)


_MISSES: dict[CacheMiss, str] = {
    CacheMiss.EDITED: tr_noop("Partly reprocessed: an earlier message was edited."),
    CacheMiss.REASONING_DROPPED: tr_noop("Partly reprocessed: the template removes earlier thinking."),
    CacheMiss.TURNS_DROPPED: tr_noop("Partly reprocessed: oldest messages were dropped."),
    CacheMiss.OTHER_MODEL: tr_noop("Partly reprocessed: the model was changed."),
    CacheMiss.OPTIONS_CHANGED: tr_noop("Partly reprocessed: the model was reloaded with other settings."),
    CacheMiss.WINDOW_PASSED: tr_noop(
        "Partly reprocessed: this model keeps only the latest part of the context."
    ),
    CacheMiss.EVICTED: tr_noop("Partly reprocessed: the prompt cache was needed for other chats."),
    CacheMiss.DAMAGED: tr_noop("Partly reprocessed: the prompt cache could not be used."),
}


def _cached_text(usage: Usage) -> str:
    """Return where the prompt cache had tokens: ``Prompt cache: 1,200 tokens from RAM, 3,000 from disk.``"""
    in_context, in_memory, on_disk = usage.cache.n_context, usage.cache.n_memory, usage.cache.n_disk
    parts = (
        (
            in_context,
            tr(
                "Prompt cache: %n token in the context|Prompt cache: %n tokens in the context", "", in_context
            ),
            tr("%n in the context|%n in the context", "", in_context),
        ),
        (
            in_memory,
            tr("Prompt cache: %n token from RAM|Prompt cache: %n tokens from RAM", "", in_memory),
            tr("%n from RAM|%n from RAM", "", in_memory),
        ),
        (
            on_disk,
            tr("Prompt cache: %n token from disk|Prompt cache: %n tokens from disk", "", on_disk),
            tr("%n from disk|%n from disk", "", on_disk),
        ),
    )
    present = [(full, short) for n, full, short in parts if n > 0]
    if not present:
        return ""
    (first, _), *others = present
    return ", ".join([first, *(short for _, short in others)]) + "."


def thinking_label(seconds: float | None) -> str:
    """Return the heading of reasoning that is being generated; ``seconds`` since it started."""
    if seconds is None or seconds < 1:
        return tr("Thinking…")
    return tr("Thinking… {duration}").format(duration=_duration(seconds))


def thought_label(seconds: float | None) -> str:
    """Return the heading of finished reasoning that took ``seconds``."""
    if seconds is None:
        return tr("Thinking")
    if seconds < 1:
        return tr("Thought for a moment")
    return tr("Thought for {duration}").format(duration=_duration(seconds))


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return tr("{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    if minutes:
        return tr("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest)
    return tr("{seconds} s").format(seconds=rest)


def footer_note(message: StoredMessage) -> str:
    """Return the note under an answer: why it ended, what was summarised, which engine stood in, what of a
    server's response was left out."""
    if message.generation is None:
        return ""
    note = finish_note(message.generation) or _silence_note(message)
    n = message.generation.n_summarised
    summarised = tr("%n message summarised|%n messages summarised", "", n) if n > 0 else ""
    left_out = message.generation.n_not_understood
    unknown = tr("%n part not understood, left out|%n parts not understood, left out", "", left_out)
    notes = (note, summarised, unknown if left_out > 0 else "")
    return SEPARATOR.join(filter(None, notes))


def _silence_note(message: StoredMessage) -> str:
    """Return a note where the model ended without an answer; else empty."""
    is_answered = message.message.text.strip() or message.message.tool_calls
    if is_answered or message.state is not MessageState.COMPLETE:
        return ""
    has_thought = bool(message.message.reasoning.strip())
    return tr("Thought, no answer") if has_thought else tr("Empty answer")


def truncation_note(truncation: Truncation, *, n_summarised: int = 0) -> str:
    """Return what was truncated from the prompt; ``n_summarised`` earlier messages had a summary."""
    notes: list[str] = []
    if (n := truncation.n_messages) > 0 and n_summarised:
        dropped = tr(
            "Context full: 1 message after the summary was dropped.|Context full: %n messages "
            "after the summary were dropped.",
            "",
            n,
        )
        notes.append(dropped)
    elif n > 0:
        dropped = tr(
            "Context full: the oldest message was dropped.|Context full: the %n oldest messages "
            "were dropped.",
            "",
            n,
        )
        notes.append(dropped)
    if (n := truncation.n_shifted) > 0:
        shifted = tr(
            "Context full: %n older token was dropped.|Context full: %n older tokens were dropped.",
            "",
            n,
        )
        notes.append(shifted)
    return " ".join(notes)


def memory_note(record: GenerationRecord) -> str:
    """Return what was truncated from the prompt, and why it was not summarised."""
    truncation, n_summarised = record.truncation, record.n_summarised
    cut = truncation_note(truncation, n_summarised=n_summarised) if truncation is not None else ""
    return " ".join(note for note in (record.summary_problem, cut) if note)


def outcome_text(message: StoredMessage) -> str:
    """Return what a screen reader announces when an answer has ended."""
    if message.state is MessageState.FAILED and message.error is not None:
        return tr("Answer failed. {reason}").format(reason=message.error.sentence)
    is_interrupted = message.state is MessageState.INTERRUPTED
    return tr("Answer interrupted") if is_interrupted else tr("Answer finished")


def accessible_message_name(message: StoredMessage, *, text: str, is_user: bool) -> str:
    """Return the accessible name of a message, with the first 400 characters of ``text``."""
    excerpt = " ".join(text[:400].split())
    if is_user:
        return tr("You: {words}").format(words=excerpt)
    if message.state is MessageState.STREAMING:
        if not excerpt:
            return tr("Answer: working")
        return tr("Answer, still being written: {words}").format(words=excerpt)
    if message.state is MessageState.INTERRUPTED:
        return tr("Answer, interrupted: {words}").format(words=excerpt)
    if message.state is MessageState.FAILED and message.error is not None:
        failed = tr("Answer failed: {reason}").format(reason=message.error.sentence)
        return f"{failed} {excerpt}".strip()
    return tr("Answer: {words}").format(words=excerpt)
