"""Know how a model writes: what its reasoning and its tool calls look like."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import assert_never

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.generation import OutputKind
from fireside.core.prompt_input import ToolChoice, ToolDefinition, ToolMode
from fireside.runner.output.call_learning import PROBE_TOOLS, PROBES, ShowCalls, learn
from fireside.runner.output.call_marks import CallMarks
from fireside.runner.output.element_calls import ELEMENT_MARKS, ElementCalls
from fireside.runner.output.gemma import GEMMA_MARKS, GemmaCalls
from fireside.runner.output.glm import KEYED_MARKS, GlmCalls
from fireside.runner.output.harmony import (
    HARMONY_MARKS,
    HarmonyPlan,
    harmony_call,
    harmony_opening,
    harmony_script,
    opened_header,
)
from fireside.runner.output.kimi import SECTION_MARKS, SectionCalls
from fireside.runner.output.marked_calls import MarkedCalls
from fireside.runner.output.mistral_deepseek import (
    DEEPSEEK_MARKS,
    MISTRAL_MARKS,
    DeepSeekCalls,
    MistralCalls,
)
from fireside.runner.output.output_events import OutputText, ToolCallMade
from fireside.runner.output.parser import OutputParser, ScriptParser
from fireside.runner.output.pythonic import PythonicCalls, PythonTags
from fireside.runner.output.qwen_xml import ParameterTags, QwenXmlCalls
from fireside.runner.output.tagged_answer import AnswerPlan, answer_script
from fireside.runner.output.tagged_json import JsonTags, TaggedJsonCalls
from fireside.runner.output.tool_call_detection import CallSyntax, Tools, loads
from fireside.runner.output.tool_call_grammar import Marks, constraint_of


class CallStyle(StrEnum):
    """The ways to write tool calls, named for the model that began it."""

    HARMONY = "harmony"
    DEEPSEEK = "deepseek"
    DEEPSEEK_PLAIN = "deepseek_plain"
    PARAMETERS = "parameters"
    SEED = "seed"
    PYTHONIC = "pythonic"
    LFM = "lfm"
    MISTRAL_NAMED = "mistral_named"
    HERMES = "hermes"
    LLAMA = "llama"
    MISTRAL = "mistral"
    GRANITE = "granite"
    COMMAND = "command"
    PHI = "phi"
    GLM = "glm"
    KIMI = "kimi"
    MINIMAX = "minimax"
    GEMMA = "gemma"
    ELEMENTS = "elements"
    GENERIC = "generic"
    LEARNED = "learned"
    """As the template shows it."""


_REASONINGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<reasoning>": "</reasoning>",
}
"""Recognised whatever the model: no answer begins with these by chance."""

_SPECIAL_REASONINGS = {
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|channel>thought": "<channel|>",
    "Here is my thought process:": "Here is my response:",
    "<mm:think>": "</mm:think>",
    "<think:opensource>": "</think:opensource>",
    "<|inner_prefix|>": "<|inner_suffix|>",
    "<|think|>": "<|end|>",
    "Here are my reasoning steps:": "[BEGIN FINAL RESPONSE]",
}
"""Recognised where the model's template or its control tokens have them."""

_JSON_TAGS = {
    CallStyle.HERMES: JsonTags(opens=("<tool_call>",), closes="</tool_call>"),
    CallStyle.LLAMA: JsonTags(
        opens=("<|python_tag|>",), arguments_key="parameters", bare=True, separator=";"
    ),
    CallStyle.GRANITE: JsonTags(opens=("<|tool_call|>", "<tool_call>"), in_list=True),
    CallStyle.COMMAND: JsonTags(
        opens=("<|START_ACTION|>",),
        closes="<|END_ACTION|>",
        in_list=True,
        name_key="tool_name",
        arguments_key="parameters",
        id_key="tool_call_id",
    ),
    CallStyle.PHI: JsonTags(opens=("<|tool_call|>",), closes="<|/tool_call|>", in_list=True),
    CallStyle.GENERIC: JsonTags(
        opens=(), bare=True, fences=("```json", "```tool_call", "```tool_code", "```")
    ),
}

_PYTHON_TAGS = {
    CallStyle.PYTHONIC: PythonTags(opens=("<|python_start|>",), closes="<|python_end|>", bare=True),
    CallStyle.LFM: PythonTags(opens=("<|tool_call_start|>",), closes="<|tool_call_end|>"),
}

_PARAMETER_TAGS = {
    CallStyle.PARAMETERS: ParameterTags(tag="tool_call"),
    CallStyle.SEED: ParameterTags(tag="seed:tool_call"),
    CallStyle.MINIMAX: ParameterTags(
        tag="minimax:tool_call",
        function='<invoke name="',
        parameter='<parameter name="',
        name_end='">',
        function_end="</invoke>",
        bare=False,
        many=True,
        padded=False,
    ),
}

_SIGNS = (
    ("<|channel|>", CallStyle.HARMONY),
    ("<|START_ACTION|>", CallStyle.COMMAND),
    ("[ARGS]", CallStyle.MISTRAL_NAMED),
    ("[TOOL_CALLS]", CallStyle.MISTRAL),
    ("<｜tool▁call▁begin｜>function", CallStyle.DEEPSEEK),
    ("<｜tool▁call▁begin｜>' + tool['type']", CallStyle.DEEPSEEK),
    ("<｜tool▁call▁begin｜>", CallStyle.DEEPSEEK_PLAIN),
    ("<|tool_call_begin|>", CallStyle.KIMI),
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

_WRAPPERS = ("<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>")

_TAGS: tuple[JsonTags | PythonTags, ...] = (*_JSON_TAGS.values(), *_PYTHON_TAGS.values())
_MARKUP = frozenset(
    (
        *HARMONY_MARKS,
        *MISTRAL_MARKS,
        *DEEPSEEK_MARKS,
        *KEYED_MARKS,
        *SECTION_MARKS,
        *GEMMA_MARKS,
        *ELEMENT_MARKS,
        *(text for tags in _PARAMETER_TAGS.values() for text in (f"<{tags.tag}>", f"</{tags.tag}>")),
        *_WRAPPERS,
        *(text for tags in _TAGS for text in (*tags.opens, tags.closes)),
        *(text for pair in (_REASONINGS | _SPECIAL_REASONINGS).items() for text in pair),
    )
)

_AS_IT_SEES_FIT = ToolChoice()


class OutputFormat(msgspec.Struct, frozen=True, kw_only=True):
    """How a model writes. Kept for as long as the model is loaded."""

    calls: CallStyle
    learned: CallMarks | JsonTags | None = None
    """How calls are written where ``calls`` is ``LEARNED``."""
    reasonings: Mapping[str, str]
    """What opens reasoning, and what closes it then."""
    thinks: tuple[str, ...]
    """What of that the template or the vocabulary names: this model is known to think."""
    switches_reasoning: bool
    """Whether the template words that reasoning is on or off."""
    preserved: frozenset[str]
    """Texts of control tokens that the parser must see in the output."""
    control_ids: Mapping[str, int]
    """Tokens of ``preserved``."""


def detect_format(
    *,
    template_source: str | None,
    architecture: str,
    control_tokens: Mapping[str, int],
    takes_tools: bool | None = None,
    switches_reasoning: bool = False,
    show_calls: ShowCalls | None = None,
) -> OutputFormat:
    """Return how a model writes, by what its template and its vocabulary name.

    A model whose template knows no tools is told of them in words, and to write its calls as plain JSON.

    Args:
        template_source: the model's own template; ``None`` or blank where it has none.
        architecture: ``general.architecture`` of the file.
        control_tokens: the text of each control token and its number.
        takes_tools: whether the template shows tools to the model; ``None`` to guess by its text.
        switches_reasoning: ``ChatTemplate.knows_reasoning_switch``.
        show_calls: words calls as the template does. A style is believed if it reads them; else they are
            learned from.
    """
    source = template_source or ""
    reasonings = {
        **{
            start: end
            for start, end in _SPECIAL_REASONINGS.items()
            if start in source or start in control_tokens
        },
        **_REASONINGS,
    }
    if takes_tools is None:
        takes_tools = re.search(r"\btools\b", source) is not None
    calls = CallStyle.GENERIC
    if architecture == "gpt-oss" or "<|channel|>" in source:
        calls = CallStyle.HARMONY
    elif takes_tools:
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
    if calls is not CallStyle.HARMONY and show_calls is not None and not _reads(fmt, show_calls):
        learned = learn(show_calls)
        attempt = msgspec.structs.replace(fmt, calls=CallStyle.LEARNED, learned=learned)
        if learned is not None and _reads(attempt, show_calls):
            fmt = attempt
    marks = _MARKUP | _marks_of(fmt.learned)
    preserved = frozenset(text for text in control_tokens if text and any(text in mark for mark in marks))
    return msgspec.structs.replace(
        fmt, preserved=preserved, control_ids={text: control_tokens[text] for text in preserved}
    )


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


def make_parser(
    fmt: OutputFormat,
    *,
    rendered_prompt: str,
    tools: tuple[ToolDefinition, ...] = (),
    tool_choice: ToolChoice = _AS_IT_SEES_FIT,
    constraint: Constraint | None = None,
    may_think: bool = True,
    call_id_prefix: str = "call_",
) -> OutputParser:
    """Return the parser of one answer.

    A call counts only if ``tools`` has its tool and ``tool_choice`` allows it. With a ``constraint`` the
    answer is what it says, not a call, unless a call is required, which comes before any other rule. A model
    that is known to think thinks first, if it ``may_think`` and the prompt has not closed its reasoning.
    """
    allowed = _callable(tools, tool_choice=tool_choice, constraint=constraint)
    opening = opening_constraint(fmt, tools=tools, tool_choice=tool_choice)

    def make_id(n: int) -> str:
        if fmt.calls in (CallStyle.MISTRAL, CallStyle.MISTRAL_NAMED):  # nine letters or digits, nothing else
            return hashlib.sha256(f"{call_id_prefix}{n}".encode()).hexdigest()[:9]
        return f"{call_id_prefix}{n}"

    if fmt.calls is CallStyle.HARMONY:
        harmony = HarmonyPlan(
            opened=opened_header(rendered_prompt),
            tools=Tools(allowed),
            marks=Marks(fmt.control_ids),
            constraint=constraint,
            opening=opening,
            make_id=make_id,
        )
        return ScriptParser(harmony_script(harmony))
    tail = rendered_prompt[-200:].rstrip()
    is_closed = any(tail.endswith(end) for end in fmt.reasonings.values())
    plan = AnswerPlan(
        reasonings=fmt.reasonings,
        open_until=next((end for start, end in fmt.reasonings.items() if tail.endswith(start)), None),
        thinks_first=fmt.thinks if may_think and not is_closed else (),
        syntax=_syntax(fmt, allowed) if allowed else None,
        wrappers=_WRAPPERS if fmt.calls is CallStyle.COMMAND else (),
        constraint=opening or constraint,
        make_id=make_id,
    )
    return ScriptParser(answer_script(plan))


def opening_constraint(
    fmt: OutputFormat, *, tools: tuple[ToolDefinition, ...], tool_choice: ToolChoice
) -> Constraint | None:
    """Return what an answer must be from its first token on, behind the reasoning, if a call is required.

    The parser that ``make_parser`` returns asks for it itself.
    """
    allowed = _callable(tools, tool_choice=tool_choice, constraint=None)
    if tool_choice.mode is not ToolMode.REQUIRED or not allowed:
        return None
    if fmt.calls is CallStyle.HARMONY:
        return harmony_opening(Tools(allowed), Marks(fmt.control_ids))
    return constraint_of(_syntax(fmt, allowed).opening_grammar())


def likely_constraints(
    fmt: OutputFormat,
    *,
    tools: tuple[ToolDefinition, ...],
    tool_choice: ToolChoice,
    constraint: Constraint | None = None,
) -> tuple[Constraint, ...]:
    """Return everything that an answer may come to be held to where it calls a tool as it sees fit.

    The parser that ``make_parser`` returns asks for nothing else then. The likeliest come first.
    """
    allowed = _callable(tools, tool_choice=tool_choice, constraint=constraint)
    if tool_choice.mode is ToolMode.REQUIRED or not allowed:
        return ()
    if fmt.calls is CallStyle.HARMONY:
        return (harmony_call(Tools(allowed), Marks(fmt.control_ids)),)
    return tuple(map(constraint_of, dict.fromkeys(_syntax(fmt, allowed).call_grammars())))


def _callable(
    tools: tuple[ToolDefinition, ...], *, tool_choice: ToolChoice, constraint: Constraint | None
) -> tuple[ToolDefinition, ...]:
    """The tools that the answer may call."""
    match tool_choice.mode:
        case ToolMode.NONE:
            return ()
        case ToolMode.AUTO:
            return () if constraint is not None else tools
        case ToolMode.REQUIRED:
            return tuple(tool for tool in tools if tool_choice.name in (None, tool.name))
        case _:
            assert_never(tool_choice.mode)


def _syntax(fmt: OutputFormat, allowed: tuple[ToolDefinition, ...]) -> CallSyntax:
    tools, marks = Tools(allowed), Marks(fmt.control_ids)
    match fmt.calls:
        case CallStyle.MISTRAL | CallStyle.MISTRAL_NAMED:
            writes_names = fmt.calls is CallStyle.MISTRAL_NAMED
            return MistralCalls(tools=tools, marks=marks, writes_names=writes_names)
        case CallStyle.DEEPSEEK | CallStyle.DEEPSEEK_PLAIN:
            return DeepSeekCalls(tools=tools, marks=marks, fenced=fmt.calls is CallStyle.DEEPSEEK)
        case CallStyle.PARAMETERS | CallStyle.SEED | CallStyle.MINIMAX:
            return QwenXmlCalls(_PARAMETER_TAGS[fmt.calls], tools=tools, marks=marks)
        case CallStyle.ELEMENTS:
            return ElementCalls(tools=tools, marks=marks)
        case CallStyle.GEMMA:
            return GemmaCalls(tools=tools, marks=marks)
        case CallStyle.LEARNED if isinstance(fmt.learned, CallMarks):
            return MarkedCalls(fmt.learned, tools=tools, marks=marks)
        case CallStyle.GLM:
            return GlmCalls(tools=tools, marks=marks)
        case CallStyle.KIMI:
            return SectionCalls(tools=tools, marks=marks)
        case CallStyle.PYTHONIC | CallStyle.LFM:
            return PythonicCalls(_PYTHON_TAGS[fmt.calls], tools=tools, marks=marks)
        case _:
            python = PythonicCalls(PythonTags(bare=True), tools=tools, marks=marks)
            tags = fmt.learned if isinstance(fmt.learned, JsonTags) else _JSON_TAGS[fmt.calls]
            return TaggedJsonCalls(tags, tools=tools, marks=marks, python=python)


def _call_style(source: str, *, architecture: str, control_tokens: Mapping[str, int]) -> CallStyle:
    for sign, style in _SIGNS:
        if sign in source:
            return style
    if architecture == "llama4":
        return CallStyle.PYTHONIC
    known = next((style for sign, style in _SIGNS if sign in control_tokens), None)
    return known or (CallStyle.LLAMA if architecture == "llama" else CallStyle.GENERIC)
