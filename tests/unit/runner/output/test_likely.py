"""Constraints of optional calls are known before the first token, so that they can be compiled in advance."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import llguidance
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.recorded_outputs import TOOLS, Recording, recordings
from fireside.core.prompt_input import ToolChoice, ToolMode
from fireside.core.task import Constraint, JsonSchemaConstraint, LarkConstraint
from fireside.runner.output.call_marks import CallMarks
from fireside.runner.output.model_formats import CallStyle, ModelFormat, likely_constraints, make_parser
from fireside.runner.output.output_events import ConstraintStart
from fireside.runner.output.output_format_detection import detect_format

AS_IT_SEES_FIT = ToolChoice()
MARKERS = (
    *("", "<|channel|>commentary ", "to=functions.", "<tool_call>", "<|tool_call|>", "<|python_tag|>"),
    *("<|python_start|>", "<|tool_call_start|>", "<|START_ACTION|>", "[TOOL_CALLS]", "<seed:tool_call>"),
    *("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "```json\n", "```tool_call\n", "<function="),
    *("<minimax:tool_call>", "<|tool_calls_section_begin|>", "<|tool_call_begin|>"),
    *("<|tool_call>", "]<]minimax[>[<tool_call>", "<calls>", '<call name="', "Action:\n```json"),
    *("<|open|>tools<|sep|>", '<|open|>call tool="'),
)
CALLS = ('{"name": "add", "parameters": {', "add(a=1", "add[ARGS]{", "add<｜tool▁sep｜>{", "add>", "")
BEGINNINGS = ["".join(parts) for parts in product(("", "Well. "), MARKERS, ("", "["), CALLS)]
RECORDINGS = list(recordings())
TOKENIZER = llguidance.LLTokenizer("byte")

LEARNED = CallMarks(
    section="<calls>",
    opens='<call name="',
    name_ends='">',
    closes="</call>",
    ends="</calls>",
    key_opens='<key name="',
    key_ends='">',
    value_ends="</key>",
)

each_style = pytest.mark.parametrize("style", CallStyle)


def format_of(style: CallStyle, *, has_tokens: bool = False) -> ModelFormat:
    """Return a format of this style; its markers are control tokens or plain text."""
    ids = {marker: 40 + n for n, marker in enumerate(MARKERS) if marker.endswith(">")} if has_tokens else {}
    fmt = detect_format(template_source=None, architecture="", control_tokens={})
    learned = LEARNED if style is CallStyle.LEARNED else None
    return msgspec.structs.replace(fmt, calls=style, learned=learned, control_ids=ids)


def prompted_variables(fmt: ModelFormat, outputs: Iterable[str]) -> set[Constraint]:
    """Return the constraints that answers request, fed letter by letter."""
    constraints: set[Constraint] = set()
    for output in outputs:
        parser = make_parser(fmt, rendered_prompt="", tools=TOOLS)
        parser.begin()
        for letter in output:
            events = parser.feed(letter)
            constraints |= {event.constraint for event in events if isinstance(event, ConstraintStart)}
    return constraints


def likely(fmt: ModelFormat) -> tuple[Constraint, ...]:
    return likely_constraints(fmt, tools=TOOLS, tool_choice=AS_IT_SEES_FIT)


@pytest.mark.parametrize("has_tokens", [False, True])
@each_style
def test_likely_constraints_are_those_of_the_calls(style: CallStyle, has_tokens: bool) -> None:
    fmt = format_of(style, has_tokens=has_tokens)
    assert prompted_variables(fmt, BEGINNINGS) == set(likely(fmt))


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda r: f"{r.family}: {r.name}")
def test_recorded_outputs_request_only_likely_constraints(recording: Recording) -> None:
    assert prompted_variables(recording.format, [recording.output]) <= set(likely(recording.format))


@given(
    style=st.sampled_from(CallStyle),
    output=st.lists(st.sampled_from([*MARKERS, *CALLS, *"[{}] ,;\n", *(r.output for r in RECORDINGS)])),
)
def test_any_output_requests_only_likely_constraints(style: CallStyle, output: list[str]) -> None:
    fmt = format_of(style)
    assert prompted_variables(fmt, ["".join(output)]) <= set(likely(fmt))


@each_style
def test_likely_constraints_are_unique_and_compile(style: CallStyle) -> None:
    constraints = likely(format_of(style))
    assert 1 <= len(constraints) == len(set(constraints))
    for constraint in constraints:
        assert isinstance(constraint, LarkConstraint)
        matcher = llguidance.LLMatcher(TOKENIZER, constraint.grammar)
        assert not matcher.is_error(), matcher.get_error()


@each_style
@pytest.mark.parametrize("mode", [ToolMode.NONE, ToolMode.REQUIRED])
def test_no_likely_constraints_where_calls_are_forbidden_or_required(
    style: CallStyle, mode: ToolMode
) -> None:
    choice = ToolChoice(mode=mode)
    assert likely_constraints(format_of(style), tools=TOOLS, tool_choice=choice) == ()


@each_style
def test_no_likely_constraints_without_tools_or_with_an_own_constraint(style: CallStyle) -> None:
    fmt = format_of(style)
    assert likely_constraints(fmt, tools=(), tool_choice=AS_IT_SEES_FIT) == ()
    any_json = JsonSchemaConstraint(schema="{}")
    under_a_rule = likely_constraints(fmt, tools=TOOLS, tool_choice=AS_IT_SEES_FIT, constraint=any_json)
    assert under_a_rule == ()
