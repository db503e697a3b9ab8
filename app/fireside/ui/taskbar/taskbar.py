"""The interface of a platform's taskbar."""

from __future__ import annotations

from typing import Protocol

import msgspec


class TaskbarProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of all running downloads together."""

    percent: int
    """0 to 100."""
    n_downloads: int
    is_held_up: bool = False
    """Whether all of them are stalled, for example paused or waiting."""


class Taskbar(Protocol):
    """Shows progress at the program's icon. Methods do not block and never raise; GUI thread only."""

    def show(self, progress: TaskbarProgress) -> None: ...

    def clear(self) -> None:
        """Remove the progress."""
