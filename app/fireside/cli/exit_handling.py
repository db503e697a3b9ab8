"""How a command ends when the output is closed, the disk is full, or Ctrl+C comes: without a stack."""

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
"""The exit status after Ctrl+C: 128 and the signal's number, as shells count."""
NOBODY_READS: Final = 141
"""The exit status after “| head” has seen enough: 128 and the signal's number."""

_DISK_IS_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def status_of(run: Callable[[], int]) -> int:
    """Do ``run`` and return its exit status, or what stands for the reason why it could not end.

    Streams that are closed stand open to nothing from then on: what is opened later would take their numbers,
    and be written to.
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
        return NOBODY_READS
    except OSError as exc:
        if exc.errno not in _DISK_IS_FULL:
            raise
        _drop_output()
        _say(f"fireside: output incomplete: {exc.strerror}.\n")
        return 1


class SingleInterrupt:
    """Raise ``KeyboardInterrupt`` at the first Ctrl+C and ignore later ones. Main thread only.

    A second one in the middle of cleaning up would leave threads and connections behind, and the interpreter
    waits for those at its end. After an interrupt the signal stays ignored, since the process ends.
    """

    def __init__(self) -> None:
        self._was_interrupted = False
        self._before = signal.getsignal(signal.SIGINT)

    def __enter__(self) -> Self:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is not signal.SIG_IGN:  # as a shell has it for commands in the background
            signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
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
    """Let no further Ctrl+C cut off what ends a command; for what takes a few seconds at most."""
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
    """Have what is still to be written go nowhere: Python writes it at its end, and would complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):  # a stream that a test has put there has no number
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
