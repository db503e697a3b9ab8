"""The ordered list of downloads and their states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fireside.core.errors import DownloadBusy, DownloadNotFound, ErrorInfo
from fireside.core.hub import Download, DownloadFile, DownloadId, DownloadState, HubFile
from fireside.gguf.header import printable
from fireside.hub.download_plan import DownloadPlan
from fireside.services.downloads.active_download import with_state

_DONE: Final = DownloadState.DONE


class DownloadList:
    """Downloads in queue order. Not thread-safe."""

    def __init__(self) -> None:
        self._downloads: dict[DownloadId, Download] = {}

    def __iter__(self) -> Iterator[Download]:
        """Iterate over a snapshot."""
        return iter(self.all)

    def __contains__(self, download_id: DownloadId) -> bool:
        return download_id in self._downloads

    @property
    def all(self) -> tuple[Download, ...]:
        return tuple(self._downloads.values())

    def get(self, download_id: DownloadId) -> Download | None:
        return self._downloads.get(download_id)

    def require(self, download_id: DownloadId) -> Download:
        """Return a download. Raises ``DownloadNotFound``."""
        download = self._downloads.get(download_id)
        if download is None:
            raise DownloadNotFound(id=download_id)
        return download

    def unfinished(self, plan: DownloadPlan) -> Download | None:
        """Return the unfinished download of exactly the files of ``plan``, if there is one."""
        return next(
            (download for download in self if download.files == plan.files and download.state is not _DONE),
            None,
        )

    def remove_finished(self, plan: DownloadPlan) -> None:
        """Remove finished downloads of the same model from the list.

        Raises ``DownloadBusy`` if the model belongs to another download, or a file would get another content.
        Projectors may be shared: two quants of a model use the same one.
        """
        in_use = self._unfinished_files()
        for number, file in enumerate(plan.files):
            if file.name in in_use and (number == 0 or in_use[file.name] != file.file):
                raise DownloadBusy(name=printable(file.file.path))
        self._replace_all(
            download for download in self if download.title != plan.title or download.state is not _DONE
        )

    def unneeded(self, files: Iterable[DownloadFile]) -> tuple[DownloadFile, ...]:
        """Return those of ``files`` that no unfinished download needs."""
        in_use = self._unfinished_files()
        return tuple(file for file in files if file.name not in in_use)

    def store(self, download: Download) -> None:
        """Add a download at the end, or replace the one with its id."""
        self._downloads[download.id] = download

    def set_state(
        self,
        download: Download,
        *,
        state: DownloadState,
        n_bytes: int | None = None,
        error: ErrorInfo | None = None,
    ) -> None:
        """Replace ``download`` by its copy in another state; see ``with_state``."""
        self.store(with_state(download, state=state, n_bytes=n_bytes, error=error))

    def remove(self, download_id: DownloadId) -> None:
        del self._downloads[download_id]

    def move(self, download_id: DownloadId, *, position: int) -> None:
        """Move a download to ``position``, from 0; beyond the end is the end. Raises ``DownloadNotFound``."""
        moved = self.require(download_id)
        others = [download for download in self if download.id != download_id]
        others.insert(max(0, position), moved)
        self._replace_all(others)

    def clear_done(self) -> None:
        self._replace_all(download for download in self if download.state is not _DONE)

    def _unfinished_files(self) -> dict[str, HubFile]:
        return {
            file.name: file.file
            for download in self
            if download.state is not _DONE
            for file in download.files
        }

    def _replace_all(self, downloads: Iterable[Download]) -> None:
        self._downloads = {download.id: download for download in downloads}
