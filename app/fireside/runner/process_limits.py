"""Resource limits of this process."""

from __future__ import annotations

import contextlib
import sys


def limit_resources(*, max_bytes: int, max_cpu_s: int | None = None) -> None:
    """Limit memory and CPU time of this short-lived process, and disable core files.

    Windows has no such limits without a job object, and macOS rejects the one on memory: the parent process
    enforces them there.
    """
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
        if max_cpu_s is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (max_cpu_s, max_cpu_s))


def allow_locked_memory() -> None:
    """Raise the soft limit for locked memory to the hard limit."""
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_MEMLOCK, (most, most))
