"""Output formats of models: the markup of reasoning and tool calls, and the parser for it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import assert_never

import msgspec

from fireside.core.prompt_input import ToolChoice, ToolDefinition, ToolMode
from fireside.core.task import Constraint
from fireside.runner.output.call_marks import NUMBER, CallMarks
from fireside.runner.output.element_calls import ELEMENT_MARKS, ElementCalls
from fireside.runner.output.gemma import GEMMA_MARKS, GemmaCalls
from fireside.runner.output.glm import GLM_MARKS, GlmCalls
from fireside.runner.output.harmony import (
    HARMONY_MARKS,
    HarmonyPlan,
    harmony_call,
    harmony_opening,
    harmony_script,
    opened_header,
)
from fireside.runner.output.kimi import KIMI_MARKS, KimiCalls
from fireside.runner.output.marked_calls import MarkedCalls
from fireside.runner.output.mistral_deepseek import (
    DEEPSEEK_MARKS,
    MISTRAL_MARKS,
    DeepSeekCalls,
    MistralCalls,
)
from fireside.runner.output.parser import OutputParser
from fireside.runner.output.pythonic import PythonicCalls, PythonTags
from fireside.runner.output.qwen_xml import ParameterTags, QwenXmlCalls
from fireside.runner.output.tagged_answer import AnswerPlan, answer_script
from fireside.runner.output.tagged_json import JsonTags, TaggedJsonCalls
from fireside.runner.output.tool_call_detection import CallSyntax, Tools
from fireside.runner.output.tool_call_grammar import MarkerGrammar, constraint_of, repeated


class CallStyle(StrEnum):
    """Tool-call formats, named for the model that introduced them."""

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
    ACTION = "action"
    PHI = "phi"
    GLM = "glm"
    KIMI = "kimi"
    KIMI_3 = "kimi_3"
    MINIMAX = "minimax"
    GEMMA = "gemma"
    ELEMENTS = "elements"
    GENERIC = "generic"
    LEARNED = "learned"
    """Learned from the chat template."""


REASONING_TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<reasoning>": "</reasoning>",
}
"""Reasoning tags that are recognised for all models: no answer begins with these by chance."""

MODEL_REASONING_TAGS = {
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|channel>thought": "<channel|>",
    "Here is my thought process:": "Here is my response:",
    "<mm:think>": "</mm:think>",
    "<|open|>think<|sep|>": "<|close|>think<|sep|>",
    "<think:opensource>": "</think:opensource>",
    "<|inner_prefix|>": "<|inner_suffix|>",
    "<|think|>": "<|end|>",
    "Here are my reasoning steps:": "[BEGIN FINAL RESPONSE]",
}
"""Reasoning tags that are recognised only if the model's template or control tokens contain them."""

_JSON_TAGS = {
    CallStyle.HERMES: JsonTags(
        opens=("<tool_call>",), closes="</tool_call>", may_be_bare=True, fences=("```json", "```")
    ),
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
    CallStyle.ACTION: JsonTags(
        opens=("Action:\n```json", "Action: ```json"),
        closes="```",
        in_list=True,
        name_key="tool_name",
        arguments_key="parameters",
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

KIMI_3_MARKER = "<|open|>"
_KIMI_3 = CallMarks(
    section="<|open|>tools<|sep|>",
    opens='<|open|>call tool="',
    name_ends=f'" index="{NUMBER}"<|sep|>',
    closes="<|close|>call<|sep|>",
    ends="<|close|>tools<|sep|>",
    key_opens='<|open|>argument key="',
    key_ends='" type="string"<|sep|>',
    other_key_ends=tuple(
        (kind, f'" type="{written}"<|sep|>')
        for kind, written in (
            ("integer", "number"),
            *((kind, kind) for kind in ("number", "boolean", "array", "object")),
        )
    ),
    value_ends="<|close|>argument<|sep|>",
)
_KIMI_3_WRAPPERS = ("<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>")

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

_WRAPPERS = ("<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>")

_WRAPPERS_OF = {CallStyle.COMMAND: _WRAPPERS, CallStyle.KIMI_3: _KIMI_3_WRAPPERS}

_TAGS: tuple[JsonTags | PythonTags, ...] = (*_JSON_TAGS.values(), *_PYTHON_TAGS.values())
MARKUP = frozenset(
    (
        *HARMONY_MARKS,
        *MISTRAL_MARKS,
        *DEEPSEEK_MARKS,
        *GLM_MARKS,
        *KIMI_MARKS,
        *GEMMA_MARKS,
        *("<|open|>", "<|close|>", "<|sep|>"),
        *ELEMENT_MARKS,
        *(text for tags in _PARAMETER_TAGS.values() for text in (f"<{tags.tag}>", f"</{tags.tag}>")),
        *_WRAPPERS,
        *(text for tags in _TAGS for text in (*tags.opens, tags.closes)),
        *(text for pair in (REASONING_TAGS | MODEL_REASONING_TAGS).items() for text in pair),
    )
)

_AUTO = ToolChoice()


class ModelFormat(msgspec.Struct, frozen=True, kw_only=True):
    """The output format of a model."""

    calls: CallStyle
    learned: CallMarks | JsonTags | None = None
    """The format of calls if ``calls`` is ``LEARNED``."""
    native: CallStyle | None = None
    """How the model may write calls too, although its template tells it nothing of tools."""
    reasoning_tags: Mapping[str, str]
    """End tag of reasoning by start tag."""
    known_reasoning: tuple[str, ...]
    """Start tags that the template or the vocabulary contain: the model is known to reason."""
    switches_reasoning: bool
    """Whether the template can turn reasoning on and off."""
    preserved: frozenset[str]
    """Control tokens whose text must appear in the output for the parser."""
    control_ids: Mapping[str, int]
    """Ids of the ``preserved`` tokens by text."""


def make_parser(
    fmt: ModelFormat,
    *,
    rendered_prompt: str,
    tools: tuple[ToolDefinition, ...] = (),
    tool_choice: ToolChoice = _AUTO,
    constraint: Constraint | None = None,
    may_reason: bool = True,
    call_id_prefix: str = "call_",
) -> OutputParser:
    """Return the parser of one answer.

    A call counts only if ``tools`` has its tool and ``tool_choice`` allows it. With a ``constraint`` the
    answer cannot be a call, unless a call is required, which takes precedence. A model that is known to
    reason may do so before, if ``may_reason`` and the prompt has not closed the reasoning.
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
            marks=MarkerGrammar(fmt.control_ids),
            constraint=constraint,
            opening=opening,
        )
        return OutputParser(harmony_script(harmony), make_id=make_id)
    callable_tools = Tools(allowed, unknown=tool_choice.unknown)
    tail = rendered_prompt[-200:].rstrip()
    is_closed = any(tail.endswith(end) for end in fmt.reasoning_tags.values())
    plan = AnswerPlan(
        reasoning_tags=fmt.reasoning_tags,
        open_reasoning_end=next(
            (end for start, end in fmt.reasoning_tags.items() if tail.endswith(start)), None
        ),
        reasoning_allowed=fmt.known_reasoning if may_reason and not is_closed else (),
        syntax=_syntax(fmt, callable_tools) if allowed else None,
        tools=callable_tools,
        wrappers=_WRAPPERS_OF.get(fmt.calls, ()),
        constraint=opening or constraint,
    )
    return OutputParser(answer_script(plan), make_id=make_id)


def opening_constraint(
    fmt: ModelFormat, *, tools: tuple[ToolDefinition, ...], tool_choice: ToolChoice
) -> Constraint | None:
    """Return the constraint of an answer, after its reasoning, if a call is required.

    The parser of ``make_parser`` requests it itself.
    """
    allowed = _callable(tools, tool_choice=tool_choice, constraint=None)
    if tool_choice.mode is not ToolMode.REQUIRED or not allowed:
        return None
    if fmt.calls is CallStyle.HARMONY:
        return harmony_opening(Tools(allowed), MarkerGrammar(fmt.control_ids))
    opening = _syntax(fmt, Tools(allowed)).opening_grammar()
    is_single = tool_choice.name is not None or not tool_choice.several
    return constraint_of(opening if is_single else repeated(opening))


def likely_constraints(
    fmt: ModelFormat,
    *,
    tools: tuple[ToolDefinition, ...],
    tool_choice: ToolChoice,
    constraint: Constraint | None = None,
) -> tuple[Constraint, ...]:
    """Return all constraints that the parser of ``make_parser`` may request if calls are optional.

    The likeliest come first.
    """
    allowed = _callable(tools, tool_choice=tool_choice, constraint=constraint)
    if tool_choice.mode is ToolMode.REQUIRED or not allowed:
        return ()
    if fmt.calls is CallStyle.HARMONY:
        return (harmony_call(Tools(allowed), MarkerGrammar(fmt.control_ids)),)
    return tuple(map(constraint_of, dict.fromkeys(_syntax(fmt, Tools(allowed)).call_grammars())))


def _callable(
    tools: tuple[ToolDefinition, ...], *, tool_choice: ToolChoice, constraint: Constraint | None
) -> tuple[ToolDefinition, ...]:
    """Return the tools that the answer may call."""
    match tool_choice.mode:
        case ToolMode.NONE:
            return ()
        case ToolMode.AUTO:
            return () if constraint is not None else tools
        case ToolMode.REQUIRED:
            return tuple(tool for tool in tools if tool_choice.name in (None, tool.name))
        case _:
            assert_never(tool_choice.mode)


class _EitherCalls:
    """Parses the calls that the model was told to write, and after their triggers those of its own."""

    def __init__(self, told: CallSyntax, own: CallSyntax) -> None:
        self.triggers = own.triggers
        self.read = own.read
        self.read_opening = told.read_opening
        self.opening_grammar = told.opening_grammar
        self._both = (told, own)

    def call_grammars(self) -> Sequence[str]:
        return tuple(text for syntax in self._both for text in syntax.call_grammars())


def _syntax(fmt: ModelFormat, tools: Tools) -> CallSyntax:
    if fmt.native is not None:
        own = msgspec.structs.replace(fmt, calls=fmt.native, native=None)
        return _EitherCalls(_syntax(msgspec.structs.replace(fmt, native=None), tools), _syntax(own, tools))
    marks = MarkerGrammar(fmt.control_ids)
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
        case CallStyle.KIMI_3:
            return MarkedCalls(_KIMI_3, tools=tools, marks=marks)
        case CallStyle.LEARNED if isinstance(fmt.learned, CallMarks):
            return MarkedCalls(fmt.learned, tools=tools, marks=marks)
        case CallStyle.GLM:
            return GlmCalls(tools=tools, marks=marks)
        case CallStyle.KIMI:
            return KimiCalls(tools=tools, marks=marks)
        case CallStyle.PYTHONIC | CallStyle.LFM:
            return PythonicCalls(_PYTHON_TAGS[fmt.calls], tools=tools, marks=marks)
        case _:
            python = PythonicCalls(PythonTags(bare=True), tools=tools, marks=marks)
            tags = fmt.learned if isinstance(fmt.learned, JsonTags) else _JSON_TAGS[fmt.calls]
            return TaggedJsonCalls(tags, tools=tools, marks=marks, python=python)
