"""Run all checks and tests, even after a failure, and print a summary."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from provision.console import Console
from provision.layout import Layout

PYTEST_NO_TESTS = 5
PLATFORMS = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}
"""By mypy's names. Code for one platform has to be within a condition that mypy understands."""
N_PARALLEL = 3
"""Checks that run in parallel: three keep two cores busy, since each sometimes waits for a disk or a
process."""
LARGE_RUN = ("--numprocesses=2", "--dist=worksteal", "--durations=20")
"""Options of pytest for many tests."""
_SOURCES = ("app", "installer", "tests")


@dataclass(frozen=True, kw_only=True)
class Check:
    """A command that must exit with 0.

    It runs in parallel with others. The output of one that ``is_shown`` is visible while it runs: it starts
    when those before it have ended, and those after it run in parallel with it.
    """

    title: str
    command: tuple[str, ...]
    is_shown: bool = False


def checks(layout: Layout) -> tuple[Check, ...]:
    """Return the static checks."""
    ruff, mypy = str(layout.scripts / "ruff"), str(layout.scripts / "mypy")
    return (
        *(
            Check(
                title=f"Types on {name}",
                command=(mypy, "--platform", platform, "--cache-dir", f".mypy_cache/{platform}"),
            )
            for platform, name in PLATFORMS.items()
        ),
        Check(title="Imports", command=(str(layout.scripts / "lint-imports"),)),
        Check(title="Format", command=(ruff, "format", "--check", *_SOURCES)),
        Check(title="Lint", command=(ruff, "check", *_SOURCES)),
    )


def unit_tests(layout: Layout) -> Check:
    """Return the tests without child processes, models and windows."""
    folders = ("tests/test_architecture.py", "tests/test_wording.py", "tests/unit")
    return pytest(*LARGE_RUN, *folders, layout=layout, title="Unit tests")


def all_tests(layout: Layout) -> tuple[Check, ...]:
    """Return all tests.

    Those of the window run in a separate process, as the window does, so that garbage of other tests is not
    collected in another thread together with widgets. They are a third of the work, and run in parallel.
    """
    window = ("--numprocesses=1", "--durations=20", "tests/ui")
    return (
        pytest(*LARGE_RUN, "--ignore=tests/ui", "tests", layout=layout, title="Tests"),
        pytest(*window, layout=layout, title="Tests of the window", is_shown=False),
    )


def pytest(*arguments: str, layout: Layout, title: str, is_shown: bool = True) -> Check:
    """Return a pytest run."""
    command = (str(layout.python), "-P", "-m", "pytest", *arguments)
    return Check(title=title, command=command, is_shown=is_shown)


def run_checks(all_checks: Sequence[Check], *, root: Path, console: Console) -> int:
    """Run checks and print their output in order. Return 0 if all passed, else 1."""
    groups: list[list[Check]] = [[]]
    for check in all_checks:
        if check.is_shown:
            groups.append([])
        groups[-1].append(check)
    failed: list[str] = []
    for group in groups:
        for check in group:
            if check.is_shown:
                console.say(f"\n== {check.title}")
        with ThreadPoolExecutor(N_PARALLEL) as pool:
            for check, done in zip(group, pool.map(lambda check: _run(check, root=root), group), strict=True):
                if not check.is_shown:
                    console.say(f"\n== {check.title}\n{done.stdout}".rstrip())
                if done.returncode != 0 and not (check.is_shown and done.returncode == PYTEST_NO_TESTS):
                    failed.append(check.title)
    if failed:
        console.say("\nNot in order: " + ", ".join(failed))
        return 1
    console.say("\nAll in order: " + ", ".join(check.title for check in all_checks))
    return 0


def _run(check: Check, *, root: Path) -> subprocess.CompletedProcess[str]:
    # Without byte code, every process that a test starts would compile the modules of the tests.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if check.is_shown:
        return subprocess.run(check.command, cwd=root, env=variables, text=True, check=False)
    return subprocess.run(
        check.command,
        cwd=root,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
