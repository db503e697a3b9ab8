"""Keep one core busy, as another program would, to measure how a model runs beside it."""

from __future__ import annotations

import sys
import threading


def main() -> int:
    """Compute until standard input ends."""
    input_ended = threading.Event()

    def wait() -> None:
        sys.stdin.buffer.read()
        input_ended.set()

    threading.Thread(target=wait, name="end of input", daemon=True).start()
    while not input_ended.is_set():
        sum(range(10_000))
    return 0
