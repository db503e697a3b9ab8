"""Store the download queue over a restart. Progress is stored in the partial files."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.hub import Download, DownloadState
from fireside.hub.download_disk import Disk

log = logging.getLogger(__name__)

_FORMAT: Final = 1


class _Queue(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    downloads: tuple[Download, ...]


class QueueFile:
    """The queue in one JSON file, replaced atomically. One thread at a time."""

    def __init__(self, path: Path, *, disk: Disk) -> None:
        self._path = path
        self._disk = disk
        self._saved = b""

    def load(self) -> tuple[Download, ...]:
        """Return the downloads of the last run; none if the file is missing or damaged.

        Those that ran or waited are queued again.
        """
        try:
            content = self._disk.read(self._path)
            stored = None if content is None else msgspec.json.decode(content, type=_Queue)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as exc:
            log.warning("The list of downloads could not be read: %s", exc)
            return ()
        if stored is None or stored.format != _FORMAT:
            return ()
        return tuple(_as_stored(download) for download in stored.downloads)

    def save(self, downloads: Iterable[Download]) -> None:
        """Write the queue if it changed. A failure is logged: partial files do not depend on it."""
        content = msgspec.json.encode(
            _Queue(format=_FORMAT, downloads=tuple(_as_stored(download) for download in downloads))
        )
        if content == self._saved:
            return
        try:
            self._disk.make_folder(self._path.parent)
            self._disk.write_whole(self._path, content)
            self._saved = content
        except OSError as exc:
            log.warning("The list of downloads could not be saved: %s", exc)


def _as_stored(download: Download) -> Download:
    state = DownloadState.QUEUED if download.state.is_active else download.state
    return msgspec.structs.replace(
        download, state=state, bytes_per_s=0.0, seconds_left=None, is_stalled=False, note=""
    )
