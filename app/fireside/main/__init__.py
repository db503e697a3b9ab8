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
        # What reads the words of all commands, and need not be loaded for a window.
        from fireside.main.commands import run_command_line

        return run_command_line(argv)
    from fireside.main.startup_context import load_context

    context = load_context(os.environ, command_line={})
    return report_errors(lambda: open_window(context))


def report_errors(act: Callable[[], int]) -> int:
    """Return the exit status of ``act``; where it raises a ``FiresideError``, say it in the terminal."""
    try:
        return act()
    except FiresideError as exc:
        from fireside.cli.screen import Screen, hint

        screen = Screen(output=sys.stdout, status=sys.stderr)
        screen.say(f"fireside: {exc} {hint(exc)}".rstrip() + "\n")
        return 1


def open_window(context: StartupContext, *, files: tuple[str, ...] = (), asks: bool = False) -> int:
    """Open the window with files, or the small one that ``asks``; return the exit status."""
    # Only here is Qt imported: the commands work where its libraries are missing.
    import_qt()
    from fireside.main.window import run_window

    return run_window(context, files=files, asks=asks)


def import_qt() -> None:
    """Import Qt so that what is imported behind it costs no more than it would without Qt."""
    gc.disable()  # what is imported lives to the end; the window collects by itself
    import PySide6.QtCore  # noqa: F401

    # PySide6 has the source of each further module read, in search of switches of its own that are not used
    # here, and Python keeps what was read.
    builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)
