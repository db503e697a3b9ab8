"""Store the download queue over a restart. Progress is stored in the partial files."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

import msgspec

from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import tr_noop
from fireside.files.json_file import JsonFile, OnDamaged
from fireside.hub.download_disk import Disk

log = logging.getLogger(__name__)

_SIZE_LIMIT: Final = 64_000_000
_LOSS: Final = tr_noop("Start the downloads again: they resume where they were.")


class _Queue(msgspec.Struct, frozen=True, kw_only=True):
    format: Literal[1]
    """That of a newer version is damaged for this one: it must not be overwritten."""
    downloads: tuple[Download, ...]


class QueueFile:
    """The queue in one JSON file, replaced atomically. One thread at a time."""

    def __init__(self, path: Path, *, disk: Disk, on_damaged: OnDamaged = lambda _: None) -> None:
        def write(path: Path, content: bytes) -> None:
            disk.make_folder(path.parent)
            disk.write_whole(path, content)

        self._file = JsonFile(path, _Queue, limit=_SIZE_LIMIT, loss=_LOSS, on_damaged=on_damaged, write=write)
        self._saved: _Queue | None = None

    def load(self) -> tuple[Download, ...]:
        """Return the downloads of the last run; none if the file is missing or damaged.

        Those that ran or waited are queued again.
        """
        stored = self._file.read()
        if stored is None:
            return ()
        return tuple(_as_stored(download) for download in stored.downloads)

    def save(self, downloads: Iterable[Download]) -> None:
        """Write the queue if it changed. A failure is logged: partial files do not depend on it."""
        content = _Queue(format=1, downloads=tuple(_as_stored(download) for download in downloads))
        if content == self._saved:
            return
        try:
            self._file.write(content)
            self._saved = content
        except OSError as exc:
            log.warning("The list of downloads could not be saved: %s", exc)


def _as_stored(download: Download) -> Download:
    state = DownloadState.QUEUED if download.state.is_active else download.state
    return msgspec.structs.replace(
        download, state=state, bytes_per_s=0.0, seconds_left=None, is_stalled=False, note=""
    )
