"""Normalize and compare the paths that the user added to the library."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from fireside.library.walk import readable_path


def normalized(added: Sequence[str]) -> tuple[str, ...]:
    """Return absolute paths, each once. An empty path is dropped: it would be the current folder."""
    return tuple(dict.fromkeys(absolute(path) for path in added if path))


def absolute(path: str) -> str:
    """Return the absolute path that ``path`` means; links are not resolved."""
    if path == "~" or path.startswith(("~/", "~\\")):
        path = os.path.expanduser(path)  # noqa: PTH111, a Path would lose what makes a path invalid
    return os.path.abspath(path)  # noqa: PTH100, resolve() would follow links


def is_among(path: str, added: Iterable[str]) -> bool:
    """Return whether ``path`` is one of ``added``, however it is written."""
    return any(_comparable(other) == _comparable(path) for other in added)


def without(added: Iterable[str], path: str) -> tuple[str, ...]:
    """Return ``added`` without ``path``, however it is written."""
    return tuple(other for other in added if _comparable(other) != _comparable(path))


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Whether ``path`` is one of ``folders`` or inside one, links resolved."""
    real = PurePath(_real(path))
    return any(real.is_relative_to(_real(folder)) for folder in folders)


def _comparable(path: str) -> str:
    return os.path.normcase(readable_path(absolute(path)))


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # Not a valid path, so there is no link to resolve.
        return path
