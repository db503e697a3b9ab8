"""Detect a model's output format from its chat template, vocabulary and rendered tool calls."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from fireside.core.generation import OutputKind
from fireside.runner.output.call_learning import PROBE_TOOLS, PROBES, RenderCalls, learn_call_format
from fireside.runner.output.call_marks import CallMarks
from fireside.runner.output.model_formats import (
    KIMI_3_MARKER,
    MARKUP,
    MODEL_REASONING_TAGS,
    REASONING_TAGS,
    CallStyle,
    ModelFormat,
    make_parser,
)
from fireside.runner.output.output_events import OutputText, ToolCallMade
from fireside.runner.output.tagged_json import JsonTags
from fireside.runner.output.tool_call_detection import loads

_ASSEMBLED_TAGS = {"<|open|>think<|sep|>": KIMI_3_MARKER}
"""For tags that templates assemble by a macro: the text that identifies them."""

_STYLE_MARKERS = (
    ("<|channel|>", CallStyle.HARMONY),
    ("<|START_ACTION|>", CallStyle.COMMAND),
    ("followed by a json-formatted list of actions", CallStyle.ACTION),
    ("[ARGS]", CallStyle.MISTRAL_NAMED),
    ("[TOOL_CALLS]", CallStyle.MISTRAL),
    ("<｜tool▁call▁begin｜>function", CallStyle.DEEPSEEK),
    ("<｜tool▁call▁begin｜>' + tool['type']", CallStyle.DEEPSEEK),
    ("<｜tool▁call▁begin｜>", CallStyle.DEEPSEEK_PLAIN),
    ("<|tool_call_begin|>", CallStyle.KIMI),
    (KIMI_3_MARKER, CallStyle.KIMI_3),
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
"""Texts that identify the styles, the most specific first."""


def detect_format(
    *,
    template_source: str | None,
    architecture: str,
    control_tokens: Mapping[str, int],
    supports_tools: bool | None = None,
    switches_reasoning: bool = False,
    render_calls: RenderCalls | None = None,
) -> ModelFormat:
    """Return the output format of a model.

    A model whose template has no tool support is instructed to write its calls as plain JSON. One that was
    trained with calls may write them in its own way all the same.

    Args:
        template_source: the model's own template; ``None`` or blank if it has none.
        architecture: ``general.architecture`` of the file.
        control_tokens: ids of the control tokens by text.
        supports_tools: whether the template supports tools; ``None`` to guess by its text.
        switches_reasoning: ``ChatTemplate.has_reasoning_switch``.
        render_calls: renders calls with the template. A style is accepted if it parses them; else the format
            is learned from them.
    """
    source = template_source or ""
    reasoning_tags = _reasoning_tags(source, control_tokens)
    if supports_tools is None:
        supports_tools = re.search(r"\btools\b", source) is not None
    calls, native = CallStyle.GENERIC, None
    if architecture == "gpt-oss" or "<|channel|>" in source:
        calls = CallStyle.HARMONY
    elif supports_tools:
        calls = _call_style(source, architecture=architecture, control_tokens=control_tokens)
    else:
        native = _marked_style(source) or _marked_style(control_tokens)
    fmt = ModelFormat(
        calls=calls,
        native=None if native is CallStyle.HARMONY else native,
        reasoning_tags=reasoning_tags,
        known_reasoning=tuple(
            start
            for start, end in reasoning_tags.items()
            if start in control_tokens or start in source or end in source
        ),
        switches_reasoning=switches_reasoning,
        preserved=frozenset(),
        control_ids={},
    )
    if calls is not CallStyle.HARMONY and render_calls is not None:
        fmt = _verified(fmt, render_calls)
    return _preserving(fmt, control_tokens)


def _preserving(fmt: ModelFormat, control_tokens: Mapping[str, int]) -> ModelFormat:
    """Return ``fmt`` with the control tokens that its parser needs to see."""
    learned_marks = _marks_of(fmt.learned)
    preserved = frozenset(
        text
        for text in control_tokens
        if text in MARKUP or (text and any(text in mark for mark in learned_marks))
    )
    return msgspec.structs.replace(
        fmt, preserved=preserved, control_ids={text: control_tokens[text] for text in preserved}
    )


def _reasoning_tags(source: str, control_tokens: Mapping[str, int]) -> dict[str, str]:
    """Return the reasoning tags: the general ones, and those that the model contains."""
    special = {
        start: end
        for start, end in MODEL_REASONING_TAGS.items()
        if any(
            text in source or text in control_tokens for text in (start, _ASSEMBLED_TAGS.get(start, start))
        )
    }
    return {**special, **REASONING_TAGS}


def _verified(fmt: ModelFormat, render_calls: RenderCalls) -> ModelFormat:
    """Return ``fmt`` if it parses the rendered calls, else with the format learned from them."""
    if _parses_back(fmt, render_calls):
        return fmt
    learned = learn_call_format(render_calls)
    learned_format = msgspec.structs.replace(fmt, calls=CallStyle.LEARNED, learned=learned)
    return learned_format if learned is not None and _parses_back(learned_format, render_calls) else fmt


def _marks_of(learned: CallMarks | JsonTags | None) -> frozenset[str]:
    match learned:
        case CallMarks():
            return frozenset(learned.texts)
        case JsonTags():
            return frozenset((*learned.opens, learned.closes))
        case None:
            return frozenset()


def _parses_back(fmt: ModelFormat, render_calls: RenderCalls) -> bool:
    """Whether rendered calls are parsed back completely, without any rest as answer text."""
    n_read = 0
    for calls in PROBES:
        text = render_calls(calls)
        if text is None or any(call.name not in text for call in calls):
            continue
        try:
            parser = make_parser(fmt, rendered_prompt="", tools=PROBE_TOOLS)
        except ValueError:  # ambiguous markers
            return False
        events = [*parser.begin(), *parser.feed(text), *parser.end()]
        parsed = [event.call for event in events if isinstance(event, ToolCallMade)]
        answer_text = "".join(
            e.text for e in events if isinstance(e, OutputText) and e.kind is OutputKind.ANSWER
        )
        if [(call.name, loads(call.arguments)) for call in parsed] != [
            (call.name, loads(call.arguments)) for call in calls
        ] or answer_text.strip():
            return False
        n_read += 1
    return n_read > 0


def _call_style(source: str, *, architecture: str, control_tokens: Mapping[str, int]) -> CallStyle:
    if by_source := _marked_style(source):
        return by_source
    if architecture == "llama4":
        return CallStyle.PYTHONIC
    by_token = _marked_style(control_tokens)
    return by_token or (CallStyle.LLAMA if architecture == "llama" else CallStyle.GENERIC)


def _marked_style(texts: str | Mapping[str, int]) -> CallStyle | None:
    """Return the style of the first marker that is in a template, or among the tokens of a vocabulary."""
    return next((style for marker, style in _STYLE_MARKERS if marker in texts), None)
