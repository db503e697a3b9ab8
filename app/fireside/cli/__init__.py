"""The command line: its commands, and the chat in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


def run(argv: list[str]) -> int:
    """Run the command line ``argv`` and return the exit status."""
    # Imported here, since the package is imported before Ctrl+C is expected.
    from fireside.bridge.display import missing_display
    from fireside.core.about import SELF_TEST

    if argv == [SELF_TEST]:
        from fireside.cli.self_test import run_self_test

        return run_self_test()
    if argv or missing_display(os.environ) is not None:
        # The parsers of commands, which a window does not need.
        from fireside.cli.command_line import run_command_line

        return run_command_line(argv)
    from fireside.main import open_window
    from fireside.main.startup_context import load_context

    context = load_context(os.environ, command_line={})
    return report_errors(lambda: open_window(context))


def report_errors(act: Callable[[], int]) -> int:
    """Return the exit status of ``act``; print a ``FiresideError`` that it raises, and return 1."""
    from fireside.core.errors import FiresideError

    try:
        return act()
    except FiresideError as exc:
        from fireside.cli.screen import Screen, hint, one_line

        screen = Screen(output=sys.stdout, status=sys.stderr)
        screen.say(f"fireside: {one_line(str(exc))} {hint(exc)}".rstrip() + "\n")
        return 1
