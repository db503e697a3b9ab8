"""The end of a command after Ctrl+C, with closed output or a full disk: an exit status, no traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Final, Self

INTERRUPTED: Final = 130
"""Exit status after Ctrl+C: 128 plus the number of the signal, as in shells."""
BROKEN_PIPE: Final = 141
"""Exit status after the reader closed the pipe, as “| head” does: 128 plus the number of the signal."""

_DISK_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def status_of(run: Callable[[], int]) -> int:
    """Call ``run`` and return its exit status, or the status for an interrupt or for output that failed.

    Closed standard streams are first opened to the null device: otherwise a file that is opened later would
    get their descriptor, and be written to.
    """
    _open_missing_streams()
    try:
        try:
            return run()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except OSError as exc:
        if exc.errno not in _DISK_FULL:
            raise
        _drop_output()
        _say(f"fireside: output incomplete: {exc.strerror}.\n")
        return 1


class SingleInterrupt:
    """Raise ``KeyboardInterrupt`` at the first Ctrl+C and ignore later ones. Main thread only.

    A second one during cleanup would leave threads and connections behind, for which the interpreter waits at
    exit. After an interrupt the signal stays ignored, since the process ends.
    """

    def __init__(self) -> None:
        self._was_interrupted = False
        self._before = signal.getsignal(signal.SIGINT)

    def __enter__(self) -> Self:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is not signal.SIG_IGN:  # as shells set it for background commands
            signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._was_interrupted:
            signal.signal(signal.SIGINT, self._before)

    def check(self) -> None:
        """Raise ``KeyboardInterrupt`` if there was an interrupt, even if Python discarded its exception."""
        if self._was_interrupted:
            raise KeyboardInterrupt

    def _on_interrupt(self, _number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._was_interrupted = True
        raise KeyboardInterrupt


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Ignore Ctrl+C in the block, for cleanup of a few seconds at most."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _open_missing_streams() -> None:
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _drop_output() -> None:
    """Send buffered output to the null device: Python flushes it at exit, and would report an error."""
    null = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):  # the stand-in of a test has no descriptor
        os.dup2(null, sys.stdout.fileno())
    os.close(null)


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
