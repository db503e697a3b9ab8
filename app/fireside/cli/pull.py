"""``fireside pull``: download a model, showing the progress."""

from __future__ import annotations

import queue
from pathlib import Path
from typing import Final

from fireside.cli.engine_loop import EngineLoop
from fireside.cli.exit_handling import SingleInterrupt
from fireside.cli.progress import Progress
from fireside.cli.screen import Screen, one_line
from fireside.core.errors import error_from_info, format_bytes
from fireside.core.hub import Download, DownloadEvent, DownloadProgressed, DownloadsChanged, DownloadState
from fireside.hub.download_disk import Disk
from fireside.hub.download_plan import DownloadPlan, Recommend
from fireside.hub.partial_file import arrived_bytes
from fireside.library.library import Library
from fireside.services.downloads.download_scheduler import DownloadScheduler

_POLL_S: Final = 0.5


class Pull:
    """Queues the download of one model and waits for it. ``events`` is filled from the engine's thread."""

    def __init__(
        self,
        *,
        loop: EngineLoop,
        library: Library,
        downloads: DownloadScheduler,
        recommend: Recommend,
        events: queue.SimpleQueue[DownloadEvent],
        screen: Screen,
        progress: Progress,
        interrupt: SingleInterrupt,
    ) -> None:
        self._loop = loop
        self._library = library
        self._downloads = downloads
        self._recommend = recommend
        self._events = events
        self._screen = screen
        self._progress = progress
        self._interrupt = interrupt

    def fetch(self, name: str) -> Path:
        """Download a model, unless the library has it, and return the path of its first file.

        Raises ``FiresideError``, also the error that the download failed with.
        """
        plan = self._loop.wait(self._downloads.plan(name, recommend=self._recommend))
        others = f" in {len(plan.files)} files" if len(plan.files) > 1 else ""
        self._screen.say(f"{one_line(plan.title)}, {format_bytes(plan.size_bytes)}{others}\n")
        if plan.why:
            self._screen.say(f"{plan.why}\n")
        if existing := self._existing_file(plan):
            self._screen.say(f"Already on this computer: {one_line(str(existing))}\n")
            return existing
        n_bytes = arrived_bytes(plan.files, folder=self._library.folder, disk=Disk())
        if n_bytes:
            self._progress.show_resumed(n_bytes, plan.size_bytes)
        self._loop.wait(self._downloads.add(plan))
        try:
            self._follow()
        finally:
            self._progress.end()
        target = self._library.folder.joinpath(*plan.files[0].name.split("/"))
        self._screen.say(f"Downloaded and verified: {one_line(str(target))}\n")
        return target

    def _existing_file(self, plan: DownloadPlan) -> Path | None:
        """Return the file of a plan with one file if the library has it under any name, by its hash."""
        for entry in self._library.scan():
            if entry.sha256 and [entry.sha256] == [planned.file.digest for planned in plan.files]:
                return Path(entry.path)
        return None

    def _follow(self) -> None:
        while True:
            self._interrupt.check()
            download = self._next()
            if download is None:
                continue
            if download.state is DownloadState.DONE:
                return
            if download.error is not None:
                raise error_from_info(download.error)
            self._progress.show_download(download)

    def _next(self) -> Download | None:
        try:
            # Without a timeout, Windows would not notice an interrupt.
            return _latest(self._events.get(timeout=_POLL_S))
        except queue.Empty:
            return None


def _latest(event: DownloadEvent) -> Download | None:
    match event:
        case DownloadProgressed():
            return event.download
        case DownloadsChanged():
            return event.downloads[0] if event.downloads else None
