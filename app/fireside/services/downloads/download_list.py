"""The ordered list of downloads and their states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fireside.core.errors import DownloadBusy, DownloadNotFound, ErrorInfo
from fireside.core.hub import Download, DownloadFile, DownloadId, DownloadState, HubFile
from fireside.gguf.display_text import printable
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
        """Return every download, in the order of the queue."""
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
        return next((one for one in self if one.files == plan.files and one.state is not _DONE), None)

    def remove_finished(self, plan: DownloadPlan) -> None:
        """Remove finished downloads of the same model from the list.

        Raises ``DownloadBusy`` if the model belongs to another download, or a file would get another content.
        Projectors may be shared: two quants of a model use the same one.
        """
        taken = self._unfinished_files()
        for number, wanted in enumerate(plan.files):
            if wanted.name in taken and (number == 0 or taken[wanted.name] != wanted.file):
                raise DownloadBusy(name=printable(wanted.file.path))
        self._keep(one for one in self if one.title != plan.title or one.state is not _DONE)

    def unneeded(self, files: Iterable[DownloadFile]) -> tuple[DownloadFile, ...]:
        """Return those of ``files`` that no unfinished download needs."""
        taken = self._unfinished_files()
        return tuple(wanted for wanted in files if wanted.name not in taken)

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
        """Remove a download."""
        del self._downloads[download_id]

    def move(self, download_id: DownloadId, *, position: int) -> None:
        """Move a download to ``position``, from 0; beyond the end is the end. Raises ``DownloadNotFound``."""
        moved = self.require(download_id)
        others = [one for one in self if one.id != download_id]
        others.insert(max(0, position), moved)
        self._keep(others)

    def clear_done(self) -> None:
        """Remove the finished downloads."""
        self._keep(one for one in self if one.state is not _DONE)

    def _unfinished_files(self) -> dict[str, HubFile]:
        return {wanted.name: wanted.file for one in self if one.state is not _DONE for wanted in one.files}

    def _keep(self, downloads: Iterable[Download]) -> None:
        self._downloads = {one.id: one for one in downloads}
