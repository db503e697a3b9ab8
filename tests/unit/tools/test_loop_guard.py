"""When a model has called enough."""

from __future__ import annotations

from fireside.core.tools import CallsEnded
from fireside.tools.loop_guard import FinishedCall, LoopGuard


def call(arguments: str = "{}", result: str = "1", *, is_invalid: bool = False) -> tuple[FinishedCall, ...]:
    return (FinishedCall(name="x", arguments=arguments, result=result, is_invalid=is_invalid),)


def test_the_same_call_with_the_same_result_is_the_last() -> None:
    guard = LoopGuard(n_steps=25)
    assert guard.stop_reason(call()) is None
    assert guard.stop_reason(call(result="2")) is None
    assert guard.stop_reason(call(arguments='{"a": 1}')) is None
    assert guard.stop_reason(call()) is CallsEnded.REPEATED


def test_the_same_call_twice_at_once_is_no_repetition() -> None:
    assert LoopGuard(n_steps=25).stop_reason(call() + call()) is None


def test_there_are_so_many_steps() -> None:
    guard = LoopGuard(n_steps=3)
    assert [guard.stop_reason(call(arguments=str(n))) for n in range(3)] == [None, None, CallsEnded.STEPS]


def test_invalid_arguments_may_be_mended_once() -> None:
    guard = LoopGuard(n_steps=25)
    assert guard.stop_reason(call("a", is_invalid=True)) is None
    assert guard.stop_reason(call("b")) is None
    assert guard.stop_reason(call("c", is_invalid=True)) is None
    assert guard.stop_reason(call("d", is_invalid=True)) is CallsEnded.INVALID
