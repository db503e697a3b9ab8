"""The tools that change files in folders that the user granted. Each change is shown before it is made."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from fireside.core.tools import Taint
from fireside.files.atomic_replace import replace_file
from fireside.tools.folder_files import GrantedFolders
from fireside.tools.tool import RunnableTool, ToolFailed

_TAINTS: Final = frozenset({Taint.OUTBOUND})
_MAX_BYTES: Final = 400_000
_MAX_LINES: Final = 3_000
"""Of a file; comparing more would take too long."""


class _Write(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: str
    text: str


class _Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: str
    old: str
    new: str


class _Change(msgspec.Struct, frozen=True, kw_only=True):
    file: Path
    before: str | None
    """``None`` for a new file. Line ends are normalized to ``\n``."""
    after: str

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        lines = difflib.unified_diff(
            [] if self.before is None else self.before.split("\n"),
            self.after.split("\n"),
            fromfile="(new file)" if self.before is None else str(self.file),
            tofile=str(self.file),
            lineterm="",
        )
        return "\n".join(lines)


def change_tools(folders: Sequence[Path]) -> tuple[RunnableTool[Any], ...]:
    """Return the tools for these folders, in the order in which they are advertised."""
    granted = GrantedFolders(folders)

    def writing(arguments: _Write) -> _Change:
        return _prepared_change(granted, arguments.path, lambda _before: arguments.text)

    def editing(arguments: _Edit) -> _Change:
        return _prepared_change(granted, arguments.path, lambda before: _replaced(before, arguments))

    return (
        RunnableTool(
            "write_file",
            description="Writes a text file: all of it.",
            arguments=_Write,
            run=lambda arguments: asyncio.to_thread(lambda: _apply(writing(arguments))),
            preview=lambda arguments: asyncio.to_thread(lambda: writing(arguments).diff),
            taints=_TAINTS,
        ),
        RunnableTool(
            "edit_file",
            description="Replaces a part of a text file, which is in it once.",
            arguments=_Edit,
            run=lambda arguments: asyncio.to_thread(lambda: _apply(editing(arguments))),
            preview=lambda arguments: asyncio.to_thread(lambda: editing(arguments).diff),
            taints=_TAINTS,
        ),
    )


def _replaced(before: str | None, arguments: _Edit) -> str:
    if before is None:
        raise ToolFailed(f"path: there is no file {arguments.path}.")
    count = before.count(arguments.old) if arguments.old else 0
    if count != 1:
        raise ToolFailed(f"old: it must be in the file once, and is in it {count} times.")
    return before.replace(arguments.old, arguments.new)


def _prepared_change(granted: GrantedFolders, path: str, change: Callable[[str | None], str]) -> _Change:
    """Return the change to a file without applying it. Raises ``ToolFailed``."""
    file = granted.writable_file(path)
    before = _text_of(file, path)
    after = change(before)
    if len(after.encode(errors="replace")) > _MAX_BYTES or after.count("\n") > _MAX_LINES:
        raise ToolFailed(f"The text is too long: {_MAX_BYTES} bytes and {_MAX_LINES} lines are possible.")
    if after == before:
        raise ToolFailed("The file is like that already.")
    return _Change(file=file, before=before, after=after)


def _text_of(file: Path, path: str) -> str | None:
    if not file.exists():
        return None
    try:
        if not file.is_file() or file.stat().st_size > _MAX_BYTES:
            raise ToolFailed(f"path: {path} is no text file of up to {_MAX_BYTES} bytes.")
        text = file.read_bytes().decode().replace("\r\n", "\n")
    except UnicodeDecodeError as exc:
        raise ToolFailed(f"path: {path} is no text file in UTF-8.") from exc
    except OSError as exc:
        raise ToolFailed(f"path: {path} cannot be read: {exc.strerror or exc}") from exc
    if "\0" in text or text.count("\n") > _MAX_LINES:
        raise ToolFailed(f"path: {path} is no text file of up to {_MAX_LINES} lines.")
    return text


def _apply(change: _Change) -> str:
    """Apply a change, keeping the file's line ends and permissions."""
    text, mode = change.after, None
    try:
        if change.before is not None:
            mode = change.file.stat().st_mode & 0o7777
            text = text.replace("\n", "\r\n") if b"\r\n" in change.file.read_bytes() else text
        replace_file(change.file, text.encode(errors="replace"))
        if mode is not None:
            change.file.chmod(mode)
    except OSError as exc:
        raise ToolFailed(f"path: {change.file} cannot be written: {exc.strerror or exc}") from exc
    return f"Written: {change.file}"
