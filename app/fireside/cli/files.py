"""Model files on the command line: ``fireside FILE.gguf`` opens the window with them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

MAX_FILES: Final = 1000
_ENDING: Final = ".gguf"


def first_word(argv: Sequence[str]) -> str | None:
    """Return the first positional argument; of the options before it, only ``--set`` takes a value."""
    arguments = iter(argv)
    for argument in arguments:
        if argument == "--set":
            next(arguments, None)
        elif argument == "--":
            return next(arguments, None)
        elif not argument.startswith("-"):
            return argument
    return None


def names_a_file(word: str | None, *, commands: Collection[str]) -> bool:
    """Return whether a first argument is a file to open rather than a command, even a mistyped one."""
    if word is None or word in commands:
        return False
    return word.casefold().endswith(_ENDING) or "/" in word or "\\" in word or _exists(word)


def has_path_form(word: str) -> bool:
    """Return whether a name can only be a path: absolute, or starting with ``./``, ``../`` or ``~``."""
    return Path(word).is_absolute() or word.startswith(("./", "../", ".\\", "..\\", "~"))


def model_files(*names: str | None) -> tuple[str, ...]:
    """Return the absolute paths of the names that are files."""
    return tuple(str(Path(name).absolute()) for name in names if name is not None and _is_file(name))


def no_model_at(word: str) -> str:
    """Return why a path is no model file; empty if nothing is there, or a regular file."""
    try:
        path = Path(word)
        if path.is_dir():
            return "it is a folder. Name a .gguf file in it."
        if path.exists() and not path.is_file():
            return "it is a device, a pipe or a socket, not a file. Name a .gguf file."
    except (OSError, ValueError):
        return ""
    return ""


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # a prompt may be longer than any name
        return False


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):
        return False
