"""Streamed output of a model becomes the parts of a message."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_clock import ManualClock
from fireside.chat.stream_writer import MessageAccumulator
from fireside.core.generation import OutputKind, TextDelta
from fireside.core.message import ChatMessage, ReasoningPart, Role, TextPart, ToolCallPart

CALL = ToolCallPart(id="1", name="look", arguments="{}")
STRETCHES = st.lists(st.tuples(st.sampled_from(OutputKind), st.text(min_size=1, max_size=5)), max_size=12)


def output_of(*stretches: tuple[OutputKind, str]) -> MessageAccumulator:
    accumulator = MessageAccumulator(clock=ManualClock(0.0))
    for kind, text in stretches:
        accumulator.add(TextDelta(text=text, n_completion=1, kind=kind))
    return accumulator


def test_reasoning_and_answer_become_parts_in_their_order_and_calls_come_last() -> None:
    made = output_of(
        (OutputKind.MARKUP, "<think>"),
        (OutputKind.REASONING, "Hm"),
        (OutputKind.REASONING, "m."),
        (OutputKind.MARKUP, "</think>"),
        (OutputKind.ANSWER, "Blue."),
        (OutputKind.MARKUP, "<tool>{}</tool>"),
    )
    assert made.parts(tool_calls=(CALL,)) == (ReasoningPart(text="Hmm."), TextPart(text="Blue."), CALL)


def test_a_plain_answer_has_no_raw_output_of_its_own() -> None:
    assert output_of((OutputKind.ANSWER, "Blue"), (OutputKind.ANSWER, ".")).raw is None


@given(STRETCHES)
def test_the_raw_output_is_all_stretches_to_the_letter(stretches: list[tuple[OutputKind, str]]) -> None:
    made = output_of(*stretches)
    raw = made.raw if made.raw is not None else ChatMessage(role=Role.ASSISTANT, parts=made.parts()).text
    assert raw == "".join(text for _, text in stretches)


@given(STRETCHES)
def test_answer_and_reasoning_lose_nothing_and_gain_nothing(stretches: list[tuple[OutputKind, str]]) -> None:
    message = ChatMessage(role=Role.ASSISTANT, parts=output_of(*stretches).parts())
    assert message.text == "".join(text for kind, text in stretches if kind is OutputKind.ANSWER)
    assert message.reasoning == "".join(text for kind, text in stretches if kind is OutputKind.REASONING)


def test_thinking_lasts_from_its_first_word_until_other_output() -> None:
    clock = ManualClock(0.0)
    accumulator = MessageAccumulator(clock=clock)
    for now, kind in (
        (10.0, OutputKind.MARKUP),
        (11.0, OutputKind.REASONING),
        (13.0, OutputKind.REASONING),
        (15.0, OutputKind.ANSWER),
        (20.0, OutputKind.REASONING),
        (21.0, OutputKind.REASONING),
    ):
        clock.now = now
        accumulator.add(TextDelta(text="x", n_completion=1, kind=kind))
    assert accumulator.thought_s == 4.0 + 1.0


def test_an_answer_without_thinking_took_none() -> None:
    assert output_of((OutputKind.ANSWER, "x")).thought_s is None
