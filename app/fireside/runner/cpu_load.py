"""Keep one core busy, as another program would, to measure how a model runs beside it."""

from __future__ import annotations

import sys
import threading


def main() -> int:
    """Compute until standard input ends."""
    over = threading.Event()

    def wait() -> None:
        sys.stdin.buffer.read()
        over.set()

    threading.Thread(target=wait, name="end of input", daemon=True).start()
    while not over.is_set():
        sum(range(10_000))
    return 0
