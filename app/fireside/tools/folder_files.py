"""The tools that list, read and search folders that the user granted."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from fireside.core.tools import Taint
from fireside.tools.tool import RunnableTool, ToolFailed

_TAINTS: Final = frozenset({Taint.PRIVATE, Taint.UNTRUSTED})
_MAX_FILE_BYTES: Final = 2_000_000
"""The rest of a larger file is not read."""
_MAX_ENTRIES: Final = 500
_MAX_MATCHES: Final = 100
_MAX_SEARCHED_FILES: Final = 20_000
_MAX_LINE_CHARS: Final = 300
"""Characters of a matching line that are returned."""


class _Path(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: str = ""


class _Search(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: str
    path: str = ""


def folder_tools(folders: Sequence[Path]) -> tuple[RunnableTool[Any], ...]:
    """Return the tools for these folders, in the order in which they are advertised."""
    granted = GrantedFolders(folders)
    return (
        RunnableTool(
            "list_folder",
            description="Lists a folder. Without a path: the folders that may be read.",
            arguments=_Path,
            run=lambda arguments: asyncio.to_thread(granted.listing, arguments.path),
            taints=_TAINTS,
        ),
        RunnableTool(
            "read_file",
            description="Returns the text of a file.",
            arguments=_Path,
            run=lambda arguments: asyncio.to_thread(granted.text, arguments.path),
            taints=_TAINTS,
        ),
        RunnableTool(
            "search_files",
            description="Finds lines with the words in the names and texts of files.",
            arguments=_Search,
            run=lambda arguments: _search(granted, arguments),
            taints=_TAINTS,
        ),
    )


async def _search(granted: GrantedFolders, arguments: _Search) -> str:
    stop = threading.Event()
    try:
        return await asyncio.to_thread(granted.search, arguments.words, within=arguments.path, stop=stop)
    finally:
        stop.set()  # if the call was cancelled, the thread still runs


class GrantedFolders:
    """Files below folders that the user granted. Nothing outside is accessible, also not through a link."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)

    def listing(self, path: str) -> str:
        """Return the names in a folder; folders end with a slash. Raises ``ToolFailed``."""
        if not path:
            return "\n".join(map(str, self._folders)) or "No folder may be read."
        folder = self._inside(path)
        try:
            with os.scandir(folder) as entries:
                names = sorted(f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries)
        except OSError as exc:
            raise _failed(path, exc) from exc
        if not names:
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

    def search(self, words: str, *, within: str, stop: threading.Event) -> str:
        """Return the files whose name has all words, and the lines that have, with file and line number.

        Ends early once ``stop`` is set. Raises ``ToolFailed``.
        """
        terms = words.casefold().split()
        if not terms:
            raise ToolFailed("words: there are none.")
        roots = [self._inside(within)] if within else [self._resolved(folder) for folder in self._folders]
        matches: list[str] = []
        for n_files, file in enumerate(file for root in roots for file in _files(root)):
            if stop.is_set() or n_files >= _MAX_SEARCHED_FILES or len(matches) >= _MAX_MATCHES:
                matches.append("[There may be more.]")
                break
            if all(term in file.name.casefold() for term in terms):
                matches.append(str(file))
            matches += _matching_lines(file, terms)
        return "\n".join(matches) or "Nothing was found."

    def writable_file(self, path: str) -> Path:
        """Return the file at ``path``, which need not exist, but its folder must.

        Hidden files are refused: they often configure what programs execute. Raises ``ToolFailed``.
        """
        candidates = [(root, real) for root, real in self._within(path) if real != root]
        existing = next((each for each in candidates if each[1].exists()), None)
        new = next((each for each in candidates if each[1].parent.is_dir()), None)
        root, real = existing or new or (None, None)
        if root is None or real is None:
            raise ToolFailed(f"path: {path} is not in a folder that may be changed.")
        if any(part.startswith(".") for part in real.relative_to(root).parts):
            raise ToolFailed(f"path: {path} is hidden, and is not changed.")
        return real

    def _inside(self, path: str) -> Path:
        """Return a path with links resolved, if it exists inside a granted folder. Raises ``ToolFailed``."""
        for _, real in self._within(path):
            if real.exists():
                return real
        raise ToolFailed(f"path: {path} is not in a folder that may be read, or does not exist.")

    def _within(self, path: str) -> Iterator[tuple[Path, Path]]:
        """Yield the possible resolved paths, each with its granted folder."""
        relative = Path(path).expanduser()
        roots = [self._resolved(folder) for folder in self._folders]
        for candidate in (
            [relative] if relative.is_absolute() else [folder / relative for folder in self._folders]
        ):
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


def _matching_lines(file: Path, terms: Sequence[str]) -> Iterator[str]:
    try:
        text = _read(file, str(file))
    except ToolFailed:
        return
    for number, line in enumerate((text or "").splitlines(), start=1):
        folded = line.casefold()
        if all(term in folded for term in terms):
            yield f"{file}:{number}: {line.strip()[:_MAX_LINE_CHARS]}"


def _read(file: Path, path: str) -> str | None:
    """Return a file's text, ``None`` if it is not text. Raises ``ToolFailed``."""
    try:
        if not file.is_file():  # reading a pipe or a device would not end
            raise ToolFailed(f"path: {path} is not a file.")
        with file.open("rb") as opened:
            data = opened.read(_MAX_FILE_BYTES + 1)
    except OSError as exc:
        raise _failed(path, exc) from exc
    if b"\0" in data:
        return None
    text = data[:_MAX_FILE_BYTES].decode(errors="replace")
    return f"{text}\n[The file is longer; this is its beginning.]" if len(data) > _MAX_FILE_BYTES else text


def _failed(path: str, exc: OSError) -> ToolFailed:
    return ToolFailed(f"path: {path} cannot be read: {exc.strerror or exc}")
