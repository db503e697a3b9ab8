"""The queue of downloads: what runs, what waits, and telling how far each is."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import DownloadBusy, DownloadNotFound, ErrorInfo, FiresideError
from fireside.core.hub import (
    Download,
    DownloadEvent,
    DownloadId,
    DownloadProgressed,
    DownloadsChanged,
    DownloadState,
    WantedFile,
)
from fireside.hub.disk import Disk
from fireside.hub.job import Ended, Job, RunsTransfer
from fireside.hub.leftovers import remove_leftovers
from fireside.hub.pace import SpeedMeter
from fireside.hub.plan import Plan, Recommend, make_plan
from fireside.hub.queue_file import QueueFile
from fireside.hub.session import HubSession

log = logging.getLogger(__name__)

TICK_S: Final = 0.25
_CLOSE_S: Final = 3.0
_ENDED: Final = frozenset({DownloadState.DONE, DownloadState.FAILED, DownloadState.PAUSED})


class Downloads:
    """Owns the queue. Every method on one event loop; transfers run in threads of their own.

    Nothing is fetched but what ``add`` or ``resume`` asked for. ``emit`` gets the whole queue when something
    in it is in another state, and single downloads a few times a second while they run.
    """

    def __init__(
        self,
        *,
        session: HubSession,
        transfer: RunsTransfer,
        folder: Path,
        disk: Disk,
        emit: Callable[[DownloadEvent], None],
        n_at_once: Callable[[], int],
        clock: Callable[[], float],
        on_done: Callable[[Download], Awaitable[None]],
        before_asking: Callable[[], Awaitable[None]],
        queue_file: QueueFile | None = None,
    ) -> None:
        """Take the parts.

        ``on_done`` is awaited when a model is whole and registered, before its download says so.
        ``before_asking`` is awaited before the hub is asked: there the token is looked for.
        """
        self._session = session
        self._transfer = transfer
        self._folder = folder
        self._disk = disk
        self._emit = emit
        self._n_at_once = n_at_once
        self._clock = clock
        self._on_done = on_done
        self._before_asking = before_asking
        self._queue_file = queue_file
        self._downloads: dict[DownloadId, Download] = {}
        self._jobs: dict[DownloadId, Job] = {}
        self._meters: dict[DownloadId, SpeedMeter] = {}
        self._discarded: dict[DownloadId, tuple[WantedFile, ...]] = {}
        self._save_lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ticker: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def downloads(self) -> tuple[Download, ...]:
        """The queue, in its order."""
        return tuple(self._downloads.values())

    async def start(self) -> None:
        """Read the queue of the last run. All that was not done then is paused."""
        if self._queue_file is not None:
            stored = await asyncio.to_thread(self._queue_file.load)
            self._downloads |= {download.id: download for download in stored}
            self._changed()

    async def plan(self, text: str, *, recommend: Recommend | None = None) -> Plan:
        """Ask the hub what ``text`` names; ``recommend`` chooses a size, in a thread. Raises ``HubError``."""
        await self._before_asking()
        return await asyncio.to_thread(make_plan, self._session, text, recommend=recommend)

    async def add(self, plan: Plan) -> DownloadId:
        """Put a model at the end of the queue, or go on with it if it is there.

        Raises ``DownloadBusy`` if a file of it belongs to another download.
        """
        for known in self.downloads:
            if known.files == plan.files and known.state is not DownloadState.DONE:
                await self.resume(known.id)
                return known.id
        taken = {
            wanted.name
            for download in self._downloads.values()
            if download.state is not DownloadState.DONE
            for wanted in download.files
        }
        for wanted in plan.files:
            if wanted.name in taken:
                raise DownloadBusy(name=wanted.file.path)
        for known in self.downloads:
            if known.title == plan.title and known.state is DownloadState.DONE:
                del self._downloads[known.id]
        download = Download(
            id=DownloadId(secrets.token_hex(8)),
            title=plan.title,
            files=plan.files,
            state=DownloadState.QUEUED,
        )
        self._downloads[download.id] = download
        await self._after_change()
        return download.id

    async def pause(self, download_id: DownloadId) -> None:
        """Stop a download; what has arrived is kept. Raises ``DownloadNotFound``, as all others do."""
        download = self._known(download_id)
        if download.state not in _ENDED:
            self._stop(download_id)
            self._put(download, state=DownloadState.PAUSED)
            await self._after_change()

    async def resume(self, download_id: DownloadId) -> None:
        """Go on with one that is paused, or try again one that failed."""
        download = self._known(download_id)
        if download.state in (DownloadState.PAUSED, DownloadState.FAILED):
            await self._before_asking()
            self._put(self._known(download_id), state=DownloadState.QUEUED)
            await self._after_change()

    async def cancel(self, download_id: DownloadId) -> None:
        """Take a download off the queue, and what has arrived of it off the disk. A whole model stays."""
        download = self._known(download_id)
        del self._downloads[download_id]
        if download_id in self._jobs:
            self._discarded[download_id] = download.files
            self._stop(download_id)
        elif download.state is not DownloadState.DONE:
            await asyncio.to_thread(self._remove_leftovers, download.files)
        await self._after_change()

    async def move(self, download_id: DownloadId, *, position: int) -> None:
        """Give a download another place in the queue, from 0."""
        self._known(download_id)
        order = [known for known in self._downloads if known != download_id]
        order.insert(max(0, position), download_id)
        self._downloads = {known: self._downloads[known] for known in order}
        await self._after_change()

    async def close(self) -> None:
        """Stop every transfer and keep the queue. Takes a few seconds at most."""
        self._is_closed = True
        jobs = list(self._jobs.values())
        for job in jobs:
            job.stop()
        for job in jobs:
            await asyncio.to_thread(job.join, _CLOSE_S / len(jobs))
        if self._ticker is not None:
            self._ticker.cancel()
        await asyncio.gather(*self._tasks)
        await self._save()
        self._session.close()

    async def _after_change(self) -> None:
        self._schedule()
        self._changed()
        await self._save()

    def _schedule(self) -> None:
        """Start what may run now, from the head of the queue."""
        n_running = sum(not job.is_stopping for job in self._jobs.values())
        for download in self.downloads:
            if self._is_closed or n_running >= max(1, self._n_at_once()):
                break
            # A job that was stopped a moment ago still holds its files.
            if download.state is DownloadState.QUEUED and download.id not in self._jobs:
                self._start(download)
                n_running += 1
        if self._jobs and self._ticker is None:
            self._ticker = asyncio.create_task(self._tick(), name="downloads")

    def _start(self, download: Download) -> None:
        loop = asyncio.get_running_loop()

        def on_end(ended: Ended) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._ended, download.id, ended)

        job = Job(download, transfer=self._transfer, on_end=on_end)
        self._jobs[download.id] = job
        self._meters[download.id] = SpeedMeter(clock=self._clock)
        self._put(download, state=DownloadState.RUNNING)
        job.start()

    def _stop(self, download_id: DownloadId) -> None:
        job = self._jobs.get(download_id)
        if job is not None:
            job.stop()

    def _ended(self, download_id: DownloadId, ended: Ended) -> None:
        task = asyncio.get_running_loop().create_task(self._finish(download_id, ended))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _finish(self, download_id: DownloadId, ended: Ended) -> None:
        self._jobs.pop(download_id, None)
        self._meters.pop(download_id, None)
        discarded = self._discarded.pop(download_id, None)
        if discarded is not None:
            await asyncio.to_thread(self._remove_leftovers, discarded)
        download = self._downloads.get(download_id)
        if download is not None and ended.is_done:
            await self._tell_library(download)
            self._put(download, state=DownloadState.DONE, n_bytes=download.size_bytes)
        elif download is not None and download.state.is_active:
            if ended.error is None:
                self._put(download, state=DownloadState.PAUSED)
            else:
                self._put(download, state=DownloadState.FAILED, error=ended.error.info())
        await self._after_change()

    async def _tell_library(self, download: Download) -> None:
        try:
            await self._on_done(download)
        except FiresideError as exc:
            # The files are there; the next look at the library finds them.
            log.warning("a finished download is not in the library yet: %s", exc)

    async def _tick(self) -> None:
        """Tell how far the running downloads are, as long as there are any."""
        try:
            while self._jobs and not self._is_closed:
                await asyncio.sleep(TICK_S)
                for download_id, job in tuple(self._jobs.items()):
                    download = self._downloads.get(download_id)
                    if download is not None and download.state.is_active and not job.is_stopping:
                        self._take_report(download, job)
        finally:
            self._ticker = None

    def _take_report(self, download: Download, job: Job) -> None:
        report, meter = job.report, self._meters[download.id]
        if report.state is DownloadState.RUNNING:
            meter.take(report.n_bytes)
        else:
            meter.restart()
        progressed = msgspec.structs.replace(
            download,
            state=report.state,
            n_bytes=report.n_bytes,
            bytes_per_s=meter.bytes_per_s,
            seconds_left=meter.seconds_left(download.size_bytes - report.n_bytes),
            is_stalled=report.state is DownloadState.RUNNING and meter.is_stalled,
            note=report.note,
        )
        self._downloads[download.id] = progressed
        if progressed.state is not download.state:
            self._changed()
        else:
            self._emit(DownloadProgressed(download=progressed))

    def _put(
        self,
        download: Download,
        *,
        state: DownloadState,
        n_bytes: int | None = None,
        note: str = "",
        error: ErrorInfo | None = None,
    ) -> None:
        self._downloads[download.id] = msgspec.structs.replace(
            download,
            state=state,
            n_bytes=download.n_bytes if n_bytes is None else n_bytes,
            bytes_per_s=0.0,
            seconds_left=None,
            is_stalled=False,
            note=note,
            error=error,
        )

    def _known(self, download_id: DownloadId) -> Download:
        download = self._downloads.get(download_id)
        if download is None:
            raise DownloadNotFound(id=download_id)
        return download

    def _changed(self) -> None:
        self._emit(DownloadsChanged(downloads=self.downloads))

    async def _save(self) -> None:
        if self._queue_file is not None:
            async with self._save_lock:
                await asyncio.to_thread(self._queue_file.save, self.downloads)

    def _remove_leftovers(self, files: Sequence[WantedFile]) -> None:
        remove_leftovers(files, folder=self._folder, disk=self._disk)
