"""Recorded outputs of every model family are parsed alike however they are split."""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.recorded_outputs import TOOLS, Recording, merged, recordings, text_of
from fireside.core.generation import OutputKind
from fireside.core.message import ToolCallPart
from fireside.runner.output.model_formats import make_parser
from fireside.runner.output.output_events import OutputEvent, ToolCallMade
from fireside.runner.output.parser import ParserState
from fireside.runner.output.pythonic import PythonicCalls, PythonTags
from fireside.runner.output.tagged_answer import AnswerPlan, answer_script
from fireside.runner.output.tagged_json import JsonTags, TaggedJsonCalls
from fireside.runner.output.tool_call_detection import Tools
from fireside.runner.output.tool_call_grammar import MarkerGrammar

ALL = list(recordings())
each_recording = pytest.mark.parametrize("recording", ALL, ids=lambda r: f"{r.family}: {r.name}")


def parse(recording: Recording, pieces: Iterable[str]) -> list[OutputEvent]:
    parser = recording.parser()
    events = parser.begin()
    for piece in pieces:
        events += parser.feed(piece)
    return events + parser.end()


def calls_of(events: list[OutputEvent]) -> list[ToolCallPart]:
    return [event.call for event in events if isinstance(event, ToolCallMade)]


@each_recording
def test_recorded_output_is_parsed_as_expected(recording: Recording) -> None:
    events = parse(recording, [recording.output])
    calls = calls_of(events)
    results = [
        [call.name, json.loads(call.arguments), *([call.id] if len(expected) > 2 else [])]
        for call, expected in zip(calls, [*recording.calls, *[[]] * len(calls)], strict=False)
    ]
    assert text_of(events, OutputKind.REASONING) == recording.reasoning
    assert text_of(events, OutputKind.ANSWER) == recording.answer
    assert results == recording.calls


@each_recording
def test_parsing_does_not_depend_on_the_split_and_keeps_the_raw_output(
    recording: Recording,
) -> None:
    assert text_of(parse(recording, recording.output)) == recording.output
    raw = recording.output.encode()
    expected = merged(parse(recording, [recording.output]))
    for cut in range(1, len(raw)):
        decoder = codecs.getincrementaldecoder("utf-8")()
        pieces = [decoder.decode(raw[:cut]), decoder.decode(raw[cut:])]
        assert merged(parse(recording, pieces)) == expected, cut
    decoder = codecs.getincrementaldecoder("utf-8")()
    assert merged(parse(recording, [decoder.decode(bytes([byte])) for byte in raw])) == expected


@pytest.mark.parametrize("family", sorted({r.family for r in ALL}))
def test_every_family_has_three_recordings(family: str) -> None:
    assert Counter(r.family for r in ALL)[family] >= 3


FRAGMENTS = st.sampled_from(
    sorted({piece for r in ALL for piece in (*r.output.split(), *"<>[]{}\"'\\\n ;,`é")})
)


@given(recording=st.sampled_from(ALL), pieces=st.lists(FRAGMENTS, max_size=25), is_spaced=st.booleans())
def test_parsing_of_mixed_markup_does_not_depend_on_the_split(
    recording: Recording, pieces: list[str], is_spaced: bool
) -> None:
    output = (" " if is_spaced else "").join(pieces)
    one_by_one = parse(recording, output)
    assert text_of(one_by_one) == output
    assert (
        merged(one_by_one)
        == merged(parse(recording, [output]))
        == merged(parse(recording, pieces if not is_spaced else [output]))
    )


@pytest.mark.parametrize("family", sorted({r.family for r in ALL}))
def test_no_calls_without_tools(family: str) -> None:
    for recording in (r for r in ALL if r.family == family):
        parser = make_parser(recording.format, rendered_prompt=recording.prompt)
        events = parser.begin() + parser.feed(recording.output) + parser.end()
        assert calls_of(events) == []


LONG_OUTPUTS = {
    "an answer": "word " * 4000,
    "space": "x" + " " * 20000,
    "half markers": "<tool_cal" * 2000,
    "arguments": '<tool_call>{"name": "add", "arguments": {"a": "' + "x\\n" * 6000,
    "reasoning": "<think>" + "hm \n" * 5000,
}


@pytest.mark.parametrize("name", LONG_OUTPUTS)
def test_parsing_time_is_linear(name: str) -> None:
    """The text that pieces are added to stays shorter than a marker, so the work is linear."""
    recording = next(r for r in ALL if r.family == "hermes")
    reading = ParserState()
    script = answer_script(plan_of(recording))(reading)
    next(script)
    longest = 0
    for letter in LONG_OUTPUTS[name]:
        reading.reader.extend(letter)
        next(script)
        longest = max(longest, len(reading.reader._unread))
    assert longest < 20


def plan_of(recording: Recording) -> AnswerPlan:
    tools = Tools(TOOLS)
    python = PythonicCalls(PythonTags(), tools=tools, marks=MarkerGrammar({}))
    tags = JsonTags(opens=("<tool_call>",), closes="</tool_call>")
    return AnswerPlan(
        reasoning_tags=recording.format.reasoning_tags,
        open_reasoning_end=None,
        syntax=TaggedJsonCalls(tags, tools=tools, marks=MarkerGrammar({}), python=python),
        tools=tools,
        constraint=None,
    )


def test_text_is_emitted_up_to_a_possible_marker() -> None:
    recording = next(r for r in ALL if r.family == "hermes")
    parser = recording.parser()
    parser.begin()
    assert text_of(parser.feed("Hello, <too")) == "Hello,"
    assert text_of(parser.feed("t")) == " <toot"


def test_reasoning_is_emitted_at_once() -> None:
    recording = next(r for r in ALL if r.family == "hermes")
    parser = recording.parser()
    parser.begin()
    assert text_of(parser.feed("<think>hm"), OutputKind.REASONING) == "hm"


def test_parser_reports_whether_it_is_in_the_reasoning() -> None:
    parser = next(r for r in ALL if r.family == "hermes").parser()
    parser.begin()
    results = []
    for piece in ("<think>", "hm", "</think>", "Hello."):
        parser.feed(piece)
        results.append(parser.in_reasoning)
    assert results == [True, True, False, False]
