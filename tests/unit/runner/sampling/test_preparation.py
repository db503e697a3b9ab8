"""Constraints are compiled beside the decoding, and every one ends in a rule or an error."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from fireside.core.constraint import Constraint, RegexConstraint
from fireside.core.errors import ConstraintInvalid
from fireside.runner.decoder import NotReady
from fireside.runner.sampling.grammars import Grammars
from fireside.runner.sampling.preparation import Preparation

PATTERN = RegexConstraint(pattern="a+")


class NoGrammars(Grammars):
    """Compiles nothing."""

    def __init__(self) -> None:
        self.compiled: list[Constraint] = []

    def compile(self, constraint: Constraint) -> None:
        self.compiled.append(constraint)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name == "compile-rules":
            thread.join(10)


def prepare(preparation: Preparation) -> None:
    """Ask as often as it takes."""
    for _ in range(2):
        try:
            return preparation.prepare([PATTERN])
        except NotReady as not_ready:
            not_ready.ready.wait(10)
    pytest.fail("It is never ready.")


def test_what_is_being_compiled_is_not_ready() -> None:
    may_go_on = threading.Event()
    preparation = Preparation(NoGrammars, try_out=lambda _: may_go_on.wait(10) and None)
    with pytest.raises(NotReady):
        preparation.prepare([PATTERN])
    with pytest.raises(NotReady) as waiting:
        preparation.prepare([PATTERN])
    may_go_on.set()
    assert waiting.value.ready.wait(10)


def test_what_is_compiled_is_not_compiled_again() -> None:
    grammars = NoGrammars()
    preparation = Preparation(lambda: grammars, try_out=lambda _: None)
    prepare(preparation)
    prepare(preparation)
    assert grammars.compiled == [PATTERN]


def test_what_fails_its_trial_is_never_compiled_here() -> None:
    def refuse(_: Constraint) -> None:
        raise ConstraintInvalid(kind="regular expression", reason="too complex.")

    grammars = NoGrammars()
    preparation = Preparation(lambda: grammars, try_out=refuse)
    with pytest.raises(ConstraintInvalid):
        prepare(preparation)
    assert grammars.compiled == []


def test_a_bug_while_compiling_is_told_to_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> Grammars:
        raise ZeroDivisionError

    preparation = Preparation(fail, try_out=lambda _: None)
    with pytest.raises(ConstraintInvalid, match="inside Fireside"):
        prepare(preparation)
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_hostile_text_is_refused_without_a_thread() -> None:
    preparation = Preparation(NoGrammars, try_out=lambda _: None)
    with pytest.raises(ConstraintInvalid):
        preparation.prepare([RegexConstraint(pattern="(" * 1000)])


def test_what_failed_is_tried_again() -> None:
    outcomes = [ConstraintInvalid(kind="regular expression", reason="compiling it takes too long.")]

    def try_out(_: Constraint) -> None:
        if outcomes:
            raise outcomes.pop()

    preparation = Preparation(NoGrammars, try_out=try_out)
    with pytest.raises(ConstraintInvalid):
        prepare(preparation)
    prepare(preparation)
