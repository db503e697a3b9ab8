"""Fetch a model in the terminal, and say how far it is."""

from __future__ import annotations

import queue
from pathlib import Path
from typing import Final

from fireside.cli.engine_loop import EngineLoop
from fireside.cli.exit_handling import SingleInterrupt
from fireside.cli.progress import Progress
from fireside.cli.screen import Screen
from fireside.core.errors import error_from_info, format_bytes
from fireside.core.hub import Download, DownloadEvent, DownloadProgressed, DownloadsChanged, DownloadState
from fireside.hub.download_disk import Disk
from fireside.hub.download_plan import DownloadPlan, Recommend
from fireside.hub.partial_file import arrived_bytes
from fireside.library.library import Library
from fireside.services.downloads.download_scheduler import DownloadScheduler

_PATIENCE_S: Final = 0.5


class Pull:
    """Puts one model into the queue and waits for it. ``events`` is filled from the engine's thread."""

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
        """Return the model's first file when it is there. Raises ``FiresideError``, also what the download
        failed with."""
        plan = self._loop.wait(self._downloads.plan(name, recommend=self._recommend))
        others = f" in {len(plan.files)} files" if len(plan.files) > 1 else ""
        self._screen.say(f"{plan.title}, {format_bytes(plan.size_bytes)}{others}\n")
        if plan.why:
            self._screen.say(f"{plan.why}\n")
        if here := self._is_here(plan):
            self._screen.say(f"Already on this computer: {here}\n")
            return here
        n_bytes = arrived_bytes(plan.files, folder=self._library.folder, disk=Disk())
        if n_bytes:
            self._progress.show_resumed(n_bytes, plan.size_bytes)
        self._loop.wait(self._downloads.add(plan))
        try:
            self._follow()
        finally:
            self._progress.end()
        target = self._library.folder.joinpath(*plan.files[0].name.split("/"))
        self._screen.say(f"Downloaded and verified: {target}\n")
        return target

    def _is_here(self, plan: DownloadPlan) -> Path | None:
        """Return where the library has the model, with all files of the plan, whatever it is called there."""
        for entry in self._library.scan():
            if entry.sha256 and [entry.sha256] == [wanted.file.digest for wanted in plan.files]:
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
            # Without a limit an interrupt would not be noticed on Windows.
            return _latest(self._events.get(timeout=_PATIENCE_S))
        except queue.Empty:
            return None


def _latest(event: DownloadEvent) -> Download | None:
    match event:
        case DownloadProgressed():
            return event.download
        case DownloadsChanged():
            return event.downloads[0] if event.downloads else None
