"""Read an answer that is marked up with tags: reasoning first, then text and tool calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.generation import OutputKind
from fireside.runner.output.incremental_reader import Markers, Reader, Script
from fireside.runner.output.parser import ParserState
from fireside.runner.output.tool_call_detection import CallSyntax, MakeCallId, RawCall, made


class AnswerPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an answer before it is written."""

    reasonings: Mapping[str, str]
    """What opens reasoning, and what closes it then: at the beginning of an answer, and behind reasoning."""
    open_until: str | None
    """What closes the reasoning that the prompt has opened already."""
    thinks_first: tuple[str, ...] = ()
    """What of ``reasonings`` may come before an answer that is held to a constraint."""
    syntax: CallSyntax | None
    is_enough: Callable[[Sequence[RawCall]], bool]
    """Whether the answer ends behind these calls."""
    wrappers: tuple[str, ...] = ()
    """What stands around the text of an answer, and is not for showing."""
    constraint: Constraint | None
    """Of the answer, behind the reasoning."""
    make_id: MakeCallId


def answer_script(plan: AnswerPlan) -> Callable[[ParserState], Script[None]]:
    """Return the script that reads an answer as ``plan`` has it."""

    def script(state: ParserState) -> Script[None]:
        reader = state.reader
        closer, thought = plan.open_until, False
        while True:
            if closer is not None:
                yield from _reasoning(state, closer)
                thought = True
            openers = tuple(plan.reasonings)
            if plan.constraint is not None:
                openers = () if thought else plan.thinks_first
                reader.bind_answer(plan.constraint, alternatives=openers)
            yield from reader.space()
            opener = yield from reader.one_of(openers)
            if not opener:
                break
            closer = plan.reasonings[opener]
        if thought:
            reader.release(OutputKind.MARKUP)
        yield from _answer(reader, plan)

    return script


def _reasoning(state: ParserState, closer: str) -> Script[None]:
    """Read reasoning up to its end, and the space behind it that has come already."""
    reader = state.reader
    state.in_reasoning = True
    state.reasoning_end = closer
    yield from reader.space()
    reader.release(OutputKind.MARKUP)
    yield from reader.pass_until(Markers((closer,)), OutputKind.REASONING, trim=True)
    state.in_reasoning = False
    state.reasoning_end = ""
    reader.space_here()
    reader.release(OutputKind.MARKUP)


def _answer(reader: Reader, plan: AnswerPlan) -> Script[None]:
    syntax = plan.syntax
    called: list[RawCall] = []
    while syntax and (calls := (yield from syntax.read_opening(reader))):
        yield from report(reader, calls, n_before=len(called), make_id=plan.make_id)
        called += calls
        if plan.is_enough(called):
            return
    reader.release(OutputKind.ANSWER)
    markers = Markers((*(syntax.triggers if syntax else ()), *plan.wrappers))
    trim = bool(markers.texts)
    while marker := (yield from reader.pass_until(markers, OutputKind.ANSWER, trim=trim)):
        if syntax is None or marker in plan.wrappers:
            reader.release(OutputKind.MARKUP)
        else:
            calls = (yield from syntax.read(reader, marker)) or []
            yield from report(reader, calls, n_before=len(called), make_id=plan.make_id)
            called += calls
            if plan.is_enough(called):
                return


def report(reader: Reader, calls: list[RawCall], *, n_before: int, make_id: MakeCallId) -> Script[int]:
    """Report calls that are held, and the space behind them as theirs; return how many there were.

    What turned out to be none is text of the answer: a broken call is shown, not lost.
    """
    reader.release(OutputKind.MARKUP if calls else OutputKind.ANSWER)
    for call in made(calls, n_before=n_before, make_id=make_id):
        reader.call(call)
    if calls:
        yield from reader.space()
        reader.release(OutputKind.MARKUP)
    return len(calls)
