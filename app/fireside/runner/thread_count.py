"""Adapt the number of threads to cores that other programs keep busy.

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
_SAMPLE_S: Final = 0.1
"""Computing time between two samples of the system's counters, whose resolution is 10 ms."""
_SAMPLE_S_PER_THREAD: Final = 0.005
"""Each sample reads a file per thread."""
_WAITED_SHARE: Final = 0.9
"""Fraction of one thread's work that may be lost to waiting before a thread is removed."""
_IDLE_SHARE: Final = 0.6
"""Fraction of a core that must have been idle for a thread to be added."""


class CoreTimes(NamedTuple):
    """Counters of the system in seconds."""

    at_s: float
    waited_s: float
    """Total time that threads of this process were ready to run and had no core."""
    idle_s: float
    """Total idle time of the cores that this process may use."""


class ThreadCount:
    """The current number of threads.

    Args:
        n_max: the configured number; used throughout where the system has no such counters.

    Attributes:
        n: from 1 to ``n_max``.
    """

    def __init__(self, n_max: int, *, read: Callable[[], CoreTimes | None] | None = None) -> None:
        self.n = self._n_max = n_max
        self._read = read or core_times
        self._sample_s = max(_SAMPLE_S, n_max * _SAMPLE_S_PER_THREAD)
        self._computed_s = 0.0
        self._last_sample = self._read() if n_max > 1 else None

    def add_step(self, seconds: float) -> bool:
        """Record a step that took ``seconds``; return whether ``n`` has changed."""
        self._computed_s += seconds
        if self._last_sample is None or self._computed_s < self._sample_s:
            return False
        before, sample, n_before = self._last_sample, self._read(), self.n
        if sample is not None:
            # A thread that has ended is no longer counted.
            n_waiting = max(0.0, sample.waited_s - before.waited_s) / self._computed_s
            n_idle = (sample.idle_s - before.idle_s) / max(_SAMPLE_S, sample.at_s - before.at_s)
            if n_waiting * self.n > _WAITED_SHARE:
                self.n = max(1, self.n - max(1, round(n_waiting)))
            else:
                self.n = min(self._n_max, self.n + int(n_idle + 1 - _IDLE_SHARE))
        self._last_sample, self._computed_s = sample, 0.0
        return self.n != n_before


def core_times() -> CoreTimes | None:
    """Return the system's counters; ``None`` where there are none, as on any system but Linux.

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
