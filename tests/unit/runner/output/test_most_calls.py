"""An answer ends after the most calls, and waits for their results."""

from __future__ import annotations

import json
from itertools import cycle, islice

import pytest

from fakes.recorded_outputs import TOOLS
from fireside.core.generation import OutputKind
from fireside.core.ids import RequestId
from fireside.core.prompt_input import ToolChoice
from fireside.runner.output.model_formats import make_parser
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.output.tool_call_detection import MAX_CALLS
from fireside.wire.messages import Piece

WAYS = {
    "in one fence": ("```json\n", "{}\n", ""),
    "in a list": ("[", "{}, ", ""),
    "in a list in a fence": ("```json\n[", "{},\n", ""),
    "one behind the other": ("", "{}\n", ""),
    "between marks": ("", "<tool_call>\n{}\n</tool_call>\n", ""),
    "behind one mark": ("<tool_call>", "{}\n", ""),
}
HARMONY = (
    '<|start|>assistant<|channel|>commentary to=functions.{}<|constrain|>json<|message|>{{"a": {}}}<|call|>'
)


def stream(template: str) -> OutputStream:
    fmt = detect_format(template_source=template, architecture="qwen2", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="", tools=TOOLS, tool_choice=ToolChoice(unknown=True))
    return OutputStream(RequestId(1), parser=parser, stop=(), model_stop=(), emit=lambda _piece: None)


def written_until_over(answer: OutputStream, text: str) -> int:
    """Feed a text letter by letter; return how much of it was written before the answer was over."""
    for n, letter in enumerate(text):
        if answer.is_over:
            return n
        answer.feed(letter.encode())
    return len(text)


def template_of(way: str) -> str:
    """Return the template of a model with this syntax; bare lists count only for templates without one."""
    return "{{ tools }}<tool_call>" if "<tool_call>" in "".join(WAYS[way]) else "{{ tools }}"


def listed(way: str, names: list[str]) -> str:
    start, separator, end = WAYS[way]
    calls = (json.dumps({"name": name, "arguments": {"a": n}}) for n, name in enumerate(names))
    return start + "".join(separator.replace("{}", call) for call in calls) + end


@pytest.mark.parametrize("way", WAYS)
def test_answer_ends_after_the_most_calls(way: str) -> None:
    answer = stream(template_of(way))
    text = listed(way, [TOOLS[0].name] * 60)
    n_written = written_until_over(answer, text)
    assert len(answer.tool_calls) == MAX_CALLS
    assert n_written < len(text) * 0.6
    assert not answer.stopped, "it ended with calls, not with a stop string"


@pytest.mark.parametrize("way", WAYS)
def test_calls_of_unknown_tools_end_the_answer_sooner(way: str) -> None:
    answer = stream(template_of(way))
    text = listed(way, [f"made_up_{n}" for n in range(60)])
    n_written = written_until_over(answer, text)
    assert [call.name for call in answer.tool_calls] == ["made_up_0", "made_up_1", "made_up_2"]
    assert n_written < len(text) * 0.1


@pytest.mark.parametrize("way", WAYS)
def test_few_calls_do_not_end_the_answer(way: str) -> None:
    names = list(islice(cycle(tool.name for tool in TOOLS), 5))
    answer = stream(template_of(way))
    text = listed(way, names).rstrip(", \n") + "]" * ("list" in way)
    assert written_until_over(answer, text) == len(text)
    assert not answer.is_over
    answer.end()
    assert [call.name for call in answer.tool_calls] == names


def test_harmony_answer_ends_after_the_most_calls() -> None:
    answer = stream("<|start|><|channel|>{{ tools }}")
    text = "".join(HARMONY.format(TOOLS[0].name, n) for n in range(60)).removeprefix("<|start|>assistant")
    n_written = written_until_over(answer, text)
    assert len(answer.tool_calls) == MAX_CALLS
    assert n_written < len(text) * 0.6


def test_raw_output_is_unchanged() -> None:
    pieces: list[Piece] = []
    fmt = detect_format(template_source="{{ tools }}<tool_call>", architecture="qwen2", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="", tools=TOOLS, tool_choice=ToolChoice(unknown=True))
    answer = OutputStream(RequestId(1), parser=parser, stop=(), model_stop=(), emit=pieces.append)
    text = listed("between marks", ["made_up"] * 60)
    written_until_over(answer, text)
    answer.end()
    output = "".join(piece.text for piece in pieces)
    assert output
    assert text.startswith(output)
    assert {piece.kind for piece in pieces} == {OutputKind.MARKUP}
