"""Run the checks and the test suites, all of them even if one fails, and sum up."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from provision.console import Console
from provision.layout import Layout

PYTEST_NO_TESTS = 5
SUITES = ("process", "llama", "ui", "abuse")
PLATFORMS = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}
"""As mypy names them. What only one of them has must stand behind a question for it."""
_SOURCES = ("app", "installer", "tests")


@dataclass(frozen=True, kw_only=True)
class Check:
    """A command that must exit with 0. ``needs`` is a folder without which there is nothing to check."""

    title: str
    command: tuple[str, ...]
    needs: str = "."


def checks(layout: Layout) -> tuple[Check, ...]:
    """Return what must hold before anything else is worth running: seconds, no model, no window."""
    ruff, mypy = str(layout.scripts / "ruff"), str(layout.scripts / "mypy")
    return (
        Check(title="Format", command=(ruff, "format", "--check", *_SOURCES)),
        Check(title="Lint", command=(ruff, "check", *_SOURCES)),
        *(
            Check(
                title=f"Types on {name}",
                command=(mypy, "--platform", platform, "--cache-dir", f".mypy_cache/{platform}"),
            )
            for platform, name in PLATFORMS.items()
        ),
        Check(title="Imports", command=(str(layout.scripts / "lint-imports"),)),
        pytest("tests/test_architecture.py", "tests/unit", layout=layout, title="Unit tests"),
    )


def suites(layout: Layout) -> tuple[Check, ...]:
    """Return the test suites with real processes, a real model and a real window."""
    return tuple(pytest(f"tests/{name}", layout=layout, title=f"Tests: {name}") for name in SUITES)


def pytest(*arguments: str, layout: Layout, title: str) -> Check:
    """Return a pytest run; its first path decides whether there is anything to run.

    A test that fails is tried once more, and the summary names it: with thousands of tests beside real
    processes and windows, one unlucky moment must not hide what the others say.
    """
    command = (str(layout.python), "-P", "-m", "pytest", "--reruns=1", "-raR", *arguments)
    return Check(title=title, command=command, needs=arguments[0])


def run_checks(all_checks: Sequence[Check], *, root: Path, console: Console) -> int:
    """Run them in order with their own output. Return 0 if every one passed, else 1."""
    failed = [check.title for check in all_checks if not _passes(check, root=root, console=console)]
    if failed:
        console.say("\nNot in order: " + ", ".join(failed))
        return 1
    console.say("\nAll in order: " + ", ".join(check.title for check in all_checks))
    return 0


def _passes(check: Check, *, root: Path, console: Console) -> bool:
    if not (root / check.needs).exists():
        return True
    console.say(f"\n== {check.title}")
    done = subprocess.run(check.command, cwd=root, env=_variables(root), check=False)
    return done.returncode == 0 or ("pytest" in check.command and done.returncode == PYTEST_NO_TESTS)


def _variables(root: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(root / "tests")}
