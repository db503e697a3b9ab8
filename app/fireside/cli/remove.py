"""``fireside rm``: remove a model from the library."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fireside.cli.screen import Screen
from fireside.core.errors import ModelError
from fireside.core.library import RemovalKind
from fireside.core.model import ModelEntry

if TYPE_CHECKING:  # parsing a command line does not import the library
    from fireside.library.library import Library

REMOVE_COMMAND: Final = "rm"


def add_remove_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``rm`` to the commands."""
    remove = commands.add_parser(
        REMOVE_COMMAND,
        help="remove a model: move its files to the trash",
        description="Move a model's files to the trash. Files of other apps are never touched.",
    )
    remove.add_argument("name", metavar="model", help="a name from “fireside list”, or a .gguf file")


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
