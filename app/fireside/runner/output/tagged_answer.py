"""Parse answers with tags: reasoning first, then text and tool calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from fireside.core.generation import OutputKind
from fireside.core.task import Constraint
from fireside.runner.output.incremental_reader import IncrementalReader, Markers, Script
from fireside.runner.output.parser import ParserState
from fireside.runner.output.tool_call_detection import (
    MAX_CALLS,
    CallSyntax,
    RawCall,
    Tools,
)


class AnswerPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters for parsing one answer."""

    reasoning_tags: Mapping[str, str]
    """End tag of reasoning by start tag, recognised at the beginning of an answer and after reasoning."""
    open_reasoning_end: str | None
    """End tag of reasoning that the prompt has opened already; ``None`` for none."""
    reasoning_allowed: tuple[str, ...] = ()
    """Start tags of ``reasoning_tags`` that may come before a constrained answer."""
    syntax: CallSyntax | None
    tools: Tools
    """The tools that may be called."""
    wrappers: tuple[str, ...] = ()
    """Markup around the text of an answer, which is not shown."""
    constraint: Constraint | None
    """Constraint of the answer, after the reasoning."""


def answer_script(plan: AnswerPlan) -> Callable[[ParserState], Script[None]]:
    """Return the parser coroutine for ``plan``."""

    def script(state: ParserState) -> Script[None]:
        reader = state.reader
        end_tag, has_reasoned = plan.open_reasoning_end, False
        while True:
            if end_tag is not None:
                passed = yield from _reasoning(state, end_tag)
                has_reasoned = True
                if passed is not None:
                    calls = _calls_at_end(passed, plan.syntax) if plan.syntax else []
                    for call in calls:
                        reader.emit_call(call.name, call.arguments, call.id)
                    return
            start_tags = tuple(plan.reasoning_tags)
            if plan.constraint is not None:
                start_tags = () if has_reasoned else plan.reasoning_allowed
                reader.constrain_answer(plan.constraint, alternatives=start_tags)
            yield from reader.read_space()
            start_tag = yield from reader.read_one_of(start_tags)
            if not start_tag:
                break
            end_tag = plan.reasoning_tags[start_tag]
        if has_reasoned:
            reader.emit_held(OutputKind.MARKUP)
        yield from _answer(reader, plan)

    return script


def _reasoning(state: ParserState, end_tag: str) -> Script[str | None]:
    """Read reasoning up to its end tag, and the space after it that has arrived already.

    Returns the reasoning if the output ends before it does; else ``None``.
    """
    passed: list[str] = []
    reader = state.reader
    state.in_reasoning = True
    state.reasoning_end = end_tag
    yield from reader.read_space()
    reader.emit_held(OutputKind.MARKUP)
    marker = yield from reader.pass_until(Markers((end_tag,)), OutputKind.REASONING, trim=True, passed=passed)
    state.in_reasoning = False
    state.reasoning_end = ""
    reader.read_available_space()
    reader.emit_held(OutputKind.MARKUP)
    return None if marker else "".join(passed)


def _calls_at_end(reasoning: str, syntax: CallSyntax) -> list[RawCall]:
    """Return the calls that reasoning without an end tag ends with; it is shown as reasoning all the same.

    A call in the middle of it is only thought about.
    """
    starts = [match.start() for match in re.finditer("|".join(map(re.escape, syntax.triggers)), reasoning)]
    found: list[RawCall] = []
    for start in starts[: -1 - MAX_CALLS : -1] if syntax.triggers else ():
        reader = IncrementalReader(make_id=lambda _: "")
        reader.extend(reasoning[start:])
        reader.ended = True
        try:
            next(_only_calls(reader, syntax))
        except StopIteration as end:
            found = end.value or found
    return found


def _only_calls(reader: IncrementalReader, syntax: CallSyntax) -> Script[list[RawCall]]:
    """Read calls up to the end of the output; empty if there is anything else."""
    found: list[RawCall] = []
    while marker := (yield from reader.read_one_of(syntax.triggers)):
        calls = yield from syntax.read(reader, marker)
        if not calls:
            return []
        found += calls
        yield from reader.read_space()
    return [] if (yield from reader.peek()) else found


def _answer(reader: IncrementalReader, plan: AnswerPlan) -> Script[None]:
    syntax = plan.syntax
    all_calls: list[RawCall] = []
    is_required = syntax is not None and plan.constraint is not None
    while syntax:
        calls = (yield from syntax.read_opening(reader)) or []
        if reader.at_limit and is_required:
            reader.read_rest()  # all of it is the beginning of a call
        elif not calls and not reader.cut_call:
            break
        yield from emit_calls(reader, calls, tools=plan.tools)
        all_calls += calls
        if not calls or plan.tools.has_enough(all_calls):
            return
    reader.emit_held(OutputKind.ANSWER)
    markers = Markers((*(syntax.triggers if syntax else ()), *plan.wrappers))
    trim = bool(markers.texts)
    while marker := (
        yield from reader.pass_until(markers, OutputKind.ANSWER, trim=trim, must_come=is_required)
    ):
        if syntax is None or marker in plan.wrappers:
            reader.emit_held(OutputKind.MARKUP)
        else:
            calls = (yield from syntax.read(reader, marker)) or []
            yield from emit_calls(reader, calls, tools=plan.tools)
            all_calls += calls
            if plan.tools.has_enough(all_calls):
                return


def emit_calls(reader: IncrementalReader, calls: list[RawCall], *, tools: Tools) -> Script[int]:
    """Emit held calls, and the space after them as markup; return how many there were.

    Without calls the held text is emitted as answer: a broken call is shown, not lost. One that was cut off
    is emitted as such, or is markup if it has no name yet.
    """
    cut = reader.cut_call
    is_unknown = cut is not None and not tools.check([RawCall(cut.name, "")])
    reader.emit_held(OutputKind.MARKUP if calls or (reader.is_cut and not is_unknown) else OutputKind.ANSWER)
    for call in calls:
        reader.emit_call(call.name, call.arguments, call.id)
    if cut is not None and not is_unknown:
        reader.emit_call(cut.name, cut.arguments, cut.id, is_cut=True)
    if calls:
        yield from reader.read_space()
        reader.emit_held(OutputKind.MARKUP)
    return len(calls)
