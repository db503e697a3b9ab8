"""The list of downloads: which there are, in which order and in which state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fireside.core.errors import DownloadBusy, DownloadNotFound, ErrorInfo
from fireside.core.hub import Download, DownloadId, DownloadState, HubFile, WantedFile
from fireside.gguf.display_text import shown
from fireside.hub.download_plan import DownloadPlan
from fireside.services.downloads.active_download import at_rest

_DONE: Final = DownloadState.DONE


class DownloadList:
    """Downloads in their order. Not for several threads."""

    def __init__(self) -> None:
        self._downloads: dict[DownloadId, Download] = {}

    def __iter__(self) -> Iterator[Download]:
        """Go through them as they are now, whatever becomes of the list meanwhile."""
        return iter(self.all)

    def __contains__(self, download_id: DownloadId) -> bool:
        return download_id in self._downloads

    @property
    def all(self) -> tuple[Download, ...]:
        """Return every download, in the order of the queue."""
        return tuple(self._downloads.values())

    def get(self, download_id: DownloadId) -> Download | None:
        return self._downloads.get(download_id)

    def known(self, download_id: DownloadId) -> Download:
        """Return a download. Raises ``DownloadNotFound``."""
        download = self._downloads.get(download_id)
        if download is None:
            raise DownloadNotFound(id=download_id)
        return download

    def unfinished(self, plan: DownloadPlan) -> Download | None:
        """Return the download of exactly the files of ``plan`` that is not done yet."""
        return next((one for one in self if one.files == plan.files and one.state is not _DONE), None)

    def make_way_for(self, plan: DownloadPlan) -> None:
        """Take what is done of a model off the list.

        Raises ``DownloadBusy`` if the model belongs to another download, or a file would have another
        content there. What lies beside a model may be shared: two sizes have one projector.
        """
        taken = self._unfinished_files()
        for number, wanted in enumerate(plan.files):
            if wanted.name in taken and (number == 0 or taken[wanted.name] != wanted.file):
                raise DownloadBusy(name=shown(wanted.file.path))
        self._keep(one for one in self if one.title != plan.title or one.state is not _DONE)

    def wanted_by_none(self, files: Iterable[WantedFile]) -> tuple[WantedFile, ...]:
        """Return those of ``files`` that no download on the list still has to fetch."""
        taken = self._unfinished_files()
        return tuple(wanted for wanted in files if wanted.name not in taken)

    def put(self, download: Download) -> None:
        """Add a download at the end, or put it in the place of what it was."""
        self._downloads[download.id] = download

    def rest(
        self,
        download: Download,
        *,
        state: DownloadState,
        n_bytes: int | None = None,
        error: ErrorInfo | None = None,
    ) -> None:
        """Put ``download`` back in another state, as ``at_rest`` words it."""
        self.put(at_rest(download, state=state, n_bytes=n_bytes, error=error))

    def remove(self, download_id: DownloadId) -> None:
        """Take a download out of the queue."""
        del self._downloads[download_id]

    def move(self, download_id: DownloadId, *, position: int) -> None:
        """Give a download another place, from 0; beyond the end is the end. Raises ``DownloadNotFound``."""
        moved = self.known(download_id)
        others = [one for one in self if one.id != download_id]
        others.insert(max(0, position), moved)
        self._keep(others)

    def clear_done(self) -> None:
        """Take the finished ones off."""
        self._keep(one for one in self if one.state is not _DONE)

    def _unfinished_files(self) -> dict[str, HubFile]:
        return {wanted.name: wanted.file for one in self if one.state is not _DONE for wanted in one.files}

    def _keep(self, downloads: Iterable[Download]) -> None:
        self._downloads = {one.id: one for one in downloads}
