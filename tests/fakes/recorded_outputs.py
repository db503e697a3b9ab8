"""Outputs as models wrote them, with what they mean."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from fireside.core.generation import OutputKind
from fireside.core.prompt_input import ToolDefinition
from fireside.runner.output.model_formats import ModelFormat, make_parser
from fireside.runner.output.output_events import OutputEvent, OutputText, ToolCallMade
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.output.parser import OutputParser

_RECORDED = Path(__file__).parent.parent / "unit" / "runner" / "output" / "recorded"

TOOLS = (
    ToolDefinition(
        name="get_weather",
        description="Tell the weather.",
        parameters=json.dumps(
            {
                "type": "object",
                "properties": {
                    "city": {"type": "string"},
                    "days": {"type": "integer"},
                    "unit": {"enum": ["C", "F"]},
                },
                "required": ["city"],
                "additionalProperties": False,
            }
        ),
    ),
    ToolDefinition(
        name="add",
        description="Add two numbers.",
        parameters=json.dumps(
            {
                "type": "object",
                "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
                "required": ["a", "b"],
                "additionalProperties": False,
            }
        ),
    ),
    ToolDefinition(
        name="write_file",
        description="Write a file.",
        parameters=json.dumps(
            {
                "type": "object",
                "$defs": {"options": {"type": "object"}},
                "properties": {
                    "path": {"type": "string"},
                    "content": {"type": "string"},
                    "options": {"$ref": "#/$defs/options"},
                },
                "required": ["path", "content"],
                "additionalProperties": False,
            }
        ),
    ),
)


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """One output of a model, and what is in it."""

    family: str
    name: str
    template: str
    prompt: str
    output: str
    reasoning: str
    answer: str
    calls: list[list[Any]]
    """Name, arguments, and the id where the model gave one."""

    @property
    def format(self) -> ModelFormat:
        return detect_format(template_source=self.template, architecture="any", control_tokens={})

    def parser(self) -> OutputParser:
        return make_parser(self.format, rendered_prompt=self.prompt, tools=TOOLS)


def recordings() -> Iterator[Recording]:
    """Every recorded output."""
    for path in sorted(_RECORDED.glob("*.txt")):
        head, *blocks = path.read_text(encoding="utf-8").split("\n=== ")
        settings = dict(line.split(": ", 1) for line in head.splitlines())
        for block in blocks:
            name, _, body = block.partition("\n")
            output, *sections = body.split("\n--- ")
            parts = {
                title: text.removesuffix("\n") for title, _, text in (s.partition("\n") for s in sections)
            }
            yield Recording(
                family=path.stem,
                name=name,
                template=settings["template"],
                prompt=settings.get("prompt", "").replace("\\n", "\n"),
                output=output,
                reasoning=parts.get("reasoning", ""),
                answer=parts["answer"],
                calls=json.loads(parts["calls"]),
            )


def merged(events: list[OutputEvent]) -> list[tuple[str, str] | ToolCallMade]:
    """What was told, without regard to how it was cut and to what was to be held to a grammar."""
    merged_events: list[tuple[str, str] | ToolCallMade] = []
    for event in events:
        if isinstance(event, ToolCallMade):
            merged_events.append(event)
        elif isinstance(event, OutputText):
            last = merged_events[-1] if merged_events else None
            if isinstance(last, tuple) and last[0] == event.kind:
                merged_events[-1] = (event.kind, last[1] + event.text)
            else:
                merged_events.append((event.kind, event.text))
    return merged_events


def text_of(events: list[OutputEvent], *kinds: OutputKind) -> str:
    """The text of ``kinds``; of all where none is given."""
    return "".join(
        event.text for event in events if isinstance(event, OutputText) and (not kinds or event.kind in kinds)
    )
