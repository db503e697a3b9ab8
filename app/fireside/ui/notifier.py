"""Notes of the system: what a person sees although the window is not in front."""

from __future__ import annotations

from typing import Protocol


class Notifier(Protocol):
    """Shows notes outside of the window. GUI thread only."""

    def show(self, *, title: str, text: str) -> None:
        """Show a note; nothing happens where the system has no place for one."""

    def clear(self) -> None:
        """Take the note back: the window is in front."""
