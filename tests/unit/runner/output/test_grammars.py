"""Grammars of calls compile, match valid calls and refuse others."""

from __future__ import annotations

import json
import random
from typing import Any

import llguidance
import msgspec
import pytest

from fakes.recorded_outputs import TOOLS, Recording, recordings
from fireside.core.prompt_input import ToolChoice, ToolDefinition, ToolMode
from fireside.core.task import LarkConstraint
from fireside.runner.output.model_formats import ModelFormat, make_parser, opening_constraint
from fireside.runner.output.output_events import ConstraintStart, ToolCallMade
from fireside.runner.output.output_format_detection import detect_format
from fireside.tools.tool import RunnableTool
from fireside.tools.tool_search import advertised_tools

TOKENIZER = llguidance.LLTokenizer("byte")
ALL = list(recordings())
FAMILIES = sorted({r.family for r in ALL if any(r.calls for r in ALL)} - {"gemma_channels"})
each_family = pytest.mark.parametrize("family", FAMILIES)
REQUIRED = ToolChoice(mode=ToolMode.REQUIRED)


def format_of(family: str) -> ModelFormat:
    return next(r for r in ALL if r.family == family).format


def matcher_of(grammar: str) -> llguidance.LLMatcher:
    matcher = llguidance.LLMatcher(TOKENIZER, grammar)
    assert not matcher.is_error(), matcher.get_error()
    return matcher


def n_taken(grammar: str, text: str) -> int:
    """How many bytes of ``text`` the grammar allows."""
    return matcher_of(grammar).try_consume_tokens(list(text.encode()))


def fulfils(grammar: str, text: str) -> bool:
    matcher = matcher_of(grammar)
    return matcher.try_consume_tokens(list(text.encode())) == len(text.encode()) and matcher.is_accepting()


def held(recording: Recording) -> list[tuple[str, str]]:
    """Each grammar that a recorded output requests, with the text that it constrains."""
    parser = recording.parser()
    parser.begin()
    pairs: list[tuple[str, str]] = []
    for at, letter in enumerate(recording.output, start=1):
        for event in parser.feed(letter):
            if isinstance(event, ConstraintStart):
                assert isinstance(event.constraint, LarkConstraint)
                pairs.append((event.constraint.grammar, event.prefix + recording.output[at:]))
    parser.end()
    return pairs


OUTSIDE = {
    ("glm", "a value with the closing tags in it"),
    ("hermes", "a closing tag that is missing"),
    ("kimi", "a name alone"),
    ("llama", "with its type"),
    ("llama", "two with a semicolon"),
    ("parameters", "a value with the closing tags in it"),
    ("parameters", "two calls, one without its outer tag"),
    ("pythonic", "no arguments and two calls"),
    ("pythonic", "in its tags, behind an answer"),
}
"""Calls as models write them without a constraint: they are parsed, but the grammar does not allow them."""

KEEPING = [r for r in ALL if r.calls and (r.family, r.name) not in OUTSIDE]


@pytest.mark.parametrize("recording", KEEPING, ids=lambda r: f"{r.family}: {r.name}")
def test_recorded_calls_match_their_grammar(recording: Recording) -> None:
    pairs = held(recording)
    assert pairs
    for grammar, text in pairs:
        matcher = matcher_of(grammar)
        n_consumed = matcher.try_consume_tokens(list(text.encode()))
        assert matcher.is_accepting(), text.encode()[:n_consumed]


def opening_grammar(
    family: str,
    tools: tuple[ToolDefinition, ...] = TOOLS,
    name: str | None = None,
    *,
    several: bool = False,
) -> str:
    choice = ToolChoice(mode=ToolMode.REQUIRED, name=name, several=several)
    constraint = opening_constraint(format_of(family), tools=tools, tool_choice=choice)
    assert isinstance(constraint, LarkConstraint)
    return constraint.grammar


def one_call(family: str) -> str:
    """A recorded output that is just a call of ``get_weather`` for Oslo."""
    return next(
        r.output[r.output.index(r.output.lstrip()[0]) :]
        for r in ALL
        if r.family == family
        and not (r.reasoning or r.answer)
        and [call[:2] for call in r.calls] == [["get_weather", {"city": "Oslo"}]]
    )


def n_before(text: str, part: str) -> int:
    """Number of bytes before ``part``."""
    return len(text[: text.index(part)].encode())


SINGLE = sorted(
    {
        r.family
        for r in ALL
        if not (r.reasoning or r.answer)
        and [call[:2] for call in r.calls] == [["get_weather", {"city": "Oslo"}]]
    }
    - {"deepseek"}
)


@pytest.mark.parametrize("family", SINGLE)
def test_required_call_allows_the_model_s_own_format(family: str) -> None:
    call = one_call(family)
    assert n_taken(opening_grammar(family), call) == len(call.encode())


@pytest.mark.parametrize("family", SINGLE)
def test_required_call_must_name_a_known_tool(family: str) -> None:
    call = one_call(family).replace("get_weather", "get_wombat")
    assert n_taken(opening_grammar(family), call) == n_before(call, "ombat")


@pytest.mark.parametrize("family", SINGLE)
def test_required_call_of_one_tool_cannot_be_of_another(family: str) -> None:
    call = one_call(family)
    assert n_taken(opening_grammar(family, name="add"), call) <= n_before(call, "get_weather")


@pytest.mark.parametrize("family", SINGLE)
def test_required_call_has_the_arguments_of_its_tool(family: str) -> None:
    call = one_call(family).replace("city", "town")
    assert n_taken(opening_grammar(family), call) <= n_before(call, "own")


@pytest.mark.parametrize("family", SINGLE)
def test_several_required_calls_if_allowed(family: str) -> None:
    grammar = opening_grammar(family, several=True)
    # One was recorded without its closing marker.
    calls = (one_call(family).rstrip() + end for end in ("", "</tool_call>"))
    call = next(call for call in calls if fulfils(grammar, call))
    assert fulfils(grammar, f"{call}\n{call}")
    assert not fulfils(opening_grammar(family), f"{call}\n{call}")
    assert not fulfils(opening_grammar(family, name="get_weather", several=True), f"{call}\n{call}")
    parser = make_parser(format_of(family), rendered_prompt="", tools=TOOLS, tool_choice=REQUIRED)
    events = [*parser.begin(), *parser.feed(f"{call}\n{call}"), *parser.end()]
    assert [event.call.name for event in events if isinstance(event, ToolCallMade)] == ["get_weather"] * 2


@each_family
def test_answer_without_a_call_does_not_match_a_required_call(family: str) -> None:
    assert n_taken(opening_grammar(family), "Hello.") == 0


ENDINGS = (
    "</parameter>",
    "</arg_value>",
    "<|end|>",
    '<|"|>',
    "<|close|>argument<|sep|>",
    "]<]minimax[>[</",
    '"',
    "'",
    "}",
    ")",
    "]",
    ">",
)


def random_text(grammar: str, seed: int) -> str:
    """A random text of ``grammar``, biased towards its end."""
    chance = random.Random(seed)
    matcher = matcher_of(grammar)
    text = bytearray()
    while not matcher.is_stopped():
        if matcher.is_accepting() and chance.random() < 0.5:
            break
        mask = matcher.compute_logit_bias()
        tokens = [chance.choice([t for t in range(32, 127) if mask[t]] or [t for t in range(256) if mask[t]])]
        if len(text) > 80 or chance.random() < 0.2:
            fitting = [
                list(e.encode()) for e in ENDINGS if matcher.validate_tokens(list(e.encode())) == len(e)
            ]
            tokens = chance.choice(fitting) if fitting else tokens
        matcher.consume_tokens(tokens)
        text += bytes(tokens)
        assert len(text) < 3000, text
    return text.decode()


@each_family
def test_any_text_of_the_grammar_is_parsed_as_a_call(family: str) -> None:
    recording = next(r for r in ALL if r.family == family)
    prompt = "" if family.startswith("deepseek") else recording.prompt
    for seed in range(12):
        text = random_text(opening_grammar(family), seed)
        parser = make_parser(recording.format, rendered_prompt=prompt, tools=TOOLS, tool_choice=REQUIRED)
        read = (event for letter in text for event in parser.feed(letter))
        events = [*parser.begin(), *read, *parser.end()]
        calls = [event.call for event in events if isinstance(event, ToolCallMade)]
        assert calls, text
        assert all(isinstance(json.loads(call.arguments), dict) for call in calls), text


def test_control_token_marker_is_a_token_in_the_grammar() -> None:
    fmt = detect_format(
        template_source="{{ tools }}<tool_call>",
        architecture="qwen3",
        control_tokens={"<tool_call>": 256, "</tool_call>": 257},
    )
    constraint = opening_constraint(fmt, tools=TOOLS, tool_choice=REQUIRED)
    assert isinstance(constraint, LarkConstraint)
    call = list(b'{"name": "add", "arguments": {"a": 1, "b": 2}}')
    matcher = matcher_of(constraint.grammar)
    assert matcher.try_consume_tokens([256, *call, 257]) == len(call) + 2


def test_control_token_marker_is_never_matched_as_text() -> None:
    fmt = detect_format(
        template_source="{{ tools }}<tool_call>",
        architecture="qwen3",
        control_tokens={"<tool_call>": 256, "</tool_call>": 257},
    )
    constraint = opening_constraint(fmt, tools=TOOLS, tool_choice=REQUIRED)
    assert isinstance(constraint, LarkConstraint)
    assert n_taken(constraint.grammar, "<tool_call>") == 0


ODD_SCHEMAS = {
    "no JSON": "{",
    "no object": "[]",
    "empty": "{}",
    "nothing said": '{"type": "object"}',
    "properties that are none": '{"properties": [1]}',
    "no properties": '{"properties": {}}',
    "a property that is true": '{"properties": {"a": true}}',
    "an unknown keyword": '{"properties": {"a": {"unevaluatedItems": false, "type": "array"}}}',
    "an unknown format": '{"properties": {"a": {"type": "string", "format": "iban"}}}',
    "a name in quotes": '{"properties": {"\\"a b\\"": {"type": "string"}}, "required": ["\\"a b\\""]}',
    "itself": '{"properties": {"a": {"$ref": "#"}}}',
    "a tree": '{"$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}},'
    ' "properties": {"a": {"$ref": "#/$defs/t"}}}',
    "any of": '{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}',
    "a pattern": '{"properties": {"a": {"type": "string", "pattern": "^[a-z]+$"}}}',
}


@each_family
def test_tools_with_odd_schemas_have_a_grammar(family: str) -> None:
    for case, schema in ODD_SCHEMAS.items():
        tool = ToolDefinition(name="odd", description="", parameters=schema)
        matcher = llguidance.LLMatcher(TOKENIZER, opening_grammar(family, tools=(tool,)))
        assert not matcher.is_error(), (case, matcher.get_error())


def may_be_asked_for_oslo(family: str, schema: str) -> bool:
    tool = ToolDefinition(name="get_weather", description="", parameters=schema)
    call = one_call(family)
    return n_taken(opening_grammar(family, tools=(tool,)), call) == len(call.encode())


@pytest.mark.parametrize("family", SINGLE)
def test_tool_without_parameters_gets_no_arguments(family: str) -> None:
    assert not may_be_asked_for_oslo(family, '{"type": "object", "properties": {}}')


@pytest.mark.parametrize(
    "more", ['"properties": {}, "additionalProperties": {"type": "string"}', '"title": "Any"']
)
def test_tool_with_open_schema_accepts_any_arguments(more: str) -> None:
    assert may_be_asked_for_oslo("hermes", f'{{"type": "object", {more}}}')


@each_family
def test_required_call_is_requested_once_and_ends_the_answer(family: str) -> None:
    recording = next(r for r in ALL if r.family == family and r.calls)
    prompt = "" if family.startswith("deepseek") else recording.prompt
    parser = make_parser(recording.format, rendered_prompt=prompt, tools=TOOLS, tool_choice=REQUIRED)
    events = [*parser.begin(), *(event for letter in recording.output for event in parser.feed(letter))]
    # Once more behind reasoning that the model has opened in its place.
    n_asked = 1 + recording.output.lstrip().startswith(recording.format.known_reasoning)
    assert [event.ends_answer for event in events if isinstance(event, ConstraintStart)] == [True] * n_asked


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: str
    number: int = 1


class Sum(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    terms: list[float]


async def nothing(_arguments: object) -> str:
    return ""


@pytest.mark.parametrize(
    ("arguments", "is_right"),
    [
        ({"name": "page_7", "arguments": {"path": "a", "number": 2}}, True),
        ({"name": "page_7", "arguments": {"path": "a"}}, True),
        ({"name": "sum", "arguments": {"terms": [1, 2.5]}}, True),
        ({"name": "sum", "arguments": {"path": "a"}}, False),
        ({"name": "page_7", "arguments": {"path": 1}}, False),
        ({"name": "page_7", "arguments": {}}, False),
        ({"name": "page_99", "arguments": {"path": "a"}}, False),
        ({"name": "sum"}, False),
    ],
)
def test_call_is_constrained_to_the_arguments_of_its_tool(
    arguments: dict[str, object], is_right: bool
) -> None:
    pages = [RunnableTool(f"page_{n}", description="Reads.", arguments=Page, run=nothing) for n in range(30)]
    every: list[RunnableTool[Any]] = [
        *pages,
        RunnableTool("sum", description="Adds.", arguments=Sum, run=nothing),
    ]
    tools = tuple(tool.definition for tool in advertised_tools(every, n_ctx=4_096))
    grammar = opening_grammar("hermes", tools, "call_tool")
    text = "<tool_call>\n" + json.dumps({"name": "call_tool", "arguments": arguments}) + "\n</tool_call>"
    assert fulfils(grammar, text) == is_right
