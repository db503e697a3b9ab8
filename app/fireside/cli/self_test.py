"""Test whether this version works on this computer: its modules load, and its starter model answers."""

from __future__ import annotations

import asyncio
import os
import sys

from fireside.bridge.display import missing_display
from fireside.main.machine import build_runtime_parts
from fireside.main.startup_context import load_context


def run_self_test() -> int:
    """Run the test, print what does not work, and return the exit status: 0 if everything works."""
    from fireside.main import build  # noqa: F401 - importing everything is part of the test

    if missing_display(os.environ) is None:
        from fireside.main import import_qt

        import_qt()
        from fireside.main import window  # noqa: F401
    context = load_context(os.environ, command_line={})
    test = asyncio.run(build_runtime_parts(context.paths).smoke_test.answer(None))
    if not test.works:
        sys.stdout.write(f"{test.reason}\n")
    return 0 if test.works else 1
