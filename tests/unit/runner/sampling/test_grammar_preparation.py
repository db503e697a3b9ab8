"""Constraints are compiled beside the decoding, and every one ends in a rule or an error."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest

from fireside.core.constraint import Constraint, RegexConstraint
from fireside.core.errors import ConstraintInvalid
from fireside.runner.decoder import NotReady
from fireside.runner.sampling.grammar_preparation import N_REMEMBERED, GrammarPreparation
from fireside.runner.sampling.grammars import Grammar, Grammars

PATTERN = RegexConstraint(pattern="a+")
OTHERS = [RegexConstraint(pattern=letter) for letter in "bcd"]
HOSTILE = RegexConstraint(pattern="(" * 1000)


class NoGrammar(Grammar):
    """Makes no rules."""

    def __init__(self) -> None:
        pass

    def rule(self, *, ends_answer: bool) -> None:  # type: ignore[override]
        pass


class NoGrammars(Grammars):
    """Compiles nothing."""

    def __init__(self) -> None:
        self.compiled: list[Constraint] = []
        self.threads = {threading.current_thread()}

    def compile(self, constraint: Constraint) -> Grammar:
        self.compiled.append(constraint)
        self.threads.add(threading.current_thread())
        return NoGrammar()


class Trials:
    """Trials that are told when they may go on, and fail as often as they are told to."""

    def __init__(self, *, n_failures: int = 0, held: Sequence[Constraint] = (PATTERN,)) -> None:
        self._held = held
        self.begun: list[Constraint] = []
        self.threads: set[threading.Thread] = set()
        self.may_end = threading.Event()
        self._n_failures = n_failures

    def __call__(self, constraint: Constraint) -> None:
        self.begun.append(constraint)
        self.threads.add(threading.current_thread())
        if constraint in self._held:
            self.may_end.wait(10)
        if self._n_failures:
            self._n_failures -= 1
            raise ConstraintInvalid(kind="regular expression", reason="compiling it takes too long.")


def rule_of(preparation: GrammarPreparation, constraint: Constraint) -> None:
    """Ask for a rule as often as it takes."""
    for _ in range(2):
        try:
            preparation.rule(constraint, False)
        except NotReady as not_ready:
            not_ready.ready.wait(10)
        else:
            return
    pytest.fail("It is never ready.")


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name == "compile-rules":
            thread.join(10)


def prepare(preparation: GrammarPreparation) -> None:
    """Ask as often as it takes."""
    for _ in range(2):
        try:
            return preparation.prepare([PATTERN])
        except NotReady as not_ready:
            not_ready.ready.wait(10)
    pytest.fail("It is never ready.")


def test_what_is_being_compiled_is_not_ready() -> None:
    may_go_on = threading.Event()

    def dry_run(_: Constraint) -> None:
        may_go_on.wait(10)

    preparation = GrammarPreparation(NoGrammars, dry_run=dry_run)
    with pytest.raises(NotReady):
        preparation.prepare([PATTERN])
    with pytest.raises(NotReady) as waiting:
        preparation.prepare([PATTERN])
    may_go_on.set()
    assert waiting.value.ready.wait(10)


def test_what_is_compiled_is_not_compiled_again() -> None:
    grammars = NoGrammars()
    preparation = GrammarPreparation(lambda: grammars, dry_run=lambda _: None)
    prepare(preparation)
    prepare(preparation)
    assert grammars.compiled == [PATTERN]


def test_what_fails_its_trial_is_never_compiled_here() -> None:
    def report_failure(_: Constraint) -> None:
        raise ConstraintInvalid(kind="regular expression", reason="too complex.")

    grammars = NoGrammars()
    preparation = GrammarPreparation(lambda: grammars, dry_run=report_failure)
    with pytest.raises(ConstraintInvalid):
        prepare(preparation)
    assert grammars.compiled == []


def test_a_bug_while_compiling_is_told_to_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> Grammars:
        raise ZeroDivisionError

    preparation = GrammarPreparation(fail, dry_run=lambda _: None)
    with pytest.raises(ConstraintInvalid, match="internal error"):
        prepare(preparation)
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_hostile_text_is_refused_without_a_thread() -> None:
    preparation = GrammarPreparation(NoGrammars, dry_run=lambda _: None)
    with pytest.raises(ConstraintInvalid):
        preparation.prepare([HOSTILE])


def test_what_failed_is_tried_again() -> None:
    outcomes = [ConstraintInvalid(kind="regular expression", reason="compiling it takes too long.")]

    def dry_run(_: Constraint) -> None:
        if outcomes:
            raise outcomes.pop()

    preparation = GrammarPreparation(NoGrammars, dry_run=dry_run)
    with pytest.raises(ConstraintInvalid):
        prepare(preparation)
    prepare(preparation)


# What may be asked for


def test_a_rule_that_was_begun_is_there_at_once() -> None:
    trials = Trials()
    preparation = GrammarPreparation(NoGrammars, dry_run=trials)
    preparation.start_compiling(OTHERS)
    rule_of(preparation, OTHERS[-1])
    preparation.rule(OTHERS[-1], False)
    assert trials.begun.count(OTHERS[-1]) == 1


def test_a_rule_that_nobody_began_is_not_waited_for() -> None:
    trials = Trials()
    preparation = GrammarPreparation(NoGrammars, dry_run=trials)
    with pytest.raises(NotReady) as waiting:
        preparation.rule(PATTERN, False)
    trials.may_end.set()
    assert waiting.value.ready.wait(10)
    preparation.rule(PATTERN, False)


def test_nothing_is_compiled_in_the_thread_that_asks() -> None:
    trials, homes = Trials(), list[NoGrammars]()
    trials.may_end.set()

    def build() -> Grammars:
        homes.append(NoGrammars())
        return homes[-1]

    preparation = GrammarPreparation(build, dry_run=trials)
    preparation.start_compiling(OTHERS)
    prepare(preparation)
    for constraint in (PATTERN, *OTHERS, RegexConstraint(pattern="e")):
        rule_of(preparation, constraint)
    assert len(homes) == 1
    assert threading.current_thread() not in trials.threads | homes[0].threads


def test_what_nobody_waits_for_is_compiled_one_after_the_other() -> None:
    trials = Trials()
    preparation = GrammarPreparation(NoGrammars, dry_run=trials)
    preparation.start_compiling([PATTERN, *OTHERS])
    preparation.start_compiling(OTHERS)
    with pytest.raises(NotReady):
        preparation.rule(PATTERN, False)
    trials.may_end.set()
    for constraint in OTHERS:
        rule_of(preparation, constraint)
    assert sorted(trials.begun, key=str) == sorted([PATTERN, *OTHERS], key=str)


def test_what_somebody_waits_for_overtakes_what_nobody_does() -> None:
    trials = Trials()
    preparation = GrammarPreparation(NoGrammars, dry_run=trials)
    preparation.start_compiling([PATTERN, *OTHERS])
    rule_of(preparation, OTHERS[-1])
    with pytest.raises(NotReady):
        preparation.rule(PATTERN, False)
    trials.may_end.set()


def test_of_what_nobody_waits_for_one_is_tried_out_at_a_time() -> None:
    trials = Trials(held=(PATTERN, OTHERS[0]))
    preparation = GrammarPreparation(NoGrammars, dry_run=trials)
    preparation.start_compiling([PATTERN])
    preparation.start_compiling([OTHERS[0]])
    rule_of(preparation, OTHERS[1])
    rule_of(preparation, OTHERS[2])
    assert len(set(trials.begun) & {PATTERN, OTHERS[0]}) <= 1
    trials.may_end.set()


def test_a_rule_that_failed_is_not_tried_again_before_another_answer_begins() -> None:
    trials = Trials(n_failures=1)
    preparation = GrammarPreparation(NoGrammars, dry_run=trials)
    preparation.start_compiling(OTHERS[:1])
    with pytest.raises(ConstraintInvalid):
        rule_of(preparation, OTHERS[0])
    with pytest.raises(ConstraintInvalid):
        preparation.rule(OTHERS[0], False)
    preparation.start_compiling(OTHERS[:1])
    rule_of(preparation, OTHERS[0])
    assert trials.begun == [OTHERS[0]] * 2


def test_a_hostile_text_fails_where_it_is_asked_for_and_not_where_it_may_be() -> None:
    preparation = GrammarPreparation(NoGrammars, dry_run=Trials())
    preparation.start_compiling([HOSTILE, *OTHERS])
    rule_of(preparation, OTHERS[0])
    with pytest.raises(ConstraintInvalid):
        preparation.rule(HOSTILE, False)


def test_the_oldest_is_forgotten_and_what_is_on_its_way_is_not() -> None:
    trials = Trials()
    preparation = GrammarPreparation(NoGrammars, dry_run=trials)
    with pytest.raises(NotReady):
        preparation.rule(PATTERN, False)
    many = [RegexConstraint(pattern=f"x{n}") for n in range(N_REMEMBERED + 1)]
    for constraint in many:
        rule_of(preparation, constraint)
    trials.may_end.set()
    asked_again = (many[-1], many[0], PATTERN)
    for constraint in asked_again:
        rule_of(preparation, constraint)
    assert [trials.begun.count(constraint) for constraint in asked_again] == [1, 2, 1]
