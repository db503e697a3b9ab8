"""Composition root: the one place that constructs the program, for the window and for commands."""

from __future__ import annotations

import builtins
import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext


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
