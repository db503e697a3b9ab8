"""When the parser requests which constraint."""

from __future__ import annotations

import json
import sys

import pytest

from fakes.recorded_outputs import TOOLS, merged, recordings, text_of
from fireside.core.generation import OutputKind
from fireside.core.prompt_input import ToolChoice, ToolMode
from fireside.core.task import Constraint, JsonSchemaConstraint
from fireside.runner.output.model_formats import make_parser
from fireside.runner.output.output_events import ConstraintStart, OutputEvent, OutputText, ToolCallMade
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.output.parser import OutputParser

ANY_JSON = JsonSchemaConstraint(schema="{}")


def test_answer_constraint_applies_from_the_first_token() -> None:
    fmt = detect_format(template_source="", architecture="llama", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="", constraint=ANY_JSON)
    assert parser.begin() == [ConstraintStart(constraint=ANY_JSON, prefix="", ends_answer=True)]


def test_answer_constraint_applies_after_the_reasoning() -> None:
    fmt = detect_format(template_source="<think>", architecture="qwen3", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="<|im_start|>assistant\n<think>\n", constraint=ANY_JSON)
    assert parser.begin() == []
    assert parser.feed("Well.</think>\n\n[1")[-1] == ConstraintStart(
        constraint=ANY_JSON, prefix="[1", ends_answer=True
    )


def _thinker(*, prompt: str = "<|im_start|>assistant\n", may_reason: bool = True) -> OutputParser:
    fmt = detect_format(template_source="<think>", architecture="qwen3", control_tokens={})
    return make_parser(fmt, rendered_prompt=prompt, constraint=ANY_JSON, may_reason=may_reason)


def test_model_may_reason_before_a_constrained_answer() -> None:
    parser = _thinker()
    assert [begun.alternatives for begun in constraints_in(parser.begin())] == [("<think>",)]
    events = parser.feed("<think>Well.</think>\n[1")
    assert text_of(events, OutputKind.REASONING) == "Well."
    assert events[-1] == ConstraintStart(constraint=ANY_JSON, prefix="[1", ends_answer=True)


@pytest.mark.parametrize(
    ("prompt", "may_reason"),
    [("<think>\n\n</think>\n\n", True), ("<|im_start|>assistant\n", False)],
    ids=["the prompt has closed it", "it is turned off"],
)
def test_constraint_allows_no_reasoning_where_it_is_off(prompt: str, may_reason: bool) -> None:
    (begun,) = constraints_in(_thinker(prompt=prompt, may_reason=may_reason).begin())
    assert begun.alternatives == ()


def test_reasoning_may_be_opened_again_after_reasoning() -> None:
    fmt = detect_format(template_source="<think>", architecture="qwen3", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="<think>\n")
    events = [*parser.begin(), *parser.feed("Hm.</think>\n<think>\nWell.</think>\n\nYes"), *parser.end()]
    assert text_of(events, OutputKind.REASONING) == "Hm.Well."
    assert text_of(events, OutputKind.ANSWER) == "Yes"


def hermes(
    *, prompt: str = "", mode: ToolMode = ToolMode.AUTO, constraint: Constraint | None = None
) -> OutputParser:
    fmt = detect_format(
        template_source="{{ tools }} <tool_call> <think>", architecture="qwen3", control_tokens={}
    )
    return make_parser(
        fmt, rendered_prompt=prompt, tools=TOOLS, tool_choice=ToolChoice(mode=mode), constraint=constraint
    )


def constraints_in(events: list[OutputEvent]) -> list[ConstraintStart]:
    return [event for event in events if isinstance(event, ConstraintStart)]


CALL = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>'


@pytest.mark.parametrize(
    ("text", "n_calls"),
    [
        (f"Hm.\n{CALL}\n", 1),
        (f"Hm.\n{CALL}\n{CALL}", 2),
        (f"I wrote {CALL} before.\n{CALL}", 1),
        (f"I could write {CALL}, or not.", 0),  # only thought about
        (f"I could write “{CALL}”", 0),
        (CALL.replace("add", "none_such"), 0),
        (CALL[:-20], 0),
        (f"Hm.\n{CALL}</think>Done.", 0),  # closed, so it was thought
    ],
)
def test_a_call_that_ends_reasoning_without_an_end_is_made(text: str, n_calls: int) -> None:
    whole, split = hermes(prompt="<think>\n"), hermes(prompt="<think>\n")
    events = [*whole.begin(), *whole.feed(text), *whole.end()]
    assert [type(event) for event in events].count(ToolCallMade) == n_calls
    assert "".join(event.text for event in events if isinstance(event, OutputText)) == text
    assert constraints_in(events) == []
    pieces = [event for letter in text for event in split.feed(letter)]
    assert merged([*split.begin(), *pieces, *split.end()]) == merged(events)


def test_a_number_beyond_all_bounds_stays_json() -> None:
    parser = hermes()
    events = [*parser.begin(), *parser.feed(CALL.replace("2}", "-1e400}")), *parser.end()]
    (made,) = [event for event in events if isinstance(event, ToolCallMade)]
    assert json.loads(made.call.arguments, parse_constant=pytest.fail)["b"] == -sys.float_info.max


def test_call_is_constrained_from_its_marker_on() -> None:
    parser = hermes()
    parser.begin()
    (begun,) = constraints_in(parser.feed("Sure. <tool_call>"))
    assert (begun.prefix, begun.ends_answer) == ("", False)


def test_text_that_came_with_the_trigger_is_the_prefix() -> None:
    parser = hermes()
    parser.begin()
    parser.feed("Sure. <tool_ca")
    assert constraints_in(parser.feed('ll>\n{"na'))[0].prefix == '\n{"na'


def test_call_that_is_complete_in_one_piece_is_not_constrained() -> None:
    parser = hermes()
    parser.begin()
    assert constraints_in(parser.feed(CALL)) == []


def test_bare_call_is_constrained_once_its_tool_is_named() -> None:
    fmt = detect_format(template_source="", architecture="gemma3", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="", tools=TOOLS)
    parser.begin()
    assert constraints_in(parser.feed('\n{"name": "ad')) == []
    assert constraints_in(parser.feed('d"'))[0].prefix == '{"name": "add"'


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "other", "arguments": {}}',
        '{"nam": 1}',
        '[{"name": "add"}]',
        '```json\n{"name": "other", "arguments": {}}\n```',
        '```json\n{"a": [1, 2]}\n```\nThat is all.',
        "```python\nadd(1, 2)\n```",
        "```\n[1, 2]\n```",
        "`add` adds.",
    ],
)
def test_bare_json_without_a_tool_name_is_text_in_formats_with_markers(text: str) -> None:
    parser = hermes()
    assert text_of([*parser.begin(), *parser.feed(text), *parser.end()], OutputKind.ANSWER) == text


def test_missing_marker_is_tolerated() -> None:
    parser = hermes()
    parser.begin()
    begun = constraints_in(parser.feed('{"name": "add"'))
    assert begun[0].prefix == '{"name": "add"'
    assert not begun[0].ends_answer
    events = [*parser.feed(', "arguments": {"a": 1, "b": 2}}'), *parser.end()]
    assert text_of(events, OutputKind.ANSWER) == ""


@pytest.mark.parametrize("fence", ["```json\n", "```\n"])
@pytest.mark.parametrize("brackets", [("", ""), ("[", "]")])
def test_call_in_a_code_fence_counts(fence: str, brackets: tuple[str, str]) -> None:
    """As Qwen2.5-Coder-0.5B usually writes it."""
    parser = hermes()
    parser.begin()
    begun = constraints_in(parser.feed(f'{fence}{brackets[0]}{{"name": "add"'))
    assert begun[0].prefix == f'{brackets[0]}{{"name": "add"'
    rest = f', "arguments": {{"a": 1, "b": 2}}}}{brackets[1]}\n```\n'
    events = [*parser.feed(rest), *parser.feed(f"{fence}x"), *parser.end()]
    assert [e.call.arguments for e in events if isinstance(e, ToolCallMade)] == ['{"a": 1, "b": 2}']
    assert text_of(events, OutputKind.ANSWER) == f"{fence}x"


@pytest.mark.parametrize("fence", ["```json\n", ""])
def test_call_of_an_unknown_tool_counts_if_unknown_tools_are_accepted(fence: str) -> None:
    text = f'{fence}{{"name": "clock", "arguments": {{"zone": "Europe/Berlin"}}}}'
    fmt = detect_format(template_source="{{ tools }}<tool_call>", architecture="qwen2", control_tokens={})
    for unknown in (False, True):
        choice = ToolChoice(unknown=unknown)
        parser = make_parser(fmt, rendered_prompt="", tools=TOOLS, tool_choice=choice)
        events = [*parser.begin(), *(event for letter in text for event in parser.feed(letter))]
        events += parser.end()
        names = [event.call.name for event in events if isinstance(event, ToolCallMade)]
        assert names == (["clock"] if unknown else [])
        assert text_of(events, OutputKind.ANSWER) == ("" if unknown else text)
        assert constraints_in(events) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Ada", "born": 1815}',
        '{"name": "Ada Lovelace"}',
        '{"name": "Ada", "arguments": 3}',
        '{"name": 3}',
    ],
)
def test_json_answer_is_not_a_call_of_an_unknown_tool(text: str) -> None:
    fmt = detect_format(template_source="{{ tools }}<tool_call>", architecture="qwen2", control_tokens={})
    choice = ToolChoice(unknown=True)
    parser = make_parser(fmt, rendered_prompt="", tools=TOOLS, tool_choice=choice)
    events = [*parser.begin(), *(event for letter in text for event in parser.feed(letter)), *parser.end()]
    assert text_of(events, OutputKind.ANSWER) == text
    assert not any(isinstance(event, ToolCallMade) for event in events)


def test_no_constraint_where_tools_may_not_be_called() -> None:
    parser = hermes(mode=ToolMode.NONE)
    assert constraints_in([*parser.begin(), *parser.feed("<tool_call>"), *parser.end()]) == []


def test_calls_are_text_where_tools_are_not_allowed() -> None:
    parser = hermes(mode=ToolMode.NONE)
    assert text_of([*parser.begin(), *parser.feed(CALL), *parser.end()], OutputKind.ANSWER) == CALL


def test_constrained_answer_cannot_be_a_call() -> None:
    parser = hermes(constraint=ANY_JSON)
    assert text_of([*parser.begin(), *parser.feed(CALL), *parser.end()], OutputKind.ANSWER) == CALL


def test_required_call_takes_precedence_over_a_constraint() -> None:
    parser = hermes(mode=ToolMode.REQUIRED, constraint=ANY_JSON)
    (begun,) = constraints_in(parser.begin())
    assert begun.constraint != ANY_JSON


def test_required_call_is_constrained_after_the_reasoning() -> None:
    parser = hermes(prompt="<think>\n", mode=ToolMode.REQUIRED)
    assert constraints_in([*parser.begin(), *parser.feed("hm")]) == []
    assert [c.ends_answer for c in constraints_in(parser.feed("</think>"))] == [True]


def test_reasoning_closed_by_the_prompt_is_over() -> None:
    parser = hermes(prompt="<|im_start|>assistant\n<think>\n\n</think>\n\n", constraint=ANY_JSON)
    assert constraints_in(parser.begin()) != []


def test_answer_constraint_applies_in_the_final_channel() -> None:
    fmt = detect_format(template_source="<|channel|>", architecture="gpt-oss", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="<|start|>assistant", constraint=ANY_JSON)
    events = [*parser.begin(), *parser.feed("<|channel|>analysis<|message|>hm<|end|><|start|>assistant")]
    assert constraints_in(events) == []
    assert constraints_in(parser.feed("<|channel|>final<|message|>")) != []


def test_channel_opened_by_the_prompt_continues() -> None:
    fmt = detect_format(template_source="<|channel|>", architecture="gpt-oss", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="<|start|>assistant<|channel|>analysis<|message|>I")
    parser.begin()
    assert text_of(parser.feed("hm"), OutputKind.REASONING) == "hm"


def test_constraint_is_the_last_event() -> None:
    parser = hermes()
    parser.begin()
    assert isinstance(parser.feed("Sure. <tool_call>")[-1], ConstraintStart)


@pytest.mark.parametrize(
    "arguments",
    [
        "[]",
        "NaN",
        '{"a": NaN}',
        '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"a": ' + "9" * 10_000 + "}",
        '"{"',
        "{'a': 1}",
        '{"a": 1,}',
    ],
    ids=range(8),
)
def test_arguments_must_be_an_object(arguments: str) -> None:
    output = f'<tool_call>{{"name": "add", "arguments": {arguments}}}</tool_call>'
    parser = hermes()
    assert text_of([*parser.begin(), *parser.feed(output), *parser.end()], OutputKind.ANSWER) == output


def test_lone_surrogate_stays_escaped() -> None:
    parser = hermes()
    output = '<tool_call>{"name": "add", "arguments": {"a": "\\ud800"}}</tool_call>'
    events = [*parser.begin(), *parser.feed(output), *parser.end()]
    assert [e.call.arguments for e in events if isinstance(e, ToolCallMade)] == ['{"a": "\\ud800"}']


def test_arguments_encoded_as_a_string_are_decoded() -> None:
    parser = hermes()
    output = '<tool_call>{"name": "add", "arguments": "{\\"a\\": 1}"}</tool_call>'
    events = [*parser.begin(), *parser.feed(output), *parser.end()]
    assert [e.call.arguments for e in events if isinstance(e, ToolCallMade)] == ['{"a": 1}']


def test_missing_call_ids_are_generated_in_order() -> None:
    parser = hermes()
    events = [*parser.begin(), *parser.feed(CALL + "\n" + CALL), *parser.end()]
    assert [e.call.id for e in events if isinstance(e, ToolCallMade)] == ["call_0", "call_1"]


def llama() -> OutputParser:
    fmt = detect_format(template_source="{{ tools }}<|python_tag|>", architecture="llama", control_tokens={})
    return make_parser(fmt, rendered_prompt="", tools=TOOLS)


def test_call_whose_type_comes_first_is_not_constrained() -> None:
    parser = llama()
    parser.begin()
    assert constraints_in(parser.feed('{"type": "function", "name": "add"')) == []


def test_complete_call_that_another_may_follow_is_not_constrained() -> None:
    parser = llama()
    parser.begin()
    assert constraints_in(parser.feed('{"name": "add", "parameters": {"a": 1, "b": 2}}')) == []


def test_section_of_calls_has_one_grammar() -> None:
    recording = next(r for r in recordings() if (r.family, r.name[:9]) == ("deepseek_plain", "two calls"))
    parser = recording.parser()
    events = [*parser.begin(), *(event for letter in recording.output for event in parser.feed(letter))]
    assert len(constraints_in(events)) == 1
