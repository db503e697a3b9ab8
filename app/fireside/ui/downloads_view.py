"""The downloads as the window knows them: the queue and the progress of each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from fireside.core.events import AppEvent
from fireside.core.hub import Download, DownloadId, DownloadProgressed, DownloadsChanged, DownloadState


class DownloadsView(QObject):
    """Mirrors the events about downloads, for every widget that shows them. GUI thread only."""

    queue_changed = Signal()
    """A download was added, moved or removed, or changed its state."""
    progressed = Signal(str)
    """Carries the id of a download that made progress."""
    completed = Signal(object)
    """Carries a ``Download`` that has just completed."""
    failed = Signal(object)
    """Carries a ``Download`` that has just failed."""
    out_of_space = Signal(object)
    """Carries a ``Download`` that has just begun to wait for disk space."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_id: dict[DownloadId, Download] = {}

    @property
    def downloads(self) -> tuple[Download, ...]:
        """The queue, in order; finished downloads stay until they are cleared."""
        return tuple(self._by_id.values())

    def download(self, download_id: str) -> Download | None:
        return self._by_id.get(DownloadId(download_id))

    def set_initial(self, downloads: Sequence[Download]) -> None:
        """Set the queue as it was when the window opened; emits ``queue_changed`` alone."""
        self._by_id = {download.id: download for download in downloads}
        self.queue_changed.emit()

    def handle(self, event: AppEvent) -> None:
        """Apply an event from the engine thread."""
        match event:
            case DownloadsChanged(downloads=downloads):
                self.set_downloads(downloads)
            case DownloadProgressed(download=download):
                self.set_progress(download)
            case _:
                pass

    def set_downloads(self, downloads: Sequence[Download]) -> None:
        """Replace the queue, and signal each download whose state has changed."""
        before = self._by_id
        self._by_id = {download.id: download for download in downloads}
        self.queue_changed.emit()
        for download in downloads:
            previous = before.get(download.id)
            if previous is not None and previous.state is not download.state:
                self._emit_new_state(download)

    def set_progress(self, download: Download) -> None:
        """Update a download that made progress; one that was removed meanwhile is ignored."""
        if download.id in self._by_id:
            self._by_id[download.id] = download
            self.progressed.emit(download.id)

    def _emit_new_state(self, download: Download) -> None:
        match download.state:
            case DownloadState.DONE:
                self.completed.emit(download)
            case DownloadState.FAILED:
                self.failed.emit(download)
            case DownloadState.WAITING_FOR_SPACE:
                self.out_of_space.emit(download)
            case _:
                pass
