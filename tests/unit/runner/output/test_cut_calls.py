"""Calls in whose middle the answer reached its limit."""

from __future__ import annotations

import json

import pytest
from pydantic_core import from_json

from fakes.recorded_outputs import TOOLS, Recording, recordings, text_of
from fireside.core.generation import OutputKind
from fireside.core.prompt_input import ToolChoice, ToolMode
from fireside.runner.output.model_formats import make_parser
from fireside.runner.output.output_events import OutputEvent, ToolCallMade

ALL = [recording for recording in recordings() if recording.calls]
CITY = '{"city": "Os'
CUT = {
    "hermes": '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Os',
    "mistral": '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Os',
    "mistral_named": '[TOOL_CALLS]get_weather[ARGS]{"city": "Os',
    "harmony": '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Os',
    "parameters": "<tool_call>\n<function=get_weather>\n<parameter=city>\nOs",
    "glm": "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Os",
    "llama": '{"name": "get_weather", "parameters": {"city": "Os',
    "generic": '{"name": "get_weather", "arguments": {"city": "Os',
    "granite": '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Os',
    "kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0"
    '<|tool_call_argument_begin|>{"city": "Os',
    "deepseek_plain": '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Os',
}


def _cut(recording: Recording, output: str, *, required: bool = False) -> list[OutputEvent]:
    choice = ToolChoice(mode=ToolMode.REQUIRED) if required else ToolChoice()
    parser = make_parser(recording.format, rendered_prompt=recording.prompt, tools=TOOLS, tool_choice=choice)
    return [*parser.begin(), *parser.feed(output), *parser.end(at_limit=True)]


def json_beginning(text: str) -> dict[str, object]:
    """What a client reads of arguments that were cut off."""
    value = from_json(text, allow_partial="trailing-strings") if text else {}
    assert isinstance(value, dict)
    return value


def _begins(whole: object, part: object) -> bool:
    """Whether ``part`` is the beginning of ``whole``: of a text its letters, of a number its digits."""
    if isinstance(whole, (dict, list)):
        return isinstance(part, type(whole)) and len(part) <= len(whole)
    return str(whole).startswith(str(part).removesuffix(".0"))


def _of(family: str) -> Recording:
    return next(recording for recording in recordings() if recording.family == family)


@pytest.mark.parametrize("family", CUT)
def test_a_call_that_is_cut_off_has_its_name_and_the_arguments_so_far(family: str) -> None:
    events = _cut(_of(family), CUT[family])
    (made,) = (event for event in events if isinstance(event, ToolCallMade))
    assert (made.is_cut, made.call.name, made.call.arguments) == (True, "get_weather", CITY)
    assert made.call.id
    assert text_of(events, OutputKind.ANSWER) == ""


@pytest.mark.parametrize("recording", ALL, ids=lambda recording: f"{recording.family}: {recording.name}")
def test_wherever_an_answer_is_cut_its_calls_are_the_first_ones_of_the_whole(recording: Recording) -> None:
    for n in range(len(recording.output) + 1):
        events = _cut(recording, recording.output[:n])
        assert text_of(events) == recording.output[:n]
        made = [event for event in events if isinstance(event, ToolCallMade)]
        whole = [event.call for event in made if not event.is_cut]
        expected = recording.calls[: len(whole)]
        assert [[call.name, json.loads(call.arguments)] for call in whole] == [c[:2] for c in expected], n
        for event in made[len(whole) :]:
            name, arguments, *_ = recording.calls[len(whole)]
            assert event.call.name == name, n
            begun = json_beginning(event.call.arguments)
            assert all(_begins(arguments[key], value) for key, value in begun.items()), (n, begun)


def test_a_call_before_the_one_that_is_cut_off_is_complete() -> None:
    output = '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1, "b": 2}}, {"name": "get_weather", "argum'
    whole, cut = (event for event in _cut(_of("mistral"), output) if isinstance(event, ToolCallMade))
    assert (whole.is_cut, whole.call.name, whole.call.arguments) == (False, "add", '{"a": 1, "b": 2}')
    assert (cut.is_cut, cut.call.name, cut.call.arguments) == (True, "get_weather", "")


@pytest.mark.parametrize(
    "output", ["<tool_", "<tool_call>\n", '<tool_call>\n{"na', '<tool_call>{"name": "get_w']
)
def test_a_required_call_that_has_no_name_yet_is_no_text(output: str) -> None:
    events = _cut(_of("hermes"), output, required=True)
    assert text_of(events, OutputKind.ANSWER) == ""
    assert not [event for event in events if isinstance(event, ToolCallMade)]


@pytest.mark.parametrize("n", [1, 2, 6, 14, 20])
@pytest.mark.parametrize("family", CUT)
def test_whatever_the_form_a_required_call_is_never_text(family: str, n: int) -> None:
    events = _cut(_of(family), CUT[family][:n], required=True)
    assert text_of(events, OutputKind.ANSWER) == ""


@pytest.mark.parametrize("output", ["Is 3 <", "Is 3 <tool", '{"na', '{"name": "Bern", "arguments": {"x'])
def test_text_that_is_cut_off_stays_text(output: str) -> None:
    events = _cut(_of("hermes"), output)
    assert text_of(events, OutputKind.ANSWER) == output
    assert not [event for event in events if isinstance(event, ToolCallMade)]


def test_a_call_of_an_unknown_tool_that_is_cut_off_is_shown() -> None:
    output = '<tool_call>\n{"name": "launch", "arguments": {"at": "no'
    assert text_of(_cut(_of("hermes"), output), OutputKind.ANSWER) == output


def test_a_call_that_the_model_itself_did_not_finish_is_shown() -> None:
    parser = _of("hermes").parser()
    events = [*parser.begin(), *parser.feed(CUT["hermes"]), *parser.end()]
    assert text_of(events, OutputKind.ANSWER) == CUT["hermes"]
