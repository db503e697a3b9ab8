"""Calls of tools as chat templates show them, to be read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from fireside.core.message import ToolCallPart
from fireside.core.prompt_input import ToolDefinition
from fireside.runner.output.call_learning import call_renderer
from fireside.runner.output.model_formats import ModelFormat
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.prompt.template import ChatTemplate

CASES: Final[dict[str, list[tuple[str, dict[str, Any]]]]] = {
    "a text": [("get_weather", {"city": "Zürich"})],
    "two calls": [("get_weather", {"city": "Bern", "unit": "C"}), ("add", {"a": 1, "b": 2.5})],
    "all types": [
        ("set_all", {"flag": True, "many": [1, 2], "nested": {"word": "in"}, "text": "a\n  b <c> & “d”"})
    ],
    "a number that is text": [("get_weather", {"city": "4711"})],
}


def _tool(name: str, **properties: dict[str, Any]) -> ToolDefinition:
    described = {key: {"description": "Said.", **schema} for key, schema in properties.items()}
    schema = {"type": "object", "properties": described, "required": list(properties)[:1]}
    return ToolDefinition(name=name, description="Does it.", parameters=json.dumps(schema))


TOOLS: Final = (
    _tool("get_weather", city={"type": "string"}, unit={"type": "string"}),
    _tool("add", a={"type": "number"}, b={"type": "number"}),
    _tool(
        "set_all",
        flag={"type": "boolean"},
        many={"type": "array", "items": {"type": "integer"}},
        nested={"type": "object", "properties": {"word": {"type": "string", "description": "Said."}}},
        text={"type": "string"},
    ),
)


class Written(NamedTuple):
    """What a template shows of an answer that makes ``calls``."""

    case: str
    calls: list[tuple[str, dict[str, Any]]]
    text: str


def template_of(source: str) -> ChatTemplate:
    return ChatTemplate(source, architecture="any", bos_token="<s>", eos_token="</s>")


def format_of(template: ChatTemplate) -> ModelFormat:
    return detect_format(
        template_source=template.source,
        architecture="any",
        control_tokens={},
        supports_tools=template.capabilities.supports_tools,
        render_calls=call_renderer(template),
    )


def written_by(template: ChatTemplate) -> Iterator[Written]:
    """Return the cases that ``template`` shows, as it does."""
    show = call_renderer(template, tools=TOOLS)
    for case, calls in CASES.items():
        parts = [
            ToolCallPart(id=f"call0000{n}", name=name, arguments=json.dumps(arguments, ensure_ascii=False))
            for n, (name, arguments) in enumerate(calls)
        ]
        text = show(parts) if show is not None else None
        if text is not None and all(name in text for name, _ in calls):
            yield Written(case, calls, text)
