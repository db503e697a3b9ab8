"""Run the command that removes a model; it builds only the library."""

from __future__ import annotations

import sys

from fireside.cli.arguments import Arguments
from fireside.cli.remove import remove_model
from fireside.cli.screen import Screen
from fireside.main.library_setup import build_library
from fireside.main.startup_context import StartupContext
from fireside.settings.conversions import ADDED_KEY, added_paths
from fireside.settings.values import AppLayer


def run_remove(context: StartupContext, arguments: Arguments) -> int:
    """Remove a model and return the exit status. Raises ``FiresideError``."""
    screen = Screen(output=sys.stdout, status=sys.stderr)

    def keep_added(added: tuple[str, ...]) -> None:
        if added != added_paths(context.settings.resolved()):
            context.settings.change(AppLayer(), key=ADDED_KEY, value=added)

    library = build_library(context)
    remove_model(library, arguments.name, keep_added=keep_added, screen=screen)
    return 0
