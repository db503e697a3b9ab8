"""What models write is known by their templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.runner.output.model_formats import CallStyle, OutputFormat
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
def test_the_style_of_calls_is_known_by_the_template(name: str, style: CallStyle) -> None:
    assert format_of(name).calls is style


def test_a_llama_writes_like_one_whatever_its_template_names() -> None:
    assert format_of("llama-3.1", architecture="llama").calls is CallStyle.LLAMA


def test_a_template_that_shows_no_tools_is_known_to_need_the_plain_form() -> None:
    source = "{% for tool in tools %}{% endfor %}<tool_call>"
    fmt = detect_format(template_source=source, architecture="", control_tokens={}, supports_tools=False)
    assert fmt.calls is CallStyle.GENERIC


def test_only_markers_among_the_control_tokens_are_to_be_seen() -> None:
    fmt = detect_format(
        template_source="{{ tools }}<tool_call>",
        architecture="qwen3",
        control_tokens={"<|im_end|>": 1, "<tool_call>": 2, "<think>": 3},
    )
    assert fmt.control_ids == {"<tool_call>": 2, "<think>": 3}


def test_a_model_without_a_template_is_known_by_its_control_tokens() -> None:
    fmt = detect_format(
        template_source=None, architecture="", control_tokens={"[TOOL_CALLS]": 9}, supports_tools=True
    )
    assert fmt.calls is CallStyle.MISTRAL
