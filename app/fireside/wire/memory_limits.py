"""How much memory this program may use: the computer's, or less under a cgroup limit; and how a runner says
that there was not enough.

On Linux a cgroup limits the memory of a container or service. The system kills what takes more, however much
the computer has free. Windows and macOS are not checked for such limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec
import psutil

ROOT = Path("/")
_SHORTAGE: Final = re.compile(
    r"bad_alloc|MemoryError|can't start new thread|cannot allocate memory|insufficient memory|out of memory"
    r"|(?:failed|unable) to allocate(?!.*pinned memory)|failed to (?:reserve|map segment)"
    r"|GGML_ASSERT\((?:ctx->mem_buffer|ctx->buffers|galloc(?:->\S+)?|sched->\S+) != NULL\)",
    re.IGNORECASE,
)
"""What llama.cpp and the runtimes of C++ and Python write; llama.cpp goes on without pinned memory."""


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """Memory of the computer, or of the cgroup, in bytes."""

    total_bytes: int
    available_bytes: int
    """Available without swapping, including reclaimable file cache."""


def read_memory(root: Path = ROOT) -> Memory:
    """Return the current memory. Takes well under a millisecond, and never raises.

    Args:
        root: folder of ``proc`` and ``sys``.
    """
    computer = psutil.virtual_memory()
    total, available = int(computer.total), int(computer.available)
    for limit, used in _limits(root):
        total = min(total, limit)
        available = min(available, max(0, limit - used))
    return Memory(total_bytes=total, available_bytes=available)


def oom_kill_count(root: Path = ROOT) -> int | None:
    """Return how many processes the OOM killer has killed since the system was started.

    ``None`` on systems other than Linux.
    """
    fields = (line.split() for line in _text(root / "proc/vmstat").splitlines())
    return next((int(field[1]) for field in fields if field[:1] == ["oom_kill"] and field[1:]), None)


def tell_of_shortage(lines: Iterable[str]) -> bool:
    """Return whether lines of a runner's log say that memory, or address space, ran out."""
    return any(_SHORTAGE.search(line) for line in lines)


def _limits(root: Path) -> Iterator[tuple[int, int]]:
    """Yield limit and usage of each cgroup that this process is in."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            names = ("memory.max", "memory.current", ("inactive_file", "active_file"))
            yield from _group_limits(root / "sys/fs/cgroup", path, *names)
        elif "memory" in controllers.split(","):
            names = (
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                ("total_inactive_file", "total_active_file"),
            )
            yield from _group_limits(root / "sys/fs/cgroup/memory", path, *names)


def _group_limits(
    top: Path, path: str, limit_name: str, used_name: str, cached_names: tuple[str, ...]
) -> Iterator[tuple[int, int]]:
    own = PurePosixPath(path.lstrip("/"))
    # The limits of parent groups apply too. In a container the path may be that of the host, and the
    # container's group is at the top.
    for group in (own, *own.parents):
        folder = top / group
        limit, used = _number(folder / limit_name), _number(folder / used_name)
        if limit is not None and used is not None:
            yield limit, used - min(used, _cached(folder / "memory.stat", cached_names))


def _cached(stat: Path, names: tuple[str, ...]) -> int:
    """Return the size of the reclaimable file cache."""
    fields = (line.split() for line in _text(stat).splitlines())
    return sum(int(field[1]) for field in fields if len(field) == 2 and field[0] in names)


def _number(file: Path) -> int | None:
    text = _text(file).strip()
    return int(text) if text.isdecimal() else None  # without a limit it says “max”


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
