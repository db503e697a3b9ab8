"""``fireside rm``: remove a model from the library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fireside.cli.command_parser import CommandParser
from fireside.cli.screen import Screen
from fireside.core.errors import ModelError
from fireside.core.library import RemovalKind
from fireside.core.model import ModelEntry

if TYPE_CHECKING:
    from fireside.library.library import Library
    from fireside.main.startup_context import StartupContext


def define(command: CommandParser) -> None:
    """Add what may be typed after ``rm``."""
    command.description = "Move a model's files to the trash. Files of other apps are never touched."
    command.does(remove)
    command.add_argument("name", metavar="model", help="a name from “fireside list”, or a .gguf file")


def remove(context: StartupContext, *, name: str) -> int:
    """Remove a model. Raises ``FiresideError``."""
    from fireside.main.library import build_library
    from fireside.settings.conversions import ADDED_KEY, added_paths
    from fireside.settings.values import AppLayer

    def keep_added(added: tuple[str, ...]) -> None:
        if added != added_paths(context.settings.resolved()):
            context.settings.change(AppLayer(), key=ADDED_KEY, value=added)

    screen = Screen(output=sys.stdout, status=sys.stderr)
    remove_model(build_library(context), name, keep_added=keep_added, screen=screen)
    return 0


def remove_model(
    library: Library, name: str, *, keep_added: Callable[[tuple[str, ...]], None], screen: Screen
) -> None:
    """Remove a model and print the result.

    ``keep_added`` stores the paths that are still added. Raises ``ModelNotFound`` or
    ``model_file_not_removed``.
    """
    entry = _find_entry(library, name)
    removal = library.removal(entry.path)
    if removal.kind is RemovalKind.FORGET_FOLDER:
        reason = f"it is in a folder that you added ({entry.source}). Delete the file there."
        raise ModelError.of("model_file_not_removed", reason=reason)
    keep_added(library.remove(entry.path))
    screen.write(f"{removal.text}\n")


def _find_entry(library: Library, name: str) -> ModelEntry:
    """Return the model with a path, the unusable file with a name, or the model with a name."""
    entries = library.scan()
    path = Path(name)
    if path.is_file():
        for entry in entries:
            if _is_same_file(path, entry.path):
                return entry
    unusable = _unusable_file(entries, name)
    return unusable if unusable is not None else library.find(name)


def _unusable_file(entries: Sequence[ModelEntry], name: str) -> ModelEntry | None:
    broken = [entry for entry in entries if entry.spec is None and entry.file_name == name]
    if len(broken) > 1:
        reason = f"{len(broken)} files have this name. Use a path."
        raise ModelError.of("model_file_not_removed", reason=reason)
    return broken[0] if broken else None


def _is_same_file(path: Path, other: str) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False
