"""What every system's taskbar can show of the downloads."""

from __future__ import annotations

from typing import Protocol

import msgspec


class TaskbarProgress(msgspec.Struct, frozen=True, kw_only=True):
    """All downloads that are under way, together."""

    percent: int
    """0 to 100."""
    n_downloads: int
    is_held_up: bool = False
    """None of them comes further at the moment."""


class Taskbar(Protocol):
    """Where the program's icon is. Methods return at once and never raise; GUI thread only."""

    def show(self, progress: TaskbarProgress) -> None: ...

    def clear(self) -> None:
        """Show nothing."""
