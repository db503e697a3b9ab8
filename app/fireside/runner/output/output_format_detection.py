"""Find out how a model writes: by what its template and vocabulary name, and by what the template shows."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from fireside.core.generation import OutputKind
from fireside.runner.output.call_learning import PROBE_TOOLS, PROBES, ShowCalls, learn
from fireside.runner.output.call_marks import CallMarks
from fireside.runner.output.model_formats import (
    KIMI_3_SIGN,
    MARKUP,
    REASONINGS,
    SPECIAL_REASONINGS,
    CallStyle,
    OutputFormat,
    make_parser,
)
from fireside.runner.output.output_events import OutputText, ToolCallMade
from fireside.runner.output.tagged_json import JsonTags
from fireside.runner.output.tool_call_detection import loads

_PUT_TOGETHER = {"<|open|>think<|sep|>": KIMI_3_SIGN}
"""What tells a tag that a template puts together by a macro."""

_SIGNS = (
    ("<|channel|>", CallStyle.HARMONY),
    ("<|START_ACTION|>", CallStyle.COMMAND),
    ("followed by a json-formatted list of actions", CallStyle.ACTION),
    ("[ARGS]", CallStyle.MISTRAL_NAMED),
    ("[TOOL_CALLS]", CallStyle.MISTRAL),
    ("<｜tool▁call▁begin｜>function", CallStyle.DEEPSEEK),
    ("<｜tool▁call▁begin｜>' + tool['type']", CallStyle.DEEPSEEK),
    ("<｜tool▁call▁begin｜>", CallStyle.DEEPSEEK_PLAIN),
    ("<|tool_call_begin|>", CallStyle.KIMI),
    (KIMI_3_SIGN, CallStyle.KIMI_3),
    ("<minimax:tool_call>", CallStyle.MINIMAX),
    ("]<]minimax[>[", CallStyle.ELEMENTS),
    ("<arg_key>", CallStyle.GLM),
    ("<seed:tool_call>", CallStyle.SEED),
    ("<function=", CallStyle.PARAMETERS),
    ("<|/tool_call|>", CallStyle.PHI),
    ("<|tool_call|>", CallStyle.GRANITE),
    ("<|tool_call>", CallStyle.GEMMA),
    ("<|tool_call_start|>", CallStyle.LFM),
    ("<tool_call>", CallStyle.HERMES),
    ("<|python_start|>", CallStyle.PYTHONIC),
    ("[func_name1(", CallStyle.PYTHONIC),
    ("<|python_tag|>", CallStyle.LLAMA),
)
"""What tells the styles apart, the surest first."""


def detect_format(
    *,
    template_source: str | None,
    architecture: str,
    control_tokens: Mapping[str, int],
    supports_tools: bool | None = None,
    switches_reasoning: bool = False,
    show_calls: ShowCalls | None = None,
) -> OutputFormat:
    """Return how a model writes, by what its template and its vocabulary name.

    A model whose template knows no tools is told of them in words, and to write its calls as plain JSON.

    Args:
        template_source: the model's own template; ``None`` or blank where it has none.
        architecture: ``general.architecture`` of the file.
        control_tokens: the text of each control token and its number.
        supports_tools: whether the template shows tools to the model; ``None`` to guess by its text.
        switches_reasoning: ``ChatTemplate.has_reasoning_switch``.
        show_calls: words calls as the template does. A style is believed if it reads them; else they are
            learned from.
    """
    source = template_source or ""
    reasonings = _reasonings(source, control_tokens)
    if supports_tools is None:
        supports_tools = re.search(r"\btools\b", source) is not None
    calls = CallStyle.GENERIC
    if architecture == "gpt-oss" or "<|channel|>" in source:
        calls = CallStyle.HARMONY
    elif supports_tools:
        calls = _call_style(source, architecture=architecture, control_tokens=control_tokens)
    fmt = OutputFormat(
        calls=calls,
        reasonings=reasonings,
        thinks=tuple(
            start
            for start, end in reasonings.items()
            if start in control_tokens or start in source or end in source
        ),
        switches_reasoning=switches_reasoning,
        preserved=frozenset(),
        control_ids={},
    )
    if calls is not CallStyle.HARMONY and show_calls is not None:
        fmt = _believed(fmt, show_calls)
    return _preserving(fmt, control_tokens)


def _preserving(fmt: OutputFormat, control_tokens: Mapping[str, int]) -> OutputFormat:
    """Return ``fmt`` with the control tokens without which its output cannot be understood."""
    learned_marks = _marks_of(fmt.learned)
    preserved = frozenset(
        text
        for text in control_tokens
        if text in MARKUP or (text and any(text in mark for mark in learned_marks))
    )
    return msgspec.structs.replace(
        fmt, preserved=preserved, control_ids={text: control_tokens[text] for text in preserved}
    )


def _reasonings(source: str, control_tokens: Mapping[str, int]) -> dict[str, str]:
    """Return what begins reasoning and what ends it: the usual marks, and those that the model names."""
    special = {
        start: end
        for start, end in SPECIAL_REASONINGS.items()
        if any(text in source or text in control_tokens for text in (start, _PUT_TOGETHER.get(start, start)))
    }
    return {**special, **REASONINGS}


def _believed(fmt: OutputFormat, show: ShowCalls) -> OutputFormat:
    """Return ``fmt`` if it reads what the template shows, else with what can be learned from that."""
    if _reads(fmt, show):
        return fmt
    learned = learn(show)
    render = msgspec.structs.replace(fmt, calls=CallStyle.LEARNED, learned=learned)
    return render if learned is not None and _reads(render, show) else fmt


def _marks_of(learned: CallMarks | JsonTags | None) -> frozenset[str]:
    match learned:
        case CallMarks():
            return frozenset(learned.texts)
        case JsonTags():
            return frozenset((*learned.opens, learned.closes))
        case None:
            return frozenset()


def _reads(fmt: OutputFormat, show: ShowCalls) -> bool:
    """Whether calls that the template words are read back, and nothing of them is taken for an answer."""
    n_read = 0
    for calls in PROBES:
        text = show(calls)
        if text is None or any(call.name not in text for call in calls):
            continue
        try:
            parser = make_parser(fmt, rendered_prompt="", tools=PROBE_TOOLS)
        except ValueError:  # marks that cannot be told apart
            return False
        events = [*parser.begin(), *parser.feed(text), *parser.end()]
        made = [event.call for event in events if isinstance(event, ToolCallMade)]
        said = "".join(e.text for e in events if isinstance(e, OutputText) and e.kind is OutputKind.ANSWER)
        if [(call.name, loads(call.arguments)) for call in made] != [
            (call.name, loads(call.arguments)) for call in calls
        ] or said.strip():
            return False
        n_read += 1
    return n_read > 0


def _call_style(source: str, *, architecture: str, control_tokens: Mapping[str, int]) -> CallStyle:
    for sign, style in _SIGNS:
        if sign in source:
            return style
    if architecture == "llama4":
        return CallStyle.PYTHONIC
    known = next((style for sign, style in _SIGNS if sign in control_tokens), None)
    return known or (CallStyle.LLAMA if architecture == "llama" else CallStyle.GENERIC)
