"""The tools that list, read and search folders that the user granted."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from fireside.core.tools import Taint
from fireside.tools.tool import Tool, ToolFailed

T = TypeVar("T")

_TAINTS: Final = frozenset({Taint.PRIVATE, Taint.UNTRUSTED})
_FILE_BYTES: Final = 2_000_000
"""Of a file that is read; a larger one is read in part."""
_MAX_ENTRIES: Final = 500
_MAX_FOUND: Final = 100
_MAX_LOOKED_AT: Final = 20_000
_LINE: Final = 300
"""Characters of a matching line that are returned."""


class _Path(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: str = ""


class _Search(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: str
    path: str = ""


def folder_tools(folders: Sequence[Path]) -> tuple[Tool[Any], ...]:
    """Return the tools for these folders, in the order in which a model is told of them."""
    granted = GrantedFolders(folders)
    return (
        Tool(
            "list_folder",
            description="Lists a folder. Without a path: the folders that may be read.",
            arguments=_Path,
            run=lambda arguments: _in_thread(lambda stop: granted.listing(arguments.path, stop)),
            taints=_TAINTS,
        ),
        Tool(
            "read_file",
            description="Returns the text of a file.",
            arguments=_Path,
            run=lambda arguments: _in_thread(lambda _stop: granted.text(arguments.path)),
            taints=_TAINTS,
        ),
        Tool(
            "search_files",
            description="Finds lines with the words in the names and texts of files.",
            arguments=_Search,
            run=lambda arguments: _in_thread(
                lambda stop: granted.found(arguments.words, within=arguments.path, stop=stop)
            ),
            taints=_TAINTS,
        ),
    )


async def _in_thread(work: Callable[[threading.Event], T]) -> T:
    """Run blocking ``work`` in a thread; if cancelled, ``stop`` tells it to end."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop)
    finally:
        stop.set()


class GrantedFolders:
    """Files below folders that the user granted. Nothing outside is accessible, also not through a link."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)

    def listing(self, path: str, stop: threading.Event) -> str:
        """Return the names in a folder; folders end with a slash. Raises ``ToolFailed``."""
        if not path:
            return "\n".join(map(str, self._folders)) or "No folder may be read."
        folder = self._inside(path)
        try:
            with os.scandir(folder) as entries:
                names = sorted(f"{one.name}/" if one.is_dir() else one.name for one in entries)
        except OSError as exc:
            raise _failed(path, exc) from exc
        if stop.is_set() or not names:
            return "The folder is empty."
        more = len(names) - _MAX_ENTRIES
        return "\n".join([*names[:_MAX_ENTRIES], *([f"[{more} more]"] if more > 0 else [])])

    def text(self, path: str) -> str:
        """Return a file's text. Raises ``ToolFailed``."""
        if not path:
            raise ToolFailed("path: the path of a file is wanted.")
        text = _read(self._inside(path), path)
        if text is None:
            raise ToolFailed(f"path: {path} is not a text file.")
        return text or "The file is empty."

    def found(self, words: str, *, within: str, stop: threading.Event) -> str:
        """Return the lines with all words, each with file and line number. Raises ``ToolFailed``."""
        wanted = words.casefold().split()
        if not wanted:
            raise ToolFailed("words: there are none.")
        roots = [self._inside(within)] if within else [self._resolved(folder) for folder in self._folders]
        found: list[str] = []
        for n_files, file in enumerate(file for root in roots for file in _files(root)):
            if stop.is_set() or n_files >= _MAX_LOOKED_AT or len(found) >= _MAX_FOUND:
                found.append("[There may be more.]")
                break
            if all(word in file.name.casefold() for word in wanted):
                found.append(str(file))
            found += _lines_of(file, wanted)
        return "\n".join(found) or "Nothing was found."

    def to_write(self, path: str) -> Path:
        """Return the file at ``path``, which may not exist yet, but its folder does.

        Hidden files are refused: programs keep there what they run. Raises ``ToolFailed``.
        """
        places = [(root, real) for root, real in self._within(path) if real != root]
        found = next((place for place in places if place[1].exists()), None)
        new = next((place for place in places if place[1].parent.is_dir()), None)
        root, real = found or new or (None, None)
        if root is None or real is None:
            raise ToolFailed(f"path: {path} is not in a folder that may be changed.")
        if any(part.startswith(".") for part in real.relative_to(root).parts):
            raise ToolFailed(f"path: {path} is hidden, and is not changed.")
        return real

    def _inside(self, path: str) -> Path:
        """Return where a path leads, if that is inside a granted folder."""
        for _, real in self._within(path):
            if real.exists():
                return real
        raise ToolFailed(f"path: {path} is not in a folder that may be read, or does not exist.")

    def _within(self, path: str) -> Iterator[tuple[Path, Path]]:
        """Yield the possible resolved paths, each with its granted folder."""
        asked = Path(path).expanduser()
        roots = [self._resolved(folder) for folder in self._folders]
        for candidate in [asked] if asked.is_absolute() else [folder / asked for folder in self._folders]:
            real = self._resolved(candidate)
            yield from ((root, real) for root in roots if real == root or root in real.parents)

    @staticmethod
    def _resolved(path: Path) -> Path:
        try:
            return path.resolve()
        except (OSError, RuntimeError, ValueError) as exc:
            raise ToolFailed(f"path: {path} cannot be read.") from exc


def _files(root: Path) -> Iterator[Path]:
    """Yield the files below a folder; links and hidden folders are skipped."""
    if root.is_file():
        yield root
        return
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(folder) / name
            if not name.startswith(".") and not file.is_symlink():
                yield file


def _lines_of(file: Path, wanted: Sequence[str]) -> Iterator[str]:
    try:
        text = _read(file, str(file))
    except ToolFailed:
        return
    for number, line in enumerate((text or "").splitlines(), start=1):
        folded = line.casefold()
        if all(word in folded for word in wanted):
            yield f"{file}:{number}: {line.strip()[:_LINE]}"


def _read(file: Path, path: str) -> str | None:
    """Return a file's text, ``None`` if it is not text. Raises ``ToolFailed``."""
    try:
        if not file.is_file():  # reading a pipe or a device would not end
            raise ToolFailed(f"path: {path} is not a file.")
        with file.open("rb") as opened:
            data = opened.read(_FILE_BYTES + 1)
    except OSError as exc:
        raise _failed(path, exc) from exc
    if b"\0" in data:
        return None
    text = data[:_FILE_BYTES].decode(errors="replace")
    return f"{text}\n[The file is longer; this is its beginning.]" if len(data) > _FILE_BYTES else text


def _failed(path: str, exc: OSError) -> ToolFailed:
    return ToolFailed(f"path: {path} cannot be read: {exc.strerror or exc}")
