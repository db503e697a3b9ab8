"""Download progress in the sidebar's row and in the taskbar."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from fireside.ui.downloads.download_text import Totals, button_text, totals
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.sidebar.nav_button import DownloadButton
from fireside.ui.taskbar import Taskbar, TaskbarProgress


class DownloadIndicator(QObject):
    """Updates both only when a whole percentage changes. GUI thread only."""

    def __init__(
        self,
        *,
        downloads: DownloadsView,
        button: DownloadButton,
        taskbar: Taskbar,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._downloads = downloads
        self._button = button
        self._taskbar = taskbar
        self._in_taskbar: TaskbarProgress | None = None
        downloads.queue_changed.connect(self._show)
        downloads.progressed.connect(self._show)

    def close(self) -> None:
        """Clear the taskbar progress."""
        self._set_progress(None)

    @Slot()
    def _show(self) -> None:
        sums = totals(self._downloads.downloads)
        # Rounded down: 100 % is shown only after the last byte.
        percent = int(sums.fraction * 100)
        n = sums.n_in_progress
        self._button.show_progress(
            percent=percent,
            n=n,
            is_held_up=sums.is_held_up,
            needs_help=sums.n_failed > 0,
            is_wanted=n + sums.n_failed + sums.n_paused > 0,
            description=button_text(sums),
        )
        self._set_progress(_in_taskbar(sums, percent=percent))

    def _set_progress(self, progress: TaskbarProgress | None) -> None:
        if progress == self._in_taskbar:
            return
        self._in_taskbar = progress
        if progress is None:
            self._taskbar.clear()
        else:
            self._taskbar.show(progress)


def _in_taskbar(sums: Totals, *, percent: int) -> TaskbarProgress | None:
    if not sums.n_in_progress:
        return None
    return TaskbarProgress(percent=percent, n_downloads=sums.n_in_progress, is_held_up=sums.is_held_up)
