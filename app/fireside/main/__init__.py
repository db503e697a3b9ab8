"""Composition root: the one place that constructs the program, for the window and for commands."""

from __future__ import annotations

import builtins
import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from fireside.bridge.display import missing_display
from fireside.core.about import SELF_TEST
from fireside.core.errors import FiresideError

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext


def run(argv: list[str]) -> int:
    """Run the command line ``argv`` and return the exit status."""
    if argv == [SELF_TEST]:
        from fireside.main.self_test import run_self_test

        return run_self_test()
    if argv or missing_display(os.environ) is not None:
        # The parser of all commands, which a window does not need.
        from fireside.main.commands import run_command_line

        return run_command_line(argv)
    from fireside.main.startup_context import load_context

    context = load_context(os.environ, command_line={})
    return report_errors(lambda: open_window(context))


def report_errors(act: Callable[[], int]) -> int:
    """Return the exit status of ``act``; print a ``FiresideError`` that it raises, and return 1."""
    try:
        return act()
    except FiresideError as exc:
        from fireside.cli.screen import Screen, hint, one_line

        screen = Screen(output=sys.stdout, status=sys.stderr)
        screen.say(f"fireside: {one_line(str(exc))} {hint(exc)}".rstrip() + "\n")
        return 1


def open_window(context: StartupContext, *, files: tuple[str, ...] = (), quick_question: bool = False) -> int:
    """Open the window with ``files`` or a quick question, and return the exit status."""
    # Qt is imported only here, so that the commands work without its libraries.
    import_qt()
    from fireside.main.window import run_window

    return run_window(context, files=files, quick_question=quick_question)


def import_qt() -> None:
    """Import Qt and undo its hook, so that later imports cost no more than without Qt."""
    gc.disable()  # imported objects live until the end; the window collects garbage itself
    import PySide6.QtCore  # noqa: F401

    # PySide6 reads the source of each further module in search of its own feature switches, which are not
    # used here, and Python caches what was read.
    builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)
