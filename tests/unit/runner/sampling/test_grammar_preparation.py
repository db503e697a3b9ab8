"""Constraints are compiled in background threads, and each ends in a grammar or an error."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest

from fireside.core.errors import ConstraintInvalid
from fireside.core.task import Constraint, RegexConstraint
from fireside.runner.decoder import NotReady
from fireside.runner.sampling.grammar_preparation import (
    MAX_CACHED,
    Grammar,
    GrammarCompiler,
    GrammarPreparation,
)

PATTERN = RegexConstraint(pattern="a+")
OTHERS = [RegexConstraint(pattern=letter) for letter in "bcd"]
HOSTILE = RegexConstraint(pattern="(" * 1000)


class FakeGrammar(Grammar):
    """Makes no matchers."""

    def __init__(self) -> None:
        pass

    def matcher(self, *, ends_answer: bool) -> None:  # type: ignore[override]
        pass


class FakeCompiler(GrammarCompiler):
    """Compiles nothing."""

    def __init__(self) -> None:
        self.compiled: list[Constraint] = []
        self.threads = {threading.current_thread()}

    def compile(self, constraint: Constraint) -> Grammar:
        self.compiled.append(constraint)
        self.threads.add(threading.current_thread())
        return FakeGrammar()


class DryRuns:
    """Dry runs that wait for ``may_end``, the first ``n_failures`` of which fail."""

    def __init__(self, *, n_failures: int = 0, blocked: Sequence[Constraint] = (PATTERN,)) -> None:
        self._blocked = blocked
        self.started: list[Constraint] = []
        self.threads: set[threading.Thread] = set()
        self.may_end = threading.Event()
        self._n_failures = n_failures

    def __call__(self, constraint: Constraint) -> None:
        self.started.append(constraint)
        self.threads.add(threading.current_thread())
        if constraint in self._blocked:
            self.may_end.wait(10)
        if self._n_failures:
            self._n_failures -= 1
            raise ConstraintInvalid(kind="regular expression", reason="compiling it takes too long.")


def compiled(preparation: GrammarPreparation, constraint: Constraint) -> None:
    """Request a matcher until it is ready."""
    for _ in range(2):
        try:
            preparation.matcher(constraint, False)
        except NotReady as not_ready:
            not_ready.ready.wait(10)
        else:
            return
    pytest.fail("It is never ready.")


@pytest.fixture(autouse=True)
def no_leftover_threads() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name == "constraint compiler":
            thread.join(10)


def prepare(preparation: GrammarPreparation) -> None:
    """Call ``prepare`` until it succeeds."""
    for _ in range(2):
        try:
            return preparation.prepare([PATTERN])
        except NotReady as not_ready:
            not_ready.ready.wait(10)
    pytest.fail("It is never ready.")


def test_constraint_being_compiled_is_not_ready() -> None:
    may_continue = threading.Event()

    def dry_run(_: Constraint) -> None:
        may_continue.wait(10)

    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_run)
    with pytest.raises(NotReady):
        preparation.prepare([PATTERN])
    with pytest.raises(NotReady) as waiting:
        preparation.prepare([PATTERN])
    may_continue.set()
    assert waiting.value.ready.wait(10)


def test_compiled_constraint_is_cached() -> None:
    compiler = FakeCompiler()
    preparation = GrammarPreparation(lambda: compiler, dry_run=lambda _: None)
    prepare(preparation)
    prepare(preparation)
    assert compiler.compiled == [PATTERN]


def test_constraint_that_fails_its_dry_run_is_never_compiled_in_this_process() -> None:
    def report_failure(_: Constraint) -> None:
        raise ConstraintInvalid(kind="regular expression", reason="too complex.")

    compiler = FakeCompiler()
    preparation = GrammarPreparation(lambda: compiler, dry_run=report_failure)
    with pytest.raises(ConstraintInvalid):
        prepare(preparation)
    assert compiler.compiled == []


def test_unexpected_error_while_compiling_fails_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> GrammarCompiler:
        raise ZeroDivisionError

    preparation = GrammarPreparation(fail, dry_run=lambda _: None)
    with pytest.raises(ConstraintInvalid, match="internal error"):
        prepare(preparation)
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_constraint_beyond_the_limits_is_refused_without_a_thread() -> None:
    preparation = GrammarPreparation(FakeCompiler, dry_run=lambda _: None)
    with pytest.raises(ConstraintInvalid):
        preparation.prepare([HOSTILE])


def test_failed_constraint_is_tried_again() -> None:
    outcomes = [ConstraintInvalid(kind="regular expression", reason="compiling it takes too long.")]

    def dry_run(_: Constraint) -> None:
        if outcomes:
            raise outcomes.pop()

    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_run)
    with pytest.raises(ConstraintInvalid):
        prepare(preparation)
    prepare(preparation)


# Constraints that may be needed later


def test_constraint_compiled_in_advance_is_ready_at_once() -> None:
    dry_runs = DryRuns()
    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_runs)
    preparation.start_compiling(OTHERS)
    compiled(preparation, OTHERS[-1])
    preparation.matcher(OTHERS[-1], False)
    assert dry_runs.started.count(OTHERS[-1]) == 1


def test_request_for_an_uncompiled_constraint_does_not_block() -> None:
    dry_runs = DryRuns()
    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_runs)
    with pytest.raises(NotReady) as waiting:
        preparation.matcher(PATTERN, False)
    dry_runs.may_end.set()
    assert waiting.value.ready.wait(10)
    preparation.matcher(PATTERN, False)


def test_nothing_is_compiled_in_the_calling_thread() -> None:
    dry_runs, compilers = DryRuns(), list[FakeCompiler]()
    dry_runs.may_end.set()

    def build() -> GrammarCompiler:
        compilers.append(FakeCompiler())
        return compilers[-1]

    preparation = GrammarPreparation(build, dry_run=dry_runs)
    preparation.start_compiling(OTHERS)
    prepare(preparation)
    for constraint in (PATTERN, *OTHERS, RegexConstraint(pattern="e")):
        compiled(preparation, constraint)
    assert len(compilers) == 1
    assert threading.current_thread() not in dry_runs.threads | compilers[0].threads


def test_constraints_compiled_in_advance_are_compiled_one_after_the_other() -> None:
    dry_runs = DryRuns()
    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_runs)
    preparation.start_compiling([PATTERN, *OTHERS])
    preparation.start_compiling(OTHERS)
    with pytest.raises(NotReady):
        preparation.matcher(PATTERN, False)
    dry_runs.may_end.set()
    for constraint in OTHERS:
        compiled(preparation, constraint)
    assert sorted(dry_runs.started, key=str) == sorted([PATTERN, *OTHERS], key=str)


def test_constraint_that_a_request_waits_for_overtakes_those_compiled_in_advance() -> None:
    dry_runs = DryRuns()
    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_runs)
    preparation.start_compiling([PATTERN, *OTHERS])
    compiled(preparation, OTHERS[-1])
    with pytest.raises(NotReady):
        preparation.matcher(PATTERN, False)
    dry_runs.may_end.set()


def test_only_one_dry_run_at_a_time_for_constraints_compiled_in_advance() -> None:
    dry_runs = DryRuns(blocked=(PATTERN, OTHERS[0]))
    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_runs)
    preparation.start_compiling([PATTERN])
    preparation.start_compiling([OTHERS[0]])
    compiled(preparation, OTHERS[1])
    compiled(preparation, OTHERS[2])
    assert len(set(dry_runs.started) & {PATTERN, OTHERS[0]}) <= 1
    dry_runs.may_end.set()


def test_failed_constraint_is_not_tried_again_before_the_next_answer() -> None:
    dry_runs = DryRuns(n_failures=1)
    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_runs)
    preparation.start_compiling(OTHERS[:1])
    with pytest.raises(ConstraintInvalid):
        compiled(preparation, OTHERS[0])
    with pytest.raises(ConstraintInvalid):
        preparation.matcher(OTHERS[0], False)
    preparation.start_compiling(OTHERS[:1])
    compiled(preparation, OTHERS[0])
    assert dry_runs.started == [OTHERS[0]] * 2


def test_constraint_beyond_the_limits_fails_only_the_request_that_needs_it() -> None:
    preparation = GrammarPreparation(FakeCompiler, dry_run=DryRuns())
    preparation.start_compiling([HOSTILE, *OTHERS])
    compiled(preparation, OTHERS[0])
    with pytest.raises(ConstraintInvalid):
        preparation.matcher(HOSTILE, False)


def test_least_recently_used_is_evicted_but_none_being_compiled() -> None:
    dry_runs = DryRuns()
    preparation = GrammarPreparation(FakeCompiler, dry_run=dry_runs)
    with pytest.raises(NotReady):
        preparation.matcher(PATTERN, False)
    constraints = [RegexConstraint(pattern=f"x{n}") for n in range(MAX_CACHED + 1)]
    for constraint in constraints:
        compiled(preparation, constraint)
    dry_runs.may_end.set()
    requested_again = (constraints[-1], constraints[0], PATTERN)
    for constraint in requested_again:
        compiled(preparation, constraint)
    assert [dry_runs.started.count(constraint) for constraint in requested_again] == [1, 2, 1]
