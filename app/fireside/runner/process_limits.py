"""Resource limits of this process."""

from __future__ import annotations

import contextlib
import sys
from typing import Final

_MAX_BYTES: Final = 2 << 30
"""Limit of address space, most of which is never used; the parent limits the memory itself."""
_MAX_CPU_S: Final = 20


def limit_resources() -> None:
    """Limit memory and CPU time of this short-lived process.

    Windows has no such limits without a job object, and macOS rejects the one on memory: the parent process
    enforces them there.
    """
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (_MAX_CPU_S, _MAX_CPU_S))


def allow_locked_memory() -> None:
    """Raise the soft limit for locked memory to the hard limit."""
    if sys.platform != "win32":
        import resource

        hard_limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_MEMLOCK, (hard_limit, hard_limit))
