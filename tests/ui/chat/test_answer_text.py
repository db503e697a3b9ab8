"""Texts about answers, progress, context and long pastes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.errors import NextStep
from fireside.core.generation import (
    CacheMiss,
    CacheUse,
    FinishReason,
    Loading,
    PromptProgress,
    Queued,
    Stopping,
    Timings,
    Truncation,
    Usage,
    WaitReason,
)
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.message import ChatMessage, MessagePart, ReasoningPart, Role, TextPart, ToolCallPart
from fireside.ui.chat.answer.answer_text import (
    STEP_LABELS,
    figures_text,
    finish_note,
    footer_note,
    statistics,
    thinking_label,
    thought_label,
    truncation_note,
)
from fireside.ui.chat.answer.phase import (
    Phase,
    Starting,
    Writing,
    phase_fraction,
    phase_text,
)
from fireside.ui.chat.composer.pasted import Pasted, is_long, join_message, length_problem

RECORD = GenerationRecord(
    model_id=ModelId("m"),
    model_name="M",
    usage=Usage(n_prompt=400, n_cached=391, n_completion=312),
    timings=Timings(prompt_s=0.2, decode_s=6.4523, first_token_s=0.31),
)


def test_statistics_name_speed_count_first_token_and_cache() -> None:
    assert statistics(RECORD) == "48.2 tokens/s  ·  312 tokens  ·  TTFT 0.3 s  ·  391 cached"


def test_statistics_of_an_answer_of_one_token_claim_no_speed() -> None:
    record = GenerationRecord(
        model_id=ModelId("m"),
        model_name="M",
        usage=Usage(n_prompt=4, n_cached=0, n_completion=1),
        timings=Timings(prompt_s=0.2, decode_s=0.0, first_token_s=0.31),
    )
    assert statistics(record) == "1 token  ·  TTFT 0.3 s"


def answer(*parts: MessagePart, state: MessageState = MessageState.COMPLETE) -> StoredMessage:
    return StoredMessage(
        id=MessageId(2),
        conversation_id=ConversationId(1),
        parent_id=MessageId(1),
        message=ChatMessage(role=Role.ASSISTANT, parts=parts),
        state=state,
        created_at=0.0,
        generation=replace(RECORD, finish_reason=FinishReason.STOP),
    )


def test_the_quantization_is_in_the_details_only() -> None:
    record = replace(RECORD, quantization="Q4_K_M")
    message = replace(answer(TextPart(text="Hello.")), generation=record)
    assert footer_note(message) == ""
    assert "Q4_K_M" not in statistics(record)
    assert figures_text(record).splitlines()[0] == f"{RECORD.model_name} Q4_K_M"


@pytest.mark.parametrize(
    ("n", "note"),
    [
        (0, ""),
        (1, "1 part not understood, left out"),
        (3, "3 parts not understood, left out"),
    ],
)
def test_what_was_not_understood_is_counted_once(n: int, note: str) -> None:
    record = replace(RECORD, n_not_understood=n)
    assert footer_note(replace(answer(TextPart(text="Hello.")), generation=record)) == note


@pytest.mark.parametrize(
    ("parts", "note"),
    [
        ((), "Empty answer"),
        ((ReasoningPart(text="Well."), TextPart(text="\n")), "Thought, no answer"),
    ],
)
def test_an_answer_without_text_has_a_note(parts: tuple[MessagePart, ...], note: str) -> None:
    assert footer_note(answer(*parts)).startswith(note)


@pytest.mark.parametrize(
    "part", [TextPart(text="Yes."), ToolCallPart(id="1", name="look", arguments="{}")], ids=["text", "call"]
)
def test_an_answer_or_a_tool_call_needs_no_note(part: MessagePart) -> None:
    assert "no answer" not in footer_note(answer(part))
    assert "no answer" not in footer_note(answer(state=MessageState.FAILED))


@pytest.mark.parametrize(
    ("reason", "context_full", "note"),
    [
        (FinishReason.STOP, False, ""),
        (FinishReason.CANCELLED, False, "Stopped"),
        (FinishReason.LENGTH, False, "Stopped: token limit"),
        (FinishReason.LENGTH, True, "Stopped: context full"),
        (None, False, ""),
    ],
)
def test_the_note_says_why_an_answer_ended(
    reason: FinishReason | None, context_full: bool, note: str
) -> None:
    record = GenerationRecord(
        model_id=ModelId("m"), model_name="M", finish_reason=reason, context_full=context_full
    )
    assert finish_note(record) == note


@pytest.mark.parametrize(
    ("n", "expected"), [(1, "the oldest message was"), (4, "the 4 oldest messages were")]
)
def test_the_truncation_note_counts_the_dropped_messages(n: int, expected: str) -> None:
    assert f"Context full: {expected} dropped" in truncation_note(Truncation(n_messages=n, n_tokens=9))


@pytest.mark.parametrize(
    ("phase", "expected", "fraction"),
    [
        (Starting(), "Working…", None),
        (Queued(position=0), "Next in queue…", None),
        (Queued(position=1), "Waiting for one other answer to finish…", None),
        (Queued(position=3), "Waiting for 3 other answers to finish…", None),
        (
            Queued(position=0, waits_for=WaitReason.OTHER_MODEL, model="Qwen3"),
            "Waiting for Qwen3 to finish…",
            None,
        ),
        (
            Queued(position=2, waits_for=WaitReason.LOADING, model="Qwen3"),
            "Waiting for Qwen3 to load… · 2 ahead",
            None,
        ),
        (
            Queued(position=0, waits_for=WaitReason.MEASURING, model="Qwen3"),
            "Waiting for the benchmark of Qwen3… · Cancel it on the model’s page",
            None,
        ),
        (
            Queued(position=0, waits_for=WaitReason.SILENT_LOAD),
            "Loading model… no progress at the moment",
            None,
        ),
        (
            Queued(position=0, waits_for=WaitReason.SILENT_LOAD, model="Qwen3"),
            "Waiting for Qwen3 to load (no progress at the moment)…",
            None,
        ),
        (Queued(position=1, waits_for=WaitReason.ROOM), "Freeing memory for the model… · 1 ahead", None),
        (Loading(fraction=0.25), "Loading model… 25%", 0.25),
        (
            PromptProgress(n_done=512, n_total=2048, n_cached=0),
            "Processing prompt… 512 of 2,048 tokens",
            0.25,
        ),
        (PromptProgress(n_done=0, n_total=0, n_cached=0), "Processing prompt… 0 of 0 tokens", None),
        (Writing(n_completion=12), "Generating… 12 tokens", None),
        (Stopping(), "Stopping… finishing the current image or file first", None),
    ],
)
def test_each_phase_has_a_text_and_a_fraction_where_known(
    phase: Phase, expected: str, fraction: float | None
) -> None:
    assert (phase_text(phase), phase_fraction(phase)) == (expected, fraction)


def test_every_step_but_none_has_a_button_text() -> None:
    assert set(STEP_LABELS) == set(NextStep) - {NextStep.NONE}


@given(st.text(max_size=200))
def test_short_text_of_any_kind_is_not_folded(text: str) -> None:
    assert not is_long(text)


@pytest.mark.parametrize("text", ["x" * 5_001, "word " * 10_001, "a\n" * 25_001])
def test_text_that_qt_would_lay_out_slowly_is_folded(text: str) -> None:
    assert is_long(text)


def test_the_refusal_of_a_large_paste_says_that_the_clipboard_keeps_it() -> None:
    problem = length_problem(n_added=10_485_760, n_present=0)
    assert "10,485,760" in problem
    assert "still on your clipboard" in problem


def test_a_message_is_the_typed_text_followed_by_each_paste() -> None:
    assert join_message("see this\n", (Pasted(text="A"), Pasted(text="B"))) == "see this\n\nA\n\nB"


def record_with(**changes: Any) -> GenerationRecord:
    usage = replace(Usage(n_prompt=5000, n_cached=0, n_completion=312), **changes)
    return replace(RECORD, usage=usage)


def test_the_figures_say_where_cached_tokens_were() -> None:
    cache = CacheUse(n_context=10, n_memory=1200, n_disk=3000)
    assert figures_text(record_with(cache=cache)) == (
        "Prompt cache: 10 tokens in the context, 1,200 from RAM, 3,000 from disk."
    )


def test_a_single_source_of_cached_tokens_is_named_alone() -> None:
    assert figures_text(record_with(cache=CacheUse(n_disk=1))) == "Prompt cache: 1 token from disk."


@pytest.mark.parametrize("miss", CacheMiss)
def test_each_cache_miss_has_a_text(miss: CacheMiss) -> None:
    text = figures_text(record_with(cache=CacheUse(miss=miss)))
    assert re.fullmatch(r"Partly reprocessed: [a-z][^.]+\.", text)


def test_reasoning_and_draft_tokens_are_counted() -> None:
    text = figures_text(record_with(n_reasoning=120, n_drafted=40, n_draft_accepted=30))
    assert text == ("Thinking: 120 of 312 tokens.\nSpeculative decoding: 30 of 40 draft tokens accepted.")


def test_plain_statistics_have_no_details() -> None:
    assert figures_text(RECORD) == ""


def test_dropped_tokens_are_reported() -> None:
    note = truncation_note(Truncation(n_messages=0, n_tokens=512, n_shifted=512))
    assert note == "Context full: 512 older tokens were dropped."


def test_dropped_messages_and_tokens_are_both_reported() -> None:
    note = truncation_note(Truncation(n_messages=2, n_tokens=900, n_shifted=1))
    assert "the 2 oldest messages" in note
    assert "1 older token" in note


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (None, "Thinking"),
        (0.4, "Thought for a moment"),
        (59.9, "Thought for 59 s"),
        (3_700, "Thought for 1 h 1 min"),
    ],
)
def test_thinking_time_is_shown_in_minutes_and_seconds(seconds: float | None, expected: str) -> None:
    assert thought_label(seconds) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"), [(None, "Thinking…"), (0.4, "Thinking…"), (61, "Thinking… 1 min 1 s")]
)
def test_thinking_time_is_shown_while_it_runs(seconds: float | None, expected: str) -> None:
    assert thinking_label(seconds) == expected


@pytest.mark.parametrize(("n", "expected"), [(1, "1 message"), (2, "2 messages")])
def test_messages_dropped_after_a_summary_are_counted_from_it(n: int, expected: str) -> None:
    note = truncation_note(Truncation(n_messages=n, n_tokens=9), n_summarised=4)
    assert f"{expected} after the summary" in note


def test_an_answer_stopped_before_its_first_token_has_no_statistics() -> None:
    record = replace(
        RECORD, usage=Usage(n_prompt=400, n_cached=0, n_completion=0), finish_reason=FinishReason.CANCELLED
    )
    assert statistics(record) == ""
