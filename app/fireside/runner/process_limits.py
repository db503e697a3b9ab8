"""What a process may take of the machine."""

from __future__ import annotations

import contextlib
import sys


def confine(*, max_bytes: int, max_cpu_s: int | None = None) -> None:
    """Let this short-lived process end early when it grows without end, and leave no core file.

    Windows has no such limits without a job object, and macOS refuses the one on memory: the parent of the
    process watches over it there.
    """
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
        if max_cpu_s is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (max_cpu_s, max_cpu_s))


def allow_locked_memory() -> None:
    """Let this process hold as much in memory as the system allows it to, where its own limit is lower."""
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_MEMLOCK, (most, most))
