"""Tell model files on the command line from commands: ``fireside FILE.gguf`` opens the window with them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

MAX_FILES: Final = 1000
_ENDING: Final = ".gguf"


def first_word(argv: Sequence[str]) -> str | None:
    """Return the first argument that is no option; ``--set`` is the one before it that takes a value."""
    words = iter(argv)
    for word in words:
        if word == "--set":
            next(words, None)
        elif word == "--":
            return next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def names_a_file(word: str | None, *, commands: Collection[str]) -> bool:
    """Whether a first word is a file to open and not a command, nor one mistyped."""
    if word is None or word in commands:
        return False
    return word.casefold().endswith(_ENDING) or "/" in word or "\\" in word or _exists(word)


def has_path_form(word: str) -> bool:
    """Whether a word can only be meant as a file’s path: a leading slash, dot or drive, and a slash."""
    return Path(word).is_absolute() or word.startswith(("./", "../", ".\\", "..\\", "~"))


def model_files(*names: str | None) -> tuple[str, ...]:
    """Return the models named on the command line that are files."""
    return tuple(str(Path(name).absolute()) for name in names if name is not None and Path(name).is_file())


def no_model_at(word: str) -> str:
    """Say why what lies at a path is no model file; empty where nothing does, or a plain file."""
    try:
        path = Path(word)
        if path.is_dir():
            return "it is a folder. Name a .gguf file in it."
        if path.exists() and not path.is_file():
            return "it is a device, a pipe or a socket, not a file. Name a .gguf file."
    except (OSError, ValueError):
        return ""
    return ""


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):
        return False
