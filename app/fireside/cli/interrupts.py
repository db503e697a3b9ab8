"""Notice an interrupt even where Python swallows it: raised in a destructor, it is printed and forgotten."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Self


class Interrupts:
    """Remembers that there was one, as a context manager in the main thread. See ``check``."""

    def __init__(self) -> None:
        self._was_interrupted = False
        self._before = signal.getsignal(signal.SIGINT)

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def check(self) -> None:
        """Raise ``KeyboardInterrupt`` if there was one, however long ago."""
        if self._was_interrupted:
            raise KeyboardInterrupt

    def _on_interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._was_interrupted = True
        raise KeyboardInterrupt
