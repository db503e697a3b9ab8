"""Batch a server's log output into whole lines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

_PAUSE_S: Final = 0.2
_MAX_LINES: Final = 200
_LINE_BYTES: Final = 1000


class LogLines:
    """Passes lines on a few times a second; of many the last ones."""

    def __init__(self, write: Callable[[tuple[str, ...]], None]) -> None:
        self._put = write
        self._rest = b""
        self._lines: list[str] = []
        self._later: asyncio.TimerHandle | None = None

    def feed(self, chunk: bytes) -> None:
        """Add bytes as they arrive; an overlong line is cut."""
        *whole, rest = (self._rest + chunk).split(b"\n")
        self._rest = rest[-_LINE_BYTES:]
        self._lines += [_shown(line) for line in whole[-_MAX_LINES:]]
        del self._lines[:-_MAX_LINES]
        if self._later is None and self._lines:
            self._later = asyncio.get_running_loop().call_later(_PAUSE_S, self.flush)

    def flush(self) -> None:
        """Pass on what is buffered."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if self._rest:
            self._lines.append(_shown(self._rest))
            self._rest = b""
        if self._lines:
            self._put(tuple(self._lines))
            self._lines.clear()


def _shown(line: bytes) -> str:
    """Return a line without control characters, which could rewrite a terminal."""
    text = line[:_LINE_BYTES].decode("utf-8", "replace").rstrip("\r")
    return "".join(char if char.isprintable() or char == "\t" else "�" for char in text)
