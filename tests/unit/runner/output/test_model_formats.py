"""Output formats are detected by a model's template and control tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.core.generation import OutputKind
from fireside.core.prompt_input import ToolDefinition
from fireside.runner.output.model_formats import CallStyle, OutputFormat, make_parser
from fireside.runner.output.output_events import OutputText
from fireside.runner.output.output_format_detection import detect_format

TEMPLATES = Path(__file__).parents[1] / "prompt" / "templates"


def format_of(name: str, *, architecture: str = "") -> OutputFormat:
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
