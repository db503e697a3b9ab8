"""The last lines that a runner wrote to its log."""

from __future__ import annotations

import logging
from collections import deque

from fireside.wire.runner_modes import NOTE

MAX_LINES = 200
MAX_LINE_BYTES = 4096


class LogTail:
    """Splits stderr into lines, passes them to ``logging`` and keeps the last ``MAX_LINES``.

    A longer line than ``MAX_LINE_BYTES`` is split, so that the memory is bounded whatever the runner writes.
    """

    def __init__(self, *, logger: logging.Logger, pid: int) -> None:
        self._logger = logger
        self._pid = pid
        self._rest = b""
        self._lines: deque[str] = deque(maxlen=MAX_LINES)

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines, oldest first."""
        return tuple(self._lines)

    def feed(self, chunk: bytes) -> None:
        """Add output of the runner, in chunks of any size."""
        *lines, rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._add(line)
        while len(rest) > MAX_LINE_BYTES:
            self._add(rest[:MAX_LINE_BYTES])
            rest = rest[MAX_LINE_BYTES:]
        self._rest = rest

    def end(self) -> None:
        """Add the rest as the last line."""
        if self._rest:
            self._add(self._rest)
            self._rest = b""

    def _add(self, line: bytes) -> None:
        # Control characters could rewrite a terminal that shows the log.
        text = "".join(
            character if character.isprintable() or character == "\t" else "�"
            for character in line[:MAX_LINE_BYTES].decode("utf-8", "replace").rstrip("\r")
        )
        self._lines.append(text)
        level = logging.INFO if text.startswith(NOTE) else logging.DEBUG
        self._logger.log(level, "runner %d: %s", self._pid, text.removeprefix(NOTE))
