"""Forward llama.cpp's log to stderr, and capture lines for the caller."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from typing import Any

from fireside.runner.log_lines import CONTINUATION, INFO, LogLine
from fireside.runner.native import lib, symbol

_STDERR = 2

_ABORT_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


class NativeLog:
    """llama.cpp's log and abort handlers, installed for the life of the process.

    Calls may come from any thread of llama.cpp.
    """

    def __init__(self) -> None:
        self._captures: list[list[LogLine]] = []
        # ctypes keeps no reference to a callback: these must live as long as the library.
        self._callback = lib.llama_log_callback(self._on_line)
        lib.llama_log_set(self._callback, None)
        self._abort_callback = _ABORT_PROTOTYPE(_write_stderr)
        symbol("ggml_set_abort_callback", None, [_ABORT_PROTOTYPE])(self._abort_callback)

    @property
    def callback(self) -> Any:
        """The callback for other libraries that log in the same way. Lives as long as the process."""
        return self._callback

    def _on_line(self, level: int, text: bytes, _user_data: Any) -> None:
        if level < INFO:
            return
        _write_stderr(text)
        if level != CONTINUATION:
            line = LogLine(level, text.decode("utf-8", "replace").rstrip("\n"))
            for capture in self._captures:
                capture.append(line)

    @contextlib.contextmanager
    def captured(self) -> Iterator[list[LogLine]]:
        """Provide a list to which every line logged within the block is appended."""
        lines: list[LogLine] = []
        self._captures.append(lines)
        try:
            yield lines
        finally:
            self._captures.remove(lines)


def _write_stderr(text: bytes) -> None:
    """Write unbuffered: the process may be about to abort."""
    with contextlib.suppress(OSError):
        os.write(_STDERR, text if text.endswith(b"\n") else text + b"\n")
