"""What the window knows of the downloads: the queue, and how far each of them is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from fireside.core.events import AppEvent
from fireside.core.hub import Download, DownloadId, DownloadProgressed, DownloadsChanged, DownloadState


class DownloadsView(QObject):
    """Repeats what events said, for every widget that shows downloads. GUI thread only."""

    queue_changed = Signal()
    """Something was added, moved or removed, or is in another state."""
    progressed = Signal(str)
    """Carries the id of the one that has come further."""
    completed = Signal(object)
    """Carries a ``Download`` that is done since the last change."""
    failed = Signal(object)
    """Carries a ``Download`` that has failed since the last change."""
    out_of_space = Signal(object)
    """Carries a ``Download`` that waits for room on the disk since the last change."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_id: dict[DownloadId, Download] = {}

    @property
    def downloads(self) -> tuple[Download, ...]:
        """The queue, in its order; finished ones too until they are cleared."""
        return tuple(self._by_id.values())

    def download(self, download_id: str) -> Download | None:
        return self._by_id.get(DownloadId(download_id))

    def set_initial(self, downloads: Sequence[Download]) -> None:
        """Take the queue as it was when the window opened: nothing of it is news."""
        self._by_id = {download.id: download for download in downloads}
        self.queue_changed.emit()

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        match event:
            case DownloadsChanged(downloads=downloads):
                self.set_downloads(downloads)
            case DownloadProgressed(download=download):
                self.set_progress(download)
            case _:
                pass

    def set_downloads(self, downloads: Sequence[Download]) -> None:
        """Take the whole queue after a change."""
        before = self._by_id
        self._by_id = {download.id: download for download in downloads}
        self.queue_changed.emit()
        for download in downloads:
            known = before.get(download.id)
            if known is not None and known.state is not download.state:
                self._emit_new_state(download)

    def set_progress(self, download: Download) -> None:
        """Take one that has come further; one that was removed meanwhile stays away."""
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
