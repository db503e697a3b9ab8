"""``fireside`` and ``fireside FILE`` open the window, ``fireside ask-window`` one for a quick question."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fireside.bridge.display import missing_display
from fireside.cli.command_parser import CommandParser, UsageError

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

MAX_FILES: Final = 1000


def define(command: CommandParser) -> None:
    """Add what may be typed after ``ask-window``."""
    command.description = (
        "Open a small window for one question. Bind this command to a system shortcut to ask from anywhere."
    )
    command.does(ask_in_window)


def open_window(context: StartupContext, *, files: Sequence[str] = ()) -> int:
    """Open the window with files; without a display, chat in the terminal."""
    if len(files) > MAX_FILES:
        raise UsageError(f"more than {MAX_FILES:,} files. Add their folder instead.")
    return _open(context, files=files, quick_question=False)


def ask_in_window(context: StartupContext) -> int:
    """Open the window for a quick question; without a display, chat in the terminal."""
    return _open(context, files=(), quick_question=True)


def _open(context: StartupContext, *, files: Sequence[str], quick_question: bool) -> int:
    problem = missing_display(os.environ)
    if problem is None:
        from fireside.main import open_window

        return open_window(context, files=tuple(files), quick_question=quick_question)
    sys.stderr.write(f"{problem} Chat in the terminal with “fireside run”.\n")
    from fireside.cli.commands.run import run

    return run(context, model=files[0] if files else None)
