"""Batch a server's log output into whole lines."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Final

_PAUSE_S: Final = 0.2
_MAX_LINES: Final = 200
_MAX_LINE_BYTES: Final = 1000
_COLOURS: Final = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]")


class LogLines:
    """Passes lines on a few times a second, at most the last 200."""

    def __init__(self, write: Callable[[tuple[str, ...]], None]) -> None:
        self._write = write
        self._rest = b""
        self._lines: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def feed(self, chunk: bytes) -> None:
        """Add bytes as they arrive; an overlong line is cut."""
        *whole, rest = (self._rest + chunk).split(b"\n")
        self._rest = rest[-_MAX_LINE_BYTES:]
        self._lines += [_printable(line) for line in whole[-_MAX_LINES:]]
        del self._lines[:-_MAX_LINES]
        if self._timer is None and self._lines:
            self._timer = asyncio.get_running_loop().call_later(_PAUSE_S, self.flush)

    def flush(self) -> None:
        """Pass on what is buffered."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._rest:
            self._lines.append(_printable(self._rest))
            self._rest = b""
        if self._lines:
            self._write(tuple(self._lines))
            self._lines.clear()


def _printable(line: bytes) -> str:
    """Return a line as it stands in a terminal, without control characters, which could rewrite one."""
    text = (
        _COLOURS.sub("", line[:_MAX_LINE_BYTES].decode("utf-8", "replace")).rstrip("\r").rpartition("\r")[2]
    )
    return "".join(char if char.isprintable() or char == "\t" else "�" for char in text)
