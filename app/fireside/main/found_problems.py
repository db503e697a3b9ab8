"""Say in the terminal which files were damaged and which services did not start."""

from __future__ import annotations

import sys

from fireside.cli.screen import one_line
from fireside.main.startup_context import StartupContext


def print_problems(context: StartupContext) -> None:
    """Print to stderr what was found since the last call, a line each."""
    for problem in context.problems.take_new():
        sys.stderr.write(f"fireside: {one_line(str(problem))}\n")
