"""Compute with fewer threads while other programs keep cores busy.

llama.cpp joins its threads after each operation, some hundred times a token, so a thread that has to wait
for a core holds up all the others, and one thread fewer computes more. Measured on two cores beside one busy
program: 8 to 25 tokens a second by two threads, depending on how long they spin, 37 to 43 by one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import psutil

_TASKS: Final = Path("/proc/self/task")
_NS: Final = 1e-9
_LOOK_S: Final = 0.1
"""Time that is computed between two looks at the system's figures, which are no finer than 10 ms."""
_LOOK_S_A_THREAD: Final = 0.005
"""Each look reads a file a thread."""
_WAITED_SHARE: Final = 0.9
"""How much of what one thread contributes may be lost to waiting before there is one fewer."""
_IDLE_SHARE: Final = 0.6
"""How much of a core must have been idle for one thread more."""


class CoreTimes(NamedTuple):
    """What the system counts, in seconds since it started."""

    at_s: float
    waited_s: float
    """How long the threads of this process were ready to run and had no core, all together."""
    idle_s: float
    """How long the cores that this process may use had nothing to do, all together."""


class ThreadCount:
    """How many threads compute now.

    Args:
        n_most: as many as were chosen. Where the system does not tell what they wait, it is always these.

    Attributes:
        n: from 1 to ``n_most``.
    """

    def __init__(self, n_most: int, *, read: Callable[[], CoreTimes | None] | None = None) -> None:
        self.n = self._n_most = n_most
        self._read = read or core_times
        self._look_s = max(_LOOK_S, n_most * _LOOK_S_A_THREAD)
        self._computed_s = 0.0
        self._before = self._read() if n_most > 1 else None

    def computed(self, seconds: float) -> bool:
        """Count a step that took ``seconds``; return whether ``n`` is another one now."""
        self._computed_s += seconds
        if self._before is None or self._computed_s < self._look_s:
            return False
        before, now, n_before = self._before, self._read(), self.n
        if now is not None:
            # A thread that has ended takes its figure with it.
            n_waiting = max(0.0, now.waited_s - before.waited_s) / self._computed_s
            n_idle = (now.idle_s - before.idle_s) / max(_LOOK_S, now.at_s - before.at_s)
            if n_waiting * self.n > _WAITED_SHARE:
                self.n = max(1, self.n - max(1, round(n_waiting)))
            else:
                self.n = min(self._n_most, self.n + int(n_idle + 1 - _IDLE_SHARE))
        self._before, self._computed_s = now, 0.0
        return self.n != n_before


def core_times() -> CoreTimes | None:
    """Return the system's figures; ``None`` where it does not tell them, as any but Linux.

    Source: the kernel's Documentation/scheduler/sched-stats.rst, /proc/<pid>/schedstat.
    """
    if sys.platform != "linux":
        return None
    waited_ns = 0
    try:
        for task in _TASKS.iterdir():
            try:
                waited_ns += int((task / "schedstat").read_bytes().split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has ended
    except (OSError, IndexError, ValueError):
        return None
    cores = psutil.cpu_times(percpu=True)
    allowed = [core for core in psutil.Process().cpu_affinity() if core < len(cores)]
    return CoreTimes(time.perf_counter(), waited_ns * _NS, sum(cores[core].idle for core in allowed))
