"""Arguments of calls are told while they are written: what was told never changes."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from fakes.recorded_outputs import TOOLS, Recording, recordings
from fireside.core.generation import CallDelta
from fireside.core.message import ToolCallPart
from fireside.core.prompt_input import ToolChoice, ToolMode
from fireside.runner.output.model_formats import make_parser
from fireside.runner.output.output_events import ConstraintStart, OutputEvent, ToolCallMade
from fireside.runner.output.parser import OutputParser

ALL = [recording for recording in recordings() if recording.calls]
each_recording = pytest.mark.parametrize("recording", ALL, ids=lambda r: f"{r.family}: {r.name}")
WHOLE_ONLY = {
    *("elements", "lfm", "pythonic"),
    "with its type",
    "Python, as 3.2 writes it",
    "Python in a list, as Gemma writes it",
}
"""Families, and recordings, whose arguments are known only at the end of a call."""


def parser_of(recording: Recording, *, required: bool = False) -> OutputParser:
    choice = ToolChoice(mode=ToolMode.REQUIRED) if required else ToolChoice()
    return make_parser(recording.format, rendered_prompt=recording.prompt, tools=TOOLS, tool_choice=choice)


def read(parser: OutputParser, pieces: Iterable[str], *, at_limit: bool = False) -> list[OutputEvent]:
    """Return the events of an output that follows every constraint as soon as it is requested."""
    events = parser.begin()
    for piece in pieces:
        if events and isinstance(events[-1], ConstraintStart):
            parser.set_constrained(True)
        events += parser.feed(piece)
    return events + parser.end(at_limit=at_limit)


def told(events: Iterable[OutputEvent]) -> dict[str, tuple[str, str]]:
    """Return the name, and what was told of the arguments, of each call by its id."""
    texts: dict[str, tuple[str, str]] = {}
    for event in events:
        if isinstance(event, CallDelta):
            assert event.arguments
            texts[event.id] = event.name, texts.get(event.id, ("", ""))[1] + event.arguments
    return texts


def made(events: Iterable[OutputEvent]) -> list[ToolCallPart]:
    return [event.call for event in events if isinstance(event, ToolCallMade)]


@each_recording
def test_what_is_told_is_the_call(recording: Recording) -> None:
    events = read(parser_of(recording), recording.output)
    texts = told(events)
    calls = made(events)
    assert list(texts) == [call.id for call in calls if call.id in texts]
    assert list(texts.values()) == [(call.name, call.arguments) for call in calls if call.id in texts]
    if recording.family not in WHOLE_ONLY and recording.name not in WHOLE_ONLY:
        assert len(texts) >= len([call for call in calls if call.arguments != "{}"])


@each_recording
def test_wherever_an_answer_is_split_or_cut_off_what_was_told_stays(recording: Recording) -> None:
    output = recording.output
    for n in range(len(output) + 1):
        for pieces, at_limit in ((output[:n], True), ((output[:n], output[n:]), False)):
            events = read(parser_of(recording), pieces, at_limit=at_limit)
            calls = {call.id: call for call in made(events)}
            for call_id, (name, arguments) in told(events).items():
                assert calls[call_id].name == name, n
                assert calls[call_id].arguments.startswith(arguments), n


@each_recording
def test_the_text_of_a_string_comes_as_it_is_written(recording: Recording) -> None:
    deltas = [e.arguments for e in read(parser_of(recording), recording.output) if isinstance(e, CallDelta)]
    values = [value for call in recording.calls for value in call[1].values()]
    for text in (value for value in values if isinstance(value, str) and len(value) > 3):
        assert not any(text in delta for delta in deltas)


@each_recording
def test_without_a_constraint_that_holds_nothing_is_told(recording: Recording) -> None:
    parser = parser_of(recording)
    events = [
        *parser.begin(),
        *(e for letter in recording.output for e in parser.feed(letter)),
        *parser.end(),
    ]
    assert told(events) == {}
    assert len(made(events)) == len(recording.calls)


def test_of_a_required_call_the_whole_answer_is_constrained() -> None:
    recording = next(r for r in ALL if r.family == "generic")
    output = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
    events = read(parser_of(recording, required=True), output)
    (call,) = made(events)
    assert told(events) == {call.id: ("get_weather", '{"city": "Oslo"}')}
