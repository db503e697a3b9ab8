"""Running all checks and summing up."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from provision.checks import Check, all_tests, checks, run_checks, unit_tests
from provision.checks import pytest as pytest_check
from provision.console import Console
from provision.layout import Layout


def python(code: str, *, title: str) -> Check:
    return Check(title=title, command=(sys.executable, "-c", code))


GOOD = python("pass", title="good")
BAD = python("raise SystemExit(3)", title="bad")


def outcome(*all_checks: Check, root: Path) -> tuple[int, str]:
    stream = io.StringIO()
    status = run_checks(all_checks, root=root, console=Console(stream=stream))
    return status, stream.getvalue().splitlines()[-1]


def test_success_lists_the_checks(tmp_path: Path) -> None:
    assert outcome(GOOD, GOOD, root=tmp_path) == (0, "All in order: good, good")


def test_checks_continue_after_a_failure(tmp_path: Path) -> None:
    later = python("open('ran', 'w').close()", title="later")
    assert outcome(BAD, later, root=tmp_path) == (1, "Not in order: bad")
    assert (tmp_path / "ran").exists()


def test_the_output_of_checks_beside_each_other_comes_in_their_order(tmp_path: Path) -> None:
    stream = io.StringIO()
    slow = python("import time; time.sleep(0.3); print('late')", title="slow")
    run_checks((slow, python("print('early')", title="quick")), root=tmp_path, console=Console(stream=stream))
    assert [line for line in stream.getvalue().splitlines() if line] == [
        "== slow",
        "late",
        "== quick",
        "early",
        "All in order: slow, quick",
    ]


def test_one_that_is_shown_waits_for_those_before_it_and_not_for_those_after_it(tmp_path: Path) -> None:
    before = python("import time; time.sleep(0.3); open('before', 'w').close()", title="before")
    wait = "import pathlib, time\nwhile not pathlib.Path('after').exists(): time.sleep(0.01)"
    shown = python(f"{wait}\nassert pathlib.Path('before').exists()", title="shown")
    after = python("open('after', 'w').close()", title="after")
    all_three = (before, replace(shown, is_shown=True), after)
    assert outcome(*all_three, root=tmp_path) == (0, "All in order: before, shown, after")


def test_tests_keep_what_they_compile_even_where_python_was_told_not_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    keeps = python("import sys; sys.exit(sys.dont_write_bytecode)", title="keeps")
    assert outcome(keeps, root=tmp_path)[0] == 0


@pytest.mark.parametrize(("status", "expected"), [(0, 0), (5, 0), (1, 1), (2, 1)])
def test_of_pytests_answers_only_failures_count(tmp_path: Path, status: int, expected: int) -> None:
    command = (sys.executable, "-c", f"raise SystemExit({status})")
    assert outcome(Check(title="suite", command=command, is_shown=True), root=tmp_path)[0] == expected


def test_a_tool_that_exits_as_pytest_does_without_tests_has_failed(tmp_path: Path) -> None:
    assert outcome(python("raise SystemExit(5)", title="lint"), root=tmp_path)[0] == 1


def test_every_test_is_run_once(tmp_path: Path) -> None:
    layout = Layout(root=tmp_path, cache=tmp_path)
    runs = [check for check in (*checks(layout), *all_tests(layout)) if "pytest" in check.command]
    assert [check.command[-2:] for check in runs] == [
        ("--ignore=tests/ui", "tests"),
        ("--durations=20", "tests/ui"),
    ]
    assert unit_tests(layout).command[-1] == "tests/unit"


def test_arguments_are_passed_to_pytest(tmp_path: Path) -> None:
    layout = Layout(root=tmp_path, cache=tmp_path)
    check = pytest_check("tests/unit/core", "-k", "name", layout=layout, title="Tests")
    assert check.command[-3:] == ("tests/unit/core", "-k", "name")
