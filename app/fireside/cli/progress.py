"""Show how far something is: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

from typing import Final, TextIO

from fireside.cli.screen import Screen
from fireside.core.errors import format_bytes
from fireside.core.hub import Download, DownloadState

_BAR_WIDTH: Final = 24
_MIN_BAR_WIDTH: Final = 8
_STEP: Final = 0.1
"""Of the whole between two lines where the output is no terminal."""


class Progress:
    """One download or check on the terminal's last line. ``status`` is where it is shown."""

    def __init__(self, *, screen: Screen, status: TextIO) -> None:
        self._screen = screen
        self._is_seen = status.isatty()
        self._last_words = ""
        self._next_step = 0.0

    def show_download(self, download: Download) -> None:
        """Show a download as it is now."""
        match download.state:
            case DownloadState.WAITING_FOR_NETWORK:
                self._show_words(f"Waiting for network. {download.note}")
            case DownloadState.WAITING_FOR_SPACE:
                self._show_words(f"Waiting for disk space. {download.note}")
            case DownloadState.CHECKING:
                self._show_words("Verifying…")
            case DownloadState.RUNNING:
                if download.note:
                    self._show_words(download.note)
                self.show_fraction(download.n_bytes, download.size_bytes, more=_speed(download))
            case _:
                pass

    def show_resumed(self, n_bytes: int, n_total: int) -> None:
        """Say how much of a download is here from before."""
        fraction = f"{n_bytes / n_total:.0%}, " if n_total else ""
        self._screen.say(f"Resuming at {fraction}{format_bytes(n_bytes)} of {format_bytes(n_total)}\n")

    def show_fraction(self, n_bytes: int, n_total: int, *, more: str = "") -> None:
        """Show a bar of bytes."""
        fraction = n_bytes / n_total if n_total else 1.0
        amount = f"{format_bytes(n_bytes)} of {format_bytes(n_total)}{more}"
        if self._is_seen:
            figures = f"{fraction:4.0%}  {amount}"
            # On a narrow terminal the figures say more than the bar.
            self._screen.show_status(f"{_bar(fraction, self._screen.width - len(figures) - 2)}{figures}")
        elif fraction >= self._next_step:
            self._next_step = (int(fraction / _STEP) + 1) * _STEP
            self._screen.say(f"{fraction:.0%}, {amount}\n")

    def end(self) -> None:
        """Take the bar off the screen; what is shown next begins anew."""
        self._screen.clear_status()
        self._next_step = 0.0

    def _show_words(self, words: str) -> None:
        if words != self._last_words:
            self._last_words = words
            self._screen.clear_status()
            self._screen.say(f"{words}\n")


def _bar(fraction: float, room: int) -> str:
    """Return a bar with a space behind it, as wide as there is room; nothing where it would say nothing."""
    width = min(_BAR_WIDTH, room)
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
