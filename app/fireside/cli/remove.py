"""Take a model out of the library from the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from fireside.cli.screen import Screen
from fireside.core.errors import ModelFileNotRemoved
from fireside.core.library import RemovalKind
from fireside.core.model import ModelEntry

if TYPE_CHECKING:  # what can be typed is known without the program that carries it out
    from fireside.library.library import Library

REMOVE_COMMAND: Final = "rm"

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)


def add_remove_command(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the command that removes a model."""
    remove = commands.add_parser(
        REMOVE_COMMAND,
        help="remove a model: move its files to the trash",
        description="Move a model's files to the trash. Files of other apps are never touched.",
    )
    remove.add_argument("name", metavar="model", help="a name from “fireside list”, or a .gguf file")


def remove_model(
    library: Library, name: str, *, keep_added: Callable[[tuple[str, ...]], None], screen: Screen
) -> None:
    """Remove the model that is meant and say what that did.

    ``keep_added`` remembers which paths are still added. Raises ``ModelNotFound`` or ``ModelFileNotRemoved``.
    """
    entry = _meant(library, name)
    removal = library.removal(entry.path)
    if removal.kind is RemovalKind.FORGET_FOLDER:
        reason = f"it is in a folder that you added ({entry.source}). Delete the file there."
        raise ModelFileNotRemoved(path=entry.path, reason=reason)
    keep_added(library.remove(entry.path))
    screen.write(f"{removal.text}\n")


def _meant(library: Library, name: str) -> ModelEntry:
    """A file that cannot be used has no id, but can be named by its file."""
    entries = library.scan()
    path = Path(name)
    if path.is_file():
        for entry in entries:
            if _is_same(path, entry.path):
                return entry
    named = _named(entries, name)
    return named if named is not None else library.find(name)


def _named(entries: Sequence[ModelEntry], name: str) -> ModelEntry | None:
    broken = [entry for entry in entries if entry.spec is None and entry.file_name == name]
    if len(broken) > 1:
        reason = f"{len(broken)} files have this name. Use a path."
        raise ModelFileNotRemoved(path=name, reason=reason)
    return broken[0] if broken else None


def _is_same(path: Path, other: str) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False
