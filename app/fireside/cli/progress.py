"""Progress: a bar in a terminal, otherwise a line for each tenth."""

from __future__ import annotations

from typing import Final, TextIO

from fireside.cli.screen import Screen
from fireside.core.errors import format_bytes
from fireside.core.hub import Download, DownloadState

_BAR_WIDTH: Final = 24
_MIN_BAR_WIDTH: Final = 8
_STEP: Final = 0.1
"""Fraction between two lines without a terminal."""


class Progress:
    """The progress of a download or a verification, shown in the status line of ``screen``."""

    def __init__(self, *, screen: Screen, status: TextIO) -> None:
        self._screen = screen
        self._is_terminal = status.isatty()
        self._last_message = ""
        self._next_step = 0.0

    def show_download(self, download: Download) -> None:
        """Show the state of a download."""
        match download.state:
            case DownloadState.WAITING_FOR_NETWORK:
                self._show_message(f"Waiting for network. {download.note}")
            case DownloadState.WAITING_FOR_SPACE:
                self._show_message(f"Waiting for disk space. {download.note}")
            case DownloadState.CHECKING:
                self._show_message("Verifying…")
            case DownloadState.RUNNING:
                if download.note:
                    self._show_message(download.note)
                self.show_fraction(download.n_bytes, download.size_bytes, more=_speed(download))
            case _:
                pass

    def show_resumed(self, n_bytes: int, n_total: int) -> None:
        """Print that a download resumes, and where."""
        fraction = f"{n_bytes / n_total:.0%}, " if n_total else ""
        self._screen.say(f"Resuming at {fraction}{format_bytes(n_bytes)} of {format_bytes(n_total)}\n")

    def show_fraction(self, n_bytes: int, n_total: int, *, more: str = "") -> None:
        """Show a number of bytes as a bar, or as a line."""
        fraction = n_bytes / n_total if n_total else 1.0
        amount = f"{format_bytes(n_bytes)} of {format_bytes(n_total)}{more}"
        if self._is_terminal:
            figures = f"{fraction:4.0%}  {amount}"
            # On a narrow terminal the figures have priority over the bar.
            self._screen.show_status(f"{_bar(fraction, self._screen.width - len(figures) - 2)}{figures}")
        elif fraction >= self._next_step:
            self._next_step = (int(fraction / _STEP) + 1) * _STEP
            self._screen.say(f"{fraction:.0%}, {amount}\n")

    def end(self) -> None:
        """Remove the bar and start again from 0."""
        self._screen.clear_status()
        self._next_step = 0.0

    def _show_message(self, message: str) -> None:
        if message != self._last_message:
            self._last_message = message
            self._screen.clear_status()
            self._screen.say(f"{message}\n")


def _bar(fraction: float, available_width: int) -> str:
    """Return a bar with a trailing space, or an empty text if it would be too narrow."""
    width = min(_BAR_WIDTH, available_width)
    if width < _MIN_BAR_WIDTH:
        return ""
    n_full = int(fraction * width)
    return "█" * n_full + "░" * (width - n_full) + " "


def _speed(download: Download) -> str:
    if download.is_stalled:
        return "  stalled"
    if download.bytes_per_s < 1:
        return ""
    speed = f"  {format_bytes(int(download.bytes_per_s))}/s"
    return speed if download.seconds_left is None else f"{speed}  {_duration(download.seconds_left)} left"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
