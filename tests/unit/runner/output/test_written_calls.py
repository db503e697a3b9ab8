"""Calls rendered by published templates are parsed back, however they are split."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from fakes.recorded_outputs import merged, text_of
from fakes.written_calls import TOOLS, Written, format_of, template_of, written_by
from fireside.core.generation import OutputKind
from fireside.runner.output.model_formats import CallStyle, ModelFormat, make_parser
from fireside.runner.output.output_events import OutputEvent, ToolCallMade

_FOLDERS = [Path(__file__).parent / "templates", Path(__file__).parent.parent / "prompt" / "templates"]
if more := os.environ.get("FIRESIDE_TEMPLATES"):
    _FOLDERS.append(Path(more))  # all that llama.cpp has, for instance
FORMATS: dict[str, ModelFormat] = {}
CASES: list[tuple[str, Written]] = []
for _path in sorted(path for folder in _FOLDERS for path in folder.glob("*.jinja")):
    _template = template_of(_path.read_text("utf-8"))
    FORMATS[_path.stem] = format_of(_template)
    CASES += [(_path.stem, written) for written in written_by(_template)]

each_case = pytest.mark.parametrize(
    ("family", "written"), CASES, ids=[f"{family}: {written.case}" for family, written in CASES]
)


def _parse(family: str, pieces: Iterable[str]) -> list[OutputEvent]:
    parser = make_parser(FORMATS[family], rendered_prompt="", tools=TOOLS)
    events = parser.begin()
    for piece in pieces:
        events += parser.feed(piece)
    return events + parser.end()


@each_case
def test_rendered_calls_are_parsed_back(family: str, written: Written) -> None:
    events = _parse(family, [written.text])
    calls = [event.call for event in events if isinstance(event, ToolCallMade)]
    assert [(call.name, json.loads(call.arguments)) for call in calls] == written.calls
    assert not text_of(events, OutputKind.ANSWER).strip()


@each_case
def test_parsing_does_not_depend_on_the_split(family: str, written: Written) -> None:
    raw = written.text.encode()
    expected = merged(_parse(family, [written.text]))
    for cut in range(1, len(raw)):
        decoder = codecs.getincrementaldecoder("utf-8")()
        assert merged(_parse(family, [decoder.decode(raw[:cut]), decoder.decode(raw[cut:])])) == expected, cut


@pytest.mark.parametrize(
    ("family", "style"),
    [
        ("apertus", CallStyle.LEARNED),
        ("apriel-1.6", CallStyle.LEARNED),
        ("deepseek-v3.2", CallStyle.LEARNED),
        ("firefunction-2", CallStyle.LEARNED),
        ("functionary-3.1", CallStyle.LEARNED),
        ("gemma-4", CallStyle.GEMMA),
        ("gigachat-3.1", CallStyle.LEARNED),
        ("hunyuan-3", CallStyle.LEARNED),
        ("kimi-k2", CallStyle.KIMI),
        ("minicpm-5", CallStyle.LEARNED),
        ("minimax-m1", CallStyle.LEARNED),
        ("minimax-m3", CallStyle.ELEMENTS),
        ("nemotron-2", CallStyle.LEARNED),
        ("qwen-3", CallStyle.HERMES),
        ("solar", CallStyle.LEARNED),
    ],
)
def test_known_style_is_used_if_it_parses_the_rendered_calls(family: str, style: CallStyle) -> None:
    assert FORMATS[family].calls is style
    assert {written.case for name, written in CASES if name == family} >= {"a text", "all types"}


_CALLS = "{% for call in message.tool_calls or [] %}{{ call.function.name }}CALL{% endfor %}"
ODD = {
    "names alone": _CALLS.replace("CALL", " "),
    "arguments before the name": _CALLS.replace("CALL", "").replace(
        "{{ call.function.name }}",
        "<call>{{ call.function.arguments | tojson }}{{ call.function.name }}</call>",
    ),
    "keys alone": _CALLS.replace("CALL", "<{{ call.function.arguments | list | join('><') }}>"),
    "no words around": _CALLS.replace("CALL", "{{ call.function.arguments | tojson }}"),
    "values before keys": _CALLS.replace(
        "CALL", "{% for k, v in call.function.arguments.items() %}<v>{{ v }}</v><k>{{ k }}</k>{% endfor %}"
    ),
    "the last call alone": _CALLS.replace("CALL", "").replace(
        "message.tool_calls or []", "(message.tool_calls or [])[-1:]"
    ),
}


@pytest.mark.parametrize("hides_questions", [False, True])
@pytest.mark.parametrize("name", ODD)
def test_templates_that_cannot_be_learned_from_are_handled(name: str, hides_questions: bool) -> None:
    source = (
        "{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}"
        "{% for message in messages if message.role != hidden %}"
        "<|{{ message.role }}|>{{ message.content }}" + ODD[name] + "<|end|>{% endfor %}"
    )
    source = ("{% set hidden = 'user' %}" if hides_questions else "") + source
    assert format_of(template_of(source)).calls in (CallStyle.GENERIC, CallStyle.LEARNED)


@pytest.mark.parametrize("family", sorted({family for family, _ in CASES}))
def test_prose_about_calls_is_not_a_call(family: str) -> None:
    prose = "Use functools, call:add or a <function> with {braces} [or brackets] and name: add."
    assert text_of(_parse(family, [prose]), OutputKind.ANSWER) == prose


THINKING = [case for case in CASES if case[0] not in ("gpt-oss", "llama-3.1")]
"""Those of gpt-oss end their reasoning by the call; those of Llama 3.1 have no mark."""


@pytest.mark.parametrize(("family", "written"), THINKING)
def test_calls_at_the_end_of_reasoning_that_was_never_closed(family: str, written: Written) -> None:
    parser = make_parser(FORMATS[family], rendered_prompt="<think>\n", tools=TOOLS)
    events = [*parser.begin(), *parser.feed(f"Hm.\n{written.text}"), *parser.end()]
    calls = [event.call for event in events if isinstance(event, ToolCallMade)]
    assert [(call.name, json.loads(call.arguments)) for call in calls] == written.calls
