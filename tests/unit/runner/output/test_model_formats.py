"""Output formats are detected by a model's template and control tokens."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fireside.core.generation import OutputKind
from fireside.core.prompt_input import ToolChoice, ToolDefinition, ToolMode
from fireside.runner.output.model_formats import CallStyle, ModelFormat, make_parser, opening_constraint
from fireside.runner.output.output_events import OutputText, ToolCallMade
from fireside.runner.output.output_format_detection import detect_format

TEMPLATES = Path(__file__).parents[1] / "prompt" / "templates"


def format_of(name: str, *, architecture: str = "") -> ModelFormat:
    source = (TEMPLATES / f"{name}.jinja").read_text(encoding="utf-8")
    return detect_format(template_source=source, architecture=architecture, control_tokens={})


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("qwen-2.5", CallStyle.HERMES),
        ("qwen-3", CallStyle.HERMES),
        ("hermes-2-pro", CallStyle.HERMES),
        ("mistral-nemo", CallStyle.MISTRAL),
        ("granite-3.3", CallStyle.GRANITE),
        ("gpt-oss", CallStyle.HARMONY),
        ("glm-4.6", CallStyle.GLM),
        ("gemma-3", CallStyle.GENERIC),
        ("smollm2", CallStyle.GENERIC),
        ("llama-2", CallStyle.GENERIC),
    ],
)
def test_call_style_is_detected_by_the_template(name: str, style: CallStyle) -> None:
    assert format_of(name).calls is style


def test_architecture_llama_has_the_llama_style() -> None:
    assert format_of("llama-3.1", architecture="llama").calls is CallStyle.LLAMA


def test_template_without_tool_support_gets_the_generic_style() -> None:
    source = "{% for tool in tools %}{% endfor %}<tool_call>"
    fmt = detect_format(template_source=source, architecture="", control_tokens={}, supports_tools=False)
    assert fmt.calls is CallStyle.GENERIC


def test_only_control_tokens_that_are_markers_are_preserved() -> None:
    fmt = detect_format(
        template_source="{{ tools }}<tool_call>",
        architecture="qwen3",
        control_tokens={"<|im_end|>": 1, "<tool_call>": 2, "<think>": 3},
    )
    assert fmt.control_ids == {"<tool_call>": 2, "<think>": 3}


def test_call_style_without_a_template_is_detected_by_control_tokens() -> None:
    fmt = detect_format(
        template_source=None, architecture="", control_tokens={"[TOOL_CALLS]": 9}, supports_tools=True
    )
    assert fmt.calls is CallStyle.MISTRAL


@pytest.mark.parametrize("arguments", ["[1]", "none", "{x}"])
def test_harmony_call_without_valid_arguments_is_shown_without_its_end_marker(arguments: str) -> None:
    call = f"<|channel|>commentary to=functions.add<|message|>{arguments}"
    tool = ToolDefinition(name="add", description="Add.", parameters="{}")
    parser = make_parser(format_of("gpt-oss"), rendered_prompt="", tools=(tool,))
    events = [*parser.feed(f"{call}<|call|><|start|>assistant<|channel|>final<|message|>Hi."), *parser.end()]
    answer = [
        event.text for event in events if isinstance(event, OutputText) and event.kind is OutputKind.ANSWER
    ]
    assert answer == [call, "Hi."]


R1 = (
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n"
    '{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
)
"""As DeepSeek V3 and R1 write calls, and the models distilled from it."""
V3_1 = (
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>"
    '{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
)
BARE = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
"""As all models are told to whose template says nothing of tools."""


@pytest.mark.parametrize(
    ("name", "output"),
    [("deepseek-r1", R1), ("deepseek-v3.1", V3_1), ("deepseek-r1", BARE), ("deepseek-v3.1", BARE)],
)
@pytest.mark.parametrize("has_tokens", [True, False])
@pytest.mark.parametrize("text", ["", "I look that up.", "Hm.</think>\n\nI look that up."])
def test_calls_of_a_model_s_own_are_read_although_its_template_says_nothing_of_tools(
    name: str, output: str, text: str, has_tokens: bool
) -> None:
    source = (TEMPLATES / f"{name}.jinja").read_text(encoding="utf-8")
    marks = ("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>")
    tokens = {mark: n for n, mark in enumerate(marks)} if has_tokens else {}
    fmt = detect_format(
        template_source=source, architecture="qwen2", control_tokens=tokens, supports_tools=False
    )
    assert fmt.preserved == set(tokens)
    if output is BARE and text:
        return  # only at the beginning of an answer
    tool = ToolDefinition(name="get_weather", description="", parameters='{"type": "object"}')
    prompt = "<｜Assistant｜><think>\n" if "</think>" in text else "<｜Assistant｜>"
    parser = make_parser(fmt, rendered_prompt=prompt, tools=(tool,))
    events = [*parser.begin(), *(event for letter in text + output for event in parser.feed(letter))]
    events += parser.end()
    (made,) = (event.call for event in events if isinstance(event, ToolCallMade))
    assert (made.name, made.arguments) == ("get_weather", '{"city": "Oslo"}')
    answer = [e.text for e in events if isinstance(e, OutputText) and e.kind is OutputKind.ANSWER]
    assert "".join(answer) == text.removeprefix("Hm.</think>\n\n")


def test_marks_in_a_vocabulary_alone_are_read_too_and_a_required_call_is_as_told() -> None:
    tokens = {"<｜tool▁calls▁begin｜>": 1, "<｜tool▁call▁begin｜>": 2}
    fmt = detect_format(
        template_source="{{ messages }}", architecture="", control_tokens=tokens, supports_tools=False
    )
    assert (fmt.calls, fmt.native) == (CallStyle.GENERIC, CallStyle.DEEPSEEK_PLAIN)
    tool = ToolDefinition(name="get_weather", description="", parameters="{}")
    required = ToolChoice(mode=ToolMode.REQUIRED)
    own = opening_constraint(fmt, tools=(tool,), tool_choice=required)
    told = opening_constraint(msgspec.structs.replace(fmt, native=None), tools=(tool,), tool_choice=required)
    assert own == told
