"""Parse answers in the Harmony format of gpt-oss: messages in channels."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from fireside.core.generation import OutputKind
from fireside.core.task import Constraint
from fireside.runner.output.incremental_reader import IncrementalReader, Markers, Script
from fireside.runner.output.parser import ParserState
from fireside.runner.output.tagged_answer import emit_calls
from fireside.runner.output.tool_call_detection import (
    MAX_CALLS,
    RawCall,
    Tools,
    read_arguments,
)
from fireside.runner.output.tool_call_grammar import MarkerGrammar, constraint_of, grammar, json_rule, quoted

START, CHANNEL, MESSAGE, END, CALL = "<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|call|>"
CONSTRAIN, RETURN = "<|constrain|>", "<|return|>"
HARMONY_MARKS = (START, CHANNEL, MESSAGE, END, CALL, CONSTRAIN, RETURN)
FINAL = f"{END}{START}assistant{CHANNEL}final{MESSAGE}"
"""Closes the reasoning and opens the answer."""

_TO_TOOL = "to=functions."
_HEADER_END = Markers((MESSAGE, _TO_TOOL))
_BODY_END = Markers((END, CALL, RETURN, START, CHANNEL))
_NAME_LETTER = re.compile(r"[^\s<]")
_ANALYSIS = re.compile(r"<\|channel\|>\s*analysis\b")
_OPEN_MESSAGE = re.compile(r"<\|start\|>assistant((?:(?!<\|start\|>|<\|end\|>).)*)\Z", re.DOTALL)


class HarmonyPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters for parsing one answer."""

    opened: str
    """The message header at the end of the prompt, with its ``<|message|>``; empty if there is none."""
    tools: Tools
    marks: MarkerGrammar
    constraint: Constraint | None
    """Constraint of the final channel."""
    opening: Constraint | None
    """Constraint of the whole answer, including its channels."""


def opened_header(rendered_prompt: str) -> str:
    """Return the header of the message that the prompt leaves open; empty if there is none."""
    start = rendered_prompt.rfind(START + "assistant")
    match = _OPEN_MESSAGE.match(rendered_prompt, start) if start >= 0 else None
    header, message, _ = match.group(1).partition(MESSAGE) if match else ("", "", "")
    return header + message if message else ""


def harmony_script(plan: HarmonyPlan) -> Callable[[ParserState], Script[None]]:
    """Return the parser coroutine for ``plan``."""

    def script(state: ParserState) -> Script[None]:
        if plan.opening is not None:
            state.reader.constrain_answer(plan.opening)
        n_calls = 0
        if plan.opened:
            yield from _body(state, plan, plan.opened)
        while n_calls < MAX_CALLS and (yield from state.reader.peek()):
            n_calls += yield from _message(state, plan)

    return script


def harmony_opening(tools: Tools, marks: MarkerGrammar) -> Constraint:
    """Return the constraint of an answer that is one call, with optional reasoning before it."""
    start, channel, message = marks.expression(START), marks.expression(CHANNEL), marks.expression(MESSAGE)
    thought = (
        f'(channel_analysis thought {start} "assistant")?\n'
        f'channel_analysis: {channel} "analysis" {message}\nthought[suffix={quoted(END)}]: ANYTHING'
        if marks.expression(END) == quoted(END)
        else f'({channel} "analysis" {message} ANYTHING {marks.expression(END)} {start} "assistant")?'
    )
    head, _, rules = thought.partition("\n")
    call = f'{channel} "commentary " {quoted(_TO_TOOL)} {_call_options(tools, marks)}'
    return constraint_of(grammar(f"{head} {call}", rules))


def harmony_call(tools: Tools, marks: MarkerGrammar) -> Constraint:
    """Return the constraint of a call from the name of the tool on."""
    return constraint_of(grammar(_call_options(tools, marks)))


def _call_options(tools: Tools, marks: MarkerGrammar) -> str:
    """The expression of a call from the name of the tool on, wherever the header has its channel."""
    kind = f'(" "? {marks.expression(CONSTRAIN)} "json" | " json")?'
    middle = f'({marks.expression(CHANNEL)} "commentary")? {kind}'
    options = (
        f"{quoted(name)} {middle} {marks.expression(MESSAGE)} WS {json_rule(tools.schema(name))}"
        for name in tools.names
    )
    return f"({' | '.join(options)})"


def _message(state: ParserState, plan: HarmonyPlan) -> Script[int]:
    """Read one message; return how many calls it made."""
    reader = state.reader
    yield from reader.read_space()
    first = yield from reader.read_one_of((START, CHANNEL, _TO_TOOL, END, CALL, RETURN))
    if first is None:
        is_begun = reader.is_cut and plan.opening is not None
        yield from _pass(reader, OutputKind.MARKUP if is_begun else OutputKind.ANSWER)
        return 0
    if first in (END, CALL, RETURN):
        reader.emit_held(OutputKind.MARKUP)
        return 0
    header_start = reader.n_held
    mark = _TO_TOOL
    if first != _TO_TOOL:
        header_end = yield from reader.read_through(_HEADER_END)
        mark = header_end[1] if header_end else ""
    if mark == _TO_TOOL:
        calls = yield from _call(reader, plan)
        if not calls and not reader.is_cut:
            reader.emit_held(OutputKind.ANSWER)
            yield from _pass(reader, OutputKind.ANSWER)
            return 0
        return (yield from emit_calls(reader, calls or [], tools=plan.tools))
    header = first + reader.held_from(header_start)
    reader.emit_held(OutputKind.MARKUP)
    if mark:
        yield from _body(state, plan, header)
    return 0


def _body(state: ParserState, plan: HarmonyPlan, header: str) -> Script[None]:
    reader = state.reader
    if not _ANALYSIS.search(header):
        if plan.constraint is not None and "final" in header:
            reader.constrain_answer(plan.constraint)
        yield from _pass(reader, OutputKind.ANSWER)
        return
    state.in_reasoning, state.reasoning_end = True, FINAL
    yield from reader.read_space()
    reader.emit_held(OutputKind.MARKUP)
    yield from _pass(reader, OutputKind.REASONING)
    state.in_reasoning, state.reasoning_end = False, ""


def _pass(reader: IncrementalReader, kind: OutputKind) -> Script[None]:
    """Emit a message as ``kind``, and its end as markup. The next header is not read."""
    marker = yield from reader.pass_until(_BODY_END, kind, trim=True)
    if marker in (START, CHANNEL):
        reader.unread(marker)
    reader.emit_held(OutputKind.MARKUP)


def _call(reader: IncrementalReader, plan: HarmonyPlan) -> Script[list[RawCall] | None]:
    """Read a call from the name of the tool on."""
    if plan.tools.names:
        reader.constrain(harmony_call(plan.tools, plan.marks), start=reader.n_held)
    name = yield from reader.read_while(_NAME_LETTER)
    if name not in plan.tools.names:
        return None
    if (yield from reader.read_through(Markers((MESSAGE,)))) is None:
        return None
    call = yield from read_arguments(reader, name)
    if call is None:
        return None
    yield from reader.read_space()
    yield from reader.read_one_of((CALL, END))
    return [call]
