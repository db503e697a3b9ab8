"""How much memory this program may use: the computer's, or less where a container or a service has a limit.

On Linux a group of processes can be held to part of the memory. The system then ends what takes more, however
much the computer has free. Nothing of the kind is looked for on Windows and macOS.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec
import psutil

ROOT = Path("/")


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes."""

    total_bytes: int
    available_bytes: int
    """What programs can have without swapping; what the file cache would give back counts."""


def read_memory(root: Path = ROOT) -> Memory:
    """Measure. Takes well under a millisecond, and never raises.

    Args:
        root: below which the system tells of its groups, in ``proc`` and ``sys``.
    """
    computer = psutil.virtual_memory()
    total, available = int(computer.total), int(computer.available)
    for limit, used in _limits(root):
        total = min(total, limit)
        available = min(available, max(0, limit - used))
    return Memory(total_bytes=total, available_bytes=available)


def oom_kill_count(root: Path = ROOT) -> int | None:
    """Return how many programs the system has ended for want of memory since it was started.

    ``None`` where it does not count them: elsewhere than on Linux.
    """
    fields = (line.split() for line in _text(root / "proc/vmstat").splitlines())
    return next((int(field[1]) for field in fields if field[:1] == ["oom_kill"] and field[1:]), None)


def _limits(root: Path) -> Iterator[tuple[int, int]]:
    """Yield what each group that this program is in may use, and uses now."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            names = ("memory.max", "memory.current", ("inactive_file", "active_file"))
            yield from _of_groups(root / "sys/fs/cgroup", path, *names)
        elif "memory" in controllers.split(","):
            names = (
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                ("total_inactive_file", "total_active_file"),
            )
            yield from _of_groups(root / "sys/fs/cgroup/memory", path, *names)


def _of_groups(
    top: Path, path: str, limit_name: str, used_name: str, cached_names: tuple[str, ...]
) -> Iterator[tuple[int, int]]:
    own = PurePosixPath(path.lstrip("/"))
    # The limits of the groups around count too. In a container the path may be one of the world outside,
    # and what stands at the top is the container's.
    for group in (own, *own.parents):
        folder = top / group
        limit, used = _number(folder / limit_name), _number(folder / used_name)
        if limit is not None and used is not None:
            yield limit, used - min(used, _cached(folder / "memory.stat", cached_names))


def _cached(stat: Path, names: tuple[str, ...]) -> int:
    """Return the bytes of files that are kept as long as the room is not needed."""
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
