"""Know how a model writes: what its reasoning and its tool calls look like."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from enum import StrEnum

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.prompt_input import ToolChoice, ToolDefinition, ToolMode
from fireside.prompt.output.answers import AnswerPlan, answer_script
from fireside.prompt.output.calls import CallSyntax, Tools
from fireside.prompt.output.grammar import Marks, constraint_of
from fireside.prompt.output.parser import OutputParser, ScriptParser
from fireside.prompt.output.tagged_json import JsonCalls, JsonTags


class CallStyle(StrEnum):
    """The ways to write tool calls, named for who began it."""

    HERMES = "hermes"
    LLAMA = "llama"
    MISTRAL = "mistral"
    GRANITE = "granite"
    COMMAND = "command"
    PHI = "phi"
    GENERIC = "generic"


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
}
"""Recognised where the model's template or its control tokens have them."""

_JSON_TAGS = {
    CallStyle.HERMES: JsonTags(opens=("<tool_call>",), closes="</tool_call>"),
    CallStyle.LLAMA: JsonTags(opens=("<|python_tag|>",), arguments_key="parameters", bare=True),
    CallStyle.MISTRAL: JsonTags(opens=("[TOOL_CALLS]",), in_list=True),
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

_SIGNS = (
    ("<|START_ACTION|>", CallStyle.COMMAND),
    ("[TOOL_CALLS]", CallStyle.MISTRAL),
    ("<|/tool_call|>", CallStyle.PHI),
    ("<|tool_call|>", CallStyle.GRANITE),
    ("<tool_call>", CallStyle.HERMES),
    ("<|python_tag|>", CallStyle.LLAMA),
)
"""What tells the styles apart, the surest first."""

_MARKUP = frozenset(text for tags in _JSON_TAGS.values() for text in (*tags.opens, tags.closes) if text) | {
    text for pair in (_REASONINGS | _SPECIAL_REASONINGS).items() for text in pair
}


_AS_IT_SEES_FIT = ToolChoice()


class OutputFormat(msgspec.Struct, frozen=True, kw_only=True):
    """How a model writes. Kept for as long as the model is loaded."""

    calls: CallStyle
    reasonings: Mapping[str, str]
    """What opens reasoning, and what closes it then."""
    reasoning_start: str
    reasoning_end: str
    """What closes the reasoning of this model, if it reasons: what a budget of reasoning writes."""
    preserved: frozenset[str]
    """Texts of control tokens that the parser must see in the output."""
    control_ids: Mapping[str, int]
    """Tokens of ``preserved``."""


def detect_format(
    *, template_source: str | None, architecture: str, control_tokens: Mapping[str, int]
) -> OutputFormat:
    """Return how a model writes, by what its template and its vocabulary name.

    Args:
        template_source: the model's own template; ``None`` or blank where it has none.
        architecture: ``general.architecture`` of the file.
        control_tokens: the text of each control token and its number.
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
    own = [start for start in reasonings if start in source or reasonings[start] in source]
    start = own[0] if own else "<think>"
    preserved = frozenset(control_tokens.keys() & _MARKUP)
    return OutputFormat(
        calls=_call_style(source, architecture=architecture, control_tokens=control_tokens),
        reasonings=reasonings,
        reasoning_start=start,
        reasoning_end=reasonings[start],
        preserved=preserved,
        control_ids={text: control_tokens[text] for text in preserved},
    )


def make_parser(
    fmt: OutputFormat,
    *,
    rendered_prompt: str,
    tools: tuple[ToolDefinition, ...] = (),
    tool_choice: ToolChoice = _AS_IT_SEES_FIT,
    constraint: Constraint | None = None,
    call_id_prefix: str = "call_",
) -> OutputParser:
    """Return the parser of one answer.

    A call counts only if ``tools`` has its tool and ``tool_choice`` allows it. With a ``constraint`` the
    answer is what it says, not a call, unless a call is required, which comes before any other rule.
    """
    syntax = _syntax(fmt, tools=tools, tool_choice=tool_choice, constraint=constraint)
    opening = opening_constraint(fmt, tools=tools, tool_choice=tool_choice) or constraint
    tail = rendered_prompt[-200:].rstrip()
    open_until = next((end for start, end in fmt.reasonings.items() if tail.endswith(start)), None)

    def make_id(n: int) -> str:
        if fmt.calls is CallStyle.MISTRAL:  # its templates take nine letters or digits, nothing else
            return hashlib.sha256(f"{call_id_prefix}{n}".encode()).hexdigest()[:9]
        return f"{call_id_prefix}{n}"

    plan = AnswerPlan(
        reasonings=fmt.reasonings, open_until=open_until, syntax=syntax, constraint=opening, make_id=make_id
    )
    return ScriptParser(answer_script(plan))


def opening_constraint(
    fmt: OutputFormat, *, tools: tuple[ToolDefinition, ...], tool_choice: ToolChoice
) -> Constraint | None:
    """Return what an answer must be from its first token on, behind the reasoning, if a call is required.

    The parser that ``make_parser`` returns asks for it itself.
    """
    if tool_choice.mode is not ToolMode.REQUIRED:
        return None
    syntax = _syntax(fmt, tools=tools, tool_choice=tool_choice, constraint=None)
    return None if syntax is None else constraint_of(syntax.opening_grammar())


def _syntax(
    fmt: OutputFormat,
    *,
    tools: tuple[ToolDefinition, ...],
    tool_choice: ToolChoice,
    constraint: Constraint | None,
) -> CallSyntax | None:
    required = tool_choice.mode is ToolMode.REQUIRED
    if tool_choice.mode is ToolMode.NONE or (constraint is not None and not required):
        return None
    named = required and tool_choice.name is not None
    allowed = tuple(tool for tool in tools if not named or tool.name == tool_choice.name)
    if not allowed:
        return None
    return JsonCalls(_JSON_TAGS[fmt.calls], tools=Tools(allowed), marks=Marks(fmt.control_ids))


def _call_style(source: str, *, architecture: str, control_tokens: Mapping[str, int]) -> CallStyle:
    if not re.search(r"\btools\b", source):
        return CallStyle.GENERIC
    for sign, style in _SIGNS:
        if sign in source:
            return style
    if architecture == "llama":
        return CallStyle.LLAMA
    return next((style for sign, style in _SIGNS if sign in control_tokens), CallStyle.GENERIC)
