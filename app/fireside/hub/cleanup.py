"""Remove what a download that is no longer wanted has left on the disk."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from fireside.core.errors import DownloadBusy
from fireside.core.hub import WantedFile
from fireside.hub.download_disk import Disk
from fireside.hub.journal import Journal
from fireside.hub.partial_file import Paths
from fireside.hub.safe_filenames import place

log = logging.getLogger(__name__)


def remove_leftovers(files: Iterable[WantedFile], *, folder: Path, disk: Disk) -> None:
    """Remove what has arrived of ``files`` and folders that are empty then; whole files stay.

    What another Fireside is fetching stays too. What cannot be removed is logged.
    """
    for wanted in files:
        paths = Paths.of(place(folder, wanted.name))
        try:
            if disk.size_of(paths.journal) is not None:
                with Journal.open(paths.journal, disk=disk, name=wanted.name) as journal:
                    disk.remove(paths.part)
                    journal.remove()
            disk.remove(paths.part)
        except DownloadBusy:
            continue
        except OSError as exc:
            log.warning("A part of a download was not removed: %s", exc)
        for parent in paths.target.parents:
            if parent == folder or not disk.remove_empty_folder(parent):
                break
